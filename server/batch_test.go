package server_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/server"
)

// TestABatchAnswersWhatItsSearchesWould holds that a batch is nothing but its
// searches, in order.
func TestABatchAnswersWhatItsSearchesWould(t *testing.T) {
	h := server.New(indexed(t), server.Config{}).Handler()
	bodies := []string{`{"query":"tide","limit":2}`, `{"query":"chest","ranking":"lexical"}`}
	var want []any
	for _, body := range bodies {
		want = append(want, decode(t, ask(h, http.MethodPost, "/v1/search", body).Body.String()))
	}
	got := decode(t, ask(h, http.MethodPost, "/v1/search/batch", `{"queries":[`+strings.Join(bodies, ",")+`]}`).Body.String())
	if diff := cmp.Diff(map[string]any{"results": want}, got); diff != "" {
		t.Errorf("batch (-want +got):\n%s", diff)
	}
}

func decode(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

func TestABatchNamesWhatIsWrongInIt(t *testing.T) {
	h := server.New(indexed(t), server.Config{}).Handler()
	one := `{"query":"tide"}`
	for body, want := range map[string]struct {
		field  string
		status float64
	}{
		`{}`:                         {"queries", 400},
		`{"queries":[]}`:             {"queries", 400},
		`{"queries":"tide"}`:         {"queries", 400},
		`{"queries":[1]}`:            {"queries[0]", 400},
		`{"query":"tide"}`:           {"query", 400},
		`{"queries":[{"query":""}]}`: {"queries[0].query", 400},
		`{"queries":[` + one + `,{"query":"a","limit":99}]}`:       {"queries[1].limit", 422},
		`{"queries":[` + strings.Repeat(one+",", 100) + one + `]}`: {"queries", 422},
	} {
		got, _ := decode(t, ask(h, http.MethodPost, "/v1/search/batch", body).Body.String()).(map[string]any)
		if got["field"] != want.field || got["status"] != want.status {
			t.Errorf("%.60s: %v", body, got)
		}
	}
}

// TestARequestKeepsTheIdOfItsTrace holds that the caller's id is taken only in
// a form that can't hold a text.
func TestARequestKeepsTheIdOfItsTrace(t *testing.T) {
	h := server.New(indexed(t), server.Config{NewID: func() string { return "own" }}).Handler()
	uuid := "0f8fad5b-d9cb-469f-a165-70867728950e"
	for given, want := range map[string]string{uuid: uuid, "parrot-42": "own", "": "own", strings.Repeat("a", 65): "own", uuid + "\n": "own"} {
		if got := ask(h, http.MethodGet, "/healthz", "", "X-Request-Id", given).Header().Get("X-Request-Id"); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}

func TestQueriesAreLoggedWhenAskedFor(t *testing.T) {
	log := &journal{}
	h := server.New(indexed(t), server.Config{Logger: log.logger(), LogQueries: true}).Handler()
	ask(h, http.MethodGet, "/v1/search?q=tide+tables", "")
	if !strings.Contains(log.text(), `query="tide tables"`) {
		t.Errorf("the log has no query:\n%s", log.text())
	}
}
