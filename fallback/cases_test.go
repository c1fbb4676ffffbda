package fallback_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/fallback"
	"github.com/skillsearch/skillsearch/skill"
)

// A searchCase is a catalogue and what is searched in it.
type searchCase struct {
	Skills   []*skill.Skill
	Searches []struct {
		Query   string
		First   string   // the id of the best match
		Has     []string // ids of matches
		Nothing bool     // no match
	}
}

func TestCasesOfOtherTools(t *testing.T) {
	files, err := filepath.Glob("testdata/cases/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { testCase(t, file) })
	}
}

func testCase(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var c searchCase
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	x := fallback.New(c.Skills)
	for _, s := range c.Searches {
		got := ids(x.Search(s.Query))
		if s.First != "" && (len(got) == 0 || got[0] != s.First) {
			t.Errorf("search %q: got %q, want %q first", s.Query, got, s.First)
		}
		for _, id := range s.Has {
			if !slices.Contains(got, id) {
				t.Errorf("search %q: got %q, want it to contain %q", s.Query, got, id)
			}
		}
		if diff := cmp.Diff([]string{}, got); s.Nothing && diff != "" {
			t.Errorf("search %q (-want +got):\n%s", s.Query, diff)
		}
	}
}

// ids are those of matches, in their order.
func ids(matches []fallback.Match) []string {
	ids := []string{}
	for _, m := range matches {
		ids = append(ids, m.ID)
	}
	return ids
}
