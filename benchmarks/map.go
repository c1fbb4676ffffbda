package benchmarks

// AveragePrecision is the mean, over all relevant documents, of the precision at
// the rank where each is found; one that is not among the first k has 0. k 0
// looks at all, which is trec_eval's map; with k it is its map_cut. Its mean
// over queries is the MAP. Source: Buckley and Voorhees, "Retrieval System
// Evaluation", in "TREC: Experiment and Evaluation in Information Retrieval",
// 2005. A query with nothing relevant has 0.
func AveragePrecision(k int) Measure {
	return Measure{Name: at("AP", k), Of: func(answer []Scored, judged Judgements) float64 {
		relevant := judged.relevant()
		if relevant == 0 {
			return 0
		}
		sum, found := 0.0, 0
		for i, s := range first(answer, k) {
			if judged[s.Document] > 0 {
				found++
				sum += float64(found) / float64(i+1)
			}
		}
		return sum / float64(relevant)
	}}
}
