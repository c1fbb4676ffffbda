package benchmarks

import (
	_ "embed" // for the template
	"fmt"
	"html/template"
	"io"
)

//go:embed report.html.tmpl
var reportTemplate string

// A page is what the template shows.
type page struct {
	*Results
	Chart    *chart // over collections; nil for a single one
	Sections []section
}

// A section is one report.
type section struct {
	*Report
	Charts []chart
	Rows   []queryRow
}

// A queryRow is how one query fared by each ranking.
type queryRow struct {
	ID, Type, Text string
	Cells          []queryCell
}

type queryCell struct {
	Value string // of the first measure
	Rank  string // of the first relevant document
	Top   []string
}

// WriteHTML writes the results as one page that needs nothing else: no script,
// no font, no picture, and no host is asked for anything. It follows the
// reader's choice of a light or a dark page.
func (r *Results) WriteHTML(w io.Writer) error {
	t, err := template.New("report").Funcs(template.FuncMap{
		"f4":       func(v float64) string { return fmt.Sprintf("%.4f", v) },
		"plus":     func(v float64) string { return fmt.Sprintf("%+.4f", v) },
		"interval": Interval.text,
		"p":        pText,
		"made":     Fingerprint.text,
		"orNone":   orNone,
		"add":      func(a, b int) int { return a + b },
	}).Parse(reportTemplate)
	if err != nil {
		return fmt.Errorf("parse the report's template: %w", err)
	}
	p := page{Results: r}
	if r.Summary != nil {
		c := r.chart()
		p.Chart = &c
	}
	for _, report := range r.Reports {
		p.Sections = append(p.Sections, section{Report: report, Charts: report.charts(), Rows: report.queryRows()})
	}
	return t.Execute(w, p)
}

func (r *Report) queryRows() []queryRow {
	rows := make([]queryRow, r.Queries)
	for i := range rows {
		for _, s := range r.Systems {
			q := s.Queries[i]
			rows[i].ID, rows[i].Type, rows[i].Text = q.ID, q.Type, q.Text
			cell := queryCell{Value: fmt.Sprintf("%.3f", q.Values[0]), Rank: "–", Top: q.Top}
			if q.FirstRelevant > 0 {
				cell.Rank = fmt.Sprint(q.FirstRelevant)
			}
			rows[i].Cells = append(rows[i].Cells, cell)
		}
	}
	return rows
}
