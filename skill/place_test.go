package skill_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/skill"
)

// inside states the places below dir, one a string; dir itself is ".".
func inside(c *skill.Catalogue, dir string) []string {
	var out []string
	for _, p := range c.Places() {
		if rel, err := filepath.Rel(dir, p.Dir); err == nil && !strings.HasPrefix(rel, "..") {
			out = append(out, strings.TrimSuffix(filepath.ToSlash(rel)+":"+p.Name, ":"))
		}
	}
	return out
}

// TestPlacesAreThoseThatTheWalkLookedAt holds that what the walk leaves out is
// not watched, and what leads to a root, to a link's target and to a root that
// is not there yet, is.
func TestPlacesAreThoseThatTheWalkLookedAt(t *testing.T) {
	dir := folder(t, map[string]string{
		"root/saw/SKILL.md": text("saw", "Cuts."), "root/saw/references/a.md": "", "root/saw/node_modules/x/a": "",
		"root/deep/er/rasp/SKILL.md": text("rasp", "Files."), "root/.skillsearchignore": "hidden\n", "root/hidden/x/SKILL.md": text("x", "x"),
		"else/where/SKILL.md": text("glue", "Sticks."), "files/glue.md": text("clamp", "Holds."), ".claude/plugins/shop/skills/a/SKILL.md": text("a", "a"),
		".claude/plugins/shop/.git/x": "",
	})
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"root/linked": "../else/where", "root/glue.md": "../files/glue.md", "root/nowhere": "../later/on"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip("links can't be made here: ", err)
		}
	}
	roots := append(skill.DefaultRoots(dir, "", "")[:1], skill.NamedRoots(skill.SourceFlag, filepath.Join(dir, "root"), filepath.Join(dir, "none/yet"))...)
	got := inside(load(t, nil, roots...), dir)
	want := []string{
		".:.claude", ".:else", ".:files", ".:later", ".:none", ".:root",
		".claude:plugins", ".claude/plugins", ".claude/plugins/shop", ".claude/plugins/shop/skills", ".claude/plugins/shop/skills/a",
		"else:where", "else/where", "files:glue.md",
		"root", "root/deep", "root/deep/er", "root/deep/er/rasp", "root/saw", "root/saw/references",
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
}

// TestEqualCataloguesSayTheSame holds that a rescan of what did not change is
// equal, and that every change on disk is a difference.
func TestEqualCataloguesSayTheSame(t *testing.T) {
	dir := folder(t, map[string]string{"root/saw/SKILL.md": text("saw", "Cuts."), "root/rasp/SKILL.md": text("rasp", "Files.")})
	dir = filepath.Join(dir, "root")
	before := load(t, nil, root(dir))
	if again := load(t, before, root(dir)); !again.Equal(before) {
		t.Error("the same files make another catalogue")
	}
	for _, change := range []func(){
		func() { write(t, filepath.Join(dir, "saw/SKILL.md"), text("saw", "Cuts wood.")) },
		func() { write(t, filepath.Join(dir, "skillbook.yaml"), "code: TOOLS\n") },
		func() { write(t, filepath.Join(dir, "skillbook.yaml"), "code: TOOLS\ndescription: Said anew.\n") },
		func() { write(t, filepath.Join(dir, "bad/SKILL.md"), "\x00") },
		func() { write(t, filepath.Join(dir, "empty/x"), "") },
		func() { _ = os.Remove(filepath.Join(dir, "rasp/SKILL.md")) },
	} {
		change()
		after := load(t, before, root(dir))
		if after.Equal(before) {
			t.Errorf("a change made no difference: %s", describe(after, dir))
		}
		before = after
	}
}
