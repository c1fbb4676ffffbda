//go:build !amd64 && !arm64

package kernels

func native() []Set { return nil }
