package ranker

// confidenceWeights are, for each ranking, the constant and the weights of
// Evidence.Features in their order. TestFitConfidence wrote them.
var confidenceWeights = map[string][1 + FeatureCount]float64{
	ByCosine:  {-5.023, 1.012, 4.246, -0.514, 0.000, 0.000, 3.218, 0.165},
	ByLexical: {-3.170, 0.143, 0.000, 0.000, 0.045, -0.017, 4.779, -0.337},
	ByHybrid:  {-4.699, 0.515, 2.889, -0.060, 0.033, -0.139, 3.870, -0.117},
}
