package toolset

import "github.com/skillsearch/skillsearch/skill"

// handle is by what a listing names a skill, so that a load of it gets this very
// skill: preferred, its name or code, where that means it and stands on one
// line, and otherwise its id.
func (l Library) handle(s *skill.Skill, preferred string) string {
	meant, err := l.Engine.Catalogue().Resolve(preferred)
	if err != nil || meant.ID != s.ID || OneLine(preferred) != preferred {
		return s.ID
	}
	return preferred
}
