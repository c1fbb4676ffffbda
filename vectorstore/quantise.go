package vectorstore

import "math"

// steps is how many steps of a row's scale its largest number is away from 0.
const steps = 127

// offset is added to the steps of a row, so that a byte has no sign: the
// fastest instruction multiplies unsigned bytes by signed ones.
const offset = 128

// quantiseRow writes a unit vector to bytes as multiples of a scale, offset by
// 128, and returns the scale and at least the distance that this moved it.
func quantiseRow(bytes []uint8, row []float32) (scale, distance float32) {
	scale = largest(row) / steps
	perStep := 1 / float64(scale)
	var squares float64
	for i, x := range row {
		step := math.RoundToEven(float64(x) * perStep)
		bytes[i] = uint8(int(step) + offset)
		moved := float64(x) - step*float64(scale)
		squares += moved * moved
	}
	return scale, upwards(math.Sqrt(squares))
}

// A query8 is a query in 8 bits.
type query8 struct {
	steps    []int8  // padded with zeros to the columns of the slab's bytes
	scale    float32 // what one step is worth
	offset   int32   // what the offset of a row adds to every dot product
	distance float64 // from the query to its steps
	length   float64 // of the query as its steps state it
}

// set takes on a unit vector; q.steps keeps its memory where that is enough.
func (q *query8) set(unit []float32, columns int) {
	q.steps = resize(q.steps, columns)
	clear(q.steps[len(unit):])
	q.scale, q.offset = largest(unit)/steps, 0
	var moved, length float64
	for i, x := range unit {
		step := math.RoundToEven(float64(x) / float64(q.scale))
		q.steps[i] = int8(step)
		q.offset += offset * int32(step)
		stated := step * float64(q.scale)
		moved += (float64(x) - stated) * (float64(x) - stated)
		length += stated * stated
	}
	q.distance, q.length = math.Sqrt(moved), math.Sqrt(length)
}

// bound returns a and b such that the float32 dot product of the query and a
// row, as the kernels compute it, is at most the 8-bit estimate + a + b·e,
// where e is the row's distance to its bytes.
//
// With q and x the unit vectors and q', x' their 8-bit forms,
// q·x - q'·x' = (q-q')·x + q'·(x-x'), which by Cauchy and Schwarz is at most
// |q-q'||x| + |q'||x-x'|. To that comes the rounding of the two sums: each of
// columns/16 + 4 additions loses at most 2⁻²⁴ of a sum that is at most 1, and
// the estimate three roundings more; twice that many are allowed for.
func (q *query8) bound(columns int) (a, b float32) {
	rounding := float64(columns/16+8) * 0x1p-23
	return upwards(q.distance*(1+unitTolerance) + rounding), upwards(q.length)
}

// largest is the largest absolute value.
func largest(v []float32) float32 {
	var most float32
	for _, x := range v {
		if x < 0 {
			x = -x
		}
		if x > most { // twice as fast as max, which looks for NaN
			most = x
		}
	}
	return most
}

// upwards is the next float32 that is not below x.
func upwards(x float64) float32 {
	if y := float32(x); float64(y) >= x {
		return y
	}
	return math.Nextafter32(float32(x), math.MaxFloat32)
}

// resize is s with n elements of no certain value.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
