package skillsearch

import (
	"encoding/hex"
	"sync"
	"sync/atomic"

	"github.com/skillsearch/skillsearch/fallback"
	"github.com/skillsearch/skillsearch/skill"
)

// A snapshot is one state of the catalogue with what queries need of it. It is
// immutable.
type snapshot struct {
	catalogue *skill.Catalogue
	skills    []*skill.Skill // the visible ones, in order of ID
	keys      []string       // the same skills' revisions, as the store knows them
	byKey     map[string]int
	byID      map[string]int
	words     func() *fallback.Index // built at the first need
	read      atomic.Bool            // words has been called
}

func newSnapshot(catalogue *skill.Catalogue) *snapshot {
	skills := catalogue.Skills()
	s := &snapshot{
		catalogue: catalogue, skills: skills, keys: make([]string, len(skills)),
		byKey: make(map[string]int, len(skills)), byID: make(map[string]int, len(skills)),
	}
	for i, sk := range skills {
		s.keys[i] = revision(sk)
		s.byKey[s.keys[i]] = i
		s.byID[sk.ID] = i
	}
	s.words = sync.OnceValue(func() *fallback.Index {
		s.read.Store(true)
		return fallback.New(skills)
	})
	return s
}

// revision names one content of one skill: vectors of an older content never
// count for a newer one.
func revision(s *skill.Skill) string {
	return s.ID + "@" + hex.EncodeToString(s.Hash[:8])
}
