package toolset

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/skillsearch/skillsearch/skill"
)

// planck is the toolset of Planck. Its third part is the section of the system
// prompt; see SystemPrompt.
type planck struct{ Library }

func openPlanck(lib Library) []Tool {
	p := planck{lib}
	return []Tool{{
		Name: "list_skills", Title: "List skills", call: p.list,
		Description: "List the names and descriptions of all skills.",
		Input:       []Parameter{{Name: "creator", Type: String, Description: `"agent" keeps the skills that agents wrote`}},
		Output:      []Field{{"skills", "array"}},
	}, {
		Name: "load_skill", Title: "Load a skill", call: p.loadSkill,
		Description: "Load a skill's SKILL.md by its name, when the skill is relevant to the task.",
		Input:       []Parameter{{Name: "name", Type: String, Required: true, Description: "the skill's name"}},
		Output: []Field{
			{"name", "string"},
			{"description", "string"},
			{"path", "string"},
			{"skill_file", "string"},
			{"always_present", "boolean"},
			{"planck_version", "string"},
			{"creator", "string"},
			{"content", "string"},
		},
	}}
}

// A planckListed is one skill of a list.
type planckListed struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

func (p planck) list(_ context.Context, args Arguments) (Result, error) {
	list := struct {
		Skills []planckListed `json:"skills"`
	}{[]planckListed{}}
	creator := args.Text("creator")
	var out strings.Builder
	for _, s := range p.forModels() {
		if creator == "" || s.Creator == creator {
			list.Skills = append(list.Skills, planckListed{s.Name, s.Description})
			fmt.Fprintf(&out, "- **%s**: %s\n", OneLine(s.Name), OneLine(s.Description))
		}
	}
	if len(list.Skills) == 0 {
		out.WriteString("No skills available.\n")
	}
	return Result{Text: out.String(), Structured: list}, nil
}

// A planckSkill is what Planck knows of a skill, and its file.
type planckSkill struct {
	Name          string `json:"name"`
	Description   string `json:"description"`
	Path          string `json:"path"` // of the folder
	SkillFile     string `json:"skill_file"`
	AlwaysPresent bool   `json:"always_present"`
	PlanckVersion string `json:"planck_version,omitempty"`
	Creator       string `json:"creator,omitempty"`
	Content       string `json:"content"`
}

func (p planck) loadSkill(ctx context.Context, args Arguments) (Result, error) {
	s, err := p.loadable(args.Text("name"), "unknown skill: %q; names stand in the skills section of the system prompt, and list_skills lists them.")
	if err != nil {
		return Result{}, err
	}
	content, err := s.ReadText()
	if err != nil {
		return Result{}, err
	}
	p.load(ctx, "planck", s)
	return Result{Text: content, Structured: planckSkill{
		s.Name, s.Description, filepath.Dir(s.Path), s.Path, pinned(s), s.PlanckVersion, s.Creator, content,
	}}, nil
}

// pinned reports whether a skill stands in every prompt. A user says so of a
// skill; what agents wrote can't push itself forward.
func pinned(s *skill.Skill) bool { return s.AlwaysPresent && s.Creator != "agent" }
