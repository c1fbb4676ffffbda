package minilm

// native returns NEON's kernel, which every arm64 processor that Go runs on has.
func native() []*Kernel {
	return []*Kernel{{
		name: "neon", rows: 6, columns: 16,
		tile: tileNEON, expand: expandNEON, softmax: softmaxNEON, gelu: geluNEON, addNorm: addNormNEON,
	}}
}

//go:noescape
func tileNEON(inner int, a []float32, lda int, b []float32, c []float32, ldc int, bias []float32)

//go:noescape
func expandNEON(dst []float32, q []int8, scale []float32)

//go:noescape
func softmaxNEON(row []float32, scale float32) float32

//go:noescape
func geluNEON(x []float32)

//go:noescape
func addNormNEON(x []float32, y []float32, gain []float32, bias []float32, inverse float32)
