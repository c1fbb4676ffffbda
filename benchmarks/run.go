package benchmarks

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A Scored is one document of an answer.
type Scored struct {
	Document string
	Score    float64 // finite
}

// A Run is the answers of one system.
type Run struct {
	// Name of the system; the last column of its TREC form.
	Name string
	// Answers by query ID, each best first as Sort has it.
	Answers map[string][]Scored
	// Notes tell which queries were answered in another way than the rest.
	Notes []string
}

// Sort brings an answer into trec_eval's order, which knows no ranks: by score,
// descending, and equal scores by document ID, descending. Scores are equal
// when they are as 32-bit numbers, which is what trec_eval reads them into.
func Sort(answer []Scored) {
	slices.SortStableFunc(answer, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(float32(b.Score), float32(a.Score)), strings.Compare(b.Document, a.Document))
	})
}

// documents are the IDs of an answer.
func documents(answer []Scored) []string {
	ids := make([]string, len(answer))
	for i, s := range answer {
		ids[i] = s.Document
	}
	return ids
}

// ReadRun reads a run in TREC form: "query Q0 document rank score name" in
// columns separated by tabs or blanks. The order is that of the scores; the
// ranks are not looked at, as trec_eval does not. The error names file and line:
// wrong columns, a score that is no finite number, a document that comes twice
// for a query, an empty file.
func ReadRun(path string) (Run, error) {
	run := Run{Answers: make(map[string][]Scored)}
	columns := table{want: []string{"query", "Q0", "document", "rank", "score", "name"}}
	seen := make(map[[2]string]int)
	err := readLines(path, func(l line) error {
		c, err := columns.cut(l)
		if err != nil {
			return err
		}
		score, err := parseScore(l, c[4])
		if err != nil {
			return err
		}
		key := [2]string{c[0], c[2]}
		if before, ok := seen[key]; ok {
			return l.errorf("document %q comes a second time for query %q; line %d has it already", c[2], c[0], before)
		}
		seen[key] = l.number
		run.Name = c[5]
		run.Answers[c[0]] = append(run.Answers[c[0]], Scored{Document: c[2], Score: score})
		return nil
	})
	if err != nil {
		return Run{}, err
	}
	for _, answer := range run.Answers {
		Sort(answer)
	}
	return run, nil
}

func parseScore(l line, text string) (float64, error) {
	score, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, l.errorf("the score is %q; it must be a number", text)
	case math.IsNaN(score) || math.IsInf(float64(float32(score)), 0):
		return 0, l.errorf("the score is %q; it must be a finite number", text)
	}
	return score, nil
}

// WriteRun writes a run in TREC form, query by query in order of their IDs, with
// the shortest scores that read back as the same 32-bit numbers. Blanks separate
// the columns, and tabs where an ID has blanks; the run's name must not be empty
// or have any.
func WriteRun(w io.Writer, run Run) error {
	if run.Name == "" || strings.ContainsAny(run.Name, " \t\n\r") {
		return fmt.Errorf("write run %q: the name must be one word", run.Name)
	}
	queries := slices.Sorted(maps.Keys(run.Answers))
	separator, err := separatorFor(run)
	if err != nil {
		return fmt.Errorf("write run %q: %w", run.Name, err)
	}
	out := bufio.NewWriter(w)
	for _, query := range queries {
		for i, s := range run.Answers[query] {
			score := strconv.FormatFloat(s.Score, 'g', -1, 32)
			fmt.Fprintln(out, strings.Join([]string{query, "Q0", s.Document, strconv.Itoa(i + 1), score, run.Name}, separator))
		}
	}
	return out.Flush()
}

// separatorFor is what can separate the columns of a run.
func separatorFor(run Run) (string, error) {
	separator := " "
	for query, answer := range run.Answers {
		for _, id := range append(documents(answer), query) {
			switch {
			case id == "" || strings.ContainsAny(id, "\t\n\r"):
				return "", fmt.Errorf("the ID %q has a tab or a line break, or nothing; it can't stand in a run", id)
			case strings.ContainsFunc(id, unicode.IsSpace):
				separator = "\t"
			}
		}
	}
	return separator, nil
}
