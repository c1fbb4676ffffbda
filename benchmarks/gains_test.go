package benchmarks_test

import (
	"testing"

	"github.com/skillsearch/skillsearch/benchmarks"
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

// differences are what one variant has more than another for each query of the
// five collections, weighted so that their mean is that of MACRO5: a collection
// counts alike however many queries it has. It is nil where one is missing.
func (a answered) differences(more, less string) (weighted []float64) {
	total := 0
	for _, name := range macro5 {
		total += len(a[[2]string{name, more}])
	}
	for _, name := range macro5 {
		with, without := a[[2]string{name, more}], a[[2]string{name, less}]
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
	pairs := [][2]string{{"cosine", "cosine, heads"}, {"hybrid", "cosine"}, {"hybrid", "lexical"}, {"hybrid", "hybrid, heads"}, {"cosine, all", "cosine"}}
	var ps, means []float64
	var intervals []benchmarks.Interval
	for _, pair := range pairs {
		d := a.differences(pair[0], pair[1])
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
		t.Logf("%s over %s: %+.4f [%+.4f, %+.4f], p %.4f after Holm", pairs[i][0], pairs[i][1], means[i], intervals[i].Low, intervals[i].High, p)
		if means[i] <= 0 || p > 0.05 {
			t.Errorf("%s gains nothing over %s that chance would not give", pairs[i][0], pairs[i][1])
		}
	}
}
