package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/server"
)

// TestBodies holds HT04's table: size, type and form of a body.
func TestBodies(t *testing.T) {
	h := server.New(indexed(t), server.Config{}).Handler()
	fill := func(n int) string { return `{"query":"` + strings.Repeat("x", n) + `"}` }
	deep := func(open, end string, n int) string {
		return `{"query":` + strings.Repeat(open, n) + strings.Repeat(end, n) + `}`
	}
	for _, test := range []struct {
		name, body string
		header     []string
		want       int
	}{
		{"good", `{"query":"tide"}`, nil, 200},
		{"with a charset", `{"query":"tide"}`, []string{"Content-Type", "application/json; charset=utf-8"}, 200},
		{"blanks around", " \n{\"query\":\"tide\"}\n ", nil, 200},
		{"truncated", `{bad`, nil, 400},
		{"brackets alone", strings.Repeat("[", 100_000), nil, 400},
		{"deep arrays", deep("[", "]", 100_000), nil, 400},
		{"deep objects", deep(`{"a":`, "1}", 100_000), nil, 400},
		{"deep below the limit", deep("[", "]", 5_000), nil, 400},
		{"more behind it", `{"query":"tide"} x`, nil, 400},
		{"a byte-order mark", "\ufeff" + `{"query":"tide"}`, nil, 400},
		{"plain text", `{"query":"tide"}`, []string{"Content-Type", "text/plain"}, 415},
		{"a form", `query=tide`, []string{"Content-Type", "application/x-www-form-urlencoded"}, 415},
		{"no type", `{"query":"tide"}`, []string{"Content-Type", ""}, 415},
		{"a strange type", `{"query":"tide"}`, []string{"Content-Type", ";;"}, 415},
		{"the longest query", fill(skillsearch.MaxQuery), nil, 200},
		{"a query too long", fill(skillsearch.MaxQuery + 1), nil, 422},
		{"the longest body", `{"query":"tide"}` + strings.Repeat(" ", 1<<20-16), nil, 200},
		{"a body too long", `{"query":"tide"}` + strings.Repeat(" ", 1<<20-15), nil, 413},
	} {
		w := ask(h, "POST", "/v1/search", test.body, test.header...)
		if w.Code != test.want || test.want >= 400 && w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d, want %d: %.300s", test.name, w.Code, test.want, w.Body)
		}
	}
}

// TestLongURLs holds, at a real listener, that the longest query fits even with
// every byte percent-encoded, and that more than the bound is refused.
func TestLongURLs(t *testing.T) {
	site := run(t, indexed(t), server.Config{})
	for n, want := range map[int]int{skillsearch.MaxQuery: 200, skillsearch.MaxQuery + 1: 422, 100_000: 431} {
		if status, answer := site.ask("GET", "/v1/search?q="+strings.Repeat("%C3", n), ""); status != want {
			t.Errorf("%d bytes: %d, want %d: %.200s", n, status, want, answer)
		}
	}
	if err := site.stop(); err != nil {
		t.Error(err)
	}
}

// TestHugeBodiesAreNotRead holds, at a real listener, that 200 MB are refused
// at sight when they are declared and after 1 MiB when not, and are never kept.
func TestHugeBodiesAreNotRead(t *testing.T) {
	const size = 200_000_000
	site := run(t, indexed(t), server.Config{})
	head := "POST /v1/search HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
	if answer := sendRaw(t, site.url, fmt.Sprintf(head, size)); !strings.HasPrefix(answer, "HTTP/1.1 413 ") { // and the body never comes
		t.Errorf("a declared body: %s", answer)
	}
	for _, declared := range []int64{size, -1} {
		before := allocated()
		body := &counter{r: io.LimitReader(zeros{}, size)}
		r, err := http.NewRequestWithContext(t.Context(), "POST", site.url+"/v1/search", io.NopCloser(body))
		if err != nil {
			t.Fatal(err)
		}
		r.ContentLength = declared
		r.Header.Set("Content-Type", "application/json")
		w, err := site.client.Do(r)
		if err != nil {
			t.Fatalf("declared %d: %v", declared, err)
		}
		w.Body.Close()
		if w.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("declared %d: %d", declared, w.StatusCode)
		}
		if used := allocated() - before; used > 32<<20 {
			t.Errorf("declared %d: %d bytes were allocated", declared, used)
		}
		if taken := body.n.Load(); taken > 64<<20 {
			t.Errorf("declared %d: %d bytes were taken", declared, taken)
		}
	}
	if err := site.stop(); err != nil {
		t.Error(err)
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

type counter struct {
	r io.Reader
	n atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// TestSlowClientsHoldNobodyUp holds, at a real listener, that searches are
// answered while many clients have sent half a header.
func TestSlowClientsHoldNobodyUp(t *testing.T) {
	site := run(t, indexed(t), server.Config{})
	var slow []net.Conn
	for range 300 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(site.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		slow = append(slow, conn)
		if _, err := io.WriteString(conn, "GET /v1/search?q=tide HTTP/1.1\r\nHost: local"); err != nil {
			t.Fatal(err)
		}
	}
	for range 20 {
		if status, answer := site.ask("GET", "/v1/search?q=tide", ""); status != 200 {
			t.Fatalf("%d %s", status, answer)
		}
	}
	for _, conn := range slow {
		conn.Close()
	}
	if err := site.stop(); err != nil {
		t.Error(err)
	}
}

// TestConnectionsEnd holds the time-outs: of half a header, of half a body, and
// of a connection that nobody uses.
func TestConnectionsEnd(t *testing.T) {
	for _, test := range []struct {
		name, sent string
		answers    int // to read before the connection ends
		after      time.Duration
	}{
		{"half a header", "GET /healthz HTTP/1.1\r\nHost: 127", 0, 5 * time.Second},
		{"half a body", "POST /v1/search HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{", 1, 30 * time.Second},
		{"idle", "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 1, 60 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				site, listener := runInside(t, open(t, library(t)), server.Config{})
				conn, err := listener.dial(t.Context(), "", "")
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				start := time.Now()
				if _, err := io.WriteString(conn, test.sent); err != nil {
					t.Fatal(err)
				}
				r := bufio.NewReader(conn)
				for range test.answers {
					w, err := http.ReadResponse(r, nil)
					if err != nil {
						t.Fatal(err)
					}
					if _, err := io.Copy(io.Discard, w.Body); err != nil {
						t.Fatal(err)
					}
				}
				if _, err := r.ReadByte(); err != io.EOF {
					t.Errorf("the connection gave %v, want its end", err)
				}
				if took := time.Since(start); took < test.after || took > test.after+time.Second {
					t.Errorf("the connection ended after %v, want %v", took, test.after)
				}
				if err := site.stop(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestAPanicIsOneFailedRequest holds that the process, and the connection, live
// on, and that neither the answer nor the log tells what the client sent.
func TestAPanicIsOneFailedRequest(t *testing.T) {
	b := &bag{before: func(_ context.Context, role embedder.Role, texts []string) error {
		if role == embedder.Query && strings.Contains(texts[0], "whirlpool") {
			panic(fmt.Sprintf("no way out of %q", texts[0]))
		}
		return nil
	}}
	engine := open(t, library(t), b)
	if _, err := engine.Index(t.Context(), skillsearch.IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	log := &journal{}
	site := run(t, engine, server.Config{Logger: log.logger()})
	status, answer := site.ask("GET", "/v1/search?q=whirlpool", "")
	id := between(answer, `"incident":"`, `"`)
	if status != 500 || id == "" || !strings.Contains(answer, `"type":"urn:skillsearch:problem:internal"`) || strings.Contains(answer, "whirlpool") {
		t.Errorf("%d %s", status, answer)
	}
	if text := log.text(); !strings.Contains(text, id) || !strings.Contains(text, "limits_test.go") || strings.Contains(text, "whirlpool") {
		t.Errorf("the log of incident %q:\n%s", id, text)
	}
	if status, answer := site.ask("GET", "/v1/search?q=tide", ""); status != 200 {
		t.Errorf("the next search: %d %s", status, answer)
	}
	if err := site.stop(); err != nil {
		t.Error(err)
	}
}

func between(text, from, to string) string {
	_, rest, _ := strings.Cut(text, from)
	found, _, _ := strings.Cut(rest, to)
	return found
}

// FuzzSearch holds that no query of a URL and no body makes the server fail.
func FuzzSearch(f *testing.F) {
	for _, seed := range []string{`q=tide&limit=3`, `{"query":"tide","tags":["a"],"limit":3}`, `q=%ff&wait=1s&tag=a,b`, `{"query":"\ud800","wait":"1e9h"}`, `limit=99999999999999999999`, `{"limit":1e400}`, "null", "[]", `{"skillbook":["",null]}`} {
		f.Add(seed)
	}
	h := server.New(open(f, library(f)), server.Config{}).Handler()
	f.Fuzz(func(t *testing.T, text string) {
		if w := ask(h, "POST", "/v1/search", text); w.Code >= 500 || w.Code != 200 && w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("body %q: %d %s", text, w.Code, w.Body)
		}
		r, err := http.NewRequestWithContext(t.Context(), "GET", "http://127.0.0.1/v1/search", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/v1/search", "/v1/skills"} {
			r.URL.Path, r.URL.RawQuery = path, text
			if w := record(h, r); w.Code >= 500 {
				t.Errorf("%s with query %q: %d %s", path, text, w.Code, w.Body)
			}
		}
	})
}
