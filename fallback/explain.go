package fallback

import (
	"cmp"
	"slices"
	"strings"

	"github.com/skillsearch/skillsearch/skill"
)

// A Contribution says what one term of a query adds to the score of a skill.
type Contribution struct {
	// Term is what was searched, one of those in [Terms]; for the whole name it
	// begins with "=", and for a phrase it is two terms with a blank between.
	Term string
	// Word is what Term was in the query, without case and accents: the word
	// before stemming, a part of a compound, or the compound as one word.
	Word string
	// Fields have the term: "name", "title", "description", "tags", "body", in
	// this order. A title's word that the name has is the name's.
	Fields []string
	// Score is above zero. Those of all terms add up to the skill's, but for the
	// last digits.
	Score float64
}

// Explain says which terms of a query a skill has, those that add most to its
// score first, equal ones by term. It is empty if there are none, or no skill
// has this ID. It reads the skill again, which takes about as long as a search.
func (x *Index) Explain(query, id string) []Contribution {
	contributions := []Contribution{}
	i, ok := slices.BinarySearchFunc(x.skills, id, func(s *skill.Skill, id string) int {
		return cmp.Compare(s.ID, id)
	})
	if !ok {
		return contributions
	}
	fields := x.fieldsOf(x.skills[i])
	terms, phrases := x.analyse(query)
	for _, t := range terms {
		if score := contribution(x.find(t.term), uint32(i)); score > 0 {
			contributions = append(contributions, Contribution{Term: t.term, Word: t.word, Fields: fields[t.term], Score: score})
		}
	}
	for _, p := range phrases {
		if score := contribution(x.phrase(p), uint32(i)); score > 0 {
			word := p.first.word + " " + p.second.word
			contributions = append(contributions, Contribution{Term: p.term(), Word: word, Fields: fields[p.term()], Score: score})
		}
	}
	slices.SortFunc(contributions, func(a, b Contribution) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Term, b.Term))
	})
	return contributions
}

// fieldNames are the fields as Explain names them.
var fieldNames = [fieldCount]string{"name", "title", "description", "tags", "body"}

// fieldsOf says for each term and each phrase of a skill which fields have it.
func (x *Index) fieldsOf(s *skill.Skill) map[string][]string {
	r := newReader(x.params)
	fields := make(map[string][]string)
	add := func(term string, field int) {
		if have := fields[term]; len(have) == 0 || have[len(have)-1] != fieldNames[field] {
			fields[term] = append(have, fieldNames[field])
		}
	}
	c := r.read(s)
	for _, rec := range c.records {
		add(r.names[rec.term], rec.field())
	}
	start := 0
	for f, end := range c.ends {
		words := c.words[start:end]
		start = end
		for i := range max(len(words)-1, 0) {
			if words[i] != noPlace && words[i+1] != noPlace {
				add(r.names[words[i]]+" "+r.names[words[i+1]], f)
			}
		}
	}
	return fields
}
