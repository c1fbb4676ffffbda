//go:build unix

package vectorstore_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// asAnother runs a helper that can't write to a folder and returns what it
// prints. Modes don't bind root, who lets another user run it.
func asAnother(t *testing.T, command *exec.Cmd, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if err := os.Chmod(name, 0o444); err != nil {
			t.Fatal(err)
		}
	}
	if os.Geteuid() == 0 {
		for up := folder; filepath.Dir(up) != filepath.Dir(os.TempDir()) && filepath.Dir(up) != up; up = filepath.Dir(up) {
			if info, err := os.Stat(up); err == nil && info.Mode().Perm()&0o001 == 0 {
				if err := os.Chmod(up, 0o755); err != nil {
					t.Fatal(err)
				}
			}
		}
		command.Path = "/proc/self/exe" // the folder of the test binary is root's
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	if err := os.Chmod(folder, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(folder, 0o755) })
	var out bytes.Buffer
	command.Stdout = &out
	if err := command.Run(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
