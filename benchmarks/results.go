package benchmarks

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/skillsearch/skillsearch"
)

// Results are the reports of one evaluation, with what holds over all of them.
type Results struct {
	Reports []*Report `json:"reports"`
	// Summary is nil for a single report.
	Summary *Summary `json:"summary,omitempty"`
}

// A Summary is the mean over collections, each counting the same whatever the
// number of its queries.
type Summary struct {
	Measure  string     `json:"measure"` // the first of the reports
	Rankings []string   `json:"rankings"`
	Means    []Estimate `json:"means"` // of each ranking
	Pairs    []Pair     `json:"pairs"` // as in a Report; P of the tests with each collection weighing the same
}

// Summarise puts reports together, which must have the same rankings and
// measures. The intervals come from drawing queries within each collection.
func Summarise(reports []*Report, s Sampling) (*Results, error) {
	if len(reports) == 0 {
		return nil, errors.New("there is no report")
	}
	for _, r := range reports[1:] {
		if !slices.Equal(r.Measures, reports[0].Measures) || !slices.Equal(r.rankings(), reports[0].rankings()) {
			return nil, fmt.Errorf("the reports of %s and %s have other rankings or measures", reports[0].Collection, r.Collection)
		}
	}
	results := &Results{Reports: reports}
	if len(reports) > 1 {
		results.Summary = summarise(reports, s)
	}
	return results, nil
}

func (r *Report) rankings() []string {
	names := make([]string, len(r.Systems))
	for i, s := range r.Systems {
		names[i] = s.Ranking
	}
	return names
}

// table has a row for each query: its value of one measure by each ranking.
func (r *Report) table(measure int) [][]float64 {
	rows := make([][]float64, r.Queries)
	for i := range rows {
		for _, s := range r.Systems {
			rows[i] = append(rows[i], s.Queries[i].Values[measure])
		}
	}
	return rows
}

func summarise(reports []*Report, s Sampling) *Summary {
	sum := &Summary{Measure: reports[0].Measures[0], Rankings: reports[0].rankings()}
	groups := make([][][]float64, len(reports))
	for i, r := range reports {
		groups[i] = r.table(0)
	}
	intervals := bootstrapGroups(groups, s)
	for i := range sum.Rankings {
		sum.Means = append(sum.Means, Estimate{Measure: sum.Measure, Mean: round6(groupMean(groups, i)), Interval: intervals[i].rounded()})
	}
	sum.Pairs = groupPairs(sum, groups, s)
	return sum
}

// groupMean is the mean over groups of the means of one column.
func groupMean(groups [][][]float64, c int) float64 {
	means := make([]float64, len(groups))
	for g, rows := range groups {
		means[g] = mean(column(rows, c))
	}
	return mean(means)
}

// groupPairs compares rankings over all groups. A difference weighs as much as
// its group's queries make it: the sum of the weighted ones is the difference of
// the group means, which is what the test flips the signs of.
func groupPairs(sum *Summary, groups [][][]float64, s Sampling) []Pair {
	pairs := []Pair{}
	var rows []Difference
	for a := range sum.Rankings {
		for b := a + 1; b < len(sum.Rankings); b++ {
			var weighted []float64
			differences := make([][][]float64, len(groups))
			for g, values := range groups {
				for _, row := range values {
					d := row[b] - row[a]
					differences[g] = append(differences[g], []float64{d})
					weighted = append(weighted, d/float64(len(values)*len(groups)))
				}
			}
			d := differenceOf(weighted, s)
			d.Difference, d.Interval = round6(groupMean(differences, 0)), bootstrapGroups(differences, s)[0].rounded()
			d.Measure, d.A, d.B = sum.Measure, sum.Means[a].Mean, sum.Means[b].Mean
			pairs, rows = append(pairs, Pair{A: sum.Rankings[a], B: sum.Rankings[b]}), append(rows, d)
		}
	}
	correct(rows)
	for i := range pairs {
		pairs[i].Difference = rows[i]
	}
	return pairs
}

// WriteJSON writes the results as one line of JSON.
func (r *Results) WriteJSON(w io.Writer) error { return skillsearch.Encode(w, r) }

// WriteJSON writes the comparison as one line of JSON.
func (c Comparison) WriteJSON(w io.Writer) error { return skillsearch.Encode(w, c) }
