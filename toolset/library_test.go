package toolset_test

import (
	"path/filepath"
	"testing"

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
