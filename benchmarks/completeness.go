package benchmarks

// Completeness is 1 when every relevant document is among the first k, else 0:
// whether an agent that reads k descriptions has all it needs. Source: SkillRet
// (arXiv 2605.05726), whose tables have it. A query with nothing relevant has 0.
func Completeness(k int) Measure {
	return Measure{Name: at("Comp", k), Of: func(answer []Scored, judged Judgements) float64 {
		relevant := judged.relevant()
		if relevant > 0 && hits(first(answer, k), judged) == relevant {
			return 1
		}
		return 0
	}}
}
