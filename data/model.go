// Package data holds what the binary carries with it.
package data

import _ "embed" // for the directives

//go:embed minilm/weights.bin
var minilm string

// MiniLM returns the weights file of skill-minilm, which package minilm loads.
// data/minilm/README.md says how it is made and under which licence.
func MiniLM() string { return minilm }
