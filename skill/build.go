package skill

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A builder gathers the files of all roots and decides which skills are seen.
type builder struct {
	roots    []Root
	books    shelves
	files    []rooted // root after root, in order of id
	skills   []*Skill // those of the files, with their books
	real     map[*Skill]string
	problems []Problem
	places   []Place
	hidden   map[*Skill]bool
}

// A rooted is a parsed file and the root it was found in.
type rooted struct {
	parsed
	root Root
}

func newBuilder(roots []Root) *builder {
	return &builder{roots: roots, books: newShelves(), real: make(map[*Skill]string), hidden: make(map[*Skill]bool)}
}

func (b *builder) add(root Root, w *walker, files []parsed) {
	b.problems = append(b.problems, w.problems...)
	b.places = append(b.places, w.places...)
	b.problems = append(b.problems, b.books.add(root, w.books)...)
	for _, f := range files {
		b.files = append(b.files, rooted{f, root})
		b.problems = append(b.problems, f.problems...)
	}
}

// assign gives the skills their books, which may lie in any root.
func (b *builder) assign() {
	for _, f := range b.files {
		if f.skill != nil {
			s := b.books.assign(f.skill, f.root)
			b.skills = append(b.skills, s)
			b.real[s] = f.file.real
		}
	}
}

// build decides names over all roots and makes the Catalogue.
func (b *builder) build() *Catalogue {
	c := &Catalogue{
		roots: b.roots, byID: make(map[string]*Skill), byName: make(map[string]*Skill),
		byFolded: make(map[string]*Skill), files: make(map[fileKey]parsed, len(b.files)),
	}
	b.assign()
	ranked := b.ranked()
	b.hide(ranked)
	for _, f := range b.files {
		c.files[fileKey{f.root.Label, f.file.path}] = f.parsed
	}
	for _, s := range ranked {
		c.byID[s.ID] = s
		if b.hidden[s] {
			c.hidden = append(c.hidden, s)
			continue
		}
		c.skills = append(c.skills, s)
		c.byRank = append(c.byRank, s)
		c.names(s)
	}
	byID := func(a, b *Skill) int { return strings.Compare(a.ID, b.ID) }
	slices.SortFunc(c.skills, byID)
	slices.SortFunc(c.hidden, byID)
	c.books = b.books.list(c)
	c.problems = SortProblems(b.problems)
	c.places = sortPlaces(b.places)
	return c
}

// names enters what a skill is found by; the first to take a name keeps it.
func (c *Catalogue) names(s *Skill) {
	for _, name := range []string{s.Name, s.Code} {
		if c.byName[name] == nil {
			c.byName[name] = s
		}
	}
	for _, name := range []string{s.ID, s.Name, s.Code} {
		if name = strings.ToLower(name); c.byFolded[name] == nil {
			c.byFolded[name] = s
		}
	}
}

// ranked are all skills, highest root first, then in path order.
func (b *builder) ranked() []*Skill {
	order := make(map[string]int, len(b.roots))
	for i, r := range b.roots {
		order[r.Label] = i
	}
	skills := slices.Clone(b.skills)
	slices.SortStableFunc(skills, func(x, y *Skill) int {
		return cmp.Or(cmp.Compare(order[y.Root], order[x.Root]), strings.Compare(x.ID, y.ID))
	})
	return skills
}

// hide finds the skills that are not seen: inactive ones, copies of equal bytes
// and name, and those whose name a higher root takes. Two different skills of
// one name in one root are both seen. What is hidden is a problem, unless it was
// made inactive, or is the very same file, reached by a link or another root.
func (b *builder) hide(ranked []*Skill) {
	first := make(map[string]*Skill)
	copies := make(map[string]*Skill)
	for _, s := range ranked {
		if !s.Active {
			b.hidden[s] = true
			continue
		}
		content := s.Name + "\x00" + string(s.Hash[:])
		if same := copies[content]; same != nil {
			b.hidden[s] = true
			if b.real[s] != b.real[same] {
				b.duplicate(s, fmt.Sprintf("the same bytes as %s (%s); they are listed once", same.ID, same.Path), "remove one of the copies")
			}
			continue
		}
		copies[content] = s
		b.hideShadowed(s, first)
	}
}

// hideShadowed looks at a skill whose content no higher one has; first holds
// the skill that each name means.
func (b *builder) hideShadowed(s *Skill, first map[string]*Skill) {
	winner := first[s.Name]
	switch {
	case winner == nil:
		first[s.Name] = s
	case winner.Root == s.Root:
		b.duplicate(s, fmt.Sprintf("the name %q is also that of %s (%s), which the name means", s.Name, winner.ID, winner.Path), "rename one of them")
	default:
		b.hidden[s] = true
		b.duplicate(s, fmt.Sprintf("the name %q is taken by %s (%s) in a higher root; this one is shadowed, its id still finds it", s.Name, winner.ID, winner.Path), "rename or remove one of them")
	}
}

func (b *builder) duplicate(s *Skill, message, remedy string) {
	b.problems = append(b.problems, Problem{Kind: DuplicateName, Path: s.Path, Skill: s.ID, Message: message, Remedy: remedy})
}

// SortProblems orders problems in place by path, line, kind and message, and
// returns them.
func SortProblems(problems []Problem) []Problem {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line),
			strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(a.Message, b.Message))
	})
	return problems
}

// distance is the Levenshtein distance in bytes, computed row by row.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
