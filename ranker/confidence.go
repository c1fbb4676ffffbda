package ranker

import "math"

// Evidence is what the first of an order says about whether any skill fits the
// query at all. It is taken over the skills that the query's filter keeps;
// distances are in standard deviations over these.
type Evidence struct {
	By           string  // the ranking
	Gap          float64 // how far the first's score lies above the tenth's, or the last's of fewer
	Cosine       float64 // of the first; 0 without vectors
	CosineApart  float64 // how far that lies above the mean
	Lexical      float64 // the first's BM25F score; 0 where words were not looked at
	LexicalApart float64 // how far that lies above the mean
	Coverage     float64 // share of the query's terms that the first has, 0–1
	Skills       int     // how many skills the filter keeps; 0 when nothing was found
}

// FeatureCount is how many numbers Features gives.
const FeatureCount = 7

// Confidence in an answer, as a word for agents.
const (
	High = "high" // one of the hits very likely fits
	Low  = "low"  // one of the hits may fit
	None = "none" // very likely nothing fits
)

// The probabilities from which an answer is High, and below which it is None.
const (
	highFrom  = 0.7
	noneBelow = 0.3
)

// Confidence is the word for the evidence. No hit is None.
func (e Evidence) Confidence() string {
	switch p := e.Probability(); {
	case e.Skills == 0 || p < noneBelow:
		return None
	case p >= highFrom:
		return High
	}
	return Low
}

// Probability that a skill which fits is among the first ten, by a logistic
// regression on the open collections: each query over catalogues of several
// sizes, with the skills that were judged to fit and without them.
// docs/decisions has the fit; TestFitConfidence makes the weights again.
func (e Evidence) Probability() float64 {
	w, ok := confidenceWeights[e.By]
	if !ok || e.Skills == 0 {
		return 0
	}
	sum := w[0]
	for i, f := range e.Features() {
		sum += w[i+1] * f
	}
	return 1 / (1 + math.Exp(-sum))
}

// Features are the numbers that the regression weighs.
func (e Evidence) Features() [FeatureCount]float64 {
	return [FeatureCount]float64{e.Gap, e.Cosine, e.CosineApart, e.Lexical, e.LexicalApart, e.Coverage, math.Log(float64(max(e.Skills, 1)))}
}
