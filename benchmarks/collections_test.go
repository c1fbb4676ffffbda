package benchmarks_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/benchmarks"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/vectorstore"
)

// macro5 are the collections whose mean nDCG@10 is MACRO5.
var macro5 = []string{"nvidia-evals", "vendor-evals", "awesome-blurbs", "router-pool", "triggers"}

// A variant is a ranking and how deep its skills are embedded.
type variant struct {
	name    string
	ranking skillsearch.Ranking
	depth   skillsearch.Depth
}

var (
	byWords   = []variant{{"lexical", skillsearch.Lexical, skillsearch.Heads}}
	byHeads   = []variant{{"cosine, heads", skillsearch.Cosine, skillsearch.Heads}, {"hybrid, heads", skillsearch.Hybrid, skillsearch.Heads}}
	byBodies  = []variant{{"cosine", skillsearch.Cosine, skillsearch.Body}, {"hybrid", skillsearch.Hybrid, skillsearch.Body}}
	byAll     = []variant{{"cosine, all", skillsearch.Cosine, skillsearch.Full}, {"hybrid, all", skillsearch.Hybrid, skillsearch.Full}}
	inRanking = slices.Concat(byWords, byHeads, byBodies, byAll)
)

// builtin is the built-in model, or that of the file that the variable MODEL
// names, to measure one before it is carried.
func builtin() *embedder.Builtin {
	if path := os.Getenv("MODEL"); path != "" {
		return embedder.NewBuiltinFile(path)
	}
	return embedder.NewBuiltin()
}

// memory is a model with what it knows in the folder that the variable VECTORS
// names; without one only this test knows it.
func memory(t *testing.T, model *embedder.Builtin) *benchmarks.Memory {
	t.Helper()
	folder := os.Getenv("VECTORS")
	if folder == "" {
		folder = t.TempDir()
	}
	cache, err := vectorstore.OpenCache(t.Context(), filepath.Join(folder, "vectors.db"), vectorstore.CacheOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cache.Close() })
	return benchmarks.Remember(model, cache)
}

// TestQualityOnCollections holds the figures of every collection in the folder
// COLLECTIONS against testdata/collections.golden; -update writes it. Words are
// measured always. Vectors take three quarters of an hour the first time, so that
// they are measured where VECTORS names a folder to keep them in:
//
//	COLLECTIONS=… VECTORS=… go test -timeout 2h -run OnCollections ./benchmarks
func TestQualityOnCollections(t *testing.T) {
	steps := [][]variant{byWords}
	if os.Getenv("VECTORS") != "" {
		steps = append(steps, byHeads, byBodies, byAll)
	}
	m := memory(t, builtin())
	got := measured{make(figures), make(answered)}
	for _, shelf := range shelves(t) {
		measureShelf(t, m, shelf, steps, got)
	}
	got.means.addMacro5()
	t.Log("\n" + got.means.String())
	compareFigures(t, "testdata/collections.golden", got.means)
	got.queries.checkGains(t)
}

// shelves are the collections of the folder COLLECTIONS, those with the same
// documents together.
func shelves(t *testing.T) (all [][]*benchmarks.Collection) {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(collections(t), "*", "qrels.txt"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("no collections: %v", err)
	}
	alike := make(map[string][]*benchmarks.Collection) // by first and number of documents
	for _, path := range folders {
		c, err := benchmarks.Read(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		key := fmt.Sprint(c.Documents[0].ID, len(c.Documents))
		alike[key] = append(alike[key], c)
	}
	for _, key := range slices.Sorted(maps.Keys(alike)) {
		all = append(all, alike[key])
	}
	return all
}

// measured is what was measured, in the mean and query by query.
type measured struct {
	means   figures
	queries answered
}

// measureShelf measures collections with the same documents.
func measureShelf(t *testing.T, m *benchmarks.Memory, shelf []*benchmarks.Collection, steps [][]variant, got measured) {
	t.Helper()
	library, err := benchmarks.Open(t.Context(), shelf[0].Documents, t.TempDir(), m)
	if err != nil {
		t.Fatal(err)
	}
	for _, variants := range steps {
		for _, c := range shelf {
			opts := benchmarks.Options{Index: variants[0].depth, Measures: measures(t, goldenMeasures...), Sampling: benchmarks.Sampling{Draws: 1}}
			for _, v := range variants {
				opts.Rankings = append(opts.Rankings, v.ranking)
			}
			report, err := benchmarks.Evaluate(t.Context(), c, library, opts)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range variants {
				got.means.add(c.Name, v.name, report.Systems[i].Means)
				got.queries.add(c.Name, v.name, report.Systems[i].Queries)
			}
		}
	}
}

// goldenMeasures are those that golden files have.
var goldenMeasures = []string{"nDCG@10", "R@10", "RR@10", "Success@1"}

// figures are means by collection and variant.
type figures map[[2]string][]float64

func (f figures) add(collection, variant string, means []benchmarks.Estimate) {
	for _, e := range means {
		key := [2]string{collection, variant}
		f[key] = append(f[key], e.Mean)
	}
}

// addMacro5 adds the mean over the five collections, where all are there.
func (f figures) addMacro5() {
	for _, v := range inRanking {
		sums := make([]float64, len(goldenMeasures))
		for _, name := range macro5 {
			means := f[[2]string{name, v.name}]
			if means == nil {
				sums = nil
				break
			}
			for i, mean := range means {
				sums[i] += mean / float64(len(macro5))
			}
		}
		if sums != nil {
			f[[2]string{"MACRO5", v.name}] = sums
		}
	}
}

// String has a line for each collection and variant, in a total order.
func (f figures) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "# collection\tranking\t%s\n", strings.Join(goldenMeasures, "\t"))
	keys := slices.SortedFunc(maps.Keys(f), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	for _, key := range keys {
		fmt.Fprintf(&out, "%s\t%s", key[0], key[1])
		for _, mean := range f[key] {
			fmt.Fprintf(&out, "\t%.4f", mean)
		}
		out.WriteString("\n")
	}
	return out.String()
}
