package benchmarks

// BPref says how seldom a document that was judged not relevant stands above a
// relevant one; unjudged documents don't count. It is the measure for
// incomplete judgements:
//
//	bpref = 1/R Σ 1 - min(R, n(d)) / min(R, N)   over the relevant documents d found
//
// with R relevant and N judged not relevant documents, n(d) of which stand
// above d. Source: Buckley and Voorhees, "Retrieval Evaluation with Incomplete
// Information", SIGIR 2004, in the form of trec_eval 8 and later. Where no
// document was judged not relevant it is the recall; a query with nothing
// relevant has 0.
func BPref() Measure {
	return Measure{Name: "Bpref", Of: bpref}
}

func bpref(answer []Scored, judged Judgements) float64 {
	relevant, rejected := judged.relevant(), 0
	for _, grade := range judged {
		if grade == 0 {
			rejected++
		}
	}
	if relevant == 0 {
		return 0
	}
	sum, above := 0.0, 0
	for _, s := range answer {
		grade, ok := judged[s.Document]
		switch {
		case !ok || grade < 0:
		case grade == 0:
			above++
		case above == 0:
			sum++
		default:
			sum += 1 - float64(min(above, relevant))/float64(min(rejected, relevant))
		}
	}
	return sum / float64(relevant)
}
