package kernels

import "golang.org/x/sys/cpu"

//go:noescape
func dotNEON(query, rows *float32, columns, n int, out *float32)

//go:noescape
func dot8NEON(query *int8, rows *uint8, columns, n int, out *int32)

func native() []Set {
	if !cpu.ARM64.HasASIMD {
		return nil
	}
	return []Set{{Name: "neon", dot: dotNEON, dot8: dot8NEON}}
}
