package benchmarks

// RPrecision is the precision of the first R documents, R being how many are
// relevant (trec_eval's Rprec): precision and recall where the two are equal. A
// query with nothing relevant has 0.
func RPrecision() Measure {
	return Measure{Name: "Rprec", Of: func(answer []Scored, judged Judgements) float64 {
		relevant := judged.relevant()
		if relevant == 0 {
			return 0
		}
		return float64(hits(first(answer, relevant), judged)) / float64(relevant)
	}}
}
