//go:build unix

package vectorstore_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWithoutWriteAccessWhatIsThereIsRead(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "vectors.db")
	old := written(t)
	execute(t, old, "PRAGMA user_version = 0")
	killed := cachePath(t)
	for part, data := range states(t)["killed"] {
		if err := os.MkdirAll(filepath.Dir(killed), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(killed+part, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const refused = "%s index %s: index can't be written: make the file and its folder writable, or choose another folder with --cache"
	whole := func(path string, vectors int) string {
		return fmt.Sprintf("vectors %d\nput "+refused+"\nlock "+refused+"\nmissing 2\nnotices []\n",
			vectors, "store vectors in", path, "lock", path)
	}
	memory := func(path, why string) string {
		return fmt.Sprintf("vectors 0\nput <nil>\nlock <nil>\nmissing 1\nnotices [%q]\n", fmt.Sprintf(
			"index %s: %s; vectors are kept in memory and are lost at the end. Make the folder writable, or choose another with --cache", path, why))
	}
	good := written(t)
	for _, c := range []struct{ name, path, want string }{
		{"a file", good, whole(good, 40)},
		{"no file", absent, memory(absent, "its folder can't be written")},
		{"an older file", old, memory(old, "its format is older and its folder can't be written")},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := asAnother(t, helper(t, "readonly", c.path), filepath.Dir(c.path))
			got = strings.ReplaceAll(got, "store vectors in "+c.path, "store vectors in index "+c.path)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("a killed process's file", func(t *testing.T) {
		got := asAnother(t, helper(t, "readonly", killed), filepath.Dir(killed))
		if !strings.HasPrefix(got, "vectors ") || !strings.Contains(got, "put store vectors in "+killed+": index can't be written") {
			t.Errorf("got %s", got)
		}
	})
}

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
