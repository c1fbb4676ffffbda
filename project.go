package skillsearch

import (
	"context"
	"math"
)

// rounds is how often the axes are turned towards those of most variance. 60
// leave them within a hundredth of where they would end for 4,000 public skills,
// far below what an eye sees.
const rounds = 60

// project places vectors, all of one length, on the plane of their two
// principal components, found by orthogonal (power) iteration from a fixed
// start (Golub and Van Loan, "Matrix Computations", 8.2). Every sum has one
// order, so that the same vectors give the same places. Each axis is scaled to
// -1…1; explained is its share of the variance, 0–1. The error is ctx's.
func project(ctx context.Context, vectors [][]float32) (places [][2]float64, explained [2]float64, err error) {
	places = make([][2]float64, len(vectors))
	if len(vectors) == 0 {
		return places, explained, nil
	}
	centred, total := centre(vectors)
	axes := start(len(vectors[0]))
	for range rounds {
		if err := ctx.Err(); err != nil {
			return nil, explained, err
		}
		axes = turn(centred, axes)
	}
	for k, axis := range axes {
		variance := 0.0
		for i, v := range centred {
			places[i][k] = product(v, axis)
			variance += float64(places[i][k] * places[i][k])
		}
		if total > 0 {
			explained[k] = variance / total
		}
		stretch(places, k)
	}
	return places, explained, nil
}

// centre moves the vectors' mean to zero, and sums their squared lengths.
func centre(vectors [][]float32) (centred [][]float64, total float64) {
	mean := make([]float64, len(vectors[0]))
	for _, v := range vectors {
		for j, x := range v {
			mean[j] += float64(x) / float64(len(vectors))
		}
	}
	centred = make([][]float64, len(vectors))
	for i, v := range vectors {
		centred[i] = make([]float64, len(v))
		for j, x := range v {
			centred[i][j] = float64(x) - mean[j]
		}
		total += product(centred[i], centred[i])
	}
	return centred, total
}

// start are two directions that hardly any library is at right angles to.
func start(dimensions int) (axes [2][]float64) {
	for k := range axes {
		axes[k] = make([]float64, dimensions)
		for j := range axes[k] {
			axes[k][j] = math.Cos(float64((k + 1) * (j + 1)))
		}
	}
	return orthonormal(axes)
}

// turn multiplies the axes by the vectors' covariance.
func turn(centred [][]float64, axes [2][]float64) (turned [2][]float64) {
	for k, axis := range axes {
		turned[k] = make([]float64, len(axis))
		for _, v := range centred {
			share := product(v, axis)
			for j, x := range v {
				turned[k][j] += float64(share * x)
			}
		}
	}
	return orthonormal(turned)
}

// orthonormal makes the second axis stand at right angles to the first, and both
// of unit length. Where the vectors have fewer directions than two an axis is
// zero. The largest part of each is positive, since a mirrored axis is as good.
func orthonormal(axes [2][]float64) [2][]float64 {
	unit(axes[0])
	shared := product(axes[0], axes[1])
	for j := range axes[1] {
		axes[1][j] -= float64(shared * axes[0][j])
	}
	unit(axes[1])
	return axes
}

func unit(axis []float64) {
	length := math.Sqrt(product(axis, axis))
	largest := 0.0
	for _, x := range axis {
		if math.Abs(x) > math.Abs(largest) {
			largest = x
		}
	}
	if length < 1e-12 {
		clear(axis)
		return
	}
	for j := range axis {
		axis[j] /= math.Copysign(length, largest)
	}
}

// stretch scales one coordinate so that the farthest is 1 away.
func stretch(places [][2]float64, k int) {
	farthest := 0.0
	for _, p := range places {
		farthest = max(farthest, math.Abs(p[k]))
	}
	if farthest < 1e-9 {
		farthest = 1
	}
	for i := range places {
		places[i][k] /= farthest
	}
}

func product(a, b []float64) (sum float64) {
	for j := range a {
		sum += float64(a[j] * b[j]) // the conversion keeps processors from fusing
	}
	return sum
}
