package skill_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skillsearch/skillsearch/skill"
)

func TestLoadFileIsWhatTheCatalogueHas(t *testing.T) {
	dir := folder(t, map[string]string{
		"pdf/SKILL.md":  text("pdf", "Merges files."),
		"flat/tides.md": text("tides", "Tells the tides."),
		"bare/SKILL.md": "Only a body.\n",
	})
	for path, want := range map[string]struct{ id, name, source string }{
		"pdf/SKILL.md":  {"pdf", "pdf", skill.FromHeader},
		"flat/tides.md": {"flat/tides", "tides", skill.FromHeader},
		"bare/SKILL.md": {"bare", "bare", skill.FromDirectory},
	} {
		s, problems, err := skill.LoadFile(filepath.Join(dir, path))
		if err != nil || s.ID != want.id || s.Name != want.name || s.NameSource != want.source || s.Path != filepath.Join(dir, path) {
			t.Errorf("%s: %+v, %v", path, s, err)
		}
		if bare := want.source == skill.FromDirectory; bare != (len(problems) > 0) {
			t.Errorf("%s: problems %v", path, problems)
		}
	}
}

func TestAFileThatIsNoSkillSaysWhy(t *testing.T) {
	dir := folder(t, map[string]string{
		"empty/SKILL.md": " \n", "notes/README.md": "# Notes\n", "half/tides.md": "---\ndescription: Tells the tides.\n---\n", "binary/SKILL.md": "a\x00b",
	})
	for path, want := range map[string]struct {
		words string
		is    error
	}{
		"empty/SKILL.md":  {"the file is empty; write the skill", nil},
		"notes/README.md": {"it is no skill; a flat file needs a header", nil},
		"half/tides.md":   {`a flat skill file needs a name in its header; the file is not listed; add the line "name: tides"`, nil},
		"binary/SKILL.md": {"binary data", nil},
		"gone/SKILL.md":   {"no such file", skill.ErrNotFound},
		"empty":           {"not a regular file", skill.ErrNotRegular},
	} {
		s, _, err := skill.LoadFile(filepath.Join(dir, path))
		if s != nil || err == nil || !strings.Contains(err.Error(), want.words) || want.is != nil && !errors.Is(err, want.is) {
			t.Errorf("%s: %v, %v; want %q", path, s, err, want.words)
		}
	}
}

func TestReadTextGivesTheFileAsItLies(t *testing.T) {
	for name, c := range map[string]struct{ raw, want string }{
		"as it is":   {"---\nname: pdf\ndescription: Merges.\n---\r\n# Body  \r\n", "---\nname: pdf\ndescription: Merges.\n---\r\n# Body  \r\n"},
		"UTF-16":     {"\xff\xfea\x00b\x00\n\x00", "ab\n"},
		"other text": {"caf\xe9\n", "caf\uFFFD\n"},
	} {
		dir := folder(t, map[string]string{"pdf/SKILL.md": c.raw})
		s, _, err := skill.LoadFile(filepath.Join(dir, "pdf/SKILL.md"))
		if err != nil {
			t.Fatal(name, err)
		}
		if got, err := s.ReadText(); err != nil || got != c.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestReadTextOfAFileThatIsGoneSaysSo(t *testing.T) {
	dir := folder(t, map[string]string{"pdf/SKILL.md": text("pdf", "Merges files.")})
	path := filepath.Join(dir, "pdf/SKILL.md")
	s, _, err := skill.LoadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ReadText(); !errors.Is(err, skill.ErrNotFound) || strings.Contains(err.Error(), dir) {
		t.Errorf("gone: %v", err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ReadText(); !errors.Is(err, skill.ErrNotRegular) || strings.Contains(err.Error(), dir) {
		t.Errorf("a folder: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("a\x00\xff"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ReadText(); !errors.Is(err, skill.ErrNotFound) {
		t.Errorf("another file: %v", err)
	}
}
