package skill

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
)

// A Catalogue is an immutable snapshot of all skills of the roots, with the
// problems that were met. It is safe for concurrent use.
type Catalogue struct {
	roots    []Root
	skills   []*Skill // visible, in order of ID
	hidden   []*Skill // shadowed, folded or inactive, in order of ID
	byRank   []*Skill // visible, highest root first, then path order
	byID     map[string]*Skill
	byName   map[string]*Skill // names and codes of the visible
	byFolded map[string]*Skill // the same and ids, in lower case
	books    []Book            // in order of code
	problems []Problem
	places   []Place
	files    map[fileKey]parsed
}

// A fileKey is a file below a root; two roots may hold the same file.
type fileKey struct{ label, path string }

// Errors of a look-up or of reading a file beside a skill.
var (
	ErrNotFound    = errors.New("not found")
	ErrInvalidPath = errors.New("invalid path")
	ErrOutside     = errors.New("path leads out of the skill")
	ErrNotRegular  = errors.New("not a regular file")
	ErrTooLarge    = errors.New("file is too large")
)

// Skills are the visible skills in order of ID. The slice is the
// Catalogue's own: don't change it.
func (c *Catalogue) Skills() []*Skill { return c.skills }

// Hidden are the skills that lists, searches and tools leave out: shadowed by a
// higher root, folded into equal bytes, or inactive. In order of ID.
func (c *Catalogue) Hidden() []*Skill { return c.hidden }

// Problems are in order of path, line and kind.
func (c *Catalogue) Problems() []Problem { return c.problems }

// Roots are the roots that the Catalogue was loaded from.
func (c *Catalogue) Roots() []Root { return c.roots }

// Places are where a change on disk may change the Catalogue: every folder that
// was looked at, and what leads to it. In order of Dir and Name. The slice is
// the Catalogue's own: don't change it.
func (c *Catalogue) Places() []Place { return c.places }

// Equal reports whether two Catalogues say the same of everything.
func (c *Catalogue) Equal(other *Catalogue) bool {
	return slices.Equal(c.roots, other.roots) && slices.Equal(c.places, other.places) && slices.Equal(c.problems, other.problems) &&
		slices.Equal(c.books, other.books) &&
		reflect.DeepEqual(c.skills, other.skills) && reflect.DeepEqual(c.hidden, other.hidden)
}

// ByID finds a skill, a hidden one too, by its exact id.
func (c *Catalogue) ByID(id string) (*Skill, bool) {
	s, ok := c.byID[id]
	return s, ok
}

// Resolve finds the skill that ref means: an id, or else a name or code of a
// visible skill, exactly, then ignoring case; of several the one in the highest
// root, then the first by path. A shadowed skill is found by its id alone, an
// inactive one not at all. The error wraps ErrNotFound and names up to three
// close names.
func (c *Catalogue) Resolve(ref string) (*Skill, error) {
	if s, ok := c.byID[ref]; ok && s.Active {
		return s, nil
	}
	if s, ok := c.byName[ref]; ok {
		return s, nil
	}
	if s, ok := c.byFolded[strings.ToLower(ref)]; ok {
		return s, nil
	}
	names := make([]string, 0, 2*len(c.byRank))
	for _, s := range c.byRank {
		names = append(names, s.Name, s.Code)
	}
	return nil, &NotFoundError{What: "skill", Ref: ref, Close: closeTo(ref, names)}
}

// A NotFoundError says what was not found, and which names are close.
type NotFoundError struct {
	What  string // skill or SkillBook
	Ref   string
	Close []string // at most three
}

func (e *NotFoundError) Error() string {
	text := fmt.Sprintf("%s %q was not found", e.What, Shorten(e.Ref, 100))
	if len(e.Close) > 0 {
		text += "; did you mean " + strings.Join(e.Close, ", ") + "?"
	}
	return text
}

// Unwrap makes errors.Is(err, ErrNotFound) true.
func (e *NotFoundError) Unwrap() error { return ErrNotFound }

// closeTo are up to three of the names that differ from ref in few letters, the
// closest first.
func closeTo(ref string, names []string) []string {
	type scored struct {
		name     string
		distance int
	}
	ref = strings.ToLower(Shorten(ref, 100))
	var near []scored
	for _, name := range names {
		if d := distance(ref, strings.ToLower(name)); d <= max(1, len(ref)/3) {
			near = append(near, scored{name, d})
		}
	}
	slices.SortFunc(near, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), strings.Compare(a.name, b.name))
	})
	near = slices.Compact(near)
	closest := make([]string, 0, 3)
	for _, n := range near[:min(3, len(near))] {
		closest = append(closest, n.name)
	}
	return closest
}

// unchanged is what was read of a file before, when it is still the same file
// with the same size and time: of two files that were written at once, one may
// have been moved to the place of the other. A nil Catalogue knows nothing.
func (c *Catalogue) unchanged(root Root, f candidate) (parsed, bool) {
	if c == nil {
		return parsed{}, false
	}
	old, ok := c.files[fileKey{root.Label, f.path}]
	if !ok || old.failed || old.skill != nil && old.skill.Source != root.Source {
		return parsed{}, false
	}
	was := old.file
	same := was.rel == f.rel && was.real == f.real && os.SameFile(was.info, f.info) && was.info.Size() == f.info.Size() && was.info.ModTime().Equal(f.info.ModTime())
	return old, same
}
