package skillsearch_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/skill"
)

func TestSimilarSkillsAreThoseOfTheNearestHeads(t *testing.T) {
	_, engine := explained(t)
	near, err := engine.Similar(t.Context(), "yacht", 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, hit := range near.Hits {
		got = append(got, hit.Name)
	}
	if diff := cmp.Diff([]string{"ship-a", "dinghy"}, got); diff != "" || near.Degraded || near.Skill != "harbour/yacht" {
		t.Errorf("%+v: %s", near, diff)
	}
	if _, err := engine.Similar(t.Context(), "submarine", 0, 0); !errors.Is(err, skill.ErrNotFound) {
		t.Error(err)
	}
	if _, err := engine.Similar(t.Context(), "yacht", 51, 0); !errors.Is(err, skillsearch.ErrInvalidArgument) {
		t.Error(err)
	}
}

// TestSimilarWithoutVectorsComparesWords holds that nothing degrades in silence,
// for a server that is away and for one skill that has no vector yet.
func TestSimilarWithoutVectorsComparesWords(t *testing.T) {
	h, embedded := explained(t)
	h.write("late", "sails a wooden boat", "")
	if err := embedded.Rescan(t.Context()); err != nil {
		t.Fatal(err)
	}
	other := &bag{model: "a", down: embedder.ErrUnavailable}
	for name, engine := range map[string]*skillsearch.Engine{"no embedder": h.open(other), "no vector": embedded} {
		near, err := engine.Similar(t.Context(), "late", 1, 0)
		if err != nil {
			t.Fatal(name, err)
		}
		if !near.Degraded || near.Reason == "" || len(near.Hits) != 1 || near.Hits[0].Name != "dinghy" || near.Hits[0].RankedBy != "lexical" {
			t.Errorf("%s: %+v", name, near)
		}
	}
}

func TestConfusableSkillsAreProblems(t *testing.T) {
	h := newHarbour(t)
	h.write("tug", "pulls ships into the harbour", "Use the thick rope.")
	h.write("tug-boat", "pulls ships into the harbour", "Use the thin rope.")
	h.write("crane", "lifts crates", "Use the thick rope.")
	engine := h.open(h.bag)
	problems, err := engine.Confusable(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if kinds := kindsOf(problems); !slices.Equal(kinds, []string{"equal-body harbour/tug"}) {
		t.Errorf("before an index: %v", kinds)
	}
	h.index(engine)
	problems, err = engine.Confusable(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if kinds := kindsOf(problems); !slices.Equal(kinds, []string{"equal-body harbour/tug", "confusable harbour/tug"}) {
		t.Errorf("after an index: %v", kinds)
	}
	if !strings.Contains(problems[1].Message, "harbour/tug-boat") {
		t.Error(problems[1].Message)
	}
	h.bag.down = embedder.ErrUnavailable
	problems, err = h.open(h.bag).Confusable(t.Context())
	if !errors.Is(err, embedder.ErrUnavailable) || len(problems) != 1 {
		t.Errorf("without an embedder: %v, %v", problems, err)
	}
}

func kindsOf(problems []skill.Problem) []string {
	var kinds []string
	for _, p := range problems {
		kinds = append(kinds, string(p.Kind)+" "+p.Skill)
	}
	return kinds
}
