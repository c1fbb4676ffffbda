package benchmarks

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Bound is the least that a measure may be, for continuous integration.
type Bound struct {
	Measure Measure
	Least   float64
}

// ParseBound reads "nDCG@10=0.7".
func ParseBound(text string) (Bound, error) {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		return Bound{}, fmt.Errorf("bound is %q; write it as nDCG@10=0.7", text)
	}
	m, err := ParseMeasure(strings.TrimSpace(name))
	if err != nil {
		return Bound{}, err
	}
	least, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || math.IsNaN(least) || least < 0 || least > 1 {
		return Bound{}, fmt.Errorf("bound is %q; its value must lie between 0 and 1", text)
	}
	return Bound{Measure: m, Least: least}, nil
}

// WithBounds is the measures and those of bounds that are not among them.
func WithBounds(measures []Measure, bounds []Bound) []Measure {
	measures = slices.Clone(measures)
	for _, b := range bounds {
		if !slices.ContainsFunc(measures, func(m Measure) bool { return m.Name == b.Measure.Name }) {
			measures = append(measures, b.Measure)
		}
	}
	return measures
}

// Below says, for each bound that some ranking on some collection does not
// reach, where and by how much. The reports must have the bounds' measures.
func (r *Results) Below(bounds []Bound) []string {
	var missed []string
	for _, report := range r.Reports {
		for _, s := range report.Systems {
			for _, b := range bounds {
				i := slices.Index(report.Measures, b.Measure.Name)
				if i < 0 || s.Means[i].Mean < b.Least {
					missed = append(missed, fmt.Sprintf("%s by %s: %s is %s, below %g", report.Collection, s.Ranking, b.Measure.Name, s.value(i), b.Least))
				}
			}
		}
	}
	return missed
}

// value is a mean as it is printed; "not measured" when i is -1.
func (s System) value(i int) string {
	if i < 0 {
		return "not measured"
	}
	return fmt.Sprintf("%.4f", s.Means[i].Mean)
}
