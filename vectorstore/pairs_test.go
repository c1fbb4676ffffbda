package vectorstore_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/skillsearch/skillsearch/vectorstore"
)

func TestVectorIsACopyOfTheUnitVector(t *testing.T) {
	c := vectorstore.NewChromem()
	if err := c.Put(t.Context(), []vectorstore.Passage{{Skill: "a", Index: 0, Vector: []float32{3, 4}}, {Skill: "a", Index: 2, Vector: []float32{0, 1}}}); err != nil {
		t.Fatal(err)
	}
	got, ok := c.Vector("a", 0)
	if diff := cmp.Diff([]float32{.6, .8}, got, cmpopts.EquateApprox(0, 1e-6)); !ok || diff != "" {
		t.Fatal(ok, diff)
	}
	got[0] = 9
	if again, _ := c.Vector("a", 0); again[0] == 9 {
		t.Error("a caller changed the store")
	}
	for _, missing := range []struct {
		skill string
		index int
	}{{"a", 1}, {"b", 0}} {
		if v, ok := c.Vector(missing.skill, missing.index); ok {
			t.Errorf("%v has a vector: %v", missing, v)
		}
	}
}

// TestPairsAreThoseOfAPlainLoop holds that every near pair of heads is found
// once, in one order, over several blocks of rows and passages between them.
func TestPairsAreThoseOfAPlainLoop(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	c := vectorstore.NewChromem()
	var passages []vectorstore.Passage
	for i := range 300 {
		for index := range 3 {
			v := make([]float32, 10)
			for d := range v {
				v[d] = float32(random.NormFloat64())
			}
			passages = append(passages, vectorstore.Passage{Skill: "s" + strconv.Itoa(i), Index: index, Vector: v})
		}
	}
	passages = append(passages, vectorstore.Passage{Skill: "headless", Index: 1, Vector: passages[0].Vector})
	if err := c.Put(t.Context(), passages); err != nil {
		t.Fatal(err)
	}
	got, err := c.Pairs(t.Context(), .7)
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[[2]string]float32)
	for i := 0; i < 300; i++ {
		for j := 0; j < i; j++ {
			a, b := "s"+strconv.Itoa(i), "s"+strconv.Itoa(j)
			x, _ := c.Vector(a, 0)
			y, _ := c.Vector(b, 0)
			var dot float32
			for d := range x {
				dot += x[d] * y[d]
			}
			if dot >= .7 {
				want[[2]string{min(a, b), max(a, b)}] = dot
			}
		}
	}
	found := make(map[[2]string]float32)
	for i, p := range got {
		found[[2]string{p.A, p.B}] = p.Cosine
		if i > 0 && p.Cosine > got[i-1].Cosine {
			t.Errorf("pair %d is nearer than the one before", i)
		}
	}
	if len(want) < 10 || len(found) != len(got) {
		t.Fatalf("%d pairs wanted, %d found, %d different", len(want), len(got), len(found))
	}
	if diff := cmp.Diff(want, found, cmpopts.EquateApprox(0, 1e-5)); diff != "" {
		t.Error(diff)
	}
}

func TestPairsOfNothingAreNone(t *testing.T) {
	if got, err := vectorstore.NewChromem().Pairs(t.Context(), -1); err != nil || len(got) != 0 {
		t.Error(got, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	c := vectorstore.NewChromem()
	if err := c.Put(t.Context(), []vectorstore.Passage{{Skill: "a", Vector: []float32{1}}, {Skill: "b", Vector: []float32{1}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Pairs(ended, 0); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
