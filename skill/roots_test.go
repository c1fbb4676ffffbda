package skill_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/skill"
)

// table states roots one a line, paths below dir.
func table(roots []skill.Root, dir string) string {
	var out strings.Builder
	for _, r := range roots {
		path := filepath.ToSlash(strings.TrimPrefix(r.Path, dir))
		fmt.Fprintf(&out, "%-9s %-16s %-10s %s\n", r.Source, r.Label, r.SkillBook, path)
	}
	return out.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		write(t, path, got)
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// The order is part of what users rely on: read a change of the golden file
// against the list of roots in the documentation.
func TestDefaultRootsStandInTheirOrder(t *testing.T) {
	golden(t, "default-roots.txt", table(skill.DefaultRoots("/home/ann", "/home/ann/.config", "/src/boat"), ""))
}

func TestDefaultRootsLeaveOutWhatIsNotKnown(t *testing.T) {
	all := skill.DefaultRoots("/home/ann", "/home/ann/.config", "/src/boat")
	tests := map[string]struct {
		home, config, project string
		keep                  func(skill.Root) bool
	}{
		"no home":             {"", "/home/ann/.config", "/src/boat", func(r skill.Root) bool { return r.Source == skill.SourceProject || r.Label == "user-opencode" }},
		"no configuration":    {"/home/ann", "", "/src/boat", func(r skill.Root) bool { return r.Label != "user-opencode" }},
		"no project":          {"/home/ann", "/home/ann/.config", "", func(r skill.Root) bool { return r.Source == skill.SourceUser || r.Plugins }},
		"the home as project": {"/home/ann", "/home/ann/.config", "/home/ann", func(r skill.Root) bool { return r.Source == skill.SourceUser || r.Plugins }},
		"nothing":             {"", "", "", func(skill.Root) bool { return false }},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var want []skill.Root
			for _, r := range all {
				if tt.keep(r) {
					want = append(want, r)
				}
			}
			if diff := cmp.Diff(want, skill.DefaultRoots(tt.home, tt.config, tt.project)); diff != "" {
				t.Errorf("roots (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEverySkillsFolderOfAPluginIsARoot(t *testing.T) {
	dir := folder(t, map[string]string{
		".claude/plugins/marketplaces/shop/plugins/wood/skills/saw/SKILL.md":    text("saw", "Cuts."),
		".claude/plugins/marketplaces/shop/plugins/wood/skills/saw/skills/x.md": "Part of a skills folder.",
		".claude/plugins/cache/shop/wood/1.2/skills/rasp/SKILL.md":              text("rasp", "Files."),
		".claude/plugins/a-b/skills/glue/SKILL.md":                              text("glue", "Sticks."),
		".claude/plugins/a/b/skills/clamp/SKILL.md":                             text("clamp", "Holds."),
		".claude/plugins/a/node_modules/x/skills/never/SKILL.md":                text("never", "A dependency."),
		".claude/plugins/1/2/3/4/5/6/skills/deep/SKILL.md":                      text("deep", "Just reached."),
		".claude/plugins/1/2/3/4/5/6/7/skills/deeper/SKILL.md":                  text("deeper", "Too deep."),
		".claude/plugins/skills.md":                                             "A file.",
	})
	c := load(t, nil, skill.DefaultRoots(dir, "", "")...)
	var plugins []skill.Root
	for _, r := range c.Roots() {
		if r.Source == skill.SourcePlugin {
			plugins = append(plugins, r)
		}
	}
	golden(t, "plugin-roots.txt", table(plugins, dir))
	want := []string{"plugin-1-2-3-4-5-6/deep", "plugin-a-b-2/glue", "plugin-a-b/clamp", "plugin-cache-shop-wood-1.2/rasp", "plugin-marketplaces-shop-plugins-wood/saw"}
	if diff := cmp.Diff([]any{want, []string{}}, []any{ids(c.Skills()), places(c.Problems(), dir)}); diff != "" {
		t.Errorf("skills and problems (-want +got):\n%s", diff)
	}
}

func TestTheProjectIsTheNearestFolderUpwards(t *testing.T) {
	dir := folder(t, map[string]string{
		"home/.claude/skills/x.md": "", "home/repo/.git/HEAD": "", "home/repo/src/deep/x": "", "home/repo/sub/.git": "gitdir: elsewhere\n",
		"home/agents/.agents/skills/x.md": "", "home/agents/src/x": "", "home/hub/.github/skills/x.md": "", "home/only-folder/.claude/x": "",
		"home/repo/tool/.batbox/skills/x.md": "", "home/.git": "", "home/file-skills/.codex/skills": "a file", "elsewhere/x": "",
	})
	home := filepath.Join(dir, "home")
	for from, want := range map[string]string{
		"home/repo": "home/repo", "home/repo/src/deep": "home/repo", "home/repo/sub": "home/repo/sub", "home/repo/tool": "home/repo/tool",
		"home/agents/src": "home/agents", "home/hub": "home/hub", "home/only-folder": "", "home/file-skills": "", "home": "", "elsewhere": "", "home/not/there": "",
	} {
		if want != "" {
			want = filepath.Join(dir, want)
		}
		if got := skill.ProjectFolder(filepath.Join(dir, from), home); got != want {
			t.Errorf("the project of %s is %q, want %q", from, got, want)
		}
	}
	if got := skill.ProjectFolder(filepath.Join(dir, "home/only-folder"), ""); got != home {
		t.Errorf("without a home the project is %q, want %q", got, home)
	}
}

func TestExpandPathKnowsTheHomeFolder(t *testing.T) {
	tests := []struct{ path, want string }{
		{"~/skills", "/home/ann/skills"},
		{"$HOME/skills", "/home/ann/skills"},
		{"${HOME}/skills", "/home/ann/skills"},
		{"~", "/home/ann"},
		{"$HOME", "/home/ann"},
		{"~/", "/home/ann"},
		{"./skills", "/src/skills"},
		{"skills", "/src/skills"},
		{"../skills", "/skills"},
		{".", "/src"},
		{"/abs/../skills/", "/skills"},
		{"$HOMESTEAD/skills", "/src/$HOMESTEAD/skills"},
		{"a/~/b", "/src/a/~/b"},
	}
	for _, tt := range tests {
		if got, err := skill.ExpandPath(tt.path, "/home/ann", "/src"); got != tt.want || err != nil {
			t.Errorf("%s is %q (%v), want %q", tt.path, got, err, tt.want)
		}
	}
	if got, err := skill.ExpandPath("~ann/skills", "/home/ann", "/src"); err == nil || errors.Is(err, skill.ErrHomeNotSet) || !strings.Contains(err.Error(), "write the whole path") {
		t.Errorf("another user's home is %q, %v; want an error that says what to do", got, err)
	}
	for _, path := range []string{"~/skills", "$HOME", "${HOME}/x"} {
		if got, err := skill.ExpandPath(path, "", "/src"); !errors.Is(err, skill.ErrHomeNotSet) || !strings.Contains(err.Error(), "set HOME") {
			t.Errorf("%s without a home is %q, %v", path, got, err)
		}
	}
	for _, path := range []string{"./skills", "/skills"} {
		if got, err := skill.ExpandPath(path, "", "/src"); err != nil {
			t.Errorf("%s without a home is %q, %v", path, got, err)
		}
	}
}

// One folder by whatever name: seen in phil65/agentpool#8, earendil-works/pi#778.
func TestAHomeRootIsFoundUnderAllItsNamesAndNoneIsMade(t *testing.T) {
	dir := folder(t, map[string]string{"home/skills/at-home/SKILL.md": text("at-home", "At home."), "work/skills/at-work/SKILL.md": text("at-work", "At work.")})
	home, work := filepath.Join(dir, "home"), filepath.Join(dir, "work")
	for path, want := range map[string]string{"~/skills": "skills/at-home", "$HOME/skills": "skills/at-home", "${HOME}/skills": "skills/at-home", "./skills": "skills/at-work"} {
		expanded, err := skill.ExpandPath(path, home, work)
		if err != nil {
			t.Fatal(err)
		}
		c := load(t, nil, skill.NamedRoots(skill.SourceConfig, expanded)...)
		if diff := cmp.Diff([]any{[]string{want}, []string{}}, []any{ids(c.Skills()), places(c.Problems(), dir)}); diff != "" {
			t.Errorf("%s: skills and problems (-want +got):\n%s", path, diff)
		}
	}
	for _, below := range []string{dir, home, work} {
		entries, err := os.ReadDir(below)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if strings.ContainsAny(e.Name(), "~$") {
				t.Errorf("a folder %s was made", filepath.Join(below, e.Name()))
			}
		}
	}
}

func TestEveryRootHasALabelOfItsOwn(t *testing.T) {
	dir := folder(t, map[string]string{"a/skills/saw/SKILL.md": text("saw", "Cuts."), "b/skills/rasp/SKILL.md": text("rasp", "Files."), "c/skills/glue/SKILL.md": text("glue", "Sticks.")})
	named := skill.NamedRoots(skill.SourceFlag, filepath.Join(dir, "a/skills"), filepath.Join(dir, "b/skills"), filepath.Join(dir, "c/skills"))
	labels := func(change func(roots []skill.Root)) []string {
		roots := append([]skill.Root{}, named...)
		change(roots)
		c := load(t, nil, roots...)
		out := ids(c.Skills())
		for _, r := range c.Roots() {
			out = append(out, r.Label+" "+r.SkillBook)
		}
		return out
	}
	tests := map[string]struct {
		change func(roots []skill.Root)
		want   []string
	}{
		"one name": {func([]skill.Root) {}, []string{"skills-2/rasp", "skills-3/glue", "skills/saw", "skills skills", "skills-2 skills", "skills-3 skills"}},
		"a taken number": {
			func(r []skill.Root) { r[0].Label = "skills-2" },
			[]string{"skills-2/saw", "skills-3/glue", "skills/rasp", "skills-2 skills-2", "skills skills", "skills-3 skills"},
		},
		"none":    {func(r []skill.Root) { r[1].Label = "" }, []string{"skills-2/rasp", "skills-3/glue", "skills/saw", "skills skills", "skills-2 skills", "skills-3 skills"}},
		"a slash": {func(r []skill.Root) { r[1].Label = "a/b" }, []string{"a-b/rasp", "skills-2/glue", "skills/saw", "skills skills", "a-b a/b", "skills-2 skills"}},
		"control": {func(r []skill.Root) { r[1].Label = "a\nb" }, []string{"a%0Ab/rasp", "skills-2/glue", "skills/saw", "skills skills", "a%0Ab a\nb", "skills-2 skills"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, labels(tt.change)); diff != "" {
				t.Errorf("ids, labels and books (-want +got):\n%s", diff)
			}
		})
	}
	if diff := cmp.Diff([]string{"skills", "skills", "skills"}, []string{named[0].Label, named[1].Label, named[2].Label}); diff != "" {
		t.Errorf("Load changed its caller's roots (-want +got):\n%s", diff)
	}
}
