package benchmarks

// Precision is the share of the first k places that hold a relevant document
// (trec_eval's P). An answer with fewer than k documents leaves places empty;
// it is divided by k all the same. Hence a query with one relevant document can
// reach 1/k at most.
func Precision(k int) Measure {
	return Measure{Name: at("P", k), Of: func(answer []Scored, judged Judgements) float64 {
		return float64(hits(first(answer, k), judged)) / float64(k)
	}}
}
