package minilm

// panel is the number of outputs that lie side by side in a matrix that the
// kernels multiply with: element (k, j) of a panel is at k*panel + j.
const panel = 32

// A Kernel is one way to do the arithmetic: instructions of the processor, or
// plain Go. Vectors of two kernels differ in rounding only, with a cosine above
// 0.99999. Slices that a kernel is given are not empty, and their lengths are
// multiples of 16.
type Kernel struct {
	name          string
	rows, columns int // of a tile

	// tile writes c = a*b + bias: rows of a, lda floats apart, of which inner
	// are used, times columns of a panel b, to rows of c, ldc floats apart.
	tile func(inner int, a []float32, lda int, b []float32, c []float32, ldc int, bias []float32)
	// expand writes dst = q*scale for a panel of weights, a scale a column.
	expand func(dst []float32, q []int8, scale []float32)
	// softmax writes row = e^((row-max(row))*scale) and returns the sum, by
	// which the caller divides.
	softmax func(row []float32, scale float32) float32
	// gelu writes x = x/2 * (1 + erf(x/√2)).
	gelu func(x []float32)
	// addNorm writes x = LayerNorm(x+y)*gain + bias; inverse is 1/len(x).
	addNorm func(x, y, gain, bias []float32, inverse float32)
}

// String names the instructions: "avx512", "avx2", "neon" or "portable".
func (k *Kernel) String() string { return k.name }

// Kernels returns the kernels that this machine can run, the fastest first. The
// last is the portable one, which runs everywhere.
func Kernels() []*Kernel {
	return append(native(), portable())
}

// multiply writes c = a*b + bias for one panel: rows must be a multiple of the
// tile's.
func (k *Kernel) multiply(rows, inner int, a matrix, b []float32, c matrix, bias []float32) {
	for column := 0; column < panel; column += k.columns {
		for row := 0; row < rows; row += k.rows {
			k.tile(inner, a.data[row*a.stride:], a.stride, b[column:],
				c.data[row*c.stride+column:], c.stride, bias[column:])
		}
	}
}

// A matrix is rows of floats, stride apart.
type matrix struct {
	data   []float32
	stride int
}

// from returns the matrix without its first columns.
func (m matrix) from(column int) matrix {
	return matrix{m.data[column:], m.stride}
}

// row returns the first n floats of a row.
func (m matrix) row(i, n int) []float32 {
	return m.data[i*m.stride:][:n]
}
