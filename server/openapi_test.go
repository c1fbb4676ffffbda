package server_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/skillsearch/skillsearch/server"
)

// A description is what the tests read of /openapi.json.
type description struct {
	Paths map[string]map[string]struct {
		Parameters []struct {
			Name, In string
			Required bool
		}
		RequestBody struct {
			Content map[string]struct{ Schema *jsonschema.Schema }
		}
		Responses map[string]struct {
			Content map[string]struct{ Schema *jsonschema.Schema }
		}
	}
	Components struct {
		Schemas map[string]*jsonschema.Schema
	}
}

func describe(t *testing.T, handler http.Handler) (d description) {
	t.Helper()
	w := ask(handler, "GET", "/openapi.json", "")
	if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil || w.Code != http.StatusOK {
		t.Fatal(w.Code, err)
	}
	return d
}

// TestDescriptionIsOpenAPI holds that /openapi.json is an OpenAPI 3.1 document,
// by the schema of the OpenAPI Initiative.
func TestDescriptionIsOpenAPI(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("testdata", "openapi-3.1.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(raw, &schema); err != nil {
		t.Fatal(err)
	}
	handler := server.New(indexed(t), server.Config{Version: "v1.2.3"}).Handler()
	w := ask(handler, "GET", "/openapi.json", "")
	if err := conforms(&schema, w.Body.Bytes()); err != nil {
		t.Error(err)
	}
	for _, broken := range []string{`{"openapi":"3.1.0"}`, strings.Replace(w.Body.String(), `"in":"query"`, `"in":"air"`, 1)} {
		if conforms(&schema, []byte(broken)) == nil {
			t.Errorf("the schema takes %.80s", broken)
		}
	}
}

// TestRoutesAreDescribed holds that the router and the description have the same
// routes, but for the page's files and for MCP, which is no REST.
func TestRoutesAreDescribed(t *testing.T) {
	s := server.New(indexed(t), server.Config{})
	var described, routed []string
	for path, operations := range describe(t, s.Handler()).Paths {
		for method := range operations {
			described = append(described, strings.ToUpper(method)+" "+path)
			if method == "get" {
				described = append(described, "HEAD "+path)
			}
		}
	}
	segment := regexp.MustCompile(`[:*](\w+)`)
	for _, pattern := range s.Patterns() {
		_, path, _ := strings.Cut(pattern, " ")
		if path == "/" || path == "/assets/*file" || path == "/mcp/:toolset" {
			continue
		}
		routed = append(routed, segment.ReplaceAllString(pattern, "{$1}"))
	}
	slices.Sort(described)
	slices.Sort(routed)
	if diff := cmp.Diff(routed, described); diff != "" {
		t.Errorf("routes (-router +description):\n%s", diff)
	}
}

// TestDescribedTagsAreSent holds that a GET whose description has 304 answers with
// an ETag and, to a client that names it, with 304 and nothing else; and that one
// without does not.
func TestDescribedTagsAreSent(t *testing.T) {
	handler := server.New(indexed(t), server.Config{}).Handler()
	example := strings.NewReplacer("{id}", "chest", "{path}", "references/list.md", "{toolset}", "skillsearch")
	queries := map[string]string{"/v1/search": "?q=gold", "/v1/why": "?q=gold&skill=chest"}
	for path, operations := range describe(t, handler).Paths {
		get, ok := operations["get"]
		if !ok {
			continue
		}
		_, described := get.Responses["304"]
		url := example.Replace(path) + queries[path]
		w := ask(handler, "GET", url, "")
		tag := w.Header().Get("ETag")
		if tagged := w.Code == http.StatusOK && tag != ""; tagged != described && path != "/readyz" {
			t.Errorf("GET %s: %d with the ETag %q; 304 is described: %v", url, w.Code, tag, described)
		}
		if tag == "" {
			continue
		}
		if w := ask(handler, "GET", url, "", "If-None-Match", tag); w.Code != http.StatusNotModified && path != "/v1/status" || w.Code == http.StatusNotModified && w.Body.Len() > 0 {
			t.Errorf("GET %s: %d with %d bytes for a client that has the answer, want 304 with none", url, w.Code, w.Body.Len())
		}
	}
}

// TestDescribedParametersAreTaken holds that each parameter of the description
// is known to its route, and that a route which has some refuses others.
func TestDescribedParametersAreTaken(t *testing.T) {
	handler := server.New(indexed(t), server.Config{}).Handler()
	example := strings.NewReplacer("{id}", "chest", "{path}", "references/list.md", "{toolset}", "skillsearch")
	for path, operations := range describe(t, handler).Paths {
		var known []string
		for _, p := range operations["get"].Parameters {
			if p.In == "query" {
				known = append(known, p.Name)
			}
		}
		if known == nil {
			continue
		}
		for _, name := range append(known, "colour") {
			w := ask(handler, "GET", example.Replace(path)+"?"+url.Values{name: {""}}.Encode(), "")
			if refused := strings.Contains(w.Body.String(), "is not known here"); refused == slices.Contains(known, name) {
				t.Errorf("GET %s?%s= is answered %d %s", path, name, w.Code, w.Body)
			}
		}
	}
}

// TestAnswersMatchTheirSchemas holds every answer of the golden files, and of
// routes that have none there, against the description; each route that
// answers with JSON is among them.
func TestAnswersMatchTheirSchemas(t *testing.T) {
	d := describe(t, server.New(indexed(t), server.Config{}).Handler())
	exchanges := append(recorded(t), live(t,
		"GET /openapi.json", "GET /v1/toolsets", "GET /v1/skills/chest/html", "GET /v1/skills/chest/html?file=references/gone.md",
		`POST /v1/search/batch {"queries":[{"query":"tide"},{"query":"pack"}]}`, `POST /v1/search/batch {"queries":[{"query":"tide","limit":0}]}`,
		"POST /v1/reindex",
	)...)
	answered := map[string]bool{}
	for _, e := range exchanges {
		if err := d.check(e); err != nil {
			t.Errorf("%s %s: %v\n%s", e.method, e.target, err, e.answer)
		}
		if e.media == "application/json" {
			answered[strings.ToLower(e.method)+" "+d.pathOf(e.target)] = true
		}
		damaged := e
		damaged.answer = strings.TrimSuffix(strings.TrimSpace(e.answer), "}") + `,"unheard_of":1}`
		if damaged.media == "application/problem+json" && e.method != http.MethodHead && d.check(damaged) == nil {
			t.Errorf("%s %s: the schema takes a field that is not there", e.method, e.target)
		}
	}
	for path, operations := range d.Paths {
		for method, op := range operations {
			if _, isJSON := op.Responses["200"].Content["application/json"]; isJSON && !answered[method+" "+path] {
				t.Errorf("no answer of %s %s is held against its schema", method, path)
			}
		}
	}
}

// check holds an exchange against the description. What no route answers is a
// problem document all the same.
func (d description) check(e exchange) error {
	op, found := d.Paths[d.pathOf(e.target)][strings.ToLower(e.method)]
	if !found {
		if e.media != "application/problem+json" || e.method == http.MethodHead {
			return nil
		}
		return conforms(d.Components.Schemas["Problem"], []byte(e.answer))
	}
	response, found := op.Responses[strconv.Itoa(e.status)]
	if !found {
		return fmt.Errorf("status %d is not described", e.status)
	}
	content, found := response.Content[e.media]
	if _, anything := response.Content["*/*"]; !found && !anything {
		return fmt.Errorf("%s is not described", e.media)
	}
	if content.Schema == nil {
		return nil
	}
	return conforms(d.resolve(content.Schema), []byte(e.answer))
}

// live are the exchanges with a server that runs.
func live(t *testing.T, lines ...string) []exchange {
	t.Helper()
	site := run(t, indexed(t), server.Config{})
	exchanges := make([]exchange, len(lines))
	for i, line := range lines {
		e := parseExchange(line)
		r, err := http.NewRequestWithContext(t.Context(), e.method, site.url+e.target, strings.NewReader(e.sent))
		if err != nil {
			t.Fatal(err)
		}
		if e.sent != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		w, err := site.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		_ = w.Body.Close()
		e.status, e.media, e.answer = w.StatusCode, mediaOf(w.Header.Get("Content-Type")), string(answer)
		exchanges[i] = e
	}
	if err := site.stop(); err != nil {
		t.Error(err)
	}
	return exchanges
}

// TestBodiesMatchTheirSchemas holds that bodies which are taken match the
// description, and that bodies which are refused as malformed don't.
func TestBodiesMatchTheirSchemas(t *testing.T) {
	d := describe(t, server.New(indexed(t), server.Config{}).Handler())
	seen := map[bool]int{}
	for _, e := range recorded(t) {
		schema := d.Paths[d.pathOf(e.target)][strings.ToLower(e.method)].RequestBody.Content["application/json"].Schema
		if schema == nil || e.sent == "" || strings.Contains(e.target, "/tools/") || !json.Valid([]byte(e.sent)) {
			continue
		}
		taken := e.status < 300
		if err := conforms(schema, []byte(e.sent)); (err == nil) != taken {
			t.Errorf("%s %s %s is answered %d, and the schema says %v", e.method, e.target, e.sent, e.status, err)
		}
		seen[taken]++
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("there were %d bodies that are taken and %d that are refused", seen[true], seen[false])
	}
}

// conforms reports what of a JSON text its schema does not allow.
func conforms(schema *jsonschema.Schema, text []byte) error {
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return err
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	return resolved.Validate(value)
}

// resolve follows a reference into the components.
func (d description) resolve(s *jsonschema.Schema) *jsonschema.Schema {
	if name, found := strings.CutPrefix(s.Ref, "#/components/schemas/"); found {
		return d.Components.Schemas[name]
	}
	return s
}

// pathOf is the described path that a target belongs to, "" for none.
func (d description) pathOf(target string) string {
	target, _, _ = strings.Cut(target, "?")
	best := ""
	for path := range d.Paths {
		pattern := strings.ReplaceAll(regexp.QuoteMeta(path), `\{path\}`, ".*")
		pattern = regexp.MustCompile(`\\\{\w+\\\}`).ReplaceAllString(pattern, "[^/]+")
		if regexp.MustCompile("^"+pattern+"$").MatchString(target) && (best == "" || strings.Contains(best, "{")) {
			best = path
		}
	}
	return best
}

// An exchange is a request and its answer.
type exchange struct {
	method, target, sent string
	status               int
	media, answer        string
}

func parseExchange(line string) (e exchange) {
	var rest string
	e.method, rest, _ = strings.Cut(line, " ")
	e.target, e.sent, _ = strings.Cut(rest, " ")
	return e
}

func mediaOf(contentType string) string {
	media, _, _ := strings.Cut(contentType, ";")
	return media
}

// recorded are the exchanges of the golden files.
func recorded(t *testing.T) []exchange {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*.golden"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	start := regexp.MustCompile(`(?m)^> ([A-Z]+ /.*)\n(\d{3}) ([^;\n]*).*\n`)
	var all []exchange
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text, at := string(raw), start.FindAllStringSubmatchIndex(string(raw), -1)
		for i, m := range at {
			end := len(text)
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			e := parseExchange(text[m[2]:m[3]])
			e.status, _ = strconv.Atoi(text[m[4]:m[5]])
			e.media, e.answer = text[m[6]:m[7]], text[m[1]:end]
			all = append(all, e)
		}
	}
	return all
}
