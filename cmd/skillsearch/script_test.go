package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the scripts run this binary as the command itself.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"skillsearch": main,
	})
}

// TestScripts runs testdata/script/*.txtar: each is one behaviour of the real
// command, in a home of its own and without an Ollama.
func TestScripts(t *testing.T) {
	carriedModel, err := filepath.Abs("../../data/minilm/weights.bin")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
			env.Setenv("XDG_CACHE_HOME", filepath.Join(home, ".cache"))
			env.Setenv("OLLAMA_HOST", "127.0.0.1:1") // nobody answers there
			env.Setenv("MODEL", carriedModel)
			return os.MkdirAll(home, 0o700)
		},
		Condition: func(name string) (bool, error) {
			if name != "root" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return os.Geteuid() == 0, nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"bigfile": bigFile,
			"mode":    mode,
		},
	})
}

// bigFile writes a file of n bytes: "bigfile NAME LINE COUNT" repeats a line.
func bigFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: bigfile NAME TEXT COUNT")
	}
	count := 0
	for _, c := range args[2] {
		count = count*10 + int(c-'0')
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(args[1], count)), 0o600))
}

// mode holds that a file has a mode: "mode 0600 NAME".
func mode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mode MODE NAME")
	}
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[0] {
		ts.Fatalf("%s has mode %s, want %s", args[1], got, args[0])
	}
}

// TestNoHome holds that a root is only refused for a missing home when it needs
// one, and that no folder called "~" comes to be.
func TestNoHome(t *testing.T) {
	dir := t.TempDir()
	writeSkill(t, filepath.Join(dir, "skills", "tide-table"), "tide-table", "Reads tide tables.")
	for _, test := range []struct {
		root string
		code int
		want string
	}{
		{"./skills", exitFound, "tide-table"},
		{"~/skills", exitError, "home_not_set"},
		{"$HOME/skills", exitError, "home_not_set"},
	} {
		var out strings.Builder
		env := environment{stdin: strings.NewReader(""), stdout: &out, stderr: &strings.Builder{}, getenv: func(string) string { return "" }, cwd: dir}
		if code := run(context.Background(), []string{"list", "--root", test.root, "--json"}, env); code != test.code || !strings.Contains(out.String(), test.want) {
			t.Errorf("list --root %s: exit %d, want %d; output %s lacks %q", test.root, code, test.code, out.String(), test.want)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("the working folder holds %v, want only skills (%v)", entries, err)
	}
}

func writeSkill(t *testing.T, dir, name, description string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	text := "---\nname: " + name + "\ndescription: " + description + "\n---\n# Steps\n\nDo it.\n"
	if err := os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
