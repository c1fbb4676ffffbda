package storetest

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/vectorstore"
)

// nearer is the store's Nearer, or skips the test.
func nearer(t *testing.T, s Store) Nearer {
	n, ok := s.(Nearer)
	if !ok {
		t.Skip("this store has no Nearest")
	}
	return n
}

func nearest(t *testing.T, s Store) {
	n := nearer(t, s)
	put(t, s,
		passage("a", 0, between(.1)), passage("a", 1, between(.9)),
		passage("b", 0, between(-.5)), passage("b", 4, between(.5)))
	got, err := n.Nearest(t.Context(), axis(0), 3)
	if err != nil {
		t.Fatal(err)
	}
	matches := []vectorstore.Match{
		{Skill: "a", Index: 1, Cosine: .9}, {Skill: "b", Index: 4, Cosine: .5}, {Skill: "a", Index: 0, Cosine: .1},
	}
	if diff := cmp.Diff(matches, got, near()); diff != "" {
		t.Errorf("nearest (-want +got):\n%s", diff)
	}
}

func nearestTies(t *testing.T, s Store) {
	n := nearer(t, s)
	for _, p := range []vectorstore.Passage{
		passage("c", 0, axis(0)), passage("a", 2, axis(0)), passage("b", 0, axis(0)), passage("a", 10, axis(0)),
		passage("d", 0, between(.5)), passage("a", 0, axis(0)),
	} {
		put(t, s, p)
	}
	all := []vectorstore.Match{
		{Skill: "a", Index: 0, Cosine: 1},
		{Skill: "a", Index: 2, Cosine: 1},
		{Skill: "a", Index: 10, Cosine: 1},
		{Skill: "b", Index: 0, Cosine: 1},
		{Skill: "c", Index: 0, Cosine: 1},
		{Skill: "d", Index: 0, Cosine: .5},
	}
	for k := 1; k <= len(all); k++ {
		got, err := n.Nearest(t.Context(), axis(0), k)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(all[:k], got, near()); diff != "" {
			t.Errorf("%d nearest (-want +got):\n%s", k, diff)
		}
	}
}

func nearestClamp(t *testing.T, s Store) {
	n := nearer(t, s)
	put(t, s, passage("a", 0, axis(0)), passage("b", 0, axis(1)))
	for k, count := range map[int]int{math.MinInt: 0, -1: 0, 0: 0, 1: 1, 2: 2, 3: 2, math.MaxInt: 2} {
		got, err := n.Nearest(t.Context(), axis(0), k)
		if err != nil || len(got) != count {
			t.Errorf("%d nearest: %d matches, error %v; want %d", k, len(got), err, count)
		}
	}
}
