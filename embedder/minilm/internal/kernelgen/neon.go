package main

import "fmt"

// arm64 returns the kernels for NEON.
func arm64() string {
	a := &assembly{}
	a.header()
	v := &neon{assembly: a}
	gelu(v, "geluNEON")
	softmax(v, "softmaxNEON")
	addNorm(v, "addNormNEON")
	v.expand()
	v.tile()
	return a.String()
}

// neon spells the operations for 128-bit registers. Go's assembler has few of
// the vector instructions for floats; the others are written as their encoding.
type neon struct {
	*assembly

	current  function
	pointers map[string]string // slice to address register, in the current loop
}

// firstConstant is the register from which on the table of constants is kept,
// four to a register.
const firstConstant = 24

func (v *neon) r(r reg) string { return fmt.Sprintf("V%d.S4", r) }

func (v *neon) begin(f function) {
	v.text(f)
	v.current = f
	v.ins("MOVD", "$constants<>(SB)", "R6")
	for i := 0; 4*i < len(table); i += 4 {
		v.ins("VLD1.P", "64(R6)", four(firstConstant+i))
	}
}

func (v *neon) end() { v.ins("RET") }

func (v *neon) each(body func(), slices ...string) {
	v.pointers = map[string]string{}
	for i, s := range slices {
		v.pointers[s] = fmt.Sprintf("R%d", i)
		v.ins("MOVD", v.current.slot(s), v.pointers[s])
	}
	v.ins("MOVD", v.current.slot(slices[0]+"_len"), "R5")
	loop := v.label()
	fmt.Fprintf(v, "%s:\n", loop)
	body()
	for _, s := range slices {
		v.ins("ADD", "$16", v.pointers[s], v.pointers[s])
	}
	v.ins("SUB", "$4", "R5", "R5")
	v.ins("CBNZ", "R5", loop)
}

func (v *neon) load(d reg, slice string) {
	v.ins("VLD1", "("+v.pointers[slice]+")", "["+v.r(d)+"]")
}

func (v *neon) store(s reg, slice string) {
	v.ins("VST1", "["+v.r(s)+"]", "("+v.pointers[slice]+")")
}

func (v *neon) splat(d reg, c string) {
	i := constantOffset(c) / 4
	v.ins("VDUP", fmt.Sprintf("V%d.S[%d]", firstConstant+i/4, i%4), v.r(d))
}

func (v *neon) argument(d reg, name string) {
	v.ins("FMOVS", v.current.slot(name), fmt.Sprint("F", int(d)))
	v.ins("VDUP", fmt.Sprintf("V%d.S[0]", d), v.r(d))
}

func (v *neon) result(s reg) {
	offset, _ := v.current.results()
	v.ins("FMOVS", fmt.Sprint("F", int(s)), fmt.Sprintf("ret+%d(FP)", offset))
}

// word writes an instruction by its encoding: the opcode with the registers of
// the destination and of the one or two operands at their places.
func (v *neon) word(opcode uint32, name string, d reg, operands ...reg) {
	comment := fmt.Sprintf("%s v%d", name, d)
	opcode |= uint32(d)
	for i, r := range operands {
		opcode |= uint32(r) << []int{5, 16}[i]
		comment += fmt.Sprintf(", v%d", r)
	}
	fmt.Fprintf(v, "\tWORD $0x%08x // %s\n", opcode, comment)
}

func (v *neon) add(d, a, b reg)   { v.word(0x4e20d400, "fadd", d, a, b) }
func (v *neon) sub(d, a, b reg)   { v.word(0x4ea0d400, "fsub", d, a, b) }
func (v *neon) mul(d, a, b reg)   { v.word(0x6e20dc00, "fmul", d, a, b) }
func (v *neon) div(d, a, b reg)   { v.word(0x6e20fc00, "fdiv", d, a, b) }
func (v *neon) max(d, a, b reg)   { v.word(0x4e20f400, "fmax", d, a, b) }
func (v *neon) sqrt(d, a reg)     { v.word(0x6ea1f800, "fsqrt", d, a) }
func (v *neon) round(d, a reg)    { v.word(0x4e218800, "frintn", d, a) }
func (v *neon) toInt(d, a reg)    { v.word(0x4e21a800, "fcvtns", d, a) }
func (v *neon) toFloat(d, a reg)  { v.word(0x4e21d800, "scvtf", d, a) }
func (v *neon) addPairs(d, a reg) { v.word(0x6e20d400, "faddp", d, a, a) }
func (v *neon) maxPairs(d, a reg) { v.word(0x6e20f400, "fmaxp", d, a, a) }

func (v *neon) fma(d, a, b reg)  { v.ins("VFMLA", v.r(b), v.r(a), v.r(d)) }
func (v *neon) fnma(d, a, b reg) { v.ins("VFMLS", v.r(b), v.r(a), v.r(d)) }
func (v *neon) and(d, a, b reg)  { v.bits("VAND", d, a, b) }
func (v *neon) or(d, a, b reg)   { v.bits("VORR", d, a, b) }
func (v *neon) xor(d, a, b reg)  { v.bits("VEOR", d, a, b) }

func (v *neon) bits(op string, d, a, b reg) {
	v.ins(op, fmt.Sprintf("V%d.B16", b), fmt.Sprintf("V%d.B16", a), fmt.Sprintf("V%d.B16", d))
}

// pow2 adds a to the exponent of 1.
func (v *neon) pow2(d, a, one reg) {
	v.toInt(d, a)
	v.ins("VSHL", "$23", v.r(d), v.r(d))
	v.ins("VADD", v.r(one), v.r(d), v.r(d))
}

func (v *neon) sumLanes(d, _ reg) {
	v.addPairs(d, d)
	v.addPairs(d, d)
}

func (v *neon) maxLanes(d, _ reg) {
	v.maxPairs(d, d)
	v.maxPairs(d, d)
}

// expand writes dst = q * scale: rows of 32 weights, each with its own scale.
// Bytes are widened twice, to 16 and to 32 bits.
func (v *neon) expand() {
	f := expandFunction("expandNEON")
	v.text(f)
	v.ins("MOVD", f.slot("dst"), "R0")
	v.ins("MOVD", f.slot("q"), "R1")
	v.ins("MOVD", f.slot("q_len"), "R2")
	v.ins("MOVD", f.slot("scale"), "R3")
	v.ins("VLD1.P", "64(R3)", "[V16.S4, V17.S4, V18.S4, V19.S4]")
	v.ins("VLD1", "(R3)", "[V20.S4, V21.S4, V22.S4, V23.S4]")
	loop := v.label()
	fmt.Fprintf(v, "%s:\n", loop)
	v.ins("VLD1.P", "32(R1)", "[V0.B16, V1.B16]")
	for i := range reg(2) {
		v.word(0x0f08a400, "sshll", 2+2*i, i)
		v.word(0x4f08a400, "sshll2", 3+2*i, i)
	}
	for i := range reg(4) {
		v.word(0x0f10a400, "sshll", 8+2*i, 2+i)
		v.word(0x4f10a400, "sshll2", 9+2*i, 2+i)
	}
	for i := range reg(8) {
		v.toFloat(8+i, 8+i)
		v.mul(8+i, 8+i, 16+i)
	}
	v.ins("VST1.P", "[V8.S4, V9.S4, V10.S4, V11.S4]", "64(R0)")
	v.ins("VST1.P", "[V12.S4, V13.S4, V14.S4, V15.S4]", "64(R0)")
	v.ins("SUB", fmt.Sprintf("$%d", panel), "R2", "R2")
	v.ins("CBNZ", "R2", loop)
	v.end()
}

// tile writes c = a*b + bias for 6 rows by 16 columns, which stay in V0 to V23.
func (v *neon) tile() {
	const rows = 6
	f := tileFunction("tileNEON")
	v.text(f)
	for _, arg := range [][2]string{{"inner", "R0"}, {"a", "R1"}, {"lda", "R7"}, {"b", "R8"}, {"c", "R9"}, {"ldc", "R10"}, {"bias", "R11"}} {
		v.ins("MOVD", f.slot(arg[0]), arg[1])
	}
	v.ins("LSL", "$2", "R7", "R7") // floats to bytes
	v.ins("LSL", "$2", "R10", "R10")
	for i := 1; i < rows; i++ {
		v.ins("ADD", "R7", fmt.Sprintf("R%d", i), fmt.Sprintf("R%d", i+1))
	}
	v.ins("MOVD", fmt.Sprintf("$%d", 4*panel), "R12")
	for i := range rows {
		v.ins("VLD1", "(R11)", four(4*i))
	}
	loop := v.label()
	fmt.Fprintf(v, "%s:\n", loop)
	v.ins("VLD1.P", "(R8)(R12)", four(24))
	for i := range rows {
		a := reg(28 + i%4)
		v.ins("VLD1R.P", fmt.Sprintf("4(R%d)", i+1), "["+v.r(a)+"]")
		for j := range 4 {
			v.fma(reg(4*i+j), a, reg(24+j))
		}
	}
	v.ins("SUB", "$1", "R0", "R0")
	v.ins("CBNZ", "R0", loop)
	for i := range rows {
		v.ins("VST1", four(4*i), "(R9)")
		v.ins("ADD", "R10", "R9", "R9")
	}
	v.end()
}

// four names four neighbouring registers.
func four(first int) string {
	return fmt.Sprintf("[V%d.S4, V%d.S4, V%d.S4, V%d.S4]", first, first+1, first+2, first+3)
}
