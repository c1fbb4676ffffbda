package benchmarks

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// WriteText writes the results as tables for a person.
func (r *Results) WriteText(w io.Writer) error {
	var out strings.Builder
	for _, report := range r.Reports {
		report.text(&out)
		out.WriteString("\n")
	}
	if r.Summary != nil {
		r.summaryText(&out)
	}
	_, err := io.WriteString(w, strings.TrimRight(out.String(), "\n")+"\n")
	return err
}

// aligned writes cells in columns.
func aligned(out io.Writer, rows [][]string) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush() // a strings.Builder has no errors
}

func (r *Report) text(out *strings.Builder) {
	fmt.Fprintf(out, "%s: %d skills, %d queries, %d relevant", oneLine(r.Collection), r.Documents, r.Queries, r.Relevant)
	if r.Negatives > 0 {
		fmt.Fprintf(out, ", %d negatives", r.Negatives)
	}
	out.WriteString("\n")
	rows := [][]string{append([]string{""}, r.rankings()...)}
	for m, name := range r.Measures {
		row := []string{name}
		for _, s := range r.Systems {
			row = append(row, s.Means[m].text())
		}
		rows = append(rows, row)
	}
	aligned(out, append(rows, r.typeRows()...))
	pairsText(out, r.Pairs, r.Queries)
	for _, s := range r.Systems {
		s.text(out)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(out, "note: %s\n", oneLine(note))
	}
}

func (e Estimate) text() string { return fmt.Sprintf("%.4f %s", e.Mean, e.Interval.text()) }

func (i Interval) text() string { return fmt.Sprintf("[%.4f, %.4f]", i.Low, i.High) }

// typeRows break the first measure down.
func (r *Report) typeRows() [][]string {
	var rows [][]string
	for t, kind := range r.Systems[0].Types {
		row := []string{fmt.Sprintf("%s, %s (%d)", r.Measures[0], orNone(oneLine(kind.Type)), kind.Queries)}
		for _, s := range r.Systems {
			row = append(row, s.Types[t].Means[0].text())
		}
		rows = append(rows, row)
	}
	return rows
}

func orNone(name string) string {
	if name == "" {
		return "(none)"
	}
	return name
}

func pairsText(out *strings.Builder, pairs []Pair, queries int) {
	for _, p := range pairs {
		fmt.Fprintf(out, "%s: %s over %s %+.4f %s, better in %d and worse in %d of %d queries, p %s (randomisation, Holm), t test %s\n",
			p.Measure, p.B, p.A, p.Difference.Difference, p.Interval.text(), p.Better, p.Worse, queries, pText(p.P), pText(p.T))
	}
}

// pText is a p value as it is printed: the draws tell no more.
func pText(p float64) string {
	if p < 0.0001 {
		return "<0.0001"
	}
	return fmt.Sprintf("%.4f", p)
}

// text says what the ranking's figures were made with.
func (s System) text(out *strings.Builder) {
	fmt.Fprintf(out, "%s: %s, fingerprint %s\n", s.Ranking, s.Fingerprint.text(), s.Fingerprint.ID)
	if s.Unembedded > 0 {
		fmt.Fprintf(out, "%s: %d skills have no vector and are not found\n", s.Ranking, s.Unembedded)
	}
	if n := s.Separation; n != nil {
		fmt.Fprintf(out, "%s: best scores tell the %d negatives apart with AUC %.4f; a rejected skill comes first for %d\n", s.Ranking, n.Negatives, n.AUC, n.RejectedFirst)
	}
}

func (f Fingerprint) text() string {
	if f.Model == "" {
		return "words alone"
	}
	return fmt.Sprintf("%s (%s), embedded to the depth %s", f.Model, f.Engine, f.Settings.IndexDepth)
}

func (r *Results) summaryText(out *strings.Builder) {
	s := r.Summary
	rows := [][]string{append([]string{s.Measure}, s.Rankings...)}
	queries := 0
	for _, report := range r.Reports {
		row := []string{oneLine(report.Collection)}
		for _, system := range report.Systems {
			row = append(row, fmt.Sprintf("%.4f", system.Means[0].Mean))
		}
		rows = append(rows, row)
		queries += report.Queries
	}
	row := []string{fmt.Sprintf("mean of %d", len(r.Reports))}
	for _, e := range s.Means {
		row = append(row, e.text())
	}
	aligned(out, append(rows, row))
	pairsText(out, s.Pairs, queries)
}

// oneLine keeps what a file says from moving the cursor of a terminal.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, text)
}

// shown is how many queries a comparison lists at either end.
const shown = 5

// WriteText writes the comparison as tables for a person.
func (c Comparison) WriteText(w io.Writer) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s (A) and %s (B) on %d queries\n", oneLine(c.A), oneLine(c.B), c.Queries)
	rows := [][]string{{"", "A", "B", "B-A", "95 % interval", "better", "worse", "p (Holm)", "p", "p of t"}}
	for _, d := range c.Rows {
		rows = append(rows, []string{
			d.Measure, fmt.Sprintf("%.4f", d.A), fmt.Sprintf("%.4f", d.B), fmt.Sprintf("%+.4f", d.Difference), d.Interval.text(),
			fmt.Sprint(d.Better), fmt.Sprint(d.Worse), pText(d.P), pText(d.Randomisation), pText(d.T),
		})
	}
	aligned(&out, rows)
	c.changesText(&out)
	for _, note := range c.Notes {
		fmt.Fprintf(&out, "note: %s\n", oneLine(note))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// changesText lists the queries that lost and won most.
func (c Comparison) changesText(out *strings.Builder) {
	rows := [][]string{}
	for i, q := range c.Changes {
		lost, won := i < shown && q.B < q.A, i >= len(c.Changes)-shown && q.B > q.A
		if lost || won {
			rows = append(rows, []string{oneLine(q.Query), fmt.Sprintf("%.4f", q.A), fmt.Sprintf("%.4f", q.B), fmt.Sprintf("%+.4f", q.B-q.A)})
		}
	}
	if len(rows) > 0 {
		fmt.Fprintf(out, "queries that lost and won most by %s\n", c.Rows[0].Measure)
		aligned(out, rows)
	}
}
