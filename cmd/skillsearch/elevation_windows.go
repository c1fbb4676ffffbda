package main

import "golang.org/x/sys/windows"

// elevated reports whether the token of the process is elevated, as it is in a
// terminal that was opened as administrator.
func elevated() bool { return windows.GetCurrentProcessToken().IsElevated() }

// privileged: no binary carries privileges of its own.
func privileged(string) bool { return false }
