package vectorstore_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/skillsearch/skillsearch/vectorstore"
)

// filled is a store of n random unit vectors of 384 dimensions, five to a
// skill. Random vectors are the hardest case for the 8-bit scan.
func filled(tb testing.TB, n int) *vectorstore.Chromem {
	tb.Helper()
	random := rand.New(rand.NewPCG(1, 1))
	store := vectorstore.NewChromem()
	passages := make([]vectorstore.Passage, n)
	for i := range passages {
		passages[i] = vectorstore.Passage{
			Skill: "skill " + strconv.Itoa(i/5), Index: i % 5, Text: "text", Vector: randomVector(random, 384),
		}
	}
	if err := store.Put(tb.Context(), passages); err != nil {
		tb.Fatal(err)
	}
	return store
}

// randomVector is a vector of independent normal numbers.
func randomVector(random *rand.Rand, dimensions int) []float32 {
	v := make([]float32, dimensions)
	for i := range v {
		v[i] = float32(random.NormFloat64())
	}
	return v
}

// naive is the loop that anyone would write first.
func naive(query []float32, rows [][]float32, out []float32) {
	for r, row := range rows {
		var sum float32
		for i, x := range query {
			sum += x * row[i]
		}
		out[r] = sum
	}
}

// Every line of one size ranks the same vectors, so their ratios hold on a
// busy machine too.
func BenchmarkQuery(b *testing.B) {
	for _, n := range []int{1_000, 20_000, 100_000} {
		store := filled(b, n)
		query := randomVector(rand.New(rand.NewPCG(2, 2)), 384)
		rows, dots := make([][]float32, n), make([]float32, n)
		for i := range rows {
			rows[i] = store.Row("skill "+strconv.Itoa(i/5), i%5)
		}
		run := func(name string, f func() error) {
			b.Run(fmt.Sprintf("n=%d/%s", n, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := f(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run("scores", func() error { _, err := store.Scores(b.Context(), query); return err })
		run("nearest", func() error { _, err := store.Nearest(b.Context(), query, 10); return err })
		run("naive", func() error { naive(query, rows, dots); return nil })
		run("chromem", func() error {
			_, err := store.Documents().QueryEmbedding(b.Context(), query, 10, nil, nil)
			return err
		})
	}
}

func BenchmarkPut(b *testing.B) {
	random := rand.New(rand.NewPCG(3, 3))
	passages := make([]vectorstore.Passage, 20_000)
	for i := range passages {
		passages[i] = vectorstore.Passage{Skill: strconv.Itoa(i / 5), Index: i % 5, Vector: randomVector(random, 384)}
	}
	for b.Loop() {
		if err := vectorstore.NewChromem().Put(b.Context(), passages); err != nil {
			b.Fatal(err)
		}
	}
}
