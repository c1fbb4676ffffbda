package vectorstore

import (
	"cmp"
	"slices"
)

// A shelf is the passages of one skill key and the rows that hold them.
type shelf struct {
	skill    string
	passages []placed // ordered by index
}

// A placed passage is one that lies in a row.
type placed struct{ index, row int }

// find returns where the passage with an index is, or belongs.
func (s *shelf) find(index int) (at int, ok bool) {
	return slices.BinarySearchFunc(s.passages, index, func(p placed, index int) int {
		return cmp.Compare(p.index, index)
	})
}

// A shelves is all shelves of a store, by skill and in order.
type shelves struct {
	bySkill map[string]*shelf
	ordered []*shelf // by skill
}

// insert adds shelves of skills that are not there yet. It moves every shelf
// once at most, whatever their number.
func (s *shelves) insert(fresh []*shelf) {
	if len(fresh) == 0 {
		return
	}
	slices.SortFunc(fresh, func(a, b *shelf) int { return cmp.Compare(a.skill, b.skill) })
	end := len(s.ordered)
	s.ordered = append(s.ordered, fresh...)
	for i := len(fresh) - 1; i >= 0; i-- {
		at, _ := slices.BinarySearchFunc(s.ordered[:end], fresh[i].skill, func(have *shelf, skill string) int {
			return cmp.Compare(have.skill, skill)
		})
		copy(s.ordered[at+i+1:], s.ordered[at:end])
		s.ordered[at+i] = fresh[i]
		end = at
	}
}

// removeEmpty takes out the shelves that hold nothing.
func (s *shelves) removeEmpty() {
	s.ordered = slices.DeleteFunc(s.ordered, func(have *shelf) bool { return len(have.passages) == 0 })
}
