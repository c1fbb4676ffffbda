//go:build !race

package minilm_test

const raced = false
