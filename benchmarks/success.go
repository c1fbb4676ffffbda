package benchmarks

// Success is 1 when a relevant document is among the first k, else 0
// (trec_eval's success, also called the hit rate). Where every query has one
// relevant document it equals Recall.
func Success(k int) Measure {
	return Measure{Name: at("Success", k), Of: func(answer []Scored, judged Judgements) float64 {
		if firstRelevant(first(answer, k), judged) > 0 {
			return 1
		}
		return 0
	}}
}
