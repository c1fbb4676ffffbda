package skill_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/skill"
)

// TestALinkIsNoWayToOtherFiles holds that a skill file which is a link shows a
// skill and nothing else of the machine: neither a file that is no markdown, nor
// what lies beside its target, unless that is a skill's own file.
func TestALinkIsNoWayToOtherFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	link := func(target, name string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.FromSlash(target), path); err != nil {
			t.Skip("links can't be made here:", err)
		}
	}
	write("home/id_rsa", "---\nname: key\n---\nsecret\n")
	write("home/notes.md", "notes\n")
	write("store/real/SKILL.md", text("real", "A skill elsewhere."))
	write("store/real/more.md", "more\n")
	link("../../home/id_rsa", "root/key/SKILL.md")
	link("../home/id_rsa", "root/flat-key.md")
	link("../../home/notes.md", "root/notes/SKILL.md")
	link("../../store/real/SKILL.md", "root/linked/SKILL.md")

	c, err := skill.Load(t.Context(), skill.NamedRoots(skill.SourceFlag, filepath.Join(dir, "root")), nil)
	if err != nil {
		t.Fatal(err)
	}
	read := make(map[string]string)
	for _, s := range c.Skills() {
		for _, name := range []string{"id_rsa", "notes.md", "more.md"} {
			if file, err := s.ReadFile(name); err == nil {
				read[s.ID+" "+name] = string(file.Content)
			}
		}
		read[s.ID] = s.Name
	}
	if diff := cmp.Diff(map[string]string{"root/notes": "notes", "root/linked": "real", "root/linked more.md": "more\n"}, read); diff != "" {
		t.Error("listed and read:", diff)
	}
	var refused []string
	for _, p := range c.Problems() {
		if p.Kind == skill.SymlinkOutsideRoot {
			refused = append(refused, filepath.ToSlash(p.Path[len(dir)+1:]))
		}
	}
	if diff := cmp.Diff([]string{"root/flat-key.md", "root/key/SKILL.md"}, refused); diff != "" {
		t.Error("refused:", diff)
	}
	if s, _, err := skill.LoadFile(filepath.Join(dir, "root", "notes", "SKILL.md")); err != nil {
		t.Error(err)
	} else if _, err := s.ReadFile("id_rsa"); err == nil {
		t.Error("a file loaded alone reads beside the target of its link")
	}
}

// TestAFolderThatBecameALinkIsNotFollowed holds that what was one folder when
// the skills were read is no door to another one later.
func TestAFolderThatBecameALinkIsNotFollowed(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	secret, folder := filepath.Join(dir, "secret"), filepath.Join(dir, "root", "pdf")
	for path, content := range map[string]string{filepath.Join(folder, "SKILL.md"): text("pdf", "A skill."), filepath.Join(folder, "more.md"): "more\n", filepath.Join(secret, "more.md"): "secret\n"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := skill.Load(t.Context(), skill.NamedRoots(skill.SourceFlag, filepath.Join(dir, "root")), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Resolve("pdf")
	if err != nil {
		t.Fatal(err)
	}
	if file, err := s.ReadFile("more.md"); err != nil || string(file.Content) != "more\n" {
		t.Fatal(file, err)
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, folder); err != nil {
		t.Skip("links can't be made here:", err)
	}
	if file, err := s.ReadFile("more.md"); err == nil {
		t.Errorf("a file beside the link's target was read: %q", file.Content)
	}
	if names := s.References(""); names != nil {
		t.Errorf("files beside the link's target are listed: %v", names)
	}
}
