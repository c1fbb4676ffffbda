package skill_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/skill"
)

// swap replaces a file's content by one of the same length and keeps its time.
func swap(t *testing.T, path, content string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() != int64(len(content)) {
		t.Fatalf("%d bytes for %d", len(content), info.Size())
	}
	write(t, path, content)
	touch(t, path, info.ModTime())
}

func touch(t *testing.T, path string, at time.Time) {
	t.Helper()
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

// descriptions are those of the visible skills, by id.
func descriptions(c *skill.Catalogue) map[string]string {
	out := map[string]string{}
	for _, s := range c.Skills() {
		out[s.ID] = s.Description
	}
	return out
}

func TestARescanReadsOnlyWhatChanged(t *testing.T) {
	dir := folder(t, map[string]string{
		"same/SKILL.md": text("same", "Before."), "resized/SKILL.md": text("resized", "Before."),
		"touched/SKILL.md": text("touched", "Before."), "gone/SKILL.md": text("gone", "Before."),
		"old/SKILL.md": "Before.\n", "flat.md": text("flat", "Before."), "broken/SKILL.md": "\x00",
	})
	r := root(dir)
	r.Label = "root"
	before := load(t, nil, r)
	was := describe(before, dir)

	swap(t, filepath.Join(dir, "same/SKILL.md"), text("same", "Behind."))
	swap(t, filepath.Join(dir, "flat.md"), text("flat", "Behind."))
	swap(t, filepath.Join(dir, "broken/SKILL.md"), "x")
	write(t, filepath.Join(dir, "resized/SKILL.md"), text("resized", "After."))
	swap(t, filepath.Join(dir, "touched/SKILL.md"), text("touched", "After. "))
	touch(t, filepath.Join(dir, "touched/SKILL.md"), time.Unix(1_000_000_000, 0))
	write(t, filepath.Join(dir, "new/SKILL.md"), text("new", "New."))
	if err := os.RemoveAll(filepath.Join(dir, "gone")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "old"), filepath.Join(dir, "renamed")); err != nil {
		t.Fatal(err)
	}
	after := load(t, before, r)

	want := map[string]string{
		"root/same": "Before.", "root/flat": "Before.", // not read again
		"root/resized": "After.", "root/touched": "After.", "root/new": "New.", "root/renamed": "Before.",
	}
	if diff := cmp.Diff(want, descriptions(after)); diff != "" {
		t.Errorf("after (-want +got):\n%s", diff)
	}
	if s, err := after.Resolve("renamed"); err != nil || s.NameSource != skill.FromDirectory {
		t.Errorf("the renamed folder gives its skill the name: %v, %v", s, err)
	}
	if s, err := after.Resolve("gone"); err == nil {
		t.Errorf("what is gone is found as %s", s.ID)
	}
	if diff := cmp.Diff([]string{"binary:broken/SKILL.md", "frontmatter-missing:renamed/SKILL.md:1"}, places(after.Problems(), dir)); diff != "" {
		t.Errorf("problems, those of unread files kept (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(was, describe(before, dir)); diff != "" {
		t.Errorf("the older catalogue changed (-want +got):\n%s", diff)
	}
}

func TestARescanOfAnotherRootReadsItsOwn(t *testing.T) {
	dir := folder(t, map[string]string{"saw/SKILL.md": text("saw", "Cuts.")})
	a, b := root(dir), root(dir)
	a.Label, b.Label, b.Source = "a", "b", skill.SourceUser
	both := load(t, nil, a, b)
	for name, tt := range map[string]struct {
		previous *skill.Catalogue
		roots    []skill.Root
		want     []string // id and source of all
	}{
		"two at one place":      {both, []skill.Root{a, b}, []string{"a/saw flag", "b/saw user"}},
		"in the other order":    {both, []skill.Root{b, a}, []string{"a/saw flag", "b/saw user"}},
		"one of them":           {both, []skill.Root{b}, []string{"b/saw user"}},
		"under another label":   {load(t, nil, a), []skill.Root{b}, []string{"b/saw user"}},
		"from another source":   {load(t, nil, a), []skill.Root{{Path: dir, Label: "a", Source: skill.SourceUser}}, []string{"a/saw user"}},
		"a root in another one": {load(t, nil, a), []skill.Root{{Path: filepath.Join(dir, "saw"), Label: "a", Source: skill.SourceFlag}}, []string{"a flag"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := load(t, tt.previous, tt.roots...)
			got := []string{}
			for _, id := range []string{"a", "a/saw", "b/saw"} {
				if s, ok := c.ByID(id); ok {
					got = append(got, s.ID+" "+s.Source)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("skills (-want +got):\n%s", diff)
			}
			if problems := places(c.Problems(), dir); len(problems) > 0 {
				t.Errorf("problems: %v", problems)
			}
		})
	}
}

func TestARescanSeesWhereALinkLeadsNow(t *testing.T) {
	dir := folder(t, map[string]string{"store/a/SKILL.md": text("saw", "First."), "store/b/SKILL.md": text("saw", "Other.")})
	at := time.Unix(1_000_000_000, 0)
	touch(t, filepath.Join(dir, "store/a/SKILL.md"), at)
	touch(t, filepath.Join(dir, "store/b/SKILL.md"), at)
	link(t, "../store/a", filepath.Join(dir, "root/saw"))
	before := load(t, nil, root(filepath.Join(dir, "root")))
	if err := os.Remove(filepath.Join(dir, "root/saw")); err != nil {
		t.Fatal(err)
	}
	link(t, "../store/b", filepath.Join(dir, "root/saw"))
	after := load(t, before, root(filepath.Join(dir, "root")))
	if diff := cmp.Diff(map[string]string{"root/saw": "Other."}, descriptions(after)); diff != "" {
		t.Errorf("after the link was turned (-want +got):\n%s", diff)
	}
}

// Files keep what was read of them; books are read every time.
func TestARescanSeesAChangedBook(t *testing.T) {
	dir := folder(t, map[string]string{"eng/skillbook.yaml": "code: ENG\n", "eng/saw/SKILL.md": text("saw", "Cuts.")})
	before := load(t, nil, root(dir))
	write(t, filepath.Join(dir, "eng/skillbook.yaml"), "code: ENG\nactive: false\n")
	after := load(t, before, root(dir))
	if got := []int{len(before.Skills()), len(after.Skills()), len(after.Hidden())}; !cmp.Equal(got, []int{1, 0, 1}) {
		t.Errorf("listed before, listed and hidden after: %v, want [1 0 1]", got)
	}
	if s := before.Skills()[0]; !s.Active || s.SkillBook != "ENG" {
		t.Errorf("the older catalogue changed: %+v", s)
	}
}

// TestFilesThatChangePlacesAreRead holds it for files of one size and time.
func TestFilesThatChangePlacesAreRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("what a file was known by is looked up by its path there")
	}
	dir := folder(t, map[string]string{"a/SKILL.md": text("boat", "First."), "b/SKILL.md": text("boat", "Other.")})
	for _, name := range []string{"a", "b"} {
		touch(t, filepath.Join(dir, name, "SKILL.md"), time.Unix(1_000_000_000, 0))
	}
	r := root(dir)
	r.Label = "root"
	before := load(t, nil, r)
	for _, move := range [][2]string{{"a", "c"}, {"b", "a"}, {"c", "b"}} {
		if err := os.Rename(filepath.Join(dir, move[0]), filepath.Join(dir, move[1])); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{"root/a": "Other.", "root/b": "First."}
	if diff := cmp.Diff(want, descriptions(load(t, before, r))); diff != "" {
		t.Errorf("descriptions (-want +got):\n%s", diff)
	}
}
