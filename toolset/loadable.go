package toolset

import (
	"cmp"
	"slices"
	"strings"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
)

// loadable resolves a reference to a skill that a model may load. missing is
// the system's sentence for one that isn't there, with %q for the reference;
// close names follow it.
func (l Library) loadable(ref, missing string) (*skill.Skill, error) {
	s, err := l.Engine.Catalogue().Resolve(ref)
	if err != nil {
		return nil, failf(skill.ErrNotFound, missing+"%s", OneLine(skill.Shorten(ref, 100)), closeNames(err))
	}
	if s.OperatorOnly {
		return nil, failf(skillsearch.ErrForbidden, "skill %q is operator-only; ask the operator to load it with \"skillsearch skill %s\"", OneLine(s.Name), shellWord(s.ID))
	}
	return s, nil
}

// forModels are the skills that models may load; see the function.
func (l Library) forModels() []*skill.Skill {
	return forModels(l.Engine.Catalogue().Skills())
}

// forModels are those of the skills that models may load, by name, those of
// one name by id.
func forModels(skills []*skill.Skill) []*skill.Skill {
	kept := slices.DeleteFunc(slices.Clone(skills), func(s *skill.Skill) bool { return s.OperatorOnly })
	slices.SortFunc(kept, func(a, b *skill.Skill) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
	})
	return kept
}
