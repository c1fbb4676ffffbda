package benchmarks

import (
	"cmp"
	"slices"
)

// Holm adjusts p values of several tests so that the chance of even one false
// alarm among them stays below the bound that they are then compared with: the
// smallest of n is multiplied by n, the next by n-1, and so on, none falling
// below the one before it or rising above 1. The answer is in the order of ps.
// Source: Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979.
func Holm(ps []float64) []float64 {
	order := make([]int, len(ps))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ps[a], ps[b]) })
	adjusted := make([]float64, len(ps))
	highest := 0.0
	for place, i := range order {
		highest = max(highest, min(1, ps[i]*float64(len(ps)-place)))
		adjusted[i] = highest
	}
	return adjusted
}
