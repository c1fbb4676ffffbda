// Package storetest answers: does a store keep its promises? Run is the suite
// that every store of passages must pass.
package storetest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
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

// concurrent changes one half of a store while the other half is asked for;
// the race detector does the rest.
func concurrent(t *testing.T, s Store) {
	random := rand.New(rand.NewPCG(7, 7))
	fixed := corpus(random, "fixed", 30, 32)
	put(t, s, fixed...)
	moving := corpus(random, "moving", 30, 32)
	query := randomUnit(random, 32)

	var group sync.WaitGroup
	for w := range 3 {
		group.Go(func() {
			for i := range 20 {
				batch := moving[(w*20+i)%len(moving):]
				if err := s.Put(t.Context(), batch[:min(8, len(batch))]); err != nil {
					t.Error(err)
				}
				if err := s.Remove(t.Context(), batch[0].Skill); err != nil {
					t.Error(err)
				}
			}
		})
		group.Go(func() {
			for range 20 {
				got, err := s.Scores(t.Context(), query)
				if err != nil {
					t.Error(err)
				}
				got = slices.DeleteFunc(got, func(s vectorstore.Score) bool { return s.Skill >= "moving" })
				if len(got) != 30 {
					t.Errorf("%d of 30 skills that were never changed", len(got))
				}
				if n, ok := s.(Nearer); ok {
					if _, err := n.Nearest(t.Context(), query, 5); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	group.Wait()
}

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
		{Skill: "a", Index: 0, Cosine: 1}, {Skill: "a", Index: 2, Cosine: 1}, {Skill: "a", Index: 10, Cosine: 1},
		{Skill: "b", Index: 0, Cosine: 1}, {Skill: "c", Index: 0, Cosine: 1}, {Skill: "d", Index: 0, Cosine: .5},
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

// oneAnswer puts the same passages in many orders and batches, with detours
// over passages that are replaced or removed again.
func oneAnswer(t *testing.T, s Store) {
	random := rand.New(rand.NewPCG(8, 8))
	passages := corpus(random, "s", 40, 24)
	passages = append(passages, passage("twin", 0, passages[0].Vector))
	detour := corpus(random, "t", 10, 24)
	query := randomUnit(random, 24)

	var first answer
	for round := range 50 {
		random.Shuffle(len(passages), func(i, j int) { passages[i], passages[j] = passages[j], passages[i] })
		put(t, s, detour...)
		for rest := passages; len(rest) > 0; {
			n := min(1+random.IntN(30), len(rest))
			put(t, s, rest[:n]...)
			rest = rest[n:]
		}
		remove(t, s, detour)
		got := ask(t, s, query)
		if round == 0 {
			first = got
		}
		if diff := cmp.Diff(first, got); diff != "" {
			t.Fatalf("round %d (-first +now):\n%s", round, diff)
		}
		if round%2 == 0 {
			remove(t, s, passages)
		}
	}
}

// sameBits holds that a store does not remember how it came to hold what it
// holds, as after a restart.
func sameBits(t *testing.T, a, b Store) {
	random := rand.New(rand.NewPCG(9, 9))
	passages := corpus(random, "s", 60, 100)
	put(t, a, passages...)
	for _, p := range slices.Backward(passages) {
		put(t, b, p)
	}
	for range 20 {
		query := randomUnit(random, 100)
		if diff := cmp.Diff(ask(t, a, query), ask(t, b, query)); diff != "" {
			t.Fatalf("two stores (-one +other):\n%s", diff)
		}
	}
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
