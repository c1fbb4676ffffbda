// Package kernels answers: what are the dot products of one query with many
// rows? It holds the same two functions for several processors, and all of
// them give the same bits.
//
// The float32 dot product is defined by its order of summation, not by the
// processor. Column i goes into lane i mod 16; each lane is the running sum of
// its products, each rounded before it is added (a fused multiply-add is not
// used, because not every processor has it); then lane i takes in lane i+8,
// and the eight sums a…h that are left add up as
// ((a+b)+(c+d)) + ((e+f)+(g+h)). So an answer depends neither on the machine
// nor on how many rows are scanned at once. A scan waits for memory, so the
// separate addition costs no time.
//
// The 8-bit dot product is exact integer arithmetic.
package kernels

import "fmt"

const (
	// FloatLanes is what the length of a float32 row is a multiple of.
	FloatLanes = 16
	// ByteLanes is what the length of an 8-bit row is a multiple of.
	ByteLanes = 64
	// ByteRows is what the number of 8-bit rows of one call is a multiple of.
	ByteRows = 4
	// MaxByteColumns is the longest 8-bit row whose dot product can't leave an
	// int32: 255·127·65536 < 2³¹.
	MaxByteColumns = 1 << 16
)

// A Set holds the kernels for one kind of processor. It is immutable and safe
// for concurrent use; the zero Set has none. Take one from Best or Available.
type Set struct {
	Name string // "portable", "avx2", "avx512vnni" or "neon"

	dot  func(query, rows *float32, columns, n int, out *float32)
	dot8 func(query *int8, rows *uint8, columns, n int, out *int32)
}

// Best is the fastest set that this processor can run.
func Best() Set { return Available()[0] }

// Available lists the sets that this processor can run, the fastest first. The
// last one is always the portable one.
func Available() []Set {
	return append(native(), Set{Name: "portable", dot: dotPortable, dot8: dot8Portable})
}

// Dot sets out[r] to the dot product of query and row r, for every r of out.
// Rows lie one after the other and are as long as the query, whose length is a
// multiple of FloatLanes and above zero. It panics on other shapes.
func (s Set) Dot(query, rows, out []float32) {
	check(len(query), FloatLanes, len(rows), len(out))
	if len(out) > 0 {
		s.dot(&query[0], &rows[0], len(query), len(out), &out[0])
	}
}

// Dot8 sets out[r] to the dot product of query and row r, for every r of out.
// Rows lie one after the other and are as long as the query, whose length is a
// multiple of ByteLanes, above zero and at most MaxByteColumns. The number of
// rows is a multiple of ByteRows. The query holds no -128. It panics on other
// shapes.
func (s Set) Dot8(query []int8, rows []uint8, out []int32) {
	check(len(query), ByteLanes, len(rows), len(out))
	if len(out)%ByteRows != 0 || len(query) > MaxByteColumns {
		panic(fmt.Sprintf("kernels: %d rows of %d columns", len(out), len(query)))
	}
	if len(out) > 0 {
		s.dot8(&query[0], &rows[0], len(query), len(out), &out[0])
	}
}

// check guards the memory that assembly reads without a bounds check.
func check(columns, lanes, have, n int) {
	if columns == 0 || columns%lanes != 0 || have < columns*n {
		panic(fmt.Sprintf("kernels: %d rows of %d columns in %d values", n, columns, have))
	}
}
