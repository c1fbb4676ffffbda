package storetest

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/vectorstore"
)

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
