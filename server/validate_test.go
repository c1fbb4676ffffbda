package server_test

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/server"
	"github.com/skillsearch/skillsearch/skill"
)

// TestAnAnswerThatAClientHasIsNotSentAgain: every GET of JSON has an ETag, which
// names the answer: another query has another one, and so has the same one once
// the skills are others.
func TestAnAnswerThatAClientHasIsNotSentAgain(t *testing.T) {
	root := t.TempDir()
	write := func(description string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(root, "tides"), 0o700); err != nil {
			t.Fatal(err)
		}
		text := "---\nname: tides\ndescription: " + description + "\n---\nLook it up.\n"
		if err := os.WriteFile(filepath.Join(root, "tides", "SKILL.md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("Tells when water is high.")
	engine, err := skillsearch.Open(t.Context(), skillsearch.Config{Roots: skill.NamedRoots(skill.SourceFlag, root)})
	if err != nil {
		t.Fatal(err)
	}
	h := server.New(engine, server.Config{}).Handler()
	ask := func(method, path, tag string) (int, string, string) {
		r := httptest.NewRequest(method, path, nil)
		r.Host = "localhost"
		if tag != "" {
			r.Header.Set("If-None-Match", tag)
		}
		w := record(h, r)
		return w.Code, w.Header().Get("ETag"), w.Body.String()
	}
	paths := []string{"/v1/search?q=high+water&ranking=lexical", "/v1/search?q=water&ranking=lexical", "/v1/skills", "/v1/skills/tides", "/v1/facets", "/v1/why?q=water&skill=tides&ranking=lexical"}
	tags := map[string]string{}
	for _, path := range paths {
		code, tag, body := ask("GET", path, "")
		if code != 200 || tag == "" || body == "" {
			t.Fatalf("%s: %d with the ETag %q, want 200 with one: %s", path, code, tag, body)
		}
		if other := tags[tag]; other != "" {
			t.Errorf("%s and %s have one ETag", path, other)
		}
		tags[tag] = path
		if code, again, body := ask("GET", path, `"x", W/`+tag); code != 304 || again != tag || body != "" {
			t.Errorf("%s: %d with %d bytes for a client that has the answer, want 304 with none", path, code, len(body))
		}
		if code, again, _ := ask("HEAD", path, ""); code != 200 || again != tag {
			t.Errorf("HEAD %s: %d with the ETag %q, want 200 with that of GET", path, code, again)
		}
	}
	write("Tells when water is high and low.")
	if err := engine.Rescan(t.Context()); err != nil {
		t.Fatal(err)
	}
	for tag, path := range tags {
		if path == "/v1/facets" {
			continue // the description is no facet
		}
		if code, other, body := ask("GET", path, tag); code != 200 || other == tag || body == "" {
			t.Errorf("%s: %d once the skill is another one, want 200", path, code)
		}
	}
}
