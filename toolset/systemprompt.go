package toolset

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/skillsearch/skillsearch/skill"
)

// A PromptFormat is a form of the skill index in a system prompt.
type PromptFormat string

// The forms. PlanckPrompt is the section of Planck.Agent.Skill. XMLPrompt is
// what "skills-ref to-prompt" of the Agent Skills reference library prints
// (github.com/agentskills/agentskills, skills-ref/src/skills_ref/prompt.py).
// CodexPrompt has the headings and lines of OpenAI Codex
// (github.com/openai/codex, codex-rs/core-skills/src/render.rs).
const (
	PlanckPrompt PromptFormat = "planck"
	XMLPrompt    PromptFormat = "xml"
	CodexPrompt  PromptFormat = "codex"
)

// DefaultTop is how many of the last used skills Planck's form shows.
const DefaultTop = 10

// PromptOptions are the settings of a SystemPrompt. The zero value is Planck's form.
type PromptOptions struct {
	Format PromptFormat // "" is PlanckPrompt
	// Top is how many of the last used skills stand behind the pinned ones. 0 is
	// DefaultTop in Planck's form; in the others it is all of them, and then the
	// skills that were never used.
	Top int
	// MaxChars is how many characters the section may have; 0 is no bound.
	MaxChars int
}

// A promptForm writes the first n skills of an index, and that left more exist.
type promptForm struct {
	top   int // what a Top of 0 stands for; 0 is all skills
	write func(index promptIndex) func(n, left int) string
}

var promptForms = map[PromptFormat]promptForm{
	PlanckPrompt: {DefaultTop, promptIndex.planck},
	XMLPrompt:    {0, promptIndex.xml},
	CodexPrompt:  {0, promptIndex.codex},
}

// SystemPrompt is the index of skills for a system prompt; nil when there are none
// that a model may load. Skills that are pinned come first, by name, then the
// used ones, latest first: used has their ids or names in that order, and may
// have others, which are passed over. What does not fit into MaxChars is left
// out from the end, and a line says how many skills exist beside those shown.
//
// What a skill states is data: it takes one line, and can't close a tag.
func SystemPrompt(skills []*skill.Skill, used []string, o PromptOptions) ([]byte, error) {
	form, ok := promptForms[cmp.Or(o.Format, PlanckPrompt)]
	switch {
	case !ok:
		return nil, invalidf("format is %q; it must be planck, xml or codex", skill.Shorten(string(o.Format), 60))
	case o.Top < 0:
		return nil, invalidf("top is %d; it must be at least 1", o.Top)
	case o.MaxChars < 0:
		return nil, invalidf("max-chars is %d; it must be at least 1", o.MaxChars)
	}
	skills = forModels(skills)
	if len(skills) == 0 {
		return nil, nil
	}
	index := newPromptIndex(skills, used, cmp.Or(o.Top, form.top))
	write := form.write(index)
	text, ok := pack(len(index.skills), o.MaxChars, func(n int) string { return write(n, len(skills)-n) })
	if !ok {
		return nil, invalidf("max-chars is %d, in which not even the number of skills can be told; allow %d or more", o.MaxChars, runes(text))
	}
	return []byte(text), nil
}

// A promptIndex is the skills that a prompt shows, the most important first.
type promptIndex struct {
	skills []*skill.Skill
	pinned int // so many of them, from the first
}

// newPromptIndex orders skills, which stand by name: pinned, used, and where
// top is 0 the others.
func newPromptIndex(skills []*skill.Skill, used []string, top int) promptIndex {
	var x promptIndex
	shown := make(map[*skill.Skill]bool)
	add := func(s *skill.Skill) {
		if s != nil && !shown[s] {
			shown[s] = true
			x.skills = append(x.skills, s)
		}
	}
	for _, s := range skills {
		if pinned(s) {
			add(s)
		}
	}
	x.pinned = len(x.skills)
	find := finder(skills)
	for _, ref := range used {
		if top > 0 && len(x.skills) == x.pinned+top {
			return x
		}
		add(find(ref))
	}
	if top == 0 {
		for _, s := range skills {
			add(s)
		}
	}
	return x
}

// finder finds a skill by its id, else the first of that name.
func finder(skills []*skill.Skill) func(ref string) *skill.Skill {
	byID, byName := make(map[string]*skill.Skill, len(skills)), make(map[string]*skill.Skill, len(skills))
	for _, s := range skills {
		byID[s.ID] = s
		if byName[s.Name] == nil {
			byName[s.Name] = s
		}
	}
	return func(ref string) *skill.Skill { return cmp.Or(byID[ref], byName[ref]) }
}

// planck writes the pinned skills, the last used ones, and the line that leads
// to the others.
func (x promptIndex) planck() func(n, left int) string {
	lines := make([]string, len(x.skills))
	for i, s := range x.skills {
		lines[i] = fmt.Sprintf("- **%s** — %s (%s)\n", inert(named(s)), inert(describe(s)), inertPath(s.Path))
	}
	return func(n, left int) string {
		var parts []string
		if k := min(n, x.pinned); k > 0 {
			parts = append(parts, "## Skills\n\n"+strings.Join(lines[:k], ""))
		}
		if n > x.pinned {
			parts = append(parts, "## Last used skills\n\n"+strings.Join(lines[x.pinned:n], ""))
		}
		switch {
		case left > 0 && n > 0:
			parts = append(parts, fmt.Sprintf("Call `list_skills` to discover %s.\n", moreSkills(left)))
		case left > 0:
			parts = append(parts, fmt.Sprintf("Call `list_skills` to discover %s.\n", countSkills(left)))
		}
		return strings.Join(parts, "\n")
	}
}

// xml writes the element of the reference library. How many were left out is a
// comment, so that it stays one element.
func (x promptIndex) xml() func(n, left int) string {
	elements := make([]string, len(x.skills))
	for i, s := range x.skills {
		elements[i] = fmt.Sprintf("<skill>\n<name>\n%s\n</name>\n<description>\n%s\n</description>\n<location>\n%s\n</location>\n</skill>\n",
			XML(OneLine(s.Name)), XML(describe(s)), XML(linePath(s.Path)))
	}
	return func(n, left int) string {
		note := ""
		if left > 0 {
			note = "<!-- " + leftOut(left) + " -->\n"
		}
		return "<available_skills>\n" + strings.Join(elements[:n], "") + note + "</available_skills>\n"
	}
}

// codex writes a list under Codex's headings.
func (x promptIndex) codex() func(n, left int) string {
	lines := make([]string, len(x.skills))
	for i, s := range x.skills {
		lines[i] = fmt.Sprintf("- %s: %s (file: %s)\n", inert(named(s)), inert(describe(s)), inertPath(s.Path))
	}
	return func(n, left int) string {
		note := ""
		if left > 0 {
			note = leftOut(left) + "\n"
		}
		return "## Skills\nA skill is a file of instructions for one kind of task. When a task fits a description below, read that skill's file first and follow it.\n" +
			"### Available skills\n" + strings.Join(lines[:n], "") + note
	}
}

func leftOut(n int) string {
	if n == 1 {
		return "1 skill was left out; list_skills lists it."
	}
	return fmt.Sprintf("%d skills were left out; list_skills lists them.", n)
}

// SystemPrompt is the index of the library's skills, those used last by its
// History. A history that can't be read is logged, and then none was used.
func (l Library) SystemPrompt(ctx context.Context, o PromptOptions) ([]byte, error) {
	var used []string
	if l.History != nil {
		var err error
		if used, err = l.History.LastUsed(ctx, 0); err != nil && l.Logger != nil {
			l.Logger.ErrorContext(ctx, "the usage history can't be read", "error", err)
		}
	}
	return SystemPrompt(l.Engine.Catalogue().Skills(), used, o)
}
