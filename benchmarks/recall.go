package benchmarks

// Recall is the share of the relevant documents that are among the first k
// (trec_eval's recall). A query with nothing relevant has 0.
func Recall(k int) Measure {
	return Measure{Name: at("R", k), Of: func(answer []Scored, judged Judgements) float64 {
		relevant := judged.relevant()
		if relevant == 0 {
			return 0
		}
		return float64(hits(first(answer, k), judged)) / float64(relevant)
	}}
}
