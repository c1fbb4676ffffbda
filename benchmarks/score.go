package benchmarks

import (
	"maps"
	"slices"
)

// Scores are the measures of one run, query by query.
type Scores struct {
	Measures []Measure
	Queries  []string    // every query of the qrels, in order of ID
	Rows     [][]float64 // of each query, its value of each measure
}

// Score measures a run. Every query of the qrels has a row: one that the run
// does not answer counts 0, as with trec_eval -c. Answers to other queries are
// passed over.
func Score(run Run, qrels Qrels, measures []Measure) Scores {
	s := Scores{Measures: measures, Queries: slices.Sorted(maps.Keys(qrels))}
	for _, query := range s.Queries {
		row := make([]float64, len(measures))
		for i, m := range measures {
			row[i] = m.Of(run.Answers[query], qrels[query])
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

// Means are the means over the queries, measure by measure.
func (s Scores) Means() []float64 {
	means := make([]float64, len(s.Measures))
	for c := range means {
		means[c] = mean(column(s.Rows, c))
	}
	return means
}
