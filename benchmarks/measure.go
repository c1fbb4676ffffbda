// Package benchmarks answers: how good is a ranking? It reads collections of
// queries with judged documents, has an engine rank them, and states the
// measures of the field with their intervals, so that they agree with
// trec_eval's.
package benchmarks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Judgements are the grades of the documents that were judged for one query: 1
// and above is relevant, 0 is judged and not relevant. A document that is
// absent is unjudged, and for bpref one with a grade below 0 as well, as
// trec_eval has it. The zero value has none.
type Judgements map[string]int

// Qrels are the judgements of every query, by its ID.
type Qrels map[string]Judgements

// relevant is how many documents are relevant.
func (j Judgements) relevant() int {
	n := 0
	for _, grade := range j {
		if grade > 0 {
			n++
		}
	}
	return n
}

// A Measure says with one number, from 0 to 1, how good the answer to one query
// is. The value of a system is the mean over all judged queries; one that was
// not answered counts 0. The cut-off k of the functions that make measures is 1
// or more; those that take 0 say what it means.
type Measure struct {
	// Name as ir_measures writes it, the cut-off behind "@": "nDCG@10".
	Name string
	// Of measures an answer in the order of Sort, each document once. It keeps
	// and changes nothing.
	Of func(answer []Scored, judged Judgements) float64
}

// DefaultMeasures are those that a report has when it is told nothing else.
func DefaultMeasures() []Measure {
	return []Measure{
		NDCG(10), NDCG(5), Recall(10), Recall(100), ReciprocalRank(10), AveragePrecision(100),
		Precision(5), Success(1), Success(5), Success(10), RPrecision(), BPref(), Judged(10),
	}
}

// A family is the measures of one kind. cut says whether they need a cut-off,
// may have one, or have none.
type family struct {
	names []string // the first is the one that is shown
	cut   cut
	make  func(k int) Measure
}

type cut int

const (
	cutNeeded cut = iota
	cutOptional
	cutNone
)

func families() []family {
	return []family{
		{[]string{"nDCG"}, cutNeeded, NDCG},
		{[]string{"R", "recall"}, cutNeeded, Recall},
		{[]string{"P", "precision"}, cutNeeded, Precision},
		{[]string{"Success", "hit"}, cutNeeded, Success},
		{[]string{"Comp", "completeness"}, cutNeeded, Completeness},
		{[]string{"Judged"}, cutNeeded, Judged},
		{[]string{"RR", "MRR"}, cutOptional, ReciprocalRank},
		{[]string{"AP", "MAP"}, cutOptional, AveragePrecision},
		{[]string{"Rprec"}, cutNone, func(int) Measure { return RPrecision() }},
		{[]string{"Bpref"}, cutNone, func(int) Measure { return BPref() }},
	}
}

// ParseMeasure reads the name of a measure, whatever its case: "nDCG@10",
// "R@100", "MRR", "Rprec". The error lists the names there are.
func ParseMeasure(name string) (Measure, error) {
	base, cutoff, hasCut := strings.Cut(name, "@")
	for _, f := range families() {
		if !slices.ContainsFunc(f.names, func(n string) bool { return strings.EqualFold(n, base) }) {
			continue
		}
		if !hasCut && f.cut != cutNeeded {
			return f.make(0), nil
		}
		k, err := strconv.Atoi(cutoff)
		if err != nil || k < 1 || f.cut == cutNone {
			return Measure{}, fmt.Errorf("measure is %q; write it as %s", name, f.form())
		}
		return f.make(k), nil
	}
	forms := make([]string, 0, 10)
	for _, f := range families() {
		forms = append(forms, f.form())
	}
	return Measure{}, fmt.Errorf("measure is %q; there are %s", name, strings.Join(forms, ", "))
}

// form is how a measure of the family is written.
func (f family) form() string {
	switch f.cut {
	case cutNone:
		return f.names[0]
	case cutOptional:
		return f.names[0] + " or " + f.names[0] + "@10"
	}
	return f.names[0] + "@10"
}

// at is a name with its cut-off; 0 is none.
func at(name string, k int) string {
	if k == 0 {
		return name
	}
	return fmt.Sprintf("%s@%d", name, k)
}

// first is the first k documents of an answer, all of them when k is 0 or there
// are fewer.
func first(answer []Scored, k int) []Scored {
	if k == 0 || k > len(answer) {
		return answer
	}
	return answer[:k]
}

// hits is how many of the documents are relevant.
func hits(answer []Scored, judged Judgements) int {
	n := 0
	for _, s := range answer {
		if judged[s.Document] > 0 {
			n++
		}
	}
	return n
}
