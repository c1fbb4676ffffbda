package main

import "fmt"

// A tile is a matrix kernel whose results stay in registers: rows by two
// vectors of columns. That is the shape with the fewest loads a multiplication
// that 16 (AVX2) and 32 (AVX-512) registers allow.
type tile struct {
	*avx
	rows int
}

func tileAVX2(a *assembly) {
	tile{&avx{assembly: a, register: "Y", lanes: 8, suffix: "AVX2"}, 6}.write()
}

func tileAVX512(a *assembly) {
	tile{&avx{assembly: a, register: "Z", lanes: 16, suffix: "AVX512"}, 12}.write()
}

// write writes c = a*b + bias for one tile.
func (t tile) write() {
	f := tileFunction("tile" + t.suffix)
	t.begin(f)
	for _, arg := range [][2]string{{"inner", "CX"}, {"lda", "DX"}, {"b", "BX"}, {"c", "AX"}, {"ldc", "SI"}, {"bias", "DI"}, {"a", "R8"}} {
		t.ins("MOVQ", f.slot(arg[0]), arg[1])
	}
	t.ins("SHLQ", "$2", "DX") // floats to bytes
	t.ins("SHLQ", "$2", "SI")
	t.rowPointers()
	for i := range t.rows {
		t.ins("VMOVUPS", "(DI)", t.sum(i, 0))
		t.ins("VMOVUPS", t.offset("DI"), t.sum(i, 1))
	}
	loop := t.label()
	fmt.Fprintf(t, "%s:\n", loop)
	t.step()
	t.ins("DECQ", "CX")
	t.ins("JNZ", loop)
	for i := range t.rows {
		t.ins("VMOVUPS", t.sum(i, 0), "(AX)")
		t.ins("VMOVUPS", t.sum(i, 1), t.offset("AX"))
		if i < t.rows-1 {
			t.ins("ADDQ", "SI", "AX")
		}
	}
	t.end()
}

// rowPointers points R8, R9, … at every third row of a: the two between are
// reached with DX and twice DX, which saves registers.
func (t tile) rowPointers() {
	t.ins("LEAQ", "(DX)(DX*2)", "R12")
	for g := 1; g < t.rows/3; g++ {
		t.ins("LEAQ", fmt.Sprintf("(R%d)(R12*1)", 7+g), fmt.Sprintf("R%d", 8+g))
	}
}

// step multiplies one column of a with one row of b.
func (t tile) step() {
	b0, b1 := t.r(reg(2*t.rows)), t.r(reg(2*t.rows+1))
	t.ins("VMOVUPS", "(BX)", b0)
	t.ins("VMOVUPS", t.offset("BX"), b1)
	spare := 32*t.lanes/16 - 2*t.rows - 2
	for i := range t.rows {
		row := fmt.Sprintf("(R%d)%s", 8+i/3, []string{"", "(DX*1)", "(DX*2)"}[i%3])
		a := t.r(reg(2*t.rows + 2 + i%spare))
		t.ins("VBROADCASTSS", row, a)
		t.ins("VFMADD231PS", b0, a, t.sum(i, 0))
		t.ins("VFMADD231PS", b1, a, t.sum(i, 1))
	}
	t.ins("ADDQ", fmt.Sprintf("$%d", 4*panel), "BX")
	for g := range t.rows / 3 {
		t.ins("ADDQ", "$4", fmt.Sprintf("R%d", 8+g))
	}
}

// sum names the register of row i, half 0 or 1.
func (t tile) sum(i, half int) string { return t.r(reg(2*i + half)) }

// offset addresses the second vector behind a pointer.
func (t tile) offset(pointer string) string { return fmt.Sprintf("%d(%s)", 4*t.lanes, pointer) }
