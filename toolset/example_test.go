package toolset_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/toolset"
)

// What the functions of Planck.Agent.Skill do: load_all, from_file,
// system_prompt_section, list_skills_tool and load_skill_tool.
func Example_planck() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, header := range map[string]string{"n8n-expert": "description: Builds workflows.\nalways_present: true", "tides": "description: Tells the tides.", "knots": "description: Ties ropes."} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "SKILL.md"), []byte(skillText(name, header)), 0o600); err != nil {
			log.Fatal(err)
		}
	}

	// load_all: a missing root is no error.
	roots := skill.NamedRoots(skill.SourceFlag, dir, filepath.Join(dir, "missing"))
	engine, err := skillsearch.Open(ctx, skillsearch.Config{Roots: roots})
	if err != nil {
		log.Fatal(err)
	}
	// from_file
	one, _, err := skill.LoadFile(filepath.Join(dir, "tides", "SKILL.md"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(one.Name, "is pinned:", one.AlwaysPresent)

	// system_prompt_section, with ranked names
	section, err := toolset.SystemPrompt(engine.Catalogue().Skills(), []string{"tides"}, toolset.PromptOptions{Top: 5})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(strings.ReplaceAll(string(section), dir, "~/skills"))

	// list_skills_tool and load_skill_tool
	planck, err := toolset.Open("planck", toolset.Library{Engine: engine})
	if err != nil {
		log.Fatal(err)
	}
	load, err := planck.Tool("load_skill")
	if err != nil {
		log.Fatal(err)
	}
	result, err := load.Call(ctx, []byte(`{"name":"knots"}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(result.Text)
	// Output:
	// tides is pinned: false
	// ## Skills
	//
	// - **n8n-expert** — Builds workflows. (~/skills/n8n-expert/SKILL.md)
	//
	// ## Last used skills
	//
	// - **tides** — Tells the tides. (~/skills/tides/SKILL.md)
	//
	// Call `list_skills` to discover 1 more skill.
	// ---
	// name: knots
	// description: Ties ropes.
	// ---
	// The body of knots.
}
