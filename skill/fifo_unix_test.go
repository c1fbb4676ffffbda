//go:build unix

package skill_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// fifo makes a named pipe, to which nobody writes.
func fifo(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Fatal(err)
	}
}
