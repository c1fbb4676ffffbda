package kernels

import "golang.org/x/sys/cpu"

//go:noescape
func dotAVX2(query, rows *float32, columns, n int, out *float32)

//go:noescape
func dotAVX512(query, rows *float32, columns, n int, out *float32)

//go:noescape
func dot8AVX2(query *int8, rows *uint8, columns, n int, out *int32)

//go:noescape
func dot8VNNI(query *int8, rows *uint8, columns, n int, out *int32)

func native() []Set {
	var sets []Set
	if cpu.X86.HasAVX2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512VNNI {
		sets = append(sets, Set{Name: "avx512vnni", dot: dotAVX512, dot8: dot8VNNI})
	}
	if cpu.X86.HasAVX2 {
		sets = append(sets, Set{Name: "avx2", dot: dotAVX2, dot8: dot8AVX2})
	}
	return sets
}
