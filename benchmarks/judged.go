package benchmarks

// Judged is the share of the first k documents, or of the fewer that there are,
// that were judged, whatever the grade (Judged of ir_measures). It says nothing
// about how good an answer is, but how far the other measures can be trusted:
// where one system has far less of it than another, it found what nobody has
// judged, and its other measures are too low. Equal scores are ordered as for
// ReciprocalRank with a cut-off. An answer of nothing has 0.
func Judged(k int) Measure {
	return Measure{Name: at("Judged", k), Of: func(answer []Scored, judged Judgements) float64 {
		n, answer := 0, first(ascending(answer), k)
		for _, s := range answer {
			if _, ok := judged[s.Document]; ok {
				n++
			}
		}
		return float64(n) / float64(max(len(answer), 1))
	}}
}
