package benchmarks

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// An Interval is where a mean would lie 95 times of 100 with other queries of
// the same kind. It says nothing about judgements that are missing or wrong.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Sampling is how statistics that draw lots do it. The zero value is 10,000
// draws with seed 0. The same Sampling gives the same figures everywhere.
type Sampling struct {
	Draws int
	Seed  uint64
}

func (s Sampling) draws() int { return cmp.Or(s.Draws, 10_000) }

func (s Sampling) random() *rand.Rand { return rand.New(rand.NewPCG(s.Seed, 0x9e3779b97f4a7c15)) }

// Bootstrap gives the 95 % interval of the mean of each column by the percentile
// bootstrap: rows are drawn with replacement, as many as there are, and the 2.5th
// and 97.5th percentile of the means are the ends. Source: Efron and Tibshirani,
// "An Introduction to the Bootstrap", 1993, chapter 13. A row is what one query
// has; all columns see the same draws. There must be a row.
func Bootstrap(rows [][]float64, s Sampling) []Interval {
	return bootstrapGroups([][][]float64{rows}, s)
}

// bootstrapGroups gives the intervals of the mean over groups of rows, each
// group's mean counting the same, however many rows it has. Rows are drawn
// within their group.
func bootstrapGroups(groups [][][]float64, s Sampling) []Interval {
	columns := len(groups[0][0])
	means := make([][]float64, columns)
	for c := range means {
		means[c] = make([]float64, s.draws())
	}
	random := s.random()
	sums := make([]float64, columns)
	for draw := range s.draws() {
		for _, rows := range groups {
			clear(sums)
			for range rows {
				for c, v := range rows[random.IntN(len(rows))] {
					sums[c] += v
				}
			}
			for c := range means {
				means[c][draw] += sums[c] / float64(len(rows)) / float64(len(groups))
			}
		}
	}
	intervals := make([]Interval, columns)
	for c := range means {
		slices.Sort(means[c])
		intervals[c] = Interval{Low: percentile(means[c], 0.025), High: percentile(means[c], 0.975)}
	}
	return intervals
}

// percentile is the p-quantile of sorted values, by linear interpolation between
// the two that it lies between (Hyndman and Fan's type 7).
func percentile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	below := int(at)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + (at-float64(below))*(sorted[above]-sorted[below])
}

// mean is 0 for no values.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(len(values), 1))
}

// column is one column of a table.
func column(rows [][]float64, c int) []float64 {
	values := make([]float64, len(rows))
	for i, row := range rows {
		values[i] = row[c]
	}
	return values
}
