package server_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/server"
)

// page is what a test reads of an answer of GET /v1/skills.
type page struct {
	Skills     []skillsearch.Listed `json:"skills"`
	Problems   []any                `json:"problems"`
	Total      int                  `json:"total"`
	NextCursor string               `json:"next_cursor"`
}

func getPage(t *testing.T, h http.Handler, query url.Values) page {
	t.Helper()
	w := ask(h, "GET", "/v1/skills?"+query.Encode(), "")
	var p page
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != 200 {
		t.Fatalf("%v: %d %s (%v)", query, w.Code, w.Body, err)
	}
	return p
}

func ids(skills []skillsearch.Listed) []string {
	out := []string{}
	for _, s := range skills {
		out = append(out, s.ID)
	}
	return out
}

// TestPagesMakeUpTheList holds that the pages of any size, one after the other,
// are the list, with and without a query.
func TestPagesMakeUpTheList(t *testing.T) {
	root := fleet(t, 23)
	engine := open(t, root, &bag{})
	if _, err := engine.Index(t.Context(), skillsearch.IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	h := server.New(engine, server.Config{}).Handler()
	for _, text := range []string{"", "boat"} {
		want, err := engine.List(t.Context(), skillsearch.Query{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		for _, limit := range []string{"", "1", "5", "23", "24", "1000"} {
			query := url.Values{"limit": {limit}, "q": {text}}
			var got []string
			for {
				p := getPage(t, h, query)
				got = append(got, ids(p.Skills)...)
				if p.Total != 23 {
					t.Errorf("the total is %d", p.Total)
				}
				if p.NextCursor == "" {
					break
				}
				query.Set("cursor", p.NextCursor)
			}
			if diff := cmp.Diff(ids(want.Skills), got); diff != "" {
				t.Errorf("limit %s, query %q (-list +pages):\n%s", limit, text, diff)
			}
		}
	}
}

// TestAPageHasAHundredSkills holds the size that a page has by default.
func TestAPageHasAHundredSkills(t *testing.T) {
	h := server.New(open(t, fleet(t, 101)), server.Config{}).Handler()
	if p := getPage(t, h, nil); len(p.Skills) != 100 || p.NextCursor == "" {
		t.Errorf("%d skills, next cursor %q", len(p.Skills), p.NextCursor)
	}
}

// TestSkillsThatComeAndGoMoveNoOther holds that a reader of pages misses nothing
// and sees nothing twice when skills before the page appear or vanish.
func TestSkillsThatComeAndGoMoveNoOther(t *testing.T) {
	for _, text := range []string{"", "boat"} {
		root := fleet(t, 6)
		engine := open(t, root)
		h := server.New(engine, server.Config{}).Handler()
		query := url.Values{"limit": {"3"}, "q": {text}}
		first := getPage(t, h, query)
		all, err := engine.List(t.Context(), skillsearch.Query{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(root, first.Skills[0].Name)); err != nil {
			t.Fatal(err)
		}
		if err := engine.Rescan(t.Context()); err != nil {
			t.Fatal(err)
		}
		query.Set("cursor", first.NextCursor)
		second := getPage(t, h, query)
		if diff := cmp.Diff(ids(all.Skills[3:]), ids(second.Skills)); diff != "" {
			t.Errorf("query %q: second page (-want +got):\n%s", text, diff)
		}
	}
}

// TestALostPlaceIsFoundAgain holds where a page begins when the very skill
// after which it should is gone.
func TestALostPlaceIsFoundAgain(t *testing.T) {
	for _, text := range []string{"", "boat"} {
		root := fleet(t, 6)
		engine := open(t, root)
		h := server.New(engine, server.Config{}).Handler()
		query := url.Values{"limit": {"3"}, "q": {text}}
		first := getPage(t, h, query)
		if err := os.RemoveAll(filepath.Join(root, first.Skills[2].Name)); err != nil {
			t.Fatal(err)
		}
		if err := engine.Rescan(t.Context()); err != nil {
			t.Fatal(err)
		}
		query.Set("cursor", first.NextCursor)
		if p := getPage(t, h, query); len(p.Skills) < 2 || p.Total != 5 {
			t.Errorf("query %q: the second page has %v of %d", text, ids(p.Skills), p.Total)
		}
	}
}

// TestProblemsAreOnTheFirstPage holds that they are not sent with every page.
func TestProblemsAreOnTheFirstPage(t *testing.T) {
	h := server.New(open(t, library(t)), server.Config{}).Handler()
	first := getPage(t, h, url.Values{"limit": {"2"}})
	second := getPage(t, h, url.Values{"limit": {"2"}, "cursor": {first.NextCursor}})
	if len(first.Problems) != 1 || second.Problems == nil || len(second.Problems) != 0 {
		t.Errorf("problems: %v, then %v", first.Problems, second.Problems)
	}
}

// TestCursorsOfOthersAreRefused holds that a cursor goes with its list, and that
// one which was made up is an error of the client's.
func TestCursorsOfOthersAreRefused(t *testing.T) {
	h := server.New(open(t, library(t)), server.Config{}).Handler()
	cursor := getPage(t, h, url.Values{"limit": {"1"}, "q": {"tide"}}).NextCursor
	if cursor == "" {
		t.Fatal("there is no second page")
	}
	known, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		t.Fatal(err)
	}
	raw := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	for _, query := range []url.Values{
		{"cursor": {cursor}},
		{"cursor": {cursor}, "q": {"tides"}},
		{"cursor": {cursor}, "q": {"tide"}, "tag": {"wood"}},
		{"cursor": {cursor}, "q": {"tide"}, "ranking": {"lexical"}},
		{"cursor": {"="}},
		{"cursor": {cursor + "AA"}},
		{"q": {"tide"}, "cursor": {raw(strings.Replace(string(known), `"n":1`, `"n":-1`, 1))}},
		{"cursor": {raw("{}")}},
		{"cursor": {raw(`{"n":-1}`)}},
		{"cursor": {raw("null")}},
		{"cursor": {raw("[]")}},
	} {
		if w := ask(h, "GET", "/v1/skills?"+query.Encode(), ""); w.Code != 400 {
			t.Errorf("%v: %d %s", query, w.Code, w.Body)
		}
	}
}
