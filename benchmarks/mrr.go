package benchmarks

import (
	"cmp"
	"slices"
	"strings"
)

// ReciprocalRank is 1 over the rank of the first relevant document, and 0 when
// none is found. Its mean over queries is the MRR; what stands behind the first
// relevant document does not count. Source: Voorhees, "The TREC-8 Question
// Answering Track Report", 1999.
//
// Without a cut-off, k 0, it is trec_eval's recip_rank. With one it is MRR@k of
// MS MARCO, as ir_measures has it, which orders equal scores the other way
// round: by document ID, ascending. The two agree where no scores are equal.
func ReciprocalRank(k int) Measure {
	return Measure{Name: at("RR", k), Of: func(answer []Scored, judged Judgements) float64 {
		if k > 0 {
			answer = first(ascending(answer), k)
		}
		if rank := firstRelevant(answer, judged); rank > 0 {
			return 1 / float64(rank)
		}
		return 0
	}}
}

// ascending is an answer with equal scores ordered by document ID, ascending.
func ascending(answer []Scored) []Scored {
	return slices.SortedStableFunc(slices.Values(answer), func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Document, b.Document))
	})
}

// firstRelevant is the rank, from 1, of the first relevant document; 0 when
// there is none.
func firstRelevant(answer []Scored, judged Judgements) int {
	for i, s := range answer {
		if judged[s.Document] > 0 {
			return i + 1
		}
	}
	return 0
}
