package embedder

import (
	"errors"
	"math"
)

var (
	errDimensions = errors.New("the vector has the wrong number of dimensions")
	errNotFinite  = errors.New("the vector has entries that are not finite")
	errZero       = errors.New("the vector is zero")
)

// unit returns v scaled to length 1, computed in float64.
func unit[F float32 | float64](v []F, dimensions int) ([]float32, error) {
	if len(v) != dimensions || dimensions == 0 {
		return nil, errDimensions
	}
	var squares float64
	for _, x := range v {
		squares += float64(x) * float64(x)
	}
	norm := math.Sqrt(squares)
	switch {
	case math.IsNaN(norm), math.IsInf(norm, 0):
		return nil, errNotFinite
	case norm == 0:
		return nil, errZero
	}
	u := make([]float32, len(v))
	for i, x := range v {
		u[i] = float32(float64(x) / norm)
	}
	return u, nil
}

// dot is the cosine of two unit vectors.
func dot(a, b []float32) float64 {
	var sum float64
	for i := range min(len(a), len(b)) {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// A mean gathers the vectors of a text's parts, each weighted by its length.
type mean struct {
	sum   []float64
	parts int
}

func (m *mean) add(v []float32, weight int) error {
	u, err := unit(v, len(m.sum))
	if err != nil {
		return &fault{unusable, err}
	}
	for i, x := range u {
		m.sum[i] += float64(weight) * float64(x)
	}
	m.parts++
	return nil
}
