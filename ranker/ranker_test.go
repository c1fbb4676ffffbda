package ranker_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/ranker"
)

func ids(ranked []ranker.Ranked) []string {
	out := []string{}
	for _, r := range ranked {
		out = append(out, r.ID)
	}
	return out
}

func TestCosineAveragesHeadAndBestBody(t *testing.T) {
	items := []ranker.Item{
		{ID: "head", Embedded: true, Head: 0.8, HasBody: true, Body: 0.2},
		{ID: "both", Embedded: true, Head: 0.6, HasBody: true, Body: 0.6},
		{ID: "bare", Embedded: true, Head: 0.55}, // no body: its head alone counts
		{ID: "none", Lexical: 9},                 // no vector: left out
	}
	want := []ranker.Ranked{
		{Index: 1, ID: "both", Score: 0.6, By: "cosine"},
		{Index: 2, ID: "bare", Score: 0.55, By: "cosine"},
		{Index: 0, ID: "head", Score: 0.5, By: "cosine"},
	}
	if diff := cmp.Diff(want, ranker.Cosine(items, true)); diff != "" {
		t.Error("with bodies:", diff)
	}
	if diff := cmp.Diff([]string{"head", "both", "bare"}, ids(ranker.Cosine(items, false))); diff != "" {
		t.Error("heads alone:", diff)
	}
}

func TestTiesAreBrokenByID(t *testing.T) {
	items := []ranker.Item{{ID: "c", Embedded: true, Head: 1, Lexical: 1}, {ID: "a", Embedded: true, Head: 1, Lexical: 1}, {ID: "b", Embedded: true, Head: 1, Lexical: 1}}
	for name, order := range map[string]func() []ranker.Ranked{
		"cosine":  func() []ranker.Ranked { return ranker.Cosine(items, true) },
		"lexical": func() []ranker.Ranked { return ranker.Lexical(items) },
		"hybrid":  func() []ranker.Ranked { return ranker.Hybrid(items, true) },
	} {
		if diff := cmp.Diff([]string{"a", "b", "c"}, ids(order())); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestHybridAddsScaledScores(t *testing.T) {
	items := []ranker.Item{
		{ID: "cosine", Embedded: true, Head: 0.9, Lexical: 0},
		{ID: "words", Lexical: 10}, // unembedded: its scaled cosine is 0
		{ID: "middle", Embedded: true, Head: 0.5, Lexical: 5},
		{ID: "low", Embedded: true, Head: 0.1, Lexical: 1},
		{ID: "nothing"},
	}
	want := []ranker.Ranked{
		{Index: 0, ID: "cosine", Score: 0.5, By: "hybrid"},
		{Index: 2, ID: "middle", Score: 0.5, By: "hybrid"}, // (0.5-0.1)/0.8/2 + 5/10/2
		{Index: 1, ID: "words", Score: 0.5, By: "hybrid"},
		{Index: 3, ID: "low", Score: 0.05, By: "hybrid"},
	}
	if diff := cmp.Diff(want, ranker.Hybrid(items, false)); diff != "" {
		t.Error(diff)
	}
}

func TestListGivesTheUnembeddedTheirLexicalPlace(t *testing.T) {
	items := []ranker.Item{
		{ID: "e1", Embedded: true, Head: 0.9, Lexical: 3},
		{ID: "e2", Embedded: true, Head: 0.8, Lexical: 1},
		{ID: "e3", Embedded: true, Head: 0.7},
		{ID: "u1", Lexical: 8}, // first by words: behind the first embedded
		{ID: "u2", Lexical: 2}, // third by words
		{ID: "u3"},             // no word: behind all that have one
		{ID: "u4"},
	}
	// Places: e1 0, e2 1, e3 2; by words u1 0, e1 1, u2 2, e2 3, then e3 4, u3 5, u4 6.
	want := []string{"e1", "u1", "e2", "e3", "u2", "u3", "u4"}
	got := ranker.List(items, ranker.Cosine(items, true))
	if diff := cmp.Diff(want, ids(got)); diff != "" {
		t.Error(diff)
	}
	for _, r := range got {
		if by := map[bool]string{true: "cosine", false: "lexical"}[items[r.Index].Embedded]; r.By != by {
			t.Errorf("%s is ranked by %s, want %s", r.ID, r.By, by)
		}
	}
}

// TestListIsAPermutationInEveryOrder holds that a list has every item once, the
// same whatever the order in which the items come.
func TestListIsAPermutationInEveryOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		items := make([]ranker.Item, 1+random.IntN(20))
		for i := range items {
			items[i] = ranker.Item{ID: string(rune('a' + i)), Embedded: random.IntN(2) == 0, Lexical: float64(random.IntN(4))}
			if items[i].Embedded {
				items[i].Head = float64(random.IntN(3))
			}
		}
		first := ids(ranker.List(items, ranker.Cosine(items, true)))
		random.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		if diff := cmp.Diff(first, ids(ranker.List(items, ranker.Cosine(items, true)))); diff != "" {
			t.Fatal(diff)
		}
		slices.Sort(first)
		if len(slices.Compact(first)) != len(items) {
			t.Fatalf("%d items, %d places", len(items), len(first))
		}
	}
}
