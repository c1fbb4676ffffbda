package benchmarks

import "math"

// Randomisation is the two-sided p of Fisher's paired randomisation test on the
// mean: how often a mean at least as far from 0 comes when the sign of each
// difference is chosen by lot, the observed one counted among the draws (so that
// p is never 0). It supposes nothing about how differences are distributed.
// Source: Smucker, Allan and Carterette, "A Comparison of Statistical
// Significance Tests for Information Retrieval Evaluation", CIKM 2007. With no
// differences it is 1.
func Randomisation(differences []float64, s Sampling) float64 {
	observed := math.Abs(sum(differences))
	// Sums that are equal but for rounding count as equal.
	threshold := observed * (1 - 1e-12)
	random, extreme := s.random(), 1
	for range s.draws() {
		total, bits := 0.0, uint64(0)
		for i, d := range differences {
			if i%64 == 0 {
				bits = random.Uint64()
			}
			if bits&1 == 1 {
				d = -d
			}
			total += d
			bits >>= 1
		}
		if math.Abs(total) >= threshold {
			extreme++
		}
	}
	return float64(extreme) / float64(s.draws()+1)
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}
