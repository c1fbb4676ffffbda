package benchmarks

import (
	"github.com/skillsearch/skillsearch"
)

// A Report is how good rankings are on one collection. It holds no times or
// paths: the same collection, index and options give the same bytes.
type Report struct {
	Collection string   `json:"collection"`
	Documents  int      `json:"documents"` // skills that were searched
	Queries    int      `json:"queries"`   // judged ones
	Relevant   int      `json:"relevant"`  // judgements of grade 1 and above
	Negatives  int      `json:"negatives"` // queries that nothing answers
	Notes      []string `json:"notes"`
	Measures   []string `json:"measures"`
	Systems    []System `json:"systems"`
	// Pairs compare each ranking with each that comes after it by the first
	// measure; P is corrected over the pairs.
	Pairs []Pair `json:"pairs"`
}

// A System is one ranking of a Report.
type System struct {
	Ranking     string        `json:"ranking"`
	Fingerprint Fingerprint   `json:"fingerprint"`
	Unembedded  int           `json:"unembedded"` // skills without a vector
	Means       []Estimate    `json:"means"`
	Types       []TypeMeans   `json:"types"` // none where the queries have no types worth it
	Queries     []QueryResult `json:"queries"`
	Separation  *Separation   `json:"separation,omitempty"` // where there are negatives
	Run         Run           `json:"-"`                    // of all queries, negatives too
}

// An Estimate is a mean with its interval.
type Estimate struct {
	Measure string  `json:"measure"`
	Mean    float64 `json:"mean"`
	Interval
}

// TypeMeans are the means over the queries of one type.
type TypeMeans struct {
	Type    string     `json:"type"`
	Queries int        `json:"queries"`
	Means   []Estimate `json:"means"`
}

// A QueryResult is how one query fared.
type QueryResult struct {
	ID            string    `json:"id"`
	Type          string    `json:"type"`
	Text          string    `json:"text"`
	FirstRelevant int       `json:"first_relevant"` // rank; 0 when none was found
	Top           []string  `json:"top"`            // the first three documents
	Values        []float64 `json:"values"`         // in the order of the Report's measures
}

// A Pair is a Difference between two rankings.
type Pair struct {
	A string `json:"a"`
	B string `json:"b"`
	Difference
}

// measureNames are what a report calls its measures.
func measureNames(measures []Measure) []string {
	names := make([]string, len(measures))
	for i, m := range measures {
		names[i] = m.Name
	}
	return names
}

// depthName is how the shell calls a depth.
func depthName(d skillsearch.Depth) string {
	switch d {
	case skillsearch.Heads:
		return "head"
	case skillsearch.Body:
		return "body"
	}
	return "full"
}

// estimates are the means of a table of queries and measures.
func estimates(measures []Measure, rows [][]float64, s Sampling) []Estimate {
	intervals := Bootstrap(rows, s)
	list := make([]Estimate, len(measures))
	for c, m := range measures {
		list[c] = Estimate{Measure: m.Name, Mean: round6(mean(column(rows, c))), Interval: intervals[c].rounded()}
	}
	return list
}
