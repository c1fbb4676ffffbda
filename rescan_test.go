package skillsearch_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
)

// TestRescanKeepsACatalogueThatIsTheSame holds that a look at roots in which
// nothing changed throws nothing away, and that any change is seen.
func TestRescanKeepsACatalogueThatIsTheSame(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "tides.md")
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("---\nname: tides\n---\nHigh water.\n")
	engine, err := skillsearch.Open(t.Context(), skillsearch.Config{Roots: skill.NamedRoots(skill.SourceFlag, root), NoEmbedder: skillsearch.ErrNoEmbedder})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		name    string
		change  func()
		changes bool
	}{
		{"nothing", func() {}, false},
		{"another text", func() { put("---\nname: tides\n---\nLow water, and high.\n") }, true},
		{"nothing again", func() {}, false},
		{"another file", func() { file = filepath.Join(root, "winds.md"); put("---\nname: winds\n---\nWest.\n") }, true},
		{"a book", func() { file = filepath.Join(root, "skillbook.yaml"); put("code: SEA\n") }, true},
		{"a problem", func() { file = filepath.Join(root, "empty.md"); put("---\nname: empty\n---\n") }, true},
		{"a file less", func() { os.Remove(file) }, true},
	} {
		before := engine.Catalogue()
		step.change()
		if err := engine.Rescan(t.Context()); err != nil {
			t.Fatal(err)
		}
		if changed := engine.Catalogue() != before; changed != step.changes {
			t.Errorf("%s: the catalogue is another one: %v, want %v", step.name, changed, step.changes)
		}
	}
}
