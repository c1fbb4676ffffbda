package benchmarks

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// NDCG is the normalised discounted cumulative gain of the first k documents:
//
//	DCG@k  = Σ gain(i) / log2(i+1)   over the ranks i = 1…k
//	nDCG@k = DCG@k / DCG@k of the judged documents in falling order of grade
//
// The gain is the grade itself, and 0 for grades below 0, as in trec_eval's
// ndcg_cut; others take 2^grade-1, which differs from grade 2 on. Source:
// Järvelin and Kekäläinen, "Cumulated Gain-Based Evaluation of IR Techniques",
// ACM TOIS 20(4), 2002, with the discount of trec_eval. A query with nothing
// relevant has 0.
func NDCG(k int) Measure {
	return Measure{Name: at("nDCG", k), Of: func(answer []Scored, judged Judgements) float64 {
		ideal := slices.SortedFunc(maps.Values(judged), func(a, b int) int { return cmp.Compare(b, a) })
		best := dcg(ideal[:min(k, len(ideal))])
		if best == 0 {
			return 0
		}
		grades := make([]int, 0, k)
		for _, s := range first(answer, k) {
			grades = append(grades, judged[s.Document])
		}
		return dcg(grades) / best
	}}
}

// dcg sums the grades, each discounted by its rank.
func dcg(grades []int) float64 {
	sum := 0.0
	for i, grade := range grades {
		sum += float64(max(grade, 0)) / math.Log2(float64(i+2))
	}
	return sum
}
