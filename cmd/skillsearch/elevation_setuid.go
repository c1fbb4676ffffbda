//go:build unix

package main

import (
	"os"
	"syscall"
)

// setuidRoot reports whether a binary runs as root whoever starts it.
func setuidRoot(path string) bool {
	info, err := os.Stat(path)
	if err != nil || info.Mode()&os.ModeSetuid == 0 {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Uid == 0
}
