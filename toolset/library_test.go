package toolset_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/toolset"
)

// library is the skills of some files below a root "library", ranked by words.
func library(t *testing.T, files map[string]string) (toolset.Library, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		writeFile(t, dir, txtar.File{Name: "library/" + name, Data: []byte(content)})
	}
	root := skill.Root{Path: filepath.Join(dir, "library"), Label: "library", Source: skill.SourceFlag, Nested: true}
	engine, err := skillsearch.Open(t.Context(), skillsearch.Config{Roots: []skill.Root{root}})
	if err != nil {
		t.Fatal(err)
	}
	return toolset.Library{Engine: engine, Project: dir}, dir
}

// skillText is a skill file.
func skillText(name, header string) string {
	return "---\nname: " + name + "\n" + header + "\n---\nThe body of " + name + ".\n"
}

// tool is a tool of a toolset.
func tool(t *testing.T, lib toolset.Library, set, name string) toolset.Tool {
	t.Helper()
	opened, err := toolset.Open(set, lib)
	if err != nil {
		t.Fatal(err)
	}
	found, err := opened.Tool(name)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestALongURIIsRefusedAtOnce holds that no resource takes longer to refuse than
// its skill's path may be.
func TestALongURIIsRefusedAtOnce(t *testing.T) {
	_, _, err := toolset.Library{}.Locate("skill://" + strings.Repeat("a/", 1<<20))
	if err == nil || !strings.Contains(err.Error(), "at most") {
		t.Error(err)
	}
}

// TestAProposedCommandRunsNothingElse holds that the name of a skill is one word
// of the command that an answer proposes.
func TestAProposedCommandRunsNothingElse(t *testing.T) {
	lib, _ := library(t, map[string]string{"library/x/SKILL.md": "---\nname: \"x'; touch pwned; '\"\ndisable-model-invocation: true\n---\nBody.\n"})
	set, err := toolset.Open("kerkov", lib)
	if err != nil {
		t.Fatal(err)
	}
	tool, err := set.Tool("skill_lookup")
	if err != nil {
		t.Fatal(err)
	}
	_, err = tool.Call(t.Context(), []byte(`{"action":"load","skill_id":"x'; touch pwned; '"}`))
	if err == nil || !strings.Contains(err.Error(), `(in a shell: skillsearch skill 'x'\''; touch pwned; '\''')`) {
		t.Error(err)
	}
}

// TestAHistoryIsToldWhatASearchFound holds that a history gets the query with
// what it found, as well as the load.
func TestAHistoryIsToldWhatASearchFound(t *testing.T) {
	lib, _ := library(t, map[string]string{
		"tides/SKILL.md": skillText("tides", "description: Tells when water is high."),
		"knots/SKILL.md": skillText("knots", "description: Ties ropes."),
	})
	h := &history{}
	lib.History = h
	for name, arguments := range map[string]string{"search_skills": `{"query":"high water"}`, "get_skill": `{"name":"tides"}`} {
		if _, err := tool(t, lib, "skillsearch", name).Call(t.Context(), []byte(arguments)); err != nil {
			t.Fatal(err)
		}
	}
	want := &history{found: []string{"high water [library/tides]"}, loads: []string{"library/tides"}}
	if diff := cmp.Diff(want, h, cmp.AllowUnexported(history{})); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
}
