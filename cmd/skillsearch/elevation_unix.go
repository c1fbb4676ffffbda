//go:build unix && !linux

package main

import "os"

// elevated reports whether the process has the rights of root: effective uid 0.
func elevated() bool { return os.Geteuid() == 0 }

// privileged reports whether root's rights come with a binary: it is root's and
// has the setuid bit.
func privileged(path string) bool { return setuidRoot(path) }
