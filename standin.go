package skillsearch

import "github.com/skillsearch/skillsearch/skill"

// The vectors of a skill answer for it once they are complete enough: it has
// joined the index. Until a skill that was edited joins with its new content,
// the vectors of the content before stand in, and its hits say stale
// (docs/decisions/030-stale.md). The index's lock guards all of this.

// joined reports whether a skill's own vectors answer for it: its head's, and
// where bodies count already those of its first body passages, because for the
// sake of one skill bodies don't stop to count for all.
func (x *index) joined(i int) bool {
	return x.state[i][0] == embedded && (!x.whole || countMissing(x.state[i]) == 0)
}

// key is what the store has the vectors under that answer for a skill; "" when
// there are none.
func (x *index) key(i int) string {
	if x.joined(i) {
		return x.snapshot.keys[i]
	}
	return x.standIns[i]
}

// keyOf is the key of a skill of the snapshot; of one that it hides, its own.
func (x *index) keyOf(s *skill.Skill) string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if i, ok := x.snapshot.byID[s.ID]; ok {
		return x.key(i)
	}
	return revision(s)
}

// share is what a skill adds to the counts of the index.
func (x *index) share(i int) (answered, waiting int) {
	switch {
	case x.joined(i):
		return 1, countMissing(x.state[i])
	case x.standIns[i] != "":
		return 1, 0
	}
	return 0, 0
}

// complete reports whether nothing is missing of any skill's head and first
// body passages.
func (x *index) complete() bool {
	for _, states := range x.state {
		if states[0] == missing {
			return false
		}
	}
	return x.waiting == 0
}

// standInFor is the key of an older content that answers for a skill in
// previous, the index of the snapshot before.
func standInFor(previous *index, id, key string) string {
	old, ok := previous.snapshot.byID[id]
	if !ok || previous.key(old) == key {
		return ""
	}
	return previous.key(old)
}

// An answering tells for which skill a key of the store answers, at one moment.
type answering struct {
	snapshot *snapshot
	joined   []bool
	standIns map[string]int
	count    int // skills that have vectors
	bodies   bool
}

func (x *index) answering() answering {
	x.mu.RLock()
	defer x.mu.RUnlock()
	a := answering{snapshot: x.snapshot, joined: make([]bool, len(x.state)), standIns: make(map[string]int), count: x.heads, bodies: x.waiting == 0}
	for i := range x.state {
		a.joined[i] = x.joined(i)
		if !a.joined[i] && x.standIns[i] != "" {
			a.standIns[x.standIns[i]] = i
		}
	}
	return a
}

// skill is the skill that a key answers for; stale says that the key's content
// is older than the skill's.
func (a answering) skill(key string) (i int, stale, ok bool) {
	if i, ok = a.snapshot.byKey[key]; ok {
		return i, false, a.joined[i]
	}
	i, ok = a.standIns[key]
	return i, ok, ok
}

// stale counts the skills for which an older content answers.
func (x *index) stale() (n int) {
	for i := range x.state {
		if !x.joined(i) && x.standIns[i] != "" {
			n++
		}
	}
	return n
}

// todoToJoin are the texts without a vector that keep skills from joining.
func (x *index) todoToJoin() []task {
	if x.whole {
		return x.todo(0, firstPassages)
	}
	return x.todo(0, 1)
}
