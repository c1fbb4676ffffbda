// Command kernelgen writes the assembly of package minilm: kernel_amd64.s (AVX2
// and AVX-512) and kernel_arm64.s (NEON), into the current folder. The formulas
// are written once, in formulas.go, for vectors of any length; a file for each
// architecture says how it spells an operation.
package main

import (
	"fmt"
	"os"
)

func main() {
	for name, source := range files() {
		if err := os.WriteFile(name, []byte(source), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "kernelgen:", err)
			os.Exit(1)
		}
	}
}

// files returns the content of each generated file by its name.
func files() map[string]string {
	return map[string]string{
		"kernel_amd64.s": amd64(),
		"kernel_arm64.s": arm64(),
	}
}
