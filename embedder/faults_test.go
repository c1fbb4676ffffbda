package embedder_test

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/embedder"
)

// outcome is an Embedding as a word: "ok", "2 parts", "blank" or "failed".
func outcome(e embedder.Embedding) string {
	switch {
	case errors.Is(e.Err, embedder.ErrBlank):
		return "blank"
	case e.Err != nil && e.Vector == nil:
		return "failed"
	case e.Err != nil || math.Abs(norm(e.Vector)-1) > 1e-6:
		return fmt.Sprintf("wrong: %+v", e)
	case e.Parts == 1:
		return "ok"
	}
	return fmt.Sprintf("%d parts", e.Parts)
}

func outcomes(embeddings []embedder.Embedding) []string {
	var all []string
	for _, e := range embeddings {
		all = append(all, outcome(e))
	}
	return all
}

func norm(v []float32) float64 { return math.Sqrt(dot(v, v)) }

func dot(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// texts returns n texts, "text 0" and on.
func texts(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("text %d", i)
	}
	return all
}

func TestOneFaultyTextLosesNoOther(t *testing.T) {
	tests := []struct {
		name  string
		fault func(w http.ResponseWriter, inputs []string)
	}{
		{"NaN when encoding", func(w http.ResponseWriter, _ []string) {
			answer(w, 500, `{"error":"failed to encode response: json: unsupported value: NaN"}`)
		}},
		{"NaN in the vector", func(w http.ResponseWriter, _ []string) {
			answer(w, 400, `{"error":"embedding contains NaN or Inf values"}`)
		}},
		{"NaN as a number", func(w http.ResponseWriter, _ []string) { answer(w, 200, `{"embeddings":[[NaN,1,2,3]]}`) }},
		{"too large for float32", func(w http.ResponseWriter, _ []string) { answer(w, 200, `{"embeddings":[[1e39,1,2,3]]}`) }},
		{"zero vectors", func(w http.ResponseWriter, inputs []string) { rows(w, len(inputs), "[0,0,0,0]") }},
		{"short vectors", func(w http.ResponseWriter, inputs []string) { rows(w, len(inputs), "[1,2]") }},
		{"empty vectors", func(w http.ResponseWriter, inputs []string) { rows(w, len(inputs), "[]") }},
		{"fewer vectors", func(w http.ResponseWriter, inputs []string) { rows(w, len(inputs)-1, "[1,2,3,4]") }},
		{"no vectors", func(w http.ResponseWriter, _ []string) { answer(w, 200, `{"embeddings":[]}`) }},
		{"no JSON", func(w http.ResponseWriter, _ []string) { answer(w, 200, `not json`) }},
		{"unknown server error", func(w http.ResponseWriter, _ []string) { answer(w, 500, `{"error":"GGML_ASSERT"}`) }},
		{"runner dies each time", func(w http.ResponseWriter, _ []string) {
			answer(w, 400, `{"error":"do embedding request: Post \"http://127.0.0.1:41447/embedding\": EOF"}`)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
				s.serve(func(n int, inputs []string, w http.ResponseWriter) {
					if strings.Contains(strings.Join(inputs, " "), "poisonberry") {
						tt.fault(w, inputs)
						return
					}
					vectors(n, inputs, w)
				})
				all := texts(20)
				all[11] = "poisonberry"
				got, err := o.Embed(t.Context(), embedder.Document, all)
				if err != nil {
					t.Fatal(err)
				}
				want := slices.Repeat([]string{"ok"}, 20)
				want[11] = "failed"
				if diff := cmp.Diff(want, outcomes(got)); diff != "" {
					t.Errorf("outcomes (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func rows(w http.ResponseWriter, n int, row string) {
	answer(w, 200, `{"embeddings":[`+strings.Join(slices.Repeat([]string{row}, n), ",")+`]}`)
}

func TestBriefFaultsAreRetried(t *testing.T) {
	tests := []struct {
		name  string
		fault func(s *standIn, w http.ResponseWriter)
	}{
		{"closed before the answer", func(_ *standIn, w http.ResponseWriter) { hangUp(w, "") }},
		{"closed in the answer", func(_ *standIn, w http.ResponseWriter) {
			hangUp(w, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"embeddings\":[[")
		}},
		{"connection reset", func(s *standIn, w http.ResponseWriter) {
			s.mu.Lock()
			s.reset = true
			s.mu.Unlock()
			hangUp(w, "")
		}},
		{"busy", func(_ *standIn, w http.ResponseWriter) {
			answer(w, 503, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`)
		}},
		{"proxy without its server", func(_ *standIn, w http.ResponseWriter) {
			w.WriteHeader(502)
			w.Write([]byte("<html><title>502 Bad Gateway</title></html>"))
		}},
		{"runner died", func(_ *standIn, w http.ResponseWriter) {
			answer(w, 400, `{"error":"do embedding request: Post \"http://127.0.0.1:41447/embedding\": EOF"}`)
		}},
		{"internal error", func(_ *standIn, w http.ResponseWriter) { answer(w, 500, `{"error":"something broke"}`) }},
	}
	for _, tt := range tests {
		for name, role := range map[string]embedder.Role{"document": embedder.Document, "query": embedder.Query} {
			t.Run(tt.name+"/"+name, func(t *testing.T) {
				bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
					s.serve(func(n int, inputs []string, w http.ResponseWriter) {
						if n == 2 {
							tt.fault(s, w)
							return
						}
						vectors(n, inputs, w)
					})
					got, err := o.Embed(t.Context(), role, texts(2))
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff([]string{"ok", "ok"}, outcomes(got)); diff != "" {
						t.Errorf("outcomes (-want +got):\n%s", diff)
					}
					sent := s.sent(2)
					if diff := cmp.Diff(sent[0], sent[len(sent)-1]); diff != "" {
						t.Errorf("the last request is not the first one again (-first +last):\n%s", diff)
					}
				})
			})
		}
	}
}

func TestAServerThatRestartsIsWaitedForByDocumentsOnly(t *testing.T) {
	for name, role := range map[string]embedder.Role{"document": embedder.Document, "query": embedder.Query} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
				s.serve(func(n int, inputs []string, w http.ResponseWriter) {
					if n != 2 {
						vectors(n, inputs, w)
						return
					}
					s.setDown(true)
					time.AfterFunc(3*time.Second, func() { s.setDown(false) })
					hangUp(w, "")
				})
				start := time.Now()
				_, err := o.Embed(t.Context(), role, texts(2))
				if wantErr := role == embedder.Query; errors.Is(err, embedder.ErrUnavailable) != wantErr {
					t.Errorf("error %v, want unavailable: %v", err, wantErr)
				}
				if waited := time.Since(start); role == embedder.Query && waited > 250*time.Millisecond {
					t.Errorf("the query tries for %v to reach a server that is down", waited)
				}
				time.Sleep(5 * time.Second)
				if _, err := o.Embed(t.Context(), role, texts(2)); err != nil {
					t.Errorf("when it is back: %v", err)
				}
			})
		})
	}
}

func TestAServerThatFailsForGoodEndsTheCall(t *testing.T) {
	tests := []struct {
		name   string
		status int
		body   string
		want   error
		says   []string
	}{
		{"model removed", 404, `{"error":"model \"all-minilm\" not found, try pulling it first"}`, embedder.ErrModelMissing, []string{"ollama pull all-minilm"}},
		{"every request fails", 500, `{"error":"CUDA error"}`, embedder.ErrUnavailable, []string{"CUDA error", "log"}},
		{"does not load", 500, `{"error":"model failed to load, this may be due to resource limitations or an internal error, check ollama server logs for details"}`, embedder.ErrUnavailable, []string{"failed to load", "log"}},
		{"busy for ever", 503, `{"error":"server busy"}`, embedder.ErrUnavailable, []string{"server busy", "later"}},
		{"wants credentials", 401, `{}`, embedder.ErrUnavailable, []string{"401", "headers_file"}},
		{"refuses", 403, `<html><title>403 Forbidden</title><body>no</body>`, embedder.ErrUnavailable, []string{"403 Forbidden", "headers_file"}},
		{"method not allowed", 405, `405 method not allowed`, embedder.ErrUnavailable, []string{"not as Ollama", "405 method not allowed", "OLLAMA_HOST"}},
		{"other path", 404, `404 page not found`, embedder.ErrUnavailable, []string{"not as Ollama", "404 page not found", "OLLAMA_HOST"}},
		{"bad request", 400, `{"error":"invalid input type"}`, embedder.ErrUnavailable, []string{"invalid input type"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
				s.serve(func(n int, inputs []string, w http.ResponseWriter) {
					if n == 1 {
						vectors(n, inputs, w)
						return
					}
					answer(w, tt.status, tt.body)
				})
				got, err := o.Embed(t.Context(), embedder.Document, texts(9))
				if !errors.Is(err, tt.want) || got != nil {
					t.Fatalf("got %v, error %v, want %v", got, err, tt.want)
				}
				mentions(t, err, append(tt.says, "http://ollama.test")...)
				mayPass := tt.status == 503 || tt.name == "every request fails"
				if n := len(s.sent(2)); n != 1 && !mayPass {
					t.Errorf("%d requests, want 1", n)
				}
			})
		})
	}
}

// mentions holds that an error names its remedy, on one line, and no secret.
func mentions(t *testing.T, err error, words ...string) {
	t.Helper()
	text := err.Error()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("error %q does not mention %q", text, w)
		}
	}
	for _, w := range []string{"secret", "user", "\n", "<"} {
		if strings.Contains(strings.ReplaceAll(text, "user:password@", ""), w) {
			t.Errorf("error %q contains %q", text, w)
		}
	}
}

func TestAPageOfAProxyIsNoOllama(t *testing.T) {
	tests := []struct {
		name   string
		status int
		header http.Header
		body   string
		says   string
	}{
		{"page", 200, http.Header{"Content-Type": {"text/html; charset=utf-8"}}, "<html>Sign in</html>", "text/html"},
		{"redirect", 302, http.Header{"Location": {"https://login.test/?next=x"}, "Content-Type": {"text/html"}}, "", "redirect"},
		{"error page", 405, http.Header{"Content-Type": {"text/html"}}, "<html><head><title>405 Not Allowed</title></head></html>", "405 Not Allowed"},
		{"endless", 200, http.Header{"Content-Type": {"application/json"}}, strings.Repeat(" ", 17<<20), "16 MiB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStandIn(t)
				s.HandleFunc("/proxy/", func(w http.ResponseWriter, _ *http.Request) {
					for name, values := range tt.header {
						w.Header()[name] = values
					}
					w.WriteHeader(tt.status)
					w.Write([]byte(tt.body))
				})
				o := s.ask(t, embedder.OllamaConfig{Host: "http://user:secret@ollama.test/proxy"})
				_, err := o.Model(t.Context())
				if !errors.Is(err, embedder.ErrUnavailable) {
					t.Fatalf("error %v, want unavailable", err)
				}
				mentions(t, err, tt.says, "http://ollama.test:80/proxy", "OLLAMA_HOST")
			})
		})
	}
}
