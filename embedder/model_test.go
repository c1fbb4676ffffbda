package embedder_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/skillsearch/skillsearch/embedder"
)

const probeNormalised = "deja vu - cafe: head ~ 3 | a = b"

func unitVector(input string) []float32 {
	v := vectorOf(input)
	length := norm(v)
	for i := range v {
		v[i] = float32(float64(v[i]) / length)
	}
	return v
}

func TestModelIsWhatTheServerSays(t *testing.T) {
	bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
		got, err := o.Model(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := embedder.Model{
			Name: "all-minilm", Engine: "ollama 0.17.4", Digest: "a1b2", Dimensions: 4, Context: 256, PassageSize: 600,
			Fingerprint: fmt.Sprintf("%x", sha256.Sum256([]byte("digest a1b2\ndimensions 4\nprefix 1 \"\" \"\"\nnormaliser 1\npassage 1 600\n"))),
			Probe:       unitVector(probeNormalised),
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
			t.Errorf("model (-want +got):\n%s", diff)
		}
		got.Probe[0] = 7
		again, err := o.Model(t.Context())
		if diff := cmp.Diff(want, again, cmpopts.EquateApprox(0, 1e-6)); diff != "" || err != nil {
			t.Errorf("second answer, error %v (-want +got):\n%s", err, diff)
		}
		if n := len(s.sent(1)); n != 1 {
			t.Errorf("%d embed requests for two answers, want 1", n)
		}
	})
}

func TestContextIsTheSmallerOfModelAndModelfile(t *testing.T) {
	tests := []struct {
		parameters string
		trained    any
		context    int
		size       int
	}{
		{"num_ctx 256", 512, 256, 600},
		{"num_ctx    8192", 512, 512, 1200},
		{"stop \"num_ctx\"\nnum_ctx 511", 2048, 511, 600},
		{"", 2048, 2048, 1200},
		{"num_ctx 1024", nil, 1024, 1200},
		{"", nil, 0, 600},
		{"num_ctx many\nnum_ctx 0", 512, 512, 1200},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.parameters, tt.trained), func(t *testing.T) {
			bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
				s.show["parameters"] = tt.parameters
				s.show["model_info"] = map[string]any{"general.architecture": "bert", "bert.context_length": tt.trained}
				got, err := o.Model(t.Context())
				if err != nil || got.Context != tt.context || got.PassageSize != tt.size {
					t.Errorf("context %d, passage size %d, error %v, want %d, %d", got.Context, got.PassageSize, err, tt.context, tt.size)
				}
			})
		})
	}
}

func TestModelIsFoundByAnyOfItsNames(t *testing.T) {
	for name, want := range map[string]string{
		"": "a1b2", "all-minilm": "a1b2", "all-minilm:latest": "a1b2", "ALL-MiniLM": "a1b2", " all-minilm ": "a1b2",
		"all-minilm:512": "c3", "library/all-minilm": "a1b2", "registry.ollama.ai/library/all-minilm:latest": "a1b2",
	} {
		synctest.Test(t, func(t *testing.T) {
			got, err := newStandIn(t).ask(t, embedder.OllamaConfig{Model: name}).Model(t.Context())
			if err != nil || got.Digest != want {
				t.Errorf("%q: digest %q, error %v, want %q", name, got.Digest, err, want)
			}
		})
	}
}

func TestMissingModelNamesThePull(t *testing.T) {
	for name, reply := range map[string]struct {
		status int
		body   string
	}{
		"0.17.4":            {404, `{"error":"model 'absent-embed' not found"}`},
		"0.12.6":            {404, `{"error":"model \"absent-embed\" not found, try pulling it first"}`},
		"no name":           {500, `{"error":"unqualified name: registry.ollama.ai/library/!MISSING!:latest"}`},
		"invalid name":      {400, `{"error":"invalid model name"}`},
		"only in the list?": {200, `{"capabilities":["embedding"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStandIn(t)
				s.HandleFunc("/elsewhere/", func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/elsewhere/api/show" {
						answer(w, reply.status, reply.body)
						return
					}
					http.StripPrefix("/elsewhere", &s.ServeMux).ServeHTTP(w, r)
				})
				o := s.ask(t, embedder.OllamaConfig{Host: "ollama.test/elsewhere", Model: "absent-embed"})
				_, err := o.Model(t.Context())
				if !errors.Is(err, embedder.ErrModelMissing) {
					t.Fatalf("error %v, want model missing", err)
				}
				mentions(t, err, "`ollama pull absent-embed`", "http://ollama.test:11434/elsewhere", "--model")
			})
		})
	}
}

func TestAModelThatGeneratesTextIsRefusedUnused(t *testing.T) {
	bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
		s.show["capabilities"] = []string{"completion", "tools"}
		_, err := o.Embed(t.Context(), embedder.Document, texts(1))
		if !errors.Is(err, embedder.ErrNotEmbedding) {
			t.Fatalf("error %v, want not an embedding model", err)
		}
		mentions(t, err, "completion, tools", "--model")
		if n := len(s.sent(1)); n != 0 {
			t.Errorf("%d embed requests, want none", n)
		}
	})
}

func TestAServerThatListsNoCapabilitiesIsTrusted(t *testing.T) {
	bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
		delete(s.show, "capabilities")
		if _, err := o.Model(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestNoServerFailsAtOnceAndIsNotRemembered(t *testing.T) {
	bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
		s.setDown(true)
		_, err := o.Model(t.Context())
		if !errors.Is(err, embedder.ErrUnavailable) {
			t.Fatalf("error %v, want unavailable", err)
		}
		mentions(t, err, "http://ollama.test:11434", "connection refused", "`ollama serve`", "OLLAMA_HOST")
		if _, err := o.Embed(t.Context(), embedder.Document, texts(1)); !errors.Is(err, embedder.ErrUnavailable) {
			t.Errorf("embed: error %v, want unavailable", err)
		}
		if s.dials != 2 {
			t.Errorf("%d connections for two calls, want 2", s.dials)
		}
		s.setDown(false)
		if _, err := o.Model(t.Context()); err != nil {
			t.Errorf("once it runs: %v", err)
		}
	})
}

func TestAProbeWithoutAVectorIsNoModel(t *testing.T) {
	bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
		s.serve(func(_ int, _ []string, w http.ResponseWriter) { answer(w, 200, `{"embeddings":[[0,0,0,0]]}`) })
		if m, err := o.Model(t.Context()); !errors.Is(err, embedder.ErrUnavailable) {
			t.Errorf("model %+v, error %v, want unavailable", m, err)
		}
	})
}

func TestARememberedModelIsNotProbedAgain(t *testing.T) {
	var model embedder.Model
	bubble(t, func(t *testing.T, _ *standIn, o *embedder.Ollama) {
		var err error
		if model, err = o.Model(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
	other := func(change func(m *embedder.Model)) embedder.Model {
		m := model
		change(&m)
		return m
	}
	tests := []struct {
		name       string
		remembered []embedder.Model
		requests   int
	}{
		{"nothing", nil, 1},
		{"it", []embedder.Model{model}, 0},
		{"another version", []embedder.Model{other(func(m *embedder.Model) { m.Engine = "ollama 0.12.6" })}, 1},
		{"another fingerprint", []embedder.Model{other(func(m *embedder.Model) { m.Fingerprint = "00" })}, 1},
		{"no probe", []embedder.Model{other(func(m *embedder.Model) { m.Probe = nil })}, 1},
		{"it among others", []embedder.Model{{}, other(func(m *embedder.Model) { m.Dimensions = 3 }), model}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
				o.Remember(tt.remembered...)
				got, err := o.Model(t.Context())
				if diff := cmp.Diff(model, got); diff != "" || err != nil {
					t.Errorf("error %v (-first +again):\n%s", err, diff)
				}
				if n := len(s.sent(1)); n != tt.requests {
					t.Errorf("%d embed requests, want %d", n, tt.requests)
				}
			})
		})
	}
}

// An upgrade of the server keeps the digest and changes the vectors.
func TestVectorsOfAServerThatChangedAreRefusedUntilItsModelIsAskedFor(t *testing.T) {
	bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
		before, err := o.Model(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s.serve(func(n int, inputs []string, w http.ResponseWriter) {
			if n == 2 {
				hangUp(w, "")
				return
			}
			rows(w, len(inputs), "[1,-1,1,-1]")
		})
		o.Remember(before) // is no excuse
		for range 2 {
			if _, err := o.Embed(t.Context(), embedder.Document, texts(1)); !errors.Is(err, embedder.ErrModelChanged) {
				t.Errorf("error %v, want model changed", err)
			}
		}
		after, err := o.Model(t.Context())
		if err != nil || cmp.Equal(before.Probe, after.Probe) {
			t.Errorf("error %v, probe %v, want that of the new server", err, after.Probe)
		}
		if _, err := o.Embed(t.Context(), embedder.Document, texts(1)); err != nil {
			t.Errorf("once the new model is known: %v", err)
		}
	})
}

func TestACallKeepsToTheModelItBeganWith(t *testing.T) {
	bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
		s.serve(func(n int, inputs []string, w http.ResponseWriter) {
			switch {
			case n == 2:
				time.Sleep(time.Second)
				hangUp(w, "")
			case n < 2:
				vectors(n, inputs, w)
			default:
				rows(w, len(inputs), "[1,-1,1,-1]")
			}
		})
		embedded := make(chan error)
		go func() {
			_, err := o.Embed(t.Context(), embedder.Document, texts(1))
			embedded <- err
		}()
		time.Sleep(1100 * time.Millisecond) // before its second try
		if _, err := o.Model(t.Context()); err != nil {
			t.Error(err)
		}
		if err := <-embedded; !errors.Is(err, embedder.ErrModelChanged) {
			t.Errorf("error %v, want model changed", err)
		}
	})
}

func TestAServerThatComesBackWithoutTheModelStaysUnusable(t *testing.T) {
	bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
		s.serve(func(n int, inputs []string, w http.ResponseWriter) {
			if n == 2 {
				s.show = nil
				hangUp(w, "")
				return
			}
			vectors(n, inputs, w)
		})
		for range 2 {
			if _, err := o.Embed(t.Context(), embedder.Document, texts(1)); !errors.Is(err, embedder.ErrModelMissing) {
				t.Errorf("error %v, want model missing", err)
			}
		}
	})
}

func TestFingerprintCoversAllThatVectorsDependOn(t *testing.T) {
	fingerprint := func(change func(s *standIn), model string) string {
		var print string
		synctest.Test(t, func(t *testing.T) {
			s := newStandIn(t)
			s.HandleFunc("GET /named/api/tags", func(w http.ResponseWriter, _ *http.Request) {
				answer(w, 200, `{"models":[{"name":"`+model+`:latest","digest":"a1b2"}]}`)
			})
			s.Handle("/named/", http.StripPrefix("/named", &s.ServeMux))
			change(s)
			m, err := s.ask(t, embedder.OllamaConfig{Host: "ollama.test/named", Model: model}).Model(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			print = m.Fingerprint
		})
		return print
	}
	same := func(*standIn) {}
	prints := map[string]string{"as it is": fingerprint(same, "all-minilm")}
	if again := fingerprint(same, "unknown-model"); again != prints["as it is"] {
		t.Errorf("the name alone changes the fingerprint")
	}
	prints["prefix"] = fingerprint(same, "e5-small-v2")
	prints["dimensions"] = fingerprint(func(s *standIn) {
		s.serve(func(_ int, inputs []string, w http.ResponseWriter) { rows(w, len(inputs), "[1,2,3]") })
	}, "all-minilm")
	prints["normaliser"] = fingerprint(func(s *standIn) { s.show["details"] = map[string]any{"family": "gemma3"} }, "all-minilm")
	prints["passage size"] = fingerprint(func(s *standIn) { s.show["parameters"] = "num_ctx 512" }, "all-minilm")
	seen := map[string]string{}
	for what, print := range prints {
		if other, ok := seen[print]; ok {
			t.Errorf("%s and %s have one fingerprint", what, other)
		}
		seen[print] = what
	}
}
