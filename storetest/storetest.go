// Package storetest answers: does a store keep its promises? Run is the suite
// that every store of passages must pass.
package storetest

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/skillsearch/skillsearch/vectorstore"
)

// A Store is what the suite tests.
type Store interface {
	Put(ctx context.Context, passages []vectorstore.Passage) error
	Remove(ctx context.Context, skills ...string) error
	Scores(ctx context.Context, query []float32) ([]vectorstore.Score, error)
}

// A Nearer is a store that answers nearest passages too; the suite tests that
// when it is there.
type Nearer interface {
	Nearest(ctx context.Context, query []float32, k int) ([]vectorstore.Match, error)
}

// Run runs the suite. open returns a new, empty store each time; what it needs
// to clean up belongs in t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) Store) {
	for name, test := range map[string]func(t *testing.T, store Store){
		"an empty store answers empty":                   emptyStore,
		"scores are the cosines of head and best body":   scores,
		"scores are ordered by skill":                    scoresOrdered,
		"of equal body passages the lower index counts":  bodyTies,
		"a skill without a head has none":                noHead,
		"put replaces by skill and index":                replace,
		"of two equal passages in one put the later is":  replaceWithin,
		"inputs are copied":                              copied,
		"vectors are made unit vectors":                  normalised,
		"a bad vector changes nothing":                   badVector,
		"a bad query is an error":                        badQuery,
		"a cancelled context is an error and no change":  cancelled,
		"removed skills are gone":                        removed,
		"removing what is not there is no error":         removeUnknown,
		"an emptied store takes other dimensions":        otherDimensions,
		"putting nothing changes nothing":                putNothing,
		"any key can be a skill":                         oddKeys,
		"queries and changes go on at the same time":     concurrent,
		"the nearest are the best, in order":             nearest,
		"equal cosines are ordered by skill and index":   nearestTies,
		"k is cut to what there is":                      nearestClamp,
		"one answer over many insert orders and changes": oneAnswer,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
	t.Run("two stores give the same bits", func(t *testing.T) { sameBits(t, open(t), open(t)) })
}

// axis is a unit vector of 4 dimensions along one of them.
func axis(i int) []float32 {
	v := make([]float32, 4)
	v[i] = 1
	return v
}

// between is a unit vector of 4 dimensions with cosine x to axis 0.
func between(x float64) []float32 {
	return []float32{float32(x), float32(math.Sqrt(1 - x*x)), 0, 0}
}

func passage(skill string, index int, vector []float32) vectorstore.Passage {
	return vectorstore.Passage{Skill: skill, Index: index, Text: skill + " " + strconv.Itoa(index), Vector: vector}
}

func put(t *testing.T, s Store, passages ...vectorstore.Passage) {
	t.Helper()
	if err := s.Put(t.Context(), passages); err != nil {
		t.Fatal(err)
	}
}

// near lets the last bits of a cosine differ.
func near() cmp.Option { return cmpopts.EquateApprox(0, 1e-6) }

func want(t *testing.T, s Store, query []float32, scores ...vectorstore.Score) {
	t.Helper()
	got, err := s.Scores(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(scores, got, near(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("scores (-want +got):\n%s", diff)
	}
}

func emptyStore(t *testing.T, s Store) {
	want(t, s, axis(0))
	if n, ok := s.(Nearer); ok {
		matches, err := n.Nearest(t.Context(), axis(0), 10)
		if err != nil || len(matches) != 0 {
			t.Errorf("nearest in an empty store: %v, %v", matches, err)
		}
	}
}

func scores(t *testing.T, s Store) {
	put(t, s,
		passage("a", 0, between(.5)), passage("a", 1, between(.25)), passage("a", 2, between(.75)), passage("a", 3, between(-1)),
		passage("b", 0, between(-.5)))
	want(t, s, axis(0),
		vectorstore.Score{Skill: "a", Head: .5, HasHead: true, Body: .75, Passage: 2, Passages: 3},
		vectorstore.Score{Skill: "b", Head: -.5, HasHead: true})
}

func scoresOrdered(t *testing.T, s Store) {
	for _, skill := range []string{"m", "z", "a", "ä", "B", "m/1", ""} {
		put(t, s, passage(skill, 0, axis(0)))
	}
	put(t, s, passage("n", 0, axis(0)), passage("c", 0, axis(0)), passage("c", 1, axis(0)))
	got, err := s.Scores(t.Context(), axis(0))
	if err != nil {
		t.Fatal(err)
	}
	var skills []string
	for _, score := range got {
		skills = append(skills, score.Skill)
	}
	if diff := cmp.Diff([]string{"", "B", "a", "c", "m", "m/1", "n", "z", "ä"}, skills); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func bodyTies(t *testing.T, s Store) {
	put(t, s, passage("a", 5, between(.5)), passage("a", 3, between(.5)), passage("a", 9, between(.5)))
	want(t, s, axis(0), vectorstore.Score{Skill: "a", Body: .5, Passage: 3, Passages: 3})
}

// A best body passage below zero is still the best: it must not lose to the
// zero of a skill that has none.
func noHead(t *testing.T, s Store) {
	put(t, s, passage("a", 1, between(-.25)), passage("a", 2, between(-.5)))
	want(t, s, axis(0), vectorstore.Score{Skill: "a", Body: -.25, Passage: 1, Passages: 2})
}

func replace(t *testing.T, s Store) {
	put(t, s, passage("a", 0, axis(0)), passage("a", 1, axis(0)), passage("b", 0, axis(0)))
	put(t, s, passage("a", 1, axis(1)))
	want(t, s, axis(0),
		vectorstore.Score{Skill: "a", Head: 1, HasHead: true, Passage: 1, Passages: 1},
		vectorstore.Score{Skill: "b", Head: 1, HasHead: true})
}

func replaceWithin(t *testing.T, s Store) {
	put(t, s, passage("a", 0, axis(0)), passage("a", 0, axis(1)))
	want(t, s, axis(1), vectorstore.Score{Skill: "a", Head: 1, HasHead: true})
}

// An answer is all that a store says to one query.
type answer struct {
	Scores  []vectorstore.Score
	Matches []vectorstore.Match
}

func ask(t *testing.T, s Store, query []float32) answer {
	t.Helper()
	scores, err := s.Scores(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	got := answer{Scores: scores}
	if n, ok := s.(Nearer); ok {
		if got.Matches, err = n.Nearest(t.Context(), query, 15); err != nil {
			t.Fatal(err)
		}
	}
	return got
}

func remove(t *testing.T, s Store, passages []vectorstore.Passage) {
	t.Helper()
	var skills []string
	for _, p := range passages {
		skills = append(skills, p.Skill)
	}
	if err := s.Remove(t.Context(), skills...); err != nil {
		t.Fatal(err)
	}
}

// corpus makes passages of n skills, the head and up to four of the body.
func corpus(random *rand.Rand, prefix string, n, dimensions int) []vectorstore.Passage {
	var passages []vectorstore.Passage
	for i := range n {
		for index := range 1 + random.IntN(5) {
			passages = append(passages, passage(prefix+strconv.Itoa(i), index, randomUnit(random, dimensions)))
		}
	}
	return passages
}

func randomUnit(random *rand.Rand, dimensions int) []float32 {
	v := make([]float32, dimensions)
	var squares float64
	for i := range v {
		v[i] = float32(random.NormFloat64())
		squares += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(squares))
	}
	return v
}
