package storetest

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/vectorstore"
)

func copied(t *testing.T, s Store) {
	vector, query := axis(0), axis(0)
	passages := []vectorstore.Passage{passage("a", 0, vector)}
	put(t, s, passages...)
	vector[0], vector[1] = 0, 1
	passages[0].Skill = "changed"
	if _, err := s.Scores(t.Context(), query); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(axis(0), query); diff != "" {
		t.Errorf("the query was changed (-want +got):\n%s", diff)
	}
	want(t, s, axis(0), vectorstore.Score{Skill: "a", Head: 1, HasHead: true})
}

func normalised(t *testing.T, s Store) {
	put(t, s,
		passage("a", 0, []float32{3, 4, 0, 0}),
		passage("b", 0, []float32{0, 1e-30, 0, 0}),
		passage("c", 0, []float32{3e38, 3e38, 3e38, 3e38}))
	want(t, s, []float32{2, 0, 0, 0},
		vectorstore.Score{Skill: "a", Head: .6, HasHead: true},
		vectorstore.Score{Skill: "b", Head: 0, HasHead: true},
		vectorstore.Score{Skill: "c", Head: .5, HasHead: true})
}

func badVector(t *testing.T, s Store) {
	put(t, s, passage("a", 0, axis(0)))
	for _, bad := range badVectors() {
		err := s.Put(t.Context(), []vectorstore.Passage{
			passage("a", 0, axis(1)), passage("b", 0, axis(1)), passage("b", 1, bad.vector), passage("c", 0, axis(1)),
		})
		if !errors.Is(err, bad.err) {
			t.Errorf("put %s: error %v, want %v", bad.name, err, bad.err)
		}
		want(t, s, axis(0), vectorstore.Score{Skill: "a", Head: 1, HasHead: true})
	}
}

func badQuery(t *testing.T, s Store) {
	put(t, s, passage("a", 0, axis(0)), passage("a", 1, axis(1)))
	for _, bad := range badVectors() {
		if _, err := s.Scores(t.Context(), bad.vector); !errors.Is(err, bad.err) {
			t.Errorf("scores of %s: error %v, want %v", bad.name, err, bad.err)
		}
		if n, ok := s.(Nearer); ok {
			if _, err := n.Nearest(t.Context(), bad.vector, 1); !errors.Is(err, bad.err) {
				t.Errorf("nearest of %s: error %v, want %v", bad.name, err, bad.err)
			}
		}
	}
}

type badVectorCase struct {
	name   string
	vector []float32
	err    error
}

// badVectors can't stand beside vectors of 4 dimensions.
func badVectors() []badVectorCase {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	return []badVectorCase{
		{"nothing", nil, vectorstore.ErrDimensions},
		{"too short", []float32{1, 0, 0}, vectorstore.ErrDimensions},
		{"too long", []float32{1, 0, 0, 0, 0}, vectorstore.ErrDimensions},
		{"zero", []float32{0, 0, 0, 0}, vectorstore.ErrNotFinite},
		{"a NaN", []float32{1, 0, nan, 0}, vectorstore.ErrNotFinite},
		{"an infinity", []float32{1, inf, 0, 0}, vectorstore.ErrNotFinite},
		{"two infinities", []float32{inf, -inf, 0, 0}, vectorstore.ErrNotFinite},
	}
}

func cancelled(t *testing.T, s Store) {
	put(t, s, passage("a", 0, axis(0)))
	ended, cancel := context.WithCancel(t.Context())
	cancel()

	if err := s.Put(ended, []vectorstore.Passage{passage("b", 0, axis(0))}); !errors.Is(err, context.Canceled) {
		t.Errorf("put: %v", err)
	}
	if err := s.Remove(ended, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("remove: %v", err)
	}
	if got, err := s.Scores(ended, axis(0)); !errors.Is(err, context.Canceled) || got != nil {
		t.Errorf("scores: %v, %v", got, err)
	}
	if n, ok := s.(Nearer); ok {
		if got, err := n.Nearest(ended, axis(0), 1); !errors.Is(err, context.Canceled) || got != nil {
			t.Errorf("nearest: %v, %v", got, err)
		}
	}
	want(t, s, axis(0), vectorstore.Score{Skill: "a", Head: 1, HasHead: true})
}
