//go:build race

package minilm_test

// raced: the race detector makes sync.Pool forget at random.
const raced = true
