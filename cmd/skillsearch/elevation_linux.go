package main

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// capabilities are those for which skills ask for elevation: each lets a process
// do what only root may, to networks (tunnels, scans) or to the system (mounts).
const capabilities = 1<<unix.CAP_NET_ADMIN | 1<<unix.CAP_NET_RAW | 1<<unix.CAP_SYS_ADMIN

// elevated reports whether the process has the rights of root: effective uid 0,
// or one of the capabilities in its effective set.
func elevated() bool {
	if os.Geteuid() == 0 {
		return true
	}
	status, err := os.ReadFile("/proc/self/status") // proc(5)
	return err == nil && effective(string(status))&capabilities != 0
}

// effective is the set of effective capabilities in a /proc/PID/status.
func effective(status string) uint64 {
	for line := range strings.Lines(status) {
		if hex, ok := strings.CutPrefix(line, "CapEff:"); ok {
			set, _ := strconv.ParseUint(strings.TrimSpace(hex), 16, 64) // 0 where it can't be read
			return set
		}
	}
	return 0
}

// privileged reports whether privileges come with a binary: file capabilities,
// as setcap grants them, or root's setuid bit.
func privileged(path string) bool {
	size, err := unix.Getxattr(path, "security.capability", nil) // capabilities(7)
	return err == nil && size > 0 || setuidRoot(path)
}
