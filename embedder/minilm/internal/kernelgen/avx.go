package main

import "fmt"

// amd64 returns the kernels for AVX2 with FMA and for AVX-512F.
func amd64() string {
	a := &assembly{}
	a.header()
	for _, v := range []*avx{
		{assembly: a, register: "Y", lanes: 8, suffix: "AVX2"},
		{assembly: a, register: "Z", lanes: 16, suffix: "AVX512"},
	} {
		gelu(v, "gelu"+v.suffix)
		softmax(v, "softmax"+v.suffix)
		addNorm(v, "addNorm"+v.suffix)
		v.expand()
	}
	tileAVX2(a)
	tileAVX512(a)
	return a.String()
}

// avx spells the operations for 256-bit (Y) and 512-bit (Z) registers.
type avx struct {
	*assembly
	register string
	lanes    int
	suffix   string

	current  function
	pointers map[string]string // slice to address register, in the current loop
}

func (v *avx) r(r reg) string { return fmt.Sprint(v.register, int(r)) }

func (v *avx) begin(f function) {
	v.text(f)
	v.current = f
}

func (v *avx) end() {
	v.ins("VZEROUPPER")
	v.ins("RET")
}

func (v *avx) each(body func(), slices ...string) {
	v.pointers = map[string]string{}
	for i, s := range slices {
		v.pointers[s] = []string{"SI", "DI", "R8"}[i]
		v.ins("MOVQ", v.current.slot(s), v.pointers[s])
	}
	v.ins("MOVQ", v.current.slot(slices[0]+"_len"), "CX")
	loop := v.label()
	fmt.Fprintf(v, "%s:\n", loop)
	body()
	for _, s := range slices {
		v.ins("ADDQ", fmt.Sprintf("$%d", 4*v.lanes), v.pointers[s])
	}
	v.ins("SUBQ", fmt.Sprintf("$%d", v.lanes), "CX")
	v.ins("JNZ", loop)
}

func (v *avx) load(d reg, slice string)  { v.ins("VMOVUPS", "("+v.pointers[slice]+")", v.r(d)) }
func (v *avx) store(s reg, slice string) { v.ins("VMOVUPS", v.r(s), "("+v.pointers[slice]+")") }

func (v *avx) splat(d reg, c string) {
	v.ins("VBROADCASTSS", fmt.Sprintf("constants<>+%d(SB)", constantOffset(c)), v.r(d))
}

func (v *avx) argument(d reg, name string) {
	v.ins("VBROADCASTSS", v.current.slot(name), v.r(d))
}

func (v *avx) result(s reg) {
	offset, _ := v.current.results()
	v.ins("VMOVSS", fmt.Sprint("X", int(s)), fmt.Sprintf("ret+%d(FP)", offset))
}

// three writes an operation d = a op b; Go's assembler wants b first.
func (v *avx) three(op string, d, a, b reg) { v.ins(op, v.r(b), v.r(a), v.r(d)) }

func (v *avx) add(d, a, b reg)  { v.three("VADDPS", d, a, b) }
func (v *avx) sub(d, a, b reg)  { v.three("VSUBPS", d, a, b) }
func (v *avx) mul(d, a, b reg)  { v.three("VMULPS", d, a, b) }
func (v *avx) div(d, a, b reg)  { v.three("VDIVPS", d, a, b) }
func (v *avx) max(d, a, b reg)  { v.three("VMAXPS", d, a, b) }
func (v *avx) fma(d, a, b reg)  { v.three("VFMADD231PS", d, a, b) }
func (v *avx) fnma(d, a, b reg) { v.three("VFNMADD231PS", d, a, b) }
func (v *avx) and(d, a, b reg)  { v.three(v.wide("VPAND"), d, a, b) }
func (v *avx) or(d, a, b reg)   { v.three(v.wide("VPOR"), d, a, b) }
func (v *avx) xor(d, a, b reg)  { v.three(v.wide("VPXOR"), d, a, b) }
func (v *avx) sqrt(d, a reg)    { v.ins("VSQRTPS", v.r(a), v.r(d)) }

// wide names a bit operation: AVX-512 spells the width of its elements.
func (v *avx) wide(op string) string {
	if v.lanes == 16 {
		return op + "D"
	}
	return op
}

func (v *avx) round(d, a reg) {
	op := "VROUNDPS"
	if v.lanes == 16 {
		op = "VRNDSCALEPS"
	}
	v.ins(op, "$0", v.r(a), v.r(d))
}

// pow2 adds a to the exponent of 1.
func (v *avx) pow2(d, a, one reg) {
	v.ins("VCVTPS2DQ", v.r(a), v.r(d))
	v.ins("VPSLLD", "$23", v.r(d), v.r(d))
	v.three("VPADDD", d, d, one)
}

func (v *avx) sumLanes(d, t reg) { v.reduce("VADDPS", d, t) }
func (v *avx) maxLanes(d, t reg) { v.reduce("VMAXPS", d, t) }

// reduce folds the register in halves and spreads lane 0.
func (v *avx) reduce(op string, d, t reg) {
	x, y := fmt.Sprint("X", int(d)), fmt.Sprint("Y", int(d))
	tx, ty := fmt.Sprint("X", int(t)), fmt.Sprint("Y", int(t))
	if v.lanes == 16 {
		v.ins("VEXTRACTF64X4", "$1", v.r(d), ty)
		v.ins(op, ty, y, y)
	}
	v.ins("VEXTRACTF128", "$1", y, tx)
	v.ins(op, tx, x, x)
	for _, swap := range []string{"$0x4e", "$0xb1"} { // pairs, then neighbours
		v.ins("VPERMILPS", swap, x, tx)
		v.ins(op, tx, x, x)
	}
	v.ins("VBROADCASTSS", x, v.r(d))
}

// ahead is how many bytes ahead of expand its weights are fetched: a text of a
// dozen tokens waits for memory, and gains a tenth.
const ahead = 4096

// expand writes dst = q * scale: rows of 32 weights, each with its own scale.
func (v *avx) expand() {
	f := expandFunction("expand" + v.suffix)
	v.begin(f)
	v.ins("MOVQ", f.slot("dst"), "DI")
	v.ins("MOVQ", f.slot("q"), "SI")
	v.ins("MOVQ", f.slot("q_len"), "CX")
	v.ins("MOVQ", f.slot("scale"), "DX")
	vectors := panel / v.lanes
	for i := range vectors {
		v.ins("VMOVUPS", fmt.Sprintf("%d(DX)", 4*v.lanes*i), v.r(reg(vectors+i)))
	}
	loop := v.label()
	fmt.Fprintf(v, "%s:\n", loop)
	v.ins("PREFETCHT0", fmt.Sprintf("%d(SI)", ahead))
	for i := range vectors {
		d := v.r(reg(i))
		v.ins("VPMOVSXBD", fmt.Sprintf("%d(SI)", v.lanes*i), d)
		v.ins("VCVTDQ2PS", d, d)
		v.ins("VMULPS", v.r(reg(vectors+i)), d, d)
		v.ins("VMOVUPS", d, fmt.Sprintf("%d(DI)", 4*v.lanes*i))
	}
	v.ins("ADDQ", fmt.Sprintf("$%d", panel), "SI")
	v.ins("ADDQ", fmt.Sprintf("$%d", 4*panel), "DI")
	v.ins("SUBQ", fmt.Sprintf("$%d", panel), "CX")
	v.ins("JNZ", loop)
	v.end()
}
