package server_test

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/skillsearch/skillsearch/server"
)

// TestMetricsTellWhatWasAnswered holds, over real HTTP, what is counted, that
// the engine's numbers are those of /v1/status, and that no label has anything
// that a client made up.
func TestMetricsTellWhatWasAnswered(t *testing.T) {
	site := run(t, indexed(t), server.Config{Version: "v1.2.3"})
	for _, line := range []string{
		"GET /v1/search?q=secret+tide", "GET /v1/search?q=tide&ranking=lexical", "GET /v1/search?q=tide&ranking=lexical", "GET /v1/search", `POST /v1/search/batch {"queries":[{"query":"tide"},{"query":"pack"}]}`,
		"GET /v1/skills/chest", "GET /v1/skills/made-up", "GET /made/up", "BREW /v1/search",
	} {
		site.ask(split(line))
	}
	code, got := site.ask(http.MethodGet, "/metrics", "")
	if code != http.StatusOK {
		t.Fatalf("%d %s", code, got)
	}
	for _, want := range []string{
		`skillsearch_http_requests_total{method="GET",ranking="cosine",route="/v1/search",status="2xx"} 1`,
		`skillsearch_http_requests_total{method="GET",ranking="lexical",route="/v1/search",status="2xx"} 2`,
		`skillsearch_http_requests_total{method="GET",ranking="",route="/v1/search",status="4xx"} 1`,
		`skillsearch_http_requests_total{method="POST",ranking="cosine",route="/v1/search/batch",status="2xx"} 1`,
		`skillsearch_http_requests_total{method="GET",ranking="",route="/v1/skills/:id",status="2xx"} 1`,
		`skillsearch_http_requests_total{method="GET",ranking="",route="/v1/skills/:id",status="4xx"} 1`,
		`skillsearch_http_requests_total{method="GET",ranking="",route="none",status="4xx"} 1`,
		`skillsearch_http_requests_total{method="other",ranking="",route="none",status="4xx"} 1`,
		`skillsearch_http_request_duration_seconds_count{method="GET",ranking="lexical",route="/v1/search",status="2xx"} 2`,
		"skillsearch_http_open_requests 1", "skillsearch_degraded_answers_total 0",
		"skillsearch_skills 3", "skillsearch_embedded_skills 3", "skillsearch_unembedded_skills 0", "skillsearch_stale_skills 0",
		"skillsearch_embedding_queue_passages 0", "skillsearch_failed_passages 0", `skillsearch_state{state="ready"} 1`, `skillsearch_state{state="lexical"} 0`,
	} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("the metrics lack %s", want)
		}
	}
	if !regexp.MustCompile(`skillsearch_build_info\{go="go[^"]*",version="v1\.2\.3"\} 1\n`).MatchString(got) {
		t.Error("the metrics lack the build")
	}
	for _, word := range []string{"secret", "made", "BREW", "chest"} {
		if strings.Contains(got, word) {
			t.Errorf("the metrics repeat %q, which a client sent", word)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
	if err := site.stop(); err != nil {
		t.Error(err)
	}
}

// TestMetricsCountDegradedAnswers holds that each search of a batch counts.
func TestMetricsCountDegradedAnswers(t *testing.T) {
	h := server.New(open(t, library(t)), server.Config{}).Handler()
	ask(h, "GET", "/v1/search?q=tide&ranking=cosine", "")
	ask(h, "GET", "/v1/search?q=tide&ranking=lexical", "")
	ask(h, "POST", "/v1/search/batch", `{"queries":[{"query":"tide"},{"query":"pack"}]}`)
	got := ask(h, "GET", "/metrics", "").Body.String()
	for _, want := range []string{"skillsearch_degraded_answers_total 3\n", "skillsearch_embedded_skills 0\n", "skillsearch_unembedded_skills 3\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
}

// TestMetricsAreOfTheTokensLibrary holds that a library's metrics count its own
// requests, and those alone that opened none besides.
func TestMetricsAreOfTheTokensLibrary(t *testing.T) {
	root := t.TempDir()
	writeSkill(t, root, "barnacle", "scrape barnacles off the hull with the tide")
	h, _ := twoLibraries(t, root)
	ask(h, "GET", "/v1/status", "", "Authorization", "Bearer "+theirs)
	ask(h, "GET", "/v1/status", "")
	for token, want := range map[string][2]string{
		ours:   {"skillsearch_skills 3\n", `route="none",status="4xx"} 1`},
		theirs: {"skillsearch_skills 1\n", `route="/v1/status",status="2xx"} 1`},
	} {
		got := ask(h, "GET", "/metrics", "", "Authorization", "Bearer "+token).Body.String()
		if !strings.Contains(got, want[0]) || !strings.Contains(got, want[1]) || strings.Contains(got, "/v1/status") != (token == theirs) {
			t.Errorf("the metrics of %s:\n%s", token, got)
		}
	}
}

// TestTheDashboardNamesMetricsThatExist holds docs/grafana.json to what is served.
func TestTheDashboardNamesMetricsThatExist(t *testing.T) {
	raw, err := os.ReadFile("../docs/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(raw) {
		t.Fatal("docs/grafana.json is no JSON")
	}
	h := server.New(indexed(t), server.Config{}).Handler()
	ask(h, "GET", "/v1/search?q=tide", "")
	served := ask(h, "GET", "/metrics", "").Body.String()
	named := regexp.MustCompile(`skillsearch_\w+`).FindAllString(string(raw), -1)
	if len(named) == 0 {
		t.Fatal("docs/grafana.json names no metric")
	}
	for _, name := range named {
		if !regexp.MustCompile(`(?m)^` + name + `[ {]`).MatchString(served) {
			t.Errorf("docs/grafana.json names %s, which is not served", name)
		}
	}
}
