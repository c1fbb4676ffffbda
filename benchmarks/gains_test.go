package benchmarks_test

import (
	"slices"
	"testing"

	"github.com/skillsearch/skillsearch/benchmarks"
	"github.com/skillsearch/skillsearch/embedder"
)

// answered are values of the first measure, query by query, by collection and
// variant.
type answered map[[2]string][]float64

func (a answered) add(collection, variant string, queries []benchmarks.QueryResult) {
	key := [2]string{collection, variant}
	for _, q := range queries {
		a[key] = append(a[key], q.Values[0])
	}
}

// differences are what one variant has more than another, of b, for each query of
// the five collections, weighted so that their mean is that of MACRO5: a
// collection counts alike however many queries it has. It is nil where one is
// missing.
func (a answered) differences(more string, b answered, less string) (weighted []float64) {
	total := 0
	for _, name := range macro5 {
		total += len(a[[2]string{name, more}])
	}
	for _, name := range macro5 {
		with, without := a[[2]string{name, more}], b[[2]string{name, less}]
		if len(with) == 0 || len(with) != len(without) {
			return nil
		}
		weight := float64(total) / float64(len(macro5)*len(with))
		for i := range with {
			weighted = append(weighted, weight*(with[i]-without[i]))
		}
	}
	return weighted
}

// checkGains holds what the rankings are for: each of these pairs gains over the
// five collections, and not by chance.
func (a answered) checkGains(t *testing.T) {
	t.Helper()
	pairs := [][2]string{{"cosine", "cosine, heads"}, {"hybrid", "cosine"}, {"hybrid", "lexical"}, {"hybrid, all", "hybrid, heads"}, {"cosine, all", "cosine"}}
	var names []string
	var all [][]float64
	for _, pair := range pairs {
		names, all = append(names, pair[0]+" over "+pair[1]), append(all, a.differences(pair[0], a, pair[1]))
	}
	checkDifferences(t, names, all)
}

// checkDifferences holds that each of several lists of differences has a mean
// above 0, and not by chance. Lists that are nil say nothing.
func checkDifferences(t *testing.T, names []string, all [][]float64) {
	t.Helper()
	var ps, means []float64
	var intervals []benchmarks.Interval
	for _, d := range all {
		if d == nil {
			return
		}
		rows, mean := make([][]float64, len(d)), 0.0
		for i, v := range d {
			rows[i] = []float64{v}
			mean += v / float64(len(d))
		}
		ps, means = append(ps, benchmarks.Randomisation(d, benchmarks.Sampling{})), append(means, mean)
		intervals = append(intervals, benchmarks.Bootstrap(rows, benchmarks.Sampling{})[0])
	}
	for i, p := range benchmarks.Holm(ps) {
		t.Logf("%s: %+.4f [%+.4f, %+.4f], p %.4f after Holm", names[i], means[i], intervals[i].Low, intervals[i].High, p)
		if means[i] <= 0 || p > 0.05 {
			t.Errorf("%s: nothing is gained that chance would not give", names[i])
		}
	}
}

// TestTheTunedModelGains holds that the carried model ranks better than the one
// that it is tuned from, whose file the variable BASE names:
//
//	scripts/builtin-model/convert.py build/base.bin
//	COLLECTIONS=… VECTORS=… BASE=build/base.bin go test -timeout 2h -run TunedModelGains ./benchmarks
func TestTheTunedModelGains(t *testing.T) {
	tuned, before := make(answered), make(answered)
	for _, model := range []struct {
		embedder *embedder.Builtin
		queries  answered
	}{{builtin(), tuned}, {base(t), before}} {
		got := measured{make(figures), model.queries}
		for _, shelf := range shelves(t) {
			measureShelf(t, memory(t, model.embedder), shelf, [][]variant{byHeads, byBodies}, got)
		}
		got.means.addMacro5()
		t.Log("\n" + got.means.String())
	}
	var names []string
	var all [][]float64
	for _, v := range slices.Concat(byHeads, byBodies) {
		names, all = append(names, v.name), append(all, tuned.differences(v.name, before, v.name))
	}
	checkDifferences(t, names, all)
}
