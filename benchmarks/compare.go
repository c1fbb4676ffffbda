package benchmarks

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// A Comparison is the paired comparison of two systems on the same queries.
type Comparison struct {
	A       string        `json:"a"`
	B       string        `json:"b"`
	Queries int           `json:"queries"`
	Rows    []Difference  `json:"measures"`
	Changes []QueryChange `json:"changes"` // of the first measure, most lost by B first
	Notes   []string      `json:"notes"`
}

// A Difference is what B has more than A by one measure.
type Difference struct {
	Measure    string   `json:"measure"`
	A          float64  `json:"a"`
	B          float64  `json:"b"`
	Difference float64  `json:"difference"`
	Interval   Interval `json:"interval"` // of the difference
	Better     int      `json:"better"`   // queries in which B is better
	Worse      int      `json:"worse"`
	// P of the randomisation test, with Holm's correction over the rows of the
	// comparison (or, in a report, over all pairs of rankings), and uncorrected
	// of both tests.
	P             float64 `json:"p"`
	Randomisation float64 `json:"p_randomisation"`
	T             float64 `json:"p_t"`
}

// A QueryChange is how one query fared.
type QueryChange struct {
	Query string  `json:"query"`
	A     float64 `json:"a"`
	B     float64 `json:"b"`
}

// Compare compares two runs, query by query. Every query of the qrels counts,
// and one that a run does not answer counts 0 for it. It is an error if a run
// answers none of them: the qrels are then those of another collection.
func Compare(a, b Run, qrels Qrels, measures []Measure, s Sampling) (Comparison, error) {
	if len(qrels) == 0 || len(measures) == 0 {
		return Comparison{}, errors.New("compare runs: there is no query or no measure")
	}
	c := Comparison{A: a.Name, B: b.Name, Queries: len(qrels), Notes: []string{}}
	for _, run := range []Run{a, b} {
		missing := unanswered(run, qrels)
		switch {
		case len(missing) == len(qrels):
			return Comparison{}, fmt.Errorf("compare runs: %s answers none of the %d judged queries; are these the qrels of its collection?", run.Name, len(qrels))
		case len(missing) > 0:
			c.Notes = append(c.Notes, fmt.Sprintf("%s does not answer %d of %d queries, which count 0 for it, the first being %s", run.Name, len(missing), len(qrels), missing[0]))
		}
	}
	c.compare(Score(a, qrels, measures), Score(b, qrels, measures), s)
	return c, nil
}

// unanswered are the judged queries that a run has no document for.
func unanswered(run Run, qrels Qrels) []string {
	var missing []string
	for _, query := range slices.Sorted(maps.Keys(qrels)) {
		if len(run.Answers[query]) == 0 {
			missing = append(missing, query)
		}
	}
	return missing
}

func (c *Comparison) compare(a, b Scores, s Sampling) {
	differences := make([][]float64, len(a.Rows))
	for i := range a.Rows {
		differences[i] = make([]float64, len(a.Measures))
		for m := range a.Measures {
			differences[i][m] = b.Rows[i][m] - a.Rows[i][m]
		}
		c.Changes = append(c.Changes, QueryChange{Query: a.Queries[i], A: round6(a.Rows[i][0]), B: round6(b.Rows[i][0])})
	}
	intervals := Bootstrap(differences, s)
	meansA, meansB := a.Means(), b.Means()
	for m, measure := range a.Measures {
		d := differenceOf(column(differences, m), s)
		d.Measure, d.A, d.B = measure.Name, round6(meansA[m]), round6(meansB[m])
		d.Interval = intervals[m].rounded()
		c.Rows = append(c.Rows, d)
	}
	correct(c.Rows)
	slices.SortStableFunc(c.Changes, func(x, y QueryChange) int {
		return cmp.Or(cmp.Compare(x.B-x.A, y.B-y.A), strings.Compare(x.Query, y.Query))
	})
}

// differenceOf tests the differences of one measure.
func differenceOf(values []float64, s Sampling) Difference {
	d := Difference{Difference: round6(mean(values)), Randomisation: round6(Randomisation(values, s)), T: round6(TTest(values))}
	for _, v := range values {
		switch {
		case v > 0:
			d.Better++
		case v < 0:
			d.Worse++
		}
	}
	return d
}

// correct sets P by Holm's correction over the rows.
func correct(rows []Difference) {
	ps := make([]float64, len(rows))
	for i, r := range rows {
		ps[i] = r.Randomisation
	}
	for i, p := range Holm(ps) {
		rows[i].P = round6(p)
	}
}

// round6 keeps what the number of queries lets one trust, and more.
func round6(v float64) float64 { return math.Round(v*1e6)/1e6 + 0 } // + 0 makes -0 a 0

func (i Interval) rounded() Interval { return Interval{Low: round6(i.Low), High: round6(i.High)} }
