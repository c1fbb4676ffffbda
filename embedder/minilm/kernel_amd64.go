package minilm

import "golang.org/x/sys/cpu"

// native returns the kernels of this processor, the fastest first.
func native() []*Kernel {
	var kernels []*Kernel
	if cpu.X86.HasAVX512F {
		kernels = append(kernels, &Kernel{
			name: "avx512", rows: 12, columns: 32,
			tile: tileAVX512, expand: expandAVX512, softmax: softmaxAVX512, gelu: geluAVX512, addNorm: addNormAVX512,
		})
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		kernels = append(kernels, &Kernel{
			name: "avx2", rows: 6, columns: 16,
			tile: tileAVX2, expand: expandAVX2, softmax: softmaxAVX2, gelu: geluAVX2, addNorm: addNormAVX2,
		})
	}
	return kernels
}

//go:noescape
func tileAVX512(inner int, a []float32, lda int, b []float32, c []float32, ldc int, bias []float32)

//go:noescape
func expandAVX512(dst []float32, q []int8, scale []float32)

//go:noescape
func softmaxAVX512(row []float32, scale float32) float32

//go:noescape
func geluAVX512(x []float32)

//go:noescape
func addNormAVX512(x []float32, y []float32, gain []float32, bias []float32, inverse float32)

//go:noescape
func tileAVX2(inner int, a []float32, lda int, b []float32, c []float32, ldc int, bias []float32)

//go:noescape
func expandAVX2(dst []float32, q []int8, scale []float32)

//go:noescape
func softmaxAVX2(row []float32, scale float32) float32

//go:noescape
func geluAVX2(x []float32)

//go:noescape
func addNormAVX2(x []float32, y []float32, gain []float32, bias []float32, inverse float32)
