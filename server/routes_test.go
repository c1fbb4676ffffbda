package server_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/server"
)

// TestAnswers holds the whole answer of every route, and of its errors.
func TestAnswers(t *testing.T) {
	byVectors := server.New(indexed(t), server.Config{Version: "v1.2.3"}).Handler()
	byWords := server.New(open(t, library(t)), server.Config{}).Handler()
	for _, test := range []struct {
		name    string
		handler http.Handler
		asks    []string // method, path and body
	}{
		{"search", byVectors, []string{
			"GET /v1/search?q=tide+tables&limit=1",
			"GET /v1/search?q=pack&tag=packing,wood&ranking=lexical&min_score=0.01&wait=500ms",
			`POST /v1/search {"query":"tide tables","limit":1}`,
			`POST /v1/search {"query":"pack","skillbooks":["STORES"],"tags":["packing"],"category":"","ranking":"hybrid","limit":null,"min_score":0.1,"wait":"1s"}`,
			`POST /v1/search {"query":"tide tables","limit":1.0}`,
			"GET /v1/search?q=...",
		}},
		{"search_by_words", byWords, []string{"GET /v1/search?q=tide+tables"}},
		{"skills", byVectors, []string{
			"GET /v1/skills",
			"GET /v1/skills?q=water&limit=2",
			"GET /v1/skills?skillbook=stores&tag=wood",
			"GET /v1/skills?category=kitchen",
		}},
		{"skill", byVectors, []string{
			"GET /v1/skills/library%2Ftide-table",
			"GET /v1/skills/Chest",
			"GET /v1/skills/chess",
		}},
		{"file", byVectors, []string{
			"GET /v1/skills/tide-table/files/references/ports.md",
			"GET /v1/skills/library%2Fchest/files/references%2Flist.md",
			"GET /v1/skills/chest/files/gone.md",
		}},
		{"map", byVectors, []string{
			"GET /v1/facets", "GET /v1/map", "GET /v1/search?q=tide+tables&limit=1&source=flag&mark=true",
			"GET /v1/search?q=tide&source=bundled", "GET /v1/search?q=tide&mark=perhaps",
		}},
		{"why", byVectors, []string{
			"GET /v1/why?q=tide+tables&skill=chest", "GET /v1/why?q=tide+tables&skill=crate&ranking=lexical", "GET /v1/why?q=tide", "GET /v1/why?skill=chest",
			"GET /v1/why?q=tide&skill=chess", "GET /v1/why?q=...&skill=chest", "GET /v1/why?q=tide&skill=chest&limit=3",
			"GET /v1/skills/tide-table/similar?limit=1", "GET /v1/skills/chess/similar", "GET /v1/skills/chest/similar?limit=51",
		}},
		{"prompt", byVectors, []string{
			"GET /v1/prompt", "GET /v1/prompt?top=1&format=xml&max_chars=500", "GET /v1/prompt?format=codex", "GET /v1/prompt?top=0", "GET /v1/prompt?top=x", "GET /v1/prompt?format=yaml", "GET /v1/prompt?max_chars=1",
		}},
		{"status", byVectors, []string{"GET /v1/status"}},
		{"health", byVectors, []string{"GET /healthz", "GET /readyz"}},
		{"reindex", byVectors, []string{"POST /v1/reindex"}},
		{"unknown", byVectors, []string{
			"GET /", "GET /v1/skills/", "GET /v1/skills/library/tide-table", "GET /v1/search/", "POST /v1/skills {}", "DELETE /v1/search", "OPTIONS /v1/search", "HEAD /v1/reindex",
		}},
		{"refused", byVectors, []string{
			"GET /v1/search", "GET /v1/search?q=+", "GET /v1/search?q=a&q=b", "GET /v1/search?q=a&limit=0", "GET /v1/search?q=a&limit=51", "GET /v1/search?q=a&limit=ten", "GET /v1/search?q=a&ranking=best",
			"GET /v1/search?q=a&min_score=NaN", "GET /v1/search?q=a&wait=soon", "GET /v1/search?q=a&wait=1h", "GET /v1/search?q=a&colour=red", "GET /v1/search?q=%zz",
			"GET /v1/skills?limit=1001", "GET /v1/skills?cursor=later",
			"POST /v1/search", "POST /v1/search {", "POST /v1/search null", `POST /v1/search [{"query":"a"}]`, `POST /v1/search {"query":"a"} {}`, `POST /v1/search {"query":7}`, `POST /v1/search {"query":"a","limit":"7"}`,
			`POST /v1/search {"query":"a","limit":1.5}`, `POST /v1/search {"query":"a","tags":{}}`, `POST /v1/search {"query":"a","tags":[1]}`, `POST /v1/search {"query":"a","limt":3}`, `POST /v1/search {"query":"a","tags":["wood",null]}`,
			"GET /v1/skills/chest/files/", "GET /v1/skills/chest/files/references", "GET /v1/skills/chest/files/..%2Fcrate%2Freferences%2Flist.md", "GET /v1/skills/chest/files//etc/passwd", "GET /v1/skills/chest/files/a%00b",
		}},
	} {
		var out strings.Builder
		for _, line := range test.asks {
			method, rest, _ := strings.Cut(line, " ")
			target, body, _ := strings.Cut(rest, " ")
			transcribe(&out, line, ask(test.handler, method, target, body))
		}
		golden(t, test.name, strings.ReplaceAll(out.String(), library(t), "/library"))
	}
}

// transcribe writes one exchange, with the headers that an answer is known by.
func transcribe(out *strings.Builder, line string, w *httptest.ResponseRecorder) {
	fmt.Fprintf(out, "> %s\n%d %s", line, w.Code, w.Header().Get("Content-Type"))
	for _, name := range []string{"Allow", "Etag", "Cache-Control"} {
		if value := w.Header().Get(name); value != "" {
			if name == "Etag" && !strings.Contains(line, "/files/") {
				value = `"…"` // the digest of an answer that may have this machine's paths in it
			}
			fmt.Fprintf(out, "; %s: %s", name, value)
		}
	}
	fmt.Fprintf(out, "\n%s\n", w.Body)
}

// TestSearchIsTheEngineResult holds that HTTP adds nothing to a result and
// takes nothing from it: timings go into a header.
func TestSearchIsTheEngineResult(t *testing.T) {
	engine := indexed(t)
	result, err := engine.Search(t.Context(), skillsearch.Query{Text: `<b> & "tide"`, Limit: 2})
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := skillsearch.Encode(&want, result); err != nil {
		t.Fatal(err)
	}
	h := server.New(engine, server.Config{}).Handler()
	for _, w := range []*httptest.ResponseRecorder{
		ask(h, "GET", "/v1/search?limit=2&q="+url.QueryEscape(`<b> & "tide"`), ""),
		ask(h, "POST", "/v1/search", `{"query":"<b> & \"tide\"","limit":2}`),
	} {
		if diff := cmp.Diff(want.String(), w.Body.String()); diff != "" {
			t.Errorf("answer (-want +got):\n%s", diff)
		}
		if got := w.Header().Get("Server-Timing"); !strings.HasPrefix(got, "search;dur=") {
			t.Errorf("Server-Timing is %q", got)
		}
	}
}

// TestHeadAnswersLikeGet holds that HEAD has GET's status and headers.
func TestHeadAnswersLikeGet(t *testing.T) {
	site := run(t, indexed(t), server.Config{})
	for _, path := range []string{"/v1/search?q=tide", "/v1/skills", "/v1/skills/chest", "/v1/skills/chest/files/references/list.md", "/v1/status", "/healthz", "/v1/search?q=", "/nowhere"} {
		var got [2]http.Header
		for i, method := range []string{http.MethodGet, http.MethodHead} {
			r, err := http.NewRequestWithContext(t.Context(), method, site.url+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			w, err := site.client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			w.Body.Close()
			got[i] = w.Header
			got[i].Set("Status", w.Status)
			for _, name := range []string{"Date", "X-Request-Id", "Server-Timing"} {
				got[i].Del(name)
			}
		}
		if path == "/v1/status" { // what is done in the background moves on
			got[0].Del("Content-Length")
			got[1].Del("Content-Length")
		}
		if diff := cmp.Diff(got[0], got[1]); diff != "" {
			t.Errorf("%s: HEAD differs from GET (-GET +HEAD):\n%s", path, diff)
		}
	}
	if err := site.stop(); err != nil {
		t.Error(err)
	}
}
