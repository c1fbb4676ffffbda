package vectorstore_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/storetest"
	"github.com/skillsearch/skillsearch/vectorstore"
	"github.com/skillsearch/skillsearch/vectorstore/internal/kernels"
)

const dimensions = 384

func TestChromemPassesTheStoreSuite(t *testing.T) {
	for _, kernel := range kernels.Available() {
		t.Run(kernel.Name, func(t *testing.T) {
			storetest.Run(t, func(*testing.T) storetest.Store { return vectorstore.NewChromemOn(kernel) })
		})
	}
}

// realVectors are those of 1,000 texts and 40 queries; testdata/embed made
// them.
func realVectors(tb testing.TB) (texts, queries [][]float32) {
	tb.Helper()
	file, err := os.ReadFile("testdata/minilm.bf16")
	if err != nil {
		tb.Fatal(err)
	}
	var all [][]float32
	for vector := range slices.Chunk(file, 2*dimensions) {
		v := make([]float32, dimensions)
		for i := range v {
			v[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(vector[2*i:])) << 16)
		}
		all = append(all, v)
	}
	if len(all) != 1_040 {
		tb.Fatalf("%d vectors in the file", len(all))
	}
	return all[:1_000], all[1_000:]
}

// passagesOf gives four vectors each to skills s0, s1…
func passagesOf(vectors [][]float32) []vectorstore.Passage {
	passages := make([]vectorstore.Passage, len(vectors))
	for i, v := range vectors {
		passages[i] = vectorstore.Passage{Skill: "s" + strconv.Itoa(i/4), Index: i % 4, Text: "text " + strconv.Itoa(i), Vector: v}
	}
	return passages
}

func TestNearestIsWhatChromemsOwnQueryFinds(t *testing.T) {
	texts, queries := realVectors(t)
	for _, kernel := range kernels.Available() {
		store := vectorstore.NewChromemOn(kernel)
		put(t, store, passagesOf(texts))
		for _, query := range append(queries, texts[:40]...) {
			query = unit(query) // chromem's own way of doing so is less exact
			results, err := store.Documents().QueryEmbedding(t.Context(), query, 11, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			matches := nearest(t, store, query, 10)
			for i, m := range matches {
				theirs := results[i]
				if math.Abs(float64(m.Cosine-theirs.Similarity)) > 1e-6 {
					t.Errorf("%s, place %d: cosine %v, chromem has %v", kernel.Name, i, m.Cosine, theirs.Similarity)
				}
				// chromem adds in another order and leaves equal ones in any:
				// a place is certain where its neighbours are further away
				// than rounding reaches.
				near := i > 0 && results[i-1].Similarity-theirs.Similarity < 2e-6 || theirs.Similarity-results[i+1].Similarity < 2e-6
				if id := strconv.Itoa(m.Index) + ":" + m.Skill; !near && id != theirs.ID {
					t.Errorf("%s, place %d: %s, chromem has %s", kernel.Name, i, id, theirs.ID)
				}
			}
		}
	}
}

// unit is a vector scaled to unit length.
func unit(v []float32) []float32 {
	var squares float64
	for _, x := range v {
		squares += float64(x) * float64(x)
	}
	v = slices.Clone(v)
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(squares))
	}
	return v
}

// The 8-bit scan must leave no trace in the answer: not in the order, not in a
// single bit of a cosine.
func TestNearestIsExact(t *testing.T) {
	texts, queries := realVectors(t)
	random := rand.New(rand.NewPCG(5, 5))
	sets := map[string][][]float32{"real": texts}
	for name, make := range map[string]func() []float32{
		"random":   func() []float32 { return randomVector(random, 384) },
		"clusters": func() []float32 { return jitter(random, texts[random.IntN(5)], 1e-3) },
		"one spot": func() []float32 { return jitter(random, texts[0], 1e-6) },
		"twins":    func() []float32 { return texts[random.IntN(3)] },
		"spikes":   func() []float32 { return spike(random) },
		"signs":    func() []float32 { return signs(random) },
	} {
		for range 1_500 {
			sets[name] = append(sets[name], make())
		}
	}
	for name, vectors := range sets {
		store := vectorstore.NewChromem()
		put(t, store, passagesOf(vectors))
		for _, query := range [][]float32{
			queries[0], queries[1], vectors[7], jitter(random, vectors[9], .05), randomVector(random, 384), signs(random),
		} {
			if over := store.Overshoot(query); over > 0 {
				t.Errorf("%s: a cosine is %v above its bound", name, over)
			}
			all := store.ByScan(query)
			for _, k := range []int{1, 2, 10, 50, 500, len(vectors)} {
				if diff := cmp.Diff(all[:k], nearest(t, store, query, k)); diff != "" {
					t.Errorf("%s, k=%d (-scan +nearest):\n%s", name, k, diff)
				}
			}
		}
	}
}

func jitter(random *rand.Rand, v []float32, by float64) []float32 {
	v = slices.Clone(v)
	for i := range v {
		v[i] += float32(by * random.NormFloat64())
	}
	return v
}

// spike is a vector of which 8 bits keep next to nothing but the largest number.
func spike(random *rand.Rand) []float32 {
	v := randomVector(random, 384)
	v[random.IntN(3)] += 2_000
	return v
}

// signs is a vector that 8 bits state exactly: the error of an estimate is then
// all the other side's.
func signs(random *rand.Rand) []float32 {
	v := make([]float32, 384)
	for i := range v {
		v[i] = float32(1 - 2*random.IntN(2))
	}
	return v
}

func TestOneAnswerOnEveryProcessorAndAnyNumberOfThreads(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	vectors := make([][]float32, 3_000)
	for i := range vectors {
		vectors[i] = randomVector(random, 100)
	}
	query := randomVector(random, 100)
	type answer struct {
		Scores  []vectorstore.Score
		Matches []vectorstore.Match
	}
	var first *answer
	for _, kernel := range kernels.Available() {
		for threads := 1; threads <= 5; threads++ {
			store := vectorstore.NewChromemOn(kernel)
			store.UseThreads(threads)
			put(t, store, passagesOf(vectors))
			got := &answer{scores(t, store, query), nearest(t, store, query, 20)}
			if first == nil {
				first = got
			}
			if diff := cmp.Diff(first, got); diff != "" {
				t.Errorf("%s, %d threads (-first +now):\n%s", kernel.Name, threads, diff)
			}
		}
	}
}

// There is one float32 copy of a vector: chromem's document has the slab's row,
// also when it was not of unit length, was replaced, or took a removed one's row.
func TestDocumentsHoldTheRowsOfTheSlab(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	store := vectorstore.NewChromem()
	texts, _ := realVectors(t)
	passages := passagesOf(texts[:600])
	for i := range 200 {
		passages[i].Vector = randomVector(random, 384)
	}
	put(t, store, passages)
	put(t, store, passages[100:300])
	remove(t, store, "s3", "s70", "s149")

	results, err := store.Documents().QueryEmbedding(t.Context(), texts[0], store.Len(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != 588 {
		t.Fatalf("%d documents, want 588", len(results))
	}
	for _, r := range results {
		index, err := strconv.Atoi(r.Metadata["passage"])
		if err != nil {
			t.Fatal(err)
		}
		row := store.Row(r.Metadata["skill"], index)
		if &row[0] != &r.Embedding[0] || len(row) != len(r.Embedding) {
			t.Errorf("%s has a vector of its own", r.ID)
		}
	}
}

func TestTextsAreKept(t *testing.T) {
	texts, _ := realVectors(t)
	store := vectorstore.NewChromem()
	passages := passagesOf(texts[:300])
	put(t, store, passages)
	replaced := passages[8]
	replaced.Text = "another"
	put(t, store, []vectorstore.Passage{replaced})
	remove(t, store, "s0", "s40")

	for i, p := range passages {
		want, there := p.Text, p.Skill != "s0" && p.Skill != "s40"
		if i == 8 {
			want = "another"
		}
		if !there {
			want = ""
		}
		if text, ok := store.Passage(p.Skill, p.Index); text != want || ok != there {
			t.Errorf("passage %d of %s: %q, %v; want %q, %v", p.Index, p.Skill, text, ok, want, there)
		}
	}
	if _, ok := store.Passage("s1", 99); ok {
		t.Error("a passage that was never put is there")
	}
	if got := store.Len(); got != 292 {
		t.Errorf("%d passages, want 292", got)
	}
}

// A store that is filled and emptied for ever keeps its size.
func TestRemovedRowsAreUsedAgain(t *testing.T) {
	texts, _ := realVectors(t)
	store := vectorstore.NewChromem()
	put(t, store, passagesOf(texts))
	full := store.Blocks()
	for i := range 30 {
		skills := make([]string, 0, 125)
		for s := i % 2; s < 250; s += 2 {
			skills = append(skills, "s"+strconv.Itoa(s))
		}
		remove(t, store, skills...)
		put(t, store, passagesOf(texts))
	}
	if got := store.Blocks(); got != full {
		t.Errorf("%d blocks, %d at first", got, full)
	}
	for s := range 250 {
		remove(t, store, "s"+strconv.Itoa(s))
	}
	if got := store.Blocks(); got > 1 || store.Len() != 0 {
		t.Errorf("%d blocks and %d passages in an empty store", got, store.Len())
	}
}

// Whatever is done to a store, it answers as one that was given the outcome.
func TestChangedStoreAnswersAsAFreshOne(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	store := vectorstore.NewChromem()
	model := map[string]map[int]vectorstore.Passage{}
	for range 400 {
		skill := "s" + strconv.Itoa(random.IntN(40))
		if random.IntN(4) == 0 {
			remove(t, store, skill)
			delete(model, skill)
			continue
		}
		if model[skill] == nil {
			model[skill] = map[int]vectorstore.Passage{}
		}
		p := vectorstore.Passage{Skill: skill, Index: random.IntN(12), Vector: randomVector(random, 200)}
		put(t, store, []vectorstore.Passage{p})
		model[skill][p.Index] = p
	}
	fresh := vectorstore.NewChromem()
	var outcome []vectorstore.Passage
	for _, passages := range model {
		for _, p := range passages {
			outcome = append(outcome, p)
		}
	}
	put(t, fresh, outcome)
	for range 20 {
		query := randomVector(random, 200)
		if diff := cmp.Diff(scores(t, fresh, query), scores(t, store, query)); diff != "" {
			t.Errorf("scores (-fresh +changed):\n%s", diff)
		}
		for _, k := range []int{1, 5, 100} {
			if diff := cmp.Diff(nearest(t, fresh, query, k), nearest(t, store, query, k)); diff != "" {
				t.Errorf("%d nearest (-fresh +changed):\n%s", k, diff)
			}
		}
	}
}

func TestPutNamesThePassageThatItRefuses(t *testing.T) {
	store := vectorstore.NewChromem()
	good := []float32{1, 0, 0}
	for want, p := range map[string]vectorstore.Passage{
		`put passage 2 of "pdf": vector has the wrong number of dimensions: it has 2, the others 3`:        {Skill: "pdf", Index: 2, Vector: []float32{1, 0}},
		`put passage 2 of "pdf": vector is not finite or is zero`:                                          {Skill: "pdf", Index: 2, Vector: []float32{0, 0, 0}},
		`put passage -1 of "pdf": its index is below zero`:                                                 {Skill: "pdf", Index: -1, Vector: good},
		`put passage 0 of "": vector has the wrong number of dimensions: it has 0, allowed are 1 to 65536`: {},
	} {
		err := store.Put(t.Context(), []vectorstore.Passage{{Skill: "a", Vector: good}, p})
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if store.Len() != 0 {
		t.Errorf("%d passages were stored", store.Len())
	}
}

// A context that ends while blocks are scanned is an error, and no part of an
// answer comes with it.
func TestContextThatEndsDuringAScanIsAnError(t *testing.T) {
	texts, queries := realVectors(t)
	store := vectorstore.NewChromem()
	put(t, store, passagesOf(texts))
	for after := range 4 {
		scores, err := store.Scores(&endsAfter{t.Context(), after}, queries[0])
		if !errors.Is(err, context.Canceled) || scores != nil {
			t.Errorf("scores after %d looks at the context: %d, %v", after, len(scores), err)
		}
		matches, err := store.Nearest(&endsAfter{t.Context(), after}, queries[0], 10)
		if !errors.Is(err, context.Canceled) || matches != nil {
			t.Errorf("nearest after %d looks at the context: %d, %v", after, len(matches), err)
		}
	}
}

// endsAfter is a context that ends when it has been looked at a few times.
type endsAfter struct {
	context.Context
	left int
}

func (c *endsAfter) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func FuzzNearest(f *testing.F) {
	f.Add(uint64(1), uint16(300), uint8(10), uint8(20))
	f.Add(uint64(2), uint16(1), uint8(1), uint8(1))
	f.Add(uint64(3), uint16(700), uint8(255), uint8(65))
	f.Fuzz(func(t *testing.T, seed uint64, n uint16, k, width uint8) {
		random := rand.New(rand.NewPCG(seed, 0))
		vectors := make([][]float32, n%1_000+1)
		for i := range vectors {
			vectors[i] = randomVector(random, int(width)+1)
			if i > 0 && random.IntN(3) == 0 {
				vectors[i] = jitter(random, vectors[random.IntN(i)], float64(random.IntN(2))*1e-4)
			}
		}
		store := vectorstore.NewChromem()
		put(t, store, passagesOf(vectors))
		query := jitter(random, vectors[0], .1)
		want := store.ByScan(query)
		if diff := cmp.Diff(want[:min(int(k)+1, len(want))], nearest(t, store, query, int(k)+1)); diff != "" {
			t.Errorf("(-scan +nearest):\n%s", diff)
		}
	})
}

func put(tb testing.TB, store *vectorstore.Chromem, passages []vectorstore.Passage) {
	tb.Helper()
	if err := store.Put(tb.Context(), passages); err != nil {
		tb.Fatal(err)
	}
}

func remove(tb testing.TB, store *vectorstore.Chromem, skills ...string) {
	tb.Helper()
	if err := store.Remove(tb.Context(), skills...); err != nil {
		tb.Fatal(err)
	}
}

func scores(tb testing.TB, store *vectorstore.Chromem, query []float32) []vectorstore.Score {
	tb.Helper()
	got, err := store.Scores(tb.Context(), query)
	if err != nil {
		tb.Fatal(err)
	}
	return got
}

func nearest(tb testing.TB, store *vectorstore.Chromem, query []float32, k int) []vectorstore.Match {
	tb.Helper()
	got, err := store.Nearest(tb.Context(), query, k)
	if err != nil {
		tb.Fatal(err)
	}
	return got
}
