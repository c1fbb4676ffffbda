package skillsearch

import (
	"cmp"
	"slices"
	"strings"
)

// Facets are the values by which the present skills can be filtered.
type Facets struct {
	SkillBooks []Facet `json:"skillbooks"`
	Categories []Facet `json:"categories"`
	Tags       []Facet `json:"tags"`
	Sources    []Facet `json:"sources"`
}

// A Facet is one value of a filter. Values that differ in case alone are one.
type Facet struct {
	Value  string `json:"value"` // as the first skill by ID writes it
	Skills int    `json:"skills"`
}

// Facets counts the skills of each value, those that most have first, then by
// value.
func (e *Engine) Facets() *Facets {
	var books, categories, tags, sources counter
	for _, s := range e.current.Load().skills {
		books.add(s.SkillBook)
		categories.add(s.Category)
		sources.add(s.Source)
		tags.add(s.Tags...)
	}
	return &Facets{SkillBooks: books.facets(), Categories: categories.facets(), Tags: tags.facets(), Sources: sources.facets()}
}

// A counter counts skills by value.
type counter struct {
	byKey map[string]*Facet
}

// add counts one skill for each of its values; an empty one is none.
func (c *counter) add(values ...string) {
	if c.byKey == nil {
		c.byKey = make(map[string]*Facet)
	}
	seen := make(map[string]bool, len(values))
	for _, value := range values {
		key := strings.ToLower(value)
		if value == "" || seen[key] {
			continue
		}
		seen[key] = true
		if c.byKey[key] == nil {
			c.byKey[key] = &Facet{Value: value}
		}
		c.byKey[key].Skills++
	}
}

func (c *counter) facets() []Facet {
	facets := make([]Facet, 0, len(c.byKey))
	for _, f := range c.byKey {
		facets = append(facets, *f)
	}
	slices.SortFunc(facets, func(a, b Facet) int {
		return cmp.Or(cmp.Compare(b.Skills, a.Skills), strings.Compare(a.Value, b.Value))
	})
	return facets
}
