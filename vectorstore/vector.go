package vectorstore

import (
	"fmt"
	"math"

	"github.com/skillsearch/skillsearch/vectorstore/internal/kernels"
)

// unitTolerance is how far from 1 the length of a stored vector may be.
// chromem copies and rescales a vector that is further off (its own tolerance,
// vector.go of v0.7.0), and a copy would not lie in the slab.
const unitTolerance = 1e-6

// norm is the Euclidean length of a vector that can be stored or asked for,
// or ErrDimensions or ErrNotFinite. Squares of float32 neither overflow nor
// vanish in float64, so one sum finds NaN, infinities and the zero vector.
func norm(v []float32) (float64, error) {
	if len(v) == 0 || len(v) > kernels.MaxByteColumns {
		return 0, fmt.Errorf("%w: it has %d, allowed are 1 to %d", ErrDimensions, len(v), kernels.MaxByteColumns)
	}
	var squares float64
	for _, x := range v {
		squares += float64(x) * float64(x)
	}
	if squares == 0 || math.IsNaN(squares) || math.IsInf(squares, 0) {
		return 0, ErrNotFinite
	}
	return math.Sqrt(squares), nil
}

// setUnit writes v, of the given length, to dst as a unit vector. One that is
// a unit vector already is written bit for bit.
func setUnit(dst, v []float32, length float64) {
	if math.Abs(length-1) < unitTolerance {
		copy(dst, v)
		return
	}
	for i, x := range v {
		dst[i] = float32(float64(x) / length)
	}
}

// roundUp is n rounded up to a multiple.
func roundUp(n, multiple int) int { return (n + multiple - 1) / multiple * multiple }
