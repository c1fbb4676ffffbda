package skill_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/skill"
)

func TestAnIgnoreFileHasGitignoresForm(t *testing.T) {
	names := []string{"saw/SKILL.md", "rasp/SKILL.md", "wood/saw/SKILL.md", "wood/plane/SKILL.md", "old.md", "new.md", "draft-1/SKILL.md", "draft-2/SKILL.md"}
	tests := map[string]struct {
		ignore  string
		ignored []string // names that are left out
	}{
		"nothing":               {"# a comment\n\n", nil},
		"a name at any depth":   {"saw\n", []string{"root/saw", "root/wood/saw"}},
		"a name at the top":     {"/saw\n", []string{"root/saw"}},
		"a folder":              {"wood/\n", []string{"root/wood/plane", "root/wood/saw"}},
		"a folder, not a file":  {"old.md/\n", nil},
		"a path":                {"wood/saw\n", []string{"root/wood/saw"}},
		"a pattern":             {"draft-*\n", []string{"root/draft-1", "root/draft-2"}},
		"an exception":          {"draft-*\n!draft-2\n", []string{"root/draft-1"}},
		"flat files":            {"/*.md\n", []string{"root/new", "root/old"}},
		"a skill file":          {"rasp/SKILL.md\n", []string{"root/rasp"}},
		"two stars":             {"**/plane\n", []string{"root/wood/plane"}},
		"all below":             {"wood/**\n", []string{"root/wood/plane", "root/wood/saw"}},
		"windows line ends":     {"saw\r\nrasp\r\n", []string{"root/rasp", "root/saw", "root/wood/saw"}},
		"what is not a pattern": {"[\n(\n\\\nrasp\n", []string{"root/rasp"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{".skillsearchignore": tt.ignore}
			want := map[string]bool{}
			for _, n := range names {
				files[n] = text(strings.NewReplacer("/", "-", ".", "-").Replace(n), "A skill.")
				want["root/"+strings.TrimSuffix(strings.TrimSuffix(n, "/SKILL.md"), ".md")] = true
			}
			for _, id := range tt.ignored {
				delete(want, id)
			}
			c, _ := loadFiles(t, files)
			got := map[string]bool{}
			for _, s := range c.Skills() {
				got[s.ID] = true
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("listed (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnIgnoreFileThatIsNoneIsAProblem(t *testing.T) {
	dir := folder(t, map[string]string{"root/saw/SKILL.md": text("saw", "Cuts.")})
	fifo(t, filepath.Join(dir, "root/.skillsearchignore"))
	c := load(t, nil, root(filepath.Join(dir, "root")))
	got := []any{ids(c.Skills()), places(c.Problems(), dir)}
	if diff := cmp.Diff([]any{[]string{"root/saw"}, []string{"unreadable:root/.skillsearchignore"}}, got); diff != "" {
		t.Errorf("skills and problems (-want +got):\n%s", diff)
	}
}

func TestIgnoredNestedSkillsAreNoProblem(t *testing.T) {
	c, dir := loadFiles(t, map[string]string{
		".skillsearchignore": "examples/\ndemo/SKILL.md\n", "saw/SKILL.md": text("saw", "Cuts."),
		"saw/examples/a/SKILL.md": text("a", "An example."), "saw/demo/SKILL.md": text("b", "A demo."), "saw/c/SKILL.md": text("c", "Another."),
	})
	if diff := cmp.Diff([]string{"nested-skill:saw/c/SKILL.md"}, places(c.Problems(), dir)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestNestedListsTheSkillsInsideSkills(t *testing.T) {
	dir := folder(t, map[string]string{
		"saw/SKILL.md": text("saw", "Cuts."), "saw/parts/blade/SKILL.md": text("blade", "Is sharp."),
		"saw/parts/blade/tooth/skill.md": text("tooth", "Is sharper."), "saw/node_modules/x/SKILL.md": text("x", "Never."),
		"saw/notes.md": text("notes", "Flat files count at the top level only."),
	})
	r := root(dir)
	r.Label, r.Nested = "root", true
	c := load(t, nil, r)
	got := []any{ids(c.Skills()), places(c.Problems(), dir)}
	want := []any{
		[]string{"root/saw", "root/saw/parts/blade", "root/saw/parts/blade/tooth"},
		[]string{"nonstandard-filename:saw/parts/blade/tooth/skill.md"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("skills and problems (-want +got):\n%s", diff)
	}
}

func TestALinkToANestedSkillListsIt(t *testing.T) {
	dir := folder(t, map[string]string{"root/saw/SKILL.md": text("saw", "Cuts."), "root/saw/parts/blade/SKILL.md": text("blade", "Is sharp.")})
	link(t, "saw/parts/blade", filepath.Join(dir, "root/blade"))
	for _, nested := range []bool{false, true} {
		r := root(filepath.Join(dir, "root"))
		r.Nested = nested
		c := load(t, nil, r)
		if blade, err := c.Resolve("blade"); err != nil || len(c.Skills()) != 2 {
			t.Errorf("nested %v: blade is %v, %v, of %v", nested, blade, err, ids(c.Skills()))
		}
	}
}

func TestARootMayBeASkillItself(t *testing.T) {
	c, dir := loadFiles(t, map[string]string{"SKILL.md": "Cuts.\n", "notes.md": text("notes", "Part of it."), "parts/SKILL.md": text("parts", "Part of it.")})
	got := []any{ids(c.Skills()), c.Skills()[0].Name, c.Skills()[0].Dir, places(c.Problems(), dir)}
	want := []any{[]string{"root"}, "root", dir, []string{"frontmatter-missing:SKILL.md:1", "nested-skill:parts/SKILL.md"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ids, name, folder, problems (-want +got):\n%s", diff)
	}
}

func TestFoldersBelow64LevelsAreReported(t *testing.T) {
	deep := strings.Repeat("d/", 64)
	c, dir := loadFiles(t, map[string]string{deep + "SKILL.md": text("deep", "Just reached."), strings.Repeat("e/", 65) + "SKILL.md": text("deeper", "Too deep.")})
	got := []any{len(c.Skills()), places(c.Problems(), dir)}
	want := []any{1, []string{"limit-reached:" + strings.TrimSuffix(strings.Repeat("e/", 65), "/")}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("number of skills, problems (-want +got):\n%s", diff)
	}
}

func TestAMissingRootIsAProblemOnlyWhereItWasNamed(t *testing.T) {
	dir := folder(t, map[string]string{"file": "x"})
	tests := map[string]struct {
		path, source string
		want         []string
	}{
		"user":       {"gone", skill.SourceUser, nil},
		"project":    {"gone", skill.SourceProject, nil},
		"plugin":     {"gone", skill.SourcePlugin, nil},
		"bundled":    {"gone", skill.SourceBundled, nil},
		"config":     {"gone", skill.SourceConfig, []string{"unreadable:gone"}},
		"flag":       {"gone", skill.SourceFlag, []string{"unreadable:gone"}},
		"a file":     {"file", skill.SourceUser, []string{"not-regular-file:file"}},
		"below file": {"file/x", skill.SourceUser, []string{"unreadable:file/x"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := load(t, nil, skill.Root{Path: filepath.Join(dir, tt.path), Label: "root", Source: tt.source})
			if diff := cmp.Diff(append([]string{}, tt.want...), places(c.Problems(), dir)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatCannotBeReadIsAProblemAndItsNeighboursAreListed(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	dir := folder(t, map[string]string{
		"root/saw/SKILL.md": text("saw", "Cuts."), "root/shut/SKILL.md": text("shut", "A folder."), "root/locked/SKILL.md": text("locked", "A file."),
		"root/listed/SKILL.md": text("listed", "A folder that can be listed, not entered."), "root/a/deep/SKILL.md": text("deep", "Cuts."),
	})
	for path, mode := range map[string]os.FileMode{"root/shut": 0, "root/locked/SKILL.md": 0, "root/listed": 0o444} {
		chmod(t, filepath.Join(dir, path), mode)
	}
	c := load(t, nil, root(filepath.Join(dir, "root")))
	got := []any{ids(c.Skills()), places(c.Problems(), dir)}
	want := []any{
		[]string{"root/a/deep", "root/saw"},
		[]string{"unreadable:root/listed/SKILL.md", "unreadable:root/locked/SKILL.md", "unreadable:root/shut"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("skills and problems (-want +got):\n%s", diff)
	}
	// The mend changes neither size nor time, and counts all the same.
	chmod(t, filepath.Join(dir, "root/locked/SKILL.md"), 0o644)
	if _, err := load(t, c, root(filepath.Join(dir, "root"))).Resolve("locked"); err != nil {
		t.Errorf("after the mend: %v", err)
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(path, info.Mode()) })
}

func TestTheSameFoldersGiveTheSameCatalogueOnAnyNumberOfCores(t *testing.T) {
	files := map[string]string{}
	for i := range 200 {
		name := string(rune('a'+i%26)) + strings.Repeat("x", i%7)
		files[name+"/"+strings.Repeat("y", i%5+1)+"/SKILL.md"] = text(name, "Use when: "+name)
	}
	dir := folder(t, files)
	once := describe(load(t, nil, root(dir)), dir)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, n := range []int{1, 2, 16} {
		runtime.GOMAXPROCS(n)
		if diff := cmp.Diff(once, describe(load(t, nil, root(dir)), dir)); diff != "" {
			t.Errorf("%d cores (-want +got):\n%s", n, diff)
		}
	}
}

func TestLoadEndsWithItsContext(t *testing.T) {
	dir := folder(t, map[string]string{"saw/SKILL.md": text("saw", "Cuts.")})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if c, err := skill.Load(ctx, []skill.Root{root(dir)}, nil); c != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("Load of an ended context: %v, %v", c, err)
	}
}
