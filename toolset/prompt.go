package toolset

import (
	"context"
	"regexp"

	"github.com/skillsearch/skillsearch/skill"
)

// A Prompt is a skill as a person calls it: a slash command in clients of MCP.
// Operator-only skills are among them, because it is the operator who calls.
type Prompt struct {
	Name        string // unique
	Title       string
	Description string
	Skill       *skill.Skill
}

// promptName is what every client takes as the name of a command.
var promptName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)

// Prompts are those of all skills, in order of id. A prompt has its skill's name
// where that means this skill and a client can show it, otherwise the id.
func (l Library) Prompts() []Prompt {
	c := l.Engine.Catalogue()
	prompts := make([]Prompt, len(c.Skills()))
	for i, s := range c.Skills() {
		p := Prompt{Name: escapePath(s.ID), Title: OneLine(s.Title), Description: skill.Shorten(OneLine(s.Description), 300), Skill: s}
		if named, err := c.Resolve(s.Name); err == nil && named == s && promptName.MatchString(s.Name) {
			p.Name = s.Name
		}
		prompts[i] = p
	}
	return prompts
}

// Prompt is the text of a prompt for an input: the skill's body, in which the
// input stands for $ARGS, or behind which it stands where there is none.
func (l Library) Prompt(ctx context.Context, name, input string) (Prompt, string, error) {
	for _, p := range l.Prompts() {
		if p.Name == name {
			l.load(ctx, "prompt", p.Skill)
			return p, withInput(p.Skill.Body, input), nil
		}
	}
	_, err := l.Engine.Catalogue().Resolve(name)
	return Prompt{}, "", failf(skill.ErrNotFound, "there is no prompt %q; prompts/list gives those there are.%s", OneLine(skill.Shorten(name, 100)), closeNames(err))
}
