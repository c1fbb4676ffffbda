package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// openTerminal is a pseudo-terminal: the side of the person and that of the
// process.
func openTerminal(t *testing.T) (person, process *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("there is no pseudo-terminal here: %v", err)
	}
	t.Cleanup(func() { person.Close() })
	if err := unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	process, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { process.Close() })
	return person, process
}

func echoes(t *testing.T, terminal *os.File) bool {
	t.Helper()
	state, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return state.Lflag&unix.ECHO != 0
}

// authSet runs "auth set LAB_TOKEN" at a terminal until it is ready to read.
func authSet(ctx context.Context, t *testing.T, terminal *os.File) (dir string, stderr *strings.Builder, code chan int) {
	t.Helper()
	dir, stderr, code = t.TempDir(), &strings.Builder{}, make(chan int, 1)
	env := environment{stdin: terminal, stdout: &strings.Builder{}, stderr: stderr, getenv: func(string) string { return "" }, cwd: dir, configDir: dir}
	go func() { code <- run(ctx, []string{"auth", "set", "LAB_TOKEN"}, env) }()
	for echoes(t, terminal) {
		select {
		case c := <-code:
			t.Fatalf("it ended with %d before it asked: %s", c, stderr)
		case <-time.After(time.Millisecond):
		}
	}
	return dir, stderr, code
}

func TestATypedSecretIsNotSeen(t *testing.T) {
	person, process := openTerminal(t)
	dir, stderr, code := authSet(t.Context(), t, process)
	if _, err := person.WriteString("sentinel-77\n"); err != nil {
		t.Fatal(err)
	}
	if c := <-code; c != exitFound {
		t.Fatalf("exit %d: %s", c, stderr)
	}
	if !echoes(t, process) {
		t.Error("the terminal does not echo afterwards")
	}
	raw, err := os.ReadFile(filepath.Join(dir, "skillsearch", "credentials", "credentials.json"))
	if err != nil || string(raw) != `{"LAB_TOKEN":"sentinel-77"}`+"\n" {
		t.Errorf("the file: %q, %v", raw, err)
	}
	if _, err := process.WriteString("end\n"); err != nil {
		t.Fatal(err)
	}
	var seen strings.Builder
	for buf := make([]byte, 256); !strings.Contains(seen.String(), "end"); {
		n, err := person.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		seen.Write(buf[:n])
	}
	if text := seen.String() + stderr.String(); strings.Contains(text, "sentinel") {
		t.Errorf("the secret is seen: %q", text)
	}
}

func TestWhoGivesUpGetsTheTerminalBack(t *testing.T) {
	_, process := openTerminal(t)
	ctx, cancel := context.WithCancel(t.Context())
	dir, stderr, code := authSet(ctx, t, process)
	cancel()
	if c := <-code; c != exitError {
		t.Errorf("exit %d: %s", c, stderr)
	}
	if !echoes(t, process) {
		t.Error("the terminal does not echo afterwards")
	}
	if _, err := os.Stat(filepath.Join(dir, "skillsearch")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was stored: %v", err)
	}
}
