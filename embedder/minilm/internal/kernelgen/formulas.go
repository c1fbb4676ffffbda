package main

import "math"

// A reg is a vector register by number.
type reg int

// A vector is an instruction set whose registers hold several float32 lanes.
// Operations name their destination first and work on all lanes alike.
type vector interface {
	begin(f function)
	end()

	// each writes a loop over slices of equal length, whose length is above
	// zero and a multiple of the lanes, in steps of one vector.
	each(body func(), slices ...string)
	load(d reg, slice string)  // the loop's current vector of slice
	store(s reg, slice string) // likewise

	splat(d reg, c string)       // a constant of the table
	argument(d reg, name string) // a float32 argument
	result(s reg)                // returns lane 0

	add(d, a, b reg)
	sub(d, a, b reg)
	mul(d, a, b reg)
	div(d, a, b reg)
	max(d, a, b reg)
	and(d, a, b reg)
	or(d, a, b reg)
	xor(d, a, b reg)
	fma(d, a, b reg)  // d += a*b
	fnma(d, a, b reg) // d -= a*b
	sqrt(d, a reg)
	round(d, a reg)     // to the nearest whole number, ties to even
	pow2(d, a, one reg) // 2^a for whole a, given the register that holds 1
	sumLanes(d, t reg)
	maxLanes(d, t reg)
}

// A constant is one entry of the table that the formulas read.
type constant struct {
	name string
	bits uint32
}

func real32(name string, x float32) constant { return constant{name, math.Float32bits(x)} }

// table holds every constant. exp's are those of Cephes' expf (S. Moshier);
// erf's are formula 7.1.26 of Abramowitz and Stegun, whose absolute error is at
// most 1.5e-7.
var table = []constant{
	real32("zero", 0),
	real32("half", 0.5),
	real32("one", 1),
	real32("lowest", -math.MaxFloat32),
	{"sign", 1 << 31},
	{"magnitude", 1<<31 - 1},
	real32("epsilon", 1e-12),
	real32("rootHalf", math.Sqrt2/2),
	real32("expMin", -87),
	real32("log2E", math.Log2E),
	real32("ln2High", 0.693359375),
	real32("ln2Low", -2.12194440e-4),
	real32("exp0", 1.9875691500e-4),
	real32("exp1", 1.3981999507e-3),
	real32("exp2", 8.3334519073e-3),
	real32("exp3", 4.1665795894e-2),
	real32("exp4", 1.6666665459e-1),
	real32("exp5", 5.0000001201e-1),
	real32("erfP", 0.3275911),
	real32("erf1", 0.254829592),
	real32("erf2", -0.284496736),
	real32("erf3", 1.421413741),
	real32("erf4", -1.453152027),
	real32("erf5", 1.061405429),
}

// constantOffset returns the place of a constant in the table, in bytes.
func constantOffset(name string) int {
	for i, c := range table {
		if c.name == name {
			return 4 * i
		}
	}
	panic("kernelgen: no constant " + name)
}

// horner evaluates a polynomial in x into one of p and t, and returns which.
// The coefficients are named from the highest power down.
func horner(v vector, x, p, t reg, coefficients ...string) reg {
	v.splat(p, coefficients[0])
	for _, c := range coefficients[1:] {
		v.splat(t, c)
		v.fma(t, p, x)
		p, t = t, p
	}
	return p
}

// exponential sets x to e^x for x <= 0; n, p and t are scratch. Below -87 it
// stays at e^-87.
func exponential(v vector, x, n, p, t reg) {
	v.splat(t, "expMin")
	v.max(x, x, t)
	v.splat(t, "log2E")
	v.mul(n, x, t)
	v.round(n, n)
	v.splat(t, "ln2High")
	v.fnma(x, n, t)
	v.splat(t, "ln2Low")
	v.fnma(x, n, t)
	poly := horner(v, x, p, t, "exp0", "exp1", "exp2", "exp3", "exp4", "exp5")
	square := p + t - poly
	v.mul(square, x, x)
	v.fma(x, poly, square)
	v.splat(t, "one")
	v.add(x, x, t)
	v.pow2(n, n, t)
	v.mul(x, x, n)
}

// gelu writes x = x/2 * (1 + erf(x/√2)), element by element.
func gelu(v vector, name string) {
	const x, z, abs, e, n, p, t, one, k = 0, 1, 2, 3, 4, 5, 6, 7, 8
	v.begin(function{name: name, params: []param{{"x", "[]float32"}}})
	v.splat(one, "one")
	v.each(func() {
		v.load(x, "x")
		v.splat(t, "rootHalf")
		v.mul(z, x, t)
		v.splat(t, "magnitude")
		v.and(abs, z, t)
		v.mul(e, abs, abs)
		v.splat(t, "sign")
		v.xor(e, e, t)
		exponential(v, e, n, p, t)
		v.splat(k, "one")
		v.splat(t, "erfP")
		v.fma(k, abs, t)
		v.div(k, one, k)
		poly := horner(v, k, p, t, "erf5", "erf4", "erf3", "erf2", "erf1")
		v.mul(k, k, poly)
		v.splat(n, "one")
		v.fnma(n, k, e) // erf of |z|
		v.splat(t, "sign")
		v.and(z, z, t)
		v.or(n, n, z)
		v.add(n, n, one)
		v.splat(t, "half")
		v.mul(x, x, t)
		v.mul(x, x, n)
		v.store(x, "x")
	}, "x")
	v.end()
}

// softmax writes row = e^((row-max)*scale) and returns the sum, by which the
// caller divides.
func softmax(v vector, name string) {
	const x, n, p, t, highest, scale, sum = 0, 1, 2, 3, 4, 5, 6
	v.begin(function{name: name, params: []param{{"row", "[]float32"}, {"scale", "float32"}}, result: true})
	v.splat(highest, "lowest")
	v.each(func() {
		v.load(x, "row")
		v.max(highest, highest, x)
	}, "row")
	v.maxLanes(highest, t)
	v.argument(scale, "scale")
	v.splat(sum, "zero")
	v.each(func() {
		v.load(x, "row")
		v.sub(x, x, highest)
		v.mul(x, x, scale)
		exponential(v, x, n, p, t)
		v.store(x, "row")
		v.add(sum, sum, x)
	}, "row")
	v.sumLanes(sum, t)
	v.result(sum)
	v.end()
}

// addNorm writes x = LayerNorm(x+y) * gain + bias; inverse is 1/len(x).
func addNorm(v vector, name string) {
	const a, b, t, mean, variance, inverse = 0, 1, 2, 3, 4, 5
	v.begin(function{name: name, params: []param{
		{"x", "[]float32"}, {"y", "[]float32"}, {"gain", "[]float32"}, {"bias", "[]float32"}, {"inverse", "float32"},
	}})
	v.argument(inverse, "inverse")
	v.splat(mean, "zero")
	v.each(func() {
		v.load(a, "x")
		v.load(b, "y")
		v.add(a, a, b)
		v.store(a, "x")
		v.add(mean, mean, a)
	}, "x", "y")
	v.sumLanes(mean, t)
	v.mul(mean, mean, inverse)
	v.splat(variance, "zero")
	v.each(func() {
		v.load(a, "x")
		v.sub(a, a, mean)
		v.fma(variance, a, a)
	}, "x")
	v.sumLanes(variance, t)
	v.mul(variance, variance, inverse)
	v.splat(t, "epsilon")
	v.add(variance, variance, t)
	v.sqrt(variance, variance)
	v.splat(t, "one")
	v.div(variance, t, variance)
	v.each(func() {
		v.load(a, "x")
		v.sub(a, a, mean)
		v.mul(a, a, variance)
		v.load(t, "gain")
		v.load(b, "bias")
		v.fma(b, a, t)
		v.store(b, "x")
	}, "x", "gain", "bias")
	v.end()
}
