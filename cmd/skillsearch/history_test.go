package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheHistoryOutlivesClear: a prompt shows what was used last, clear leaves
// that alone, and clear --history does not.
func TestTheHistoryOutlivesClear(t *testing.T) {
	dir := t.TempDir()
	writeSkill(t, filepath.Join(dir, "skills", "tides"), "tides", "Reads tide tables.")
	cacheDir := filepath.Join(dir, "cache")
	for _, step := range []struct{ line, want string }{
		{"prompt --root skills", "Call `list_skills` to discover 1 skill."},
		{`call planck load_skill {"name":"tides"} --root skills`, "Do it."},
		{"prompt --root skills", "## Last used skills"},
		{"clear", "the usage history is kept"},
		{"prompt --root skills", "## Last used skills"},
		{"clear --history", "was removed"},
		{"prompt --root skills", "Call `list_skills` to discover 1 skill."},
	} {
		var out, notes bytes.Buffer
		env := environment{stdin: strings.NewReader(""), stdout: &out, stderr: &notes, getenv: func(string) string { return "" }, cwd: dir}
		if code := run(t.Context(), append(strings.Fields(step.line), "--cache", cacheDir), env); code != exitFound || !strings.Contains(out.String(), step.want) {
			t.Errorf("%s: exit %d, %q lacks %q; %s", step.line, code, out.String(), step.want, notes.String())
		}
	}
}
