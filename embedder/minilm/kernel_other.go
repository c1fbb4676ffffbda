//go:build !amd64 && !arm64

package minilm

// native returns no kernel: only the portable one runs here.
func native() []*Kernel { return nil }
