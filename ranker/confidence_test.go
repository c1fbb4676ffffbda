package ranker_test

import (
	"testing"

	"github.com/skillsearch/skillsearch/ranker"
)

// TestConfidenceGrowsWithTheEvidence holds for every ranking what a reader would
// expect of the fitted weights: a first hit that is nearer, has more of the
// query's words and stands out further is never trusted less.
func TestConfidenceGrowsWithTheEvidence(t *testing.T) {
	base := map[string]ranker.Evidence{
		ranker.ByCosine:  {By: ranker.ByCosine, Gap: 1, Cosine: .3, CosineApart: 3, Coverage: .3, Skills: 1000},
		ranker.ByLexical: {By: ranker.ByLexical, Gap: 1, Lexical: 5, LexicalApart: 3, Coverage: .3, Skills: 1000},
		ranker.ByHybrid:  {By: ranker.ByHybrid, Gap: 1, Cosine: .3, CosineApart: 3, Lexical: 5, LexicalApart: 3, Coverage: .3, Skills: 1000},
	}
	for name, e := range base {
		more := e
		more.Coverage = .9
		if more.Probability() <= e.Probability() {
			t.Errorf("%s: more of the query's words are trusted less", name)
		}
		more = e
		more.Gap = 3
		if more.Probability() <= e.Probability() {
			t.Errorf("%s: a first hit that stands out is trusted less", name)
		}
		if more.Cosine > 0 {
			more = e
			more.Cosine = .7
			if more.Probability() <= e.Probability() {
				t.Errorf("%s: a nearer hit is trusted less", name)
			}
		}
		if p := e.Probability(); p <= 0 || p >= 1 {
			t.Errorf("%s: the probability is %v", name, p)
		}
	}
}

func TestNothingFoundIsNoConfidence(t *testing.T) {
	for _, e := range []ranker.Evidence{{}, {By: ranker.ByCosine}, {By: "unknown", Skills: 9, Coverage: 1}} {
		if got := e.Confidence(); got != ranker.None {
			t.Errorf("%+v: %s", e, got)
		}
	}
}
