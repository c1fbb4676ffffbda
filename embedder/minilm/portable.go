package minilm

import "math"

// portable returns the kernel in plain Go. It computes what the assembly does,
// by the same formulas: internal/kernelgen/formulas.go says where they come from.
func portable() *Kernel {
	return &Kernel{
		name: "portable", rows: 2, columns: 4,
		tile: tile, expand: expand, softmax: softmax, gelu: gelu, addNorm: addNorm,
	}
}

// tile keeps its 2 by 4 sums in variables, which is about what registers hold.
// The race detector, which sees nothing of assembly either, would make this
// loop fifty times as slow.
//
//go:norace
func tile(inner int, a []float32, lda int, b []float32, c []float32, ldc int, bias []float32) {
	c00, c01, c02, c03 := bias[0], bias[1], bias[2], bias[3]
	c10, c11, c12, c13 := c00, c01, c02, c03
	first, second := a[:inner], a[lda:][:inner]
	for k, x := range first {
		y, w := second[k], (*[4]float32)(b)
		c00 += x * w[0]
		c01 += x * w[1]
		c02 += x * w[2]
		c03 += x * w[3]
		c10 += y * w[0]
		c11 += y * w[1]
		c12 += y * w[2]
		c13 += y * w[3]
		b = b[min(panel, len(b)):]
	}
	c[0], c[1], c[2], c[3] = c00, c01, c02, c03
	c[ldc], c[ldc+1], c[ldc+2], c[ldc+3] = c10, c11, c12, c13
}

func expand(dst []float32, q []int8, scale []float32) {
	for len(q) > 0 {
		for i, s := range scale[:panel] {
			dst[i] = float32(q[i]) * s
		}
		dst, q = dst[panel:], q[panel:]
	}
}

func softmax(row []float32, scale float32) float32 {
	highest := row[0]
	for _, x := range row {
		highest = max(highest, x)
	}
	var sum float32
	for i, x := range row {
		row[i] = exponential((x - highest) * scale)
		sum += row[i]
	}
	return sum
}

func gelu(x []float32) {
	for i, v := range x {
		x[i] = v / 2 * (1 + erf(v*(math.Sqrt2/2)))
	}
}

func addNorm(x, y, gain, bias []float32, inverse float32) {
	var mean, variance float32
	for i, v := range y[:len(x)] {
		x[i] += v
		mean += x[i]
	}
	mean *= inverse
	for _, v := range x {
		variance += (v - mean) * (v - mean)
	}
	deviation := float32(math.Sqrt(float64(variance*inverse) + 1e-12))
	for i, v := range x {
		x[i] = (v-mean)/deviation*gain[i] + bias[i]
	}
}

// exponential is e^x for x <= 0, and e^-87 below -87.
func exponential(x float32) float32 {
	x = max(x, -87)
	n := float32(math.RoundToEven(float64(x * math.Log2E)))
	x -= n * 0.693359375
	x -= n * -2.12194440e-4
	p := float32(1.9875691500e-4)
	p = p*x + 1.3981999507e-3
	p = p*x + 8.3334519073e-3
	p = p*x + 4.1665795894e-2
	p = p*x + 1.6666665459e-1
	p = p*x + 5.0000001201e-1
	p = p*x*x + x + 1
	return p * math.Float32frombits(uint32(int32(n)+127)<<23)
}

// erf is the error function to 1.5e-7.
func erf(x float32) float32 {
	magnitude := math.Float32frombits(math.Float32bits(x) &^ (1 << 31))
	t := 1 / (1 + 0.3275911*magnitude)
	p := float32(1.061405429)
	p = p*t - 1.453152027
	p = p*t + 1.421413741
	p = p*t - 0.284496736
	p = p*t + 0.254829592
	y := 1 - p*t*exponential(-magnitude*magnitude)
	return float32(math.Copysign(float64(y), float64(x)))
}
