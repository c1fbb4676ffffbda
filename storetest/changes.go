package storetest

import (
	"slices"
	"testing"

	"github.com/skillsearch/skillsearch/vectorstore"
)

func removed(t *testing.T, s Store) {
	put(t, s,
		passage("a", 0, between(.1)), passage("b", 0, between(.2)), passage("b", 1, between(.3)),
		passage("c", 0, between(.4)), passage("d", 2, between(.5)))
	if err := s.Remove(t.Context(), "b", "d"); err != nil {
		t.Fatal(err)
	}
	want(t, s, axis(0),
		vectorstore.Score{Skill: "a", Head: .1, HasHead: true},
		vectorstore.Score{Skill: "c", Head: .4, HasHead: true})
	put(t, s, passage("b", 1, between(.6)))
	want(t, s, axis(0),
		vectorstore.Score{Skill: "a", Head: .1, HasHead: true},
		vectorstore.Score{Skill: "b", Body: .6, Passage: 1, Passages: 1},
		vectorstore.Score{Skill: "c", Head: .4, HasHead: true})
}

func removeUnknown(t *testing.T, s Store) {
	if err := s.Remove(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	put(t, s, passage("a", 0, axis(0)))
	for _, skills := range [][]string{nil, {""}, {"b", "b"}} {
		if err := s.Remove(t.Context(), skills...); err != nil {
			t.Error(err)
		}
	}
	want(t, s, axis(0), vectorstore.Score{Skill: "a", Head: 1, HasHead: true})
	if err := s.Remove(t.Context(), "a", "a"); err != nil {
		t.Error(err)
	}
	want(t, s, axis(0))
}

func otherDimensions(t *testing.T, s Store) {
	put(t, s, passage("a", 0, axis(0)))
	if err := s.Remove(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	want(t, s, []float32{1, 0})
	put(t, s, passage("a", 0, []float32{0, 1}))
	want(t, s, []float32{0, 1}, vectorstore.Score{Skill: "a", Head: 1, HasHead: true})
}

func putNothing(t *testing.T, s Store) {
	put(t, s)
	want(t, s, axis(0))
}

// oddKeys are keys that a made-up document id could mistake for each other.
func oddKeys(t *testing.T, s Store) {
	keys := []string{"", "\x00", "0:", "1:0", "1:a", "a", "a\x00", "a/../b", "x:1", "\xff", "🚤"}
	slices.Sort(keys)
	var scores []vectorstore.Score
	for i, key := range keys {
		cosine := float64(i) / 100
		put(t, s, passage(key, 0, between(cosine)), passage(key, 10, between(cosine)))
		scores = append(scores, vectorstore.Score{
			Skill: key, Head: float32(cosine), HasHead: true, Body: float32(cosine), Passage: 10, Passages: 1,
		})
	}
	want(t, s, axis(0), scores...)
	for _, key := range keys {
		if err := s.Remove(t.Context(), key); err != nil {
			t.Error(err)
		}
		scores = scores[1:]
		want(t, s, axis(0), scores...)
	}
}
