package ranker

// confidenceWeights are, for each ranking, the constant and the weights of
// Evidence.Features in their order. TestFitConfidence wrote them.
var confidenceWeights = map[string][1 + FeatureCount]float64{
	ByCosine:  {-6.050, 1.124, 7.092, -0.589, 0.000, 0.000, 2.985, 0.168},
	ByLexical: {-2.841, 0.153, 0.000, 0.000, 0.042, 0.005, 4.280, -0.357},
	ByHybrid:  {-5.448, 0.611, 7.312, -0.338, 0.028, -0.132, 3.144, -0.086},
}
