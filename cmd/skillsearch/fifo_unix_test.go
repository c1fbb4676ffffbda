//go:build unix

package main

import (
	"syscall"
	"testing"
)

// makeFIFO makes a pipe to which nobody writes.
func makeFIFO(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}
