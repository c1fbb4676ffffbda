package skillsearch_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/benchmarks"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/ranker"
	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/vectorstore"
)

var updateWeights = flag.Bool("update-confidence", false, "rewrite ranker/confidence_weights.go")

// n is how many weights there are: the constant and one a feature.
const n = 1 + ranker.FeatureCount

// An observation is one answer: what told of it, and whether one of its ten hits
// was judged to fit.
type observation struct {
	query string
	ranker.Evidence
	fits bool
	gone bool // what fits was taken out of the catalogue
}

// TestFitConfidence fits the weights of ranker.Evidence.Probability on the
// collections in the folder COLLECTIONS and tells by cross-validation what they
// are worth. Each query is asked of the whole catalogue and of random parts with
// 300 and 30 skills, with the skills that were judged to fit it and without
// them. VECTORS is a folder that keeps vectors, as in benchmarks.
//
//	COLLECTIONS=… VECTORS=… go test -timeout 2h -run FitConfidence -v . -args -update-confidence
func TestFitConfidence(t *testing.T) {
	folder := os.Getenv("COLLECTIONS")
	if folder == "" {
		t.Skip("set COLLECTIONS to a folder of collections, and VECTORS to one that keeps vectors")
	}
	observations := make(map[string][]observation) // by ranking
	var pool *skillsearch.Engine
	var back map[string]string
	documents := 0
	for _, name := range []string{"nvidia-evals", "vendor-evals", "awesome-blurbs", "router-pool", "triggers"} {
		c, err := benchmarks.Read(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if pool == nil || documents != len(c.Documents) {
			pool, back, documents = openCollection(t, c), identities(t, c), len(c.Documents)
		}
		for _, q := range c.Queries {
			for _, ranking := range []skillsearch.Ranking{skillsearch.Cosine, skillsearch.Lexical, skillsearch.Hybrid} {
				for _, o := range observe(t, pool, back, q, c.Qrels[q.ID], ranking) {
					observations[o.By] = append(observations[o.By], o) // by words where the model can't read the query
				}
			}
		}
	}
	weights := make(map[string][n]float64)
	for _, ranking := range []string{ranker.ByCosine, ranker.ByLexical, ranker.ByHybrid} {
		all := observations[ranking]
		weights[ranking] = fitLogit(all)
		t.Log(ranking, crossValidate(all), weights[ranking])
	}
	if *updateWeights {
		writeWeights(t, weights)
	}
}

func openCollection(t *testing.T, c *benchmarks.Collection) *skillsearch.Engine {
	t.Helper()
	dir, vectors := t.TempDir(), os.Getenv("VECTORS")
	if vectors == "" {
		vectors = t.TempDir()
	}
	cache, err := vectorstore.OpenCache(t.Context(), filepath.Join(vectors, "vectors.db"), vectorstore.CacheOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cache.Close() })
	if _, err := benchmarks.WriteSkills(dir, c.Documents); err != nil {
		t.Fatal(err)
	}
	engine, err := skillsearch.Open(t.Context(), skillsearch.Config{
		Roots:     []skill.Root{{Path: dir, Label: "c", Source: skill.SourceFlag}},
		Embedders: []skillsearch.Embedder{benchmarks.Remember(embedder.NewBuiltin(), cache)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Index(t.Context(), skillsearch.IndexOptions{Depth: skillsearch.Body}); err != nil {
		t.Fatal(err)
	}
	return engine
}

// identities are the documents by the ids of the skills made from them.
func identities(t *testing.T, c *benchmarks.Collection) map[string]string {
	t.Helper()
	folders, err := benchmarks.WriteSkills(t.TempDir(), c.Documents)
	if err != nil {
		t.Fatal(err)
	}
	back := make(map[string]string)
	for i, d := range c.Documents {
		back["c/"+folders[i]] = d.ID
	}
	return back
}

// observe asks one query of several catalogues.
func observe(t *testing.T, engine *skillsearch.Engine, back map[string]string, q benchmarks.Query, judged map[string]int, ranking skillsearch.Ranking) []observation {
	t.Helper()
	evidence, err := engine.Evidence(t.Context(), skillsearch.Query{Text: q.Text, Ranking: ranking})
	if err != nil {
		t.Fatal(err)
	}
	var out []observation
	for _, size := range []int{30, 300, len(back)} {
		for _, gone := range []bool{false, true} {
			e, first := evidence(func(s *skill.Skill) bool {
				d := back[s.ID]
				return judged[d] > 0 && !gone || judged[d] <= 0 && chance(q.ID, d, size) < float64(size)/float64(len(back))
			})
			fits := slices.ContainsFunc(first, func(id string) bool { return judged[back[id]] > 0 })
			out = append(out, observation{query: q.ID, Evidence: e, fits: fits, gone: gone})
		}
	}
	return out
}

// chance is a number from 0 to 1 that is always the same for the same texts.
func chance(parts ...any) float64 {
	h := fnv.New64a()
	fmt.Fprintln(h, parts...)
	return float64(h.Sum64()>>11) / (1 << 53)
}

// fitLogit is a logistic regression by Newton's method, with a light penalty on
// all weights but the constant, so that it has one solution.
func fitLogit(observations []observation) [n]float64 {
	const penalty = 1.0
	var w [n]float64
	for range 50 {
		var gradient [n]float64
		var hessian [n][n]float64
		for _, o := range observations {
			x := inputs(o)
			p := sigmoid(w, x)
			y := 0.0
			if o.fits {
				y = 1
			}
			for i := range n {
				gradient[i] += (y - p) * x[i]
				for j := range n {
					hessian[i][j] += p * (1 - p) * x[i] * x[j]
				}
			}
		}
		for i := 1; i < n; i++ {
			gradient[i] -= penalty * w[i]
			hessian[i][i] += penalty
		}
		step := solve(hessian, gradient)
		for i := range w {
			w[i] += step[i]
		}
	}
	return w
}

func inputs(o observation) [n]float64 {
	x := [n]float64{1}
	f := o.Features()
	copy(x[1:], f[:])
	return x
}

func sigmoid(w, x [n]float64) float64 {
	sum := 0.0
	for i := range w {
		sum += w[i] * x[i]
	}
	return 1 / (1 + math.Exp(-sum))
}

// solve is Gaussian elimination with pivots.
func solve(a [n][n]float64, b [n]float64) [n]float64 {
	for i := range n {
		pivot := i
		for r := i + 1; r < n; r++ {
			if math.Abs(a[r][i]) > math.Abs(a[pivot][i]) {
				pivot = r
			}
		}
		a[i], a[pivot], b[i], b[pivot] = a[pivot], a[i], b[pivot], b[i]
		for r := range n {
			if r == i {
				continue
			}
			f := a[r][i] / a[i][i]
			for c := i; c < n; c++ {
				a[r][c] -= f * a[i][c]
			}
			b[r] -= f * b[i]
		}
	}
	for i := range n {
		b[i] /= a[i][i]
	}
	return b
}

// crossValidate fits on four fifths of the queries and judges the rest: the area
// under the curve, and of each word how many answers had it and how many of
// those had a hit that fits.
func crossValidate(observations []observation) string {
	const folds = 5
	type judged struct {
		p    float64
		fits bool
		gone bool
	}
	var all []judged
	for fold := range folds {
		var fit, rest []observation
		for _, o := range observations {
			if int(chance(o.query)*folds) == fold {
				rest = append(rest, o)
			} else {
				fit = append(fit, o)
			}
		}
		w := fitLogit(fit)
		for _, o := range rest {
			all = append(all, judged{sigmoid(w, inputs(o)), o.fits, o.gone})
		}
	}
	slices.SortStableFunc(all, func(a, b judged) int { return int(math.Copysign(1, a.p-b.p)) })
	ranks, positives := 0.0, 0.0
	for i, j := range all {
		if j.fits {
			ranks += float64(i + 1)
			positives++
		}
	}
	auc := (ranks - positives*(positives+1)/2) / (positives * (float64(len(all)) - positives))
	var out strings.Builder
	fmt.Fprintf(&out, "%d answers, AUC %.3f", len(all), auc)
	for _, word := range []struct {
		name     string
		from, to float64
	}{{"none", 0, .3}, {"low", .3, .7}, {"high", .7, 2}} {
		count, fits, gone, allGone := 0, 0, 0, 0
		for _, j := range all {
			if j.gone {
				allGone++
			}
			if j.p < word.from || j.p >= word.to {
				continue
			}
			count++
			if j.fits {
				fits++
			}
			if j.gone {
				gone++
			}
		}
		fmt.Fprintf(&out, "; %s: %d, of which %.1f%% have a fitting hit; %.1f%% of the answers that nothing fits", word.name, count, 100*float64(fits)/float64(max(count, 1)), 100*float64(gone)/float64(max(allGone, 1)))
	}
	return out.String()
}

func writeWeights(t *testing.T, weights map[string][n]float64) {
	t.Helper()
	var out bytes.Buffer
	out.WriteString("package ranker\n\n// confidenceWeights are, for each ranking, the constant and the weights of\n// Evidence.Features in their order. TestFitConfidence wrote them.\nvar confidenceWeights = map[string][1 + FeatureCount]float64{\n")
	for _, r := range []struct{ name, key string }{{"ByCosine", ranker.ByCosine}, {"ByLexical", ranker.ByLexical}, {"ByHybrid", ranker.ByHybrid}} {
		fmt.Fprintf(&out, "%s: {", r.name)
		for _, w := range weights[r.key] {
			fmt.Fprintf(&out, "%.3f, ", w)
		}
		out.WriteString("},\n")
	}
	out.WriteString("}\n")
	source, err := format.Source(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("ranker/confidence_weights.go", source, 0o644); err != nil {
		t.Fatal(err)
	}
}
