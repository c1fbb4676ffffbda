package ranker

// confidenceWeights are, for each ranking, the constant and the weights of
// Evidence.Features in their order. TestFitConfidence wrote them.
var confidenceWeights = map[string][1 + FeatureCount]float64{
	ByCosine:  {-5.247, 1.064, 4.382, -0.555, 0.000, 0.000, 3.340, 0.194},
	ByLexical: {-2.841, 0.153, 0.000, 0.000, 0.042, 0.005, 4.280, -0.357},
	ByHybrid:  {-4.641, 0.542, 3.035, -0.096, 0.032, -0.120, 3.712, -0.132},
}
