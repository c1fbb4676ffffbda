package benchmarks

import "fmt"

// A chart is horizontal bars with their intervals, on a scale from 0 to 1. The
// template draws it as SVG: lengths are pixels from the chart's upper left.
type chart struct {
	Title         string
	Width, Height int
	Left, Right   int // where 0 and 1 lie
	Bottom        int // where the bars end and the scale is written
	Ticks         []tick
	Groups        []group
	Legend        []string // names of the series, in the order of their colours
}

type tick struct {
	X     int
	Label string
}

// A group is the bars of one line of a table.
type group struct {
	Label string
	Y     int // middle
	Bars  []bar
}

type bar struct {
	Series            int
	Y, Height, Width  int
	Low, High, Middle int // ends of the interval, and the height of its line
	Label             string
	Hint              string
}

const (
	chartWidth = 760
	chartLeft  = 190 // room for labels
	chartRight = 690 // room for values
	barHeight  = 14
	groupGap   = 12
)

// A groupOf is the estimates that make a group of bars.
type groupOf struct {
	label     string
	estimates []Estimate
}

func newChart(title string, series []string, groups []groupOf) chart {
	c := chart{Title: title, Width: chartWidth, Left: chartLeft, Right: chartRight, Legend: series}
	for i := range 6 {
		v := float64(i) / 5
		c.Ticks = append(c.Ticks, tick{X: onScale(v), Label: fmt.Sprintf("%.1f", v)})
	}
	y := groupGap
	for _, g := range groups {
		height := barHeight * len(g.estimates)
		drawn := group{Label: g.label, Y: y + height/2}
		for i, e := range g.estimates {
			drawn.Bars = append(drawn.Bars, newBar(i, y+i*barHeight, series[i], g.label, e))
		}
		c.Groups = append(c.Groups, drawn)
		y += height + groupGap
	}
	c.Bottom, c.Height = y, y+24
	return c
}

func newBar(series, y int, name, label string, e Estimate) bar {
	return bar{
		Series: series, Y: y + 1, Height: barHeight - 2, Width: onScale(e.Mean) - chartLeft,
		Low: onScale(e.Low), High: onScale(e.High), Middle: y + barHeight/2,
		Label: fmt.Sprintf("%.3f", e.Mean), Hint: fmt.Sprintf("%s, %s: %s %s", label, name, e.Measure, e.text()),
	}
}

// onScale is where a value from 0 to 1 lies.
func onScale(v float64) int { return chartLeft + int(v*(chartRight-chartLeft)+0.5) }

// charts are those of one report: its measures, and its types.
func (r *Report) charts() []chart {
	var measures []groupOf
	for m, name := range r.Measures {
		g := groupOf{label: name}
		for _, s := range r.Systems {
			g.estimates = append(g.estimates, s.Means[m])
		}
		measures = append(measures, g)
	}
	charts := []chart{newChart("Measures", r.rankings(), measures)}
	var types []groupOf
	for t, kind := range r.Systems[0].Types {
		g := groupOf{label: fmt.Sprintf("%s (%d)", orNone(kind.Type), kind.Queries)}
		for _, s := range r.Systems {
			g.estimates = append(g.estimates, s.Types[t].Means[0])
		}
		types = append(types, g)
	}
	if len(types) > 0 {
		charts = append(charts, newChart(r.Measures[0]+" by type of query", r.rankings(), types))
	}
	return charts
}

// chart is the first measure on every collection.
func (r *Results) chart() chart {
	var groups []groupOf
	for _, report := range r.Reports {
		g := groupOf{label: report.Collection}
		for _, s := range report.Systems {
			g.estimates = append(g.estimates, s.Means[0])
		}
		groups = append(groups, g)
	}
	groups = append(groups, groupOf{label: "mean", estimates: r.Summary.Means})
	return newChart(r.Summary.Measure+" by collection", r.Summary.Rankings, groups)
}
