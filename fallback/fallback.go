// Package fallback answers: which skills match by words? It ranks with BM25F
// over name, title, description, tags and body.
package fallback

import (
	"cmp"
	"slices"

	"github.com/skillsearch/skillsearch/skill"
)

// A Match is one skill that shares words with the query.
type Match struct {
	ID    string  // skill id
	Score float64 // above zero
}

// An Index finds skills by their words. It is immutable and safe for concurrent
// use. It refers to the skills it was made from, and copies none of their text.
type Index struct {
	params    Params
	skills    []*skill.Skill // by ID
	terms     map[string]uint32
	starts    []uint32 // term t has postings[starts[t]:starts[t+1]]
	postings  []posting
	places    places
	spellings spellings
}

// A posting says what a term adds to the score of a skill.
type posting struct {
	skill uint32 // index into skills
	score float32
}

// New makes an index of the skills with the default parameters. It works on as
// many cores as there are; the index is the same whatever their number and
// whatever the order of the skills.
func New(skills []*skill.Skill) *Index {
	return NewWithParams(skills, DefaultParams())
}

// Search returns every skill with a score above zero, best first, equal scores
// by ID. Each term of the query counts once, and so does each two that follow
// each other. A skill whose whole name is the
// query, in any spelling, has one more term in common with it: this ranks it
// first, and finds it where the name is made of stop words.
func (x *Index) Search(query string) []Match {
	scores := make([]float64, len(x.skills))
	add := func(postings []posting) {
		for _, p := range postings {
			scores[p.skill] += float64(p.score)
		}
	}
	terms, phrases := x.analyse(query)
	for _, t := range terms {
		add(x.find(t.term))
	}
	for _, p := range phrases {
		add(x.phrase(p))
	}
	matches := []Match{}
	for i, score := range scores {
		if score > 0 {
			matches = append(matches, Match{ID: x.skills[i].ID, Score: score})
		}
	}
	slices.SortStableFunc(matches, func(a, b Match) int {
		return cmp.Compare(b.Score, a.Score)
	})
	return matches
}

// find returns the postings of a term, by skill.
func (x *Index) find(term string) []posting {
	t, ok := x.terms[term]
	if !ok {
		return nil
	}
	return x.postings[x.starts[t]:x.starts[t+1]]
}

// contribution is what postings add to the score of a skill, 0 if nothing.
func contribution(postings []posting, skill uint32) float64 {
	i, ok := slices.BinarySearchFunc(postings, skill, bySkill)
	if !ok {
		return 0
	}
	return float64(postings[i].score)
}

func bySkill(p posting, skill uint32) int { return cmp.Compare(p.skill, skill) }
