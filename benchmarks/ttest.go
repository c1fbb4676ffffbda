package benchmarks

import "math"

// TTest is the two-sided p of Student's paired t test: whether the mean of the
// differences is 0, when they are drawn from a normal distribution. With fewer
// than two differences, or where all are 0, it is 1; where all are the same and
// not 0, it is 0.
func TTest(differences []float64) float64 {
	n := float64(len(differences))
	if n < 2 {
		return 1
	}
	m, squares := mean(differences), 0.0
	for _, d := range differences {
		squares += (d - m) * (d - m)
	}
	deviation := math.Sqrt(squares / (n - 1))
	switch {
	case m == 0:
		return 1
	case deviation <= math.Abs(m)*1e-12:
		return 0
	}
	t := m / (deviation / math.Sqrt(n))
	return studentTail(t, n-1)
}

// studentTail is the probability that Student's t with that many degrees of
// freedom is at least as far from 0 as t (Abramowitz and Stegun 26.7.1).
func studentTail(t, freedom float64) float64 {
	return regularisedBeta(freedom/(freedom+t*t), freedom/2, 0.5)
}

// regularisedBeta is the regularised incomplete beta function I_x(a, b)
// (Abramowitz and Stegun 26.5), by its continued fraction (26.5.8).
func regularisedBeta(x, a, b float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2): // where the fraction converges slowly
		return 1 - regularisedBeta(1-x, b, a)
	}
	return math.Exp(a*math.Log(x)+b*math.Log1p(-x)-logBeta(a, b)) / a * betaFraction(x, a, b)
}

func logBeta(a, b float64) float64 {
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	return la + lb - lab
}

// betaFraction is the value of the continued fraction 1/(1+ d1/(1+ d2/(1+ …))), by
// Lentz's method: from left to right, until a step changes nothing.
func betaFraction(x, a, b float64) float64 {
	const tiny, steps = 1e-300, 1000
	value, c, d := 1.0, 1/tiny, 1.0
	for step := 1; step <= steps; step++ {
		m := float64(step / 2)
		term := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		if step%2 == 1 {
			term = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		}
		d = 1 / nonZero(1+term*d, tiny)
		c = nonZero(1+term/c, tiny)
		value *= c * d
		if math.Abs(c*d-1) < 1e-15 {
			break
		}
	}
	return value
}

// nonZero keeps a denominator from being 0.
func nonZero(x, tiny float64) float64 {
	if math.Abs(x) < tiny {
		return tiny
	}
	return x
}
