package skillsearch

import (
	"math"
	"slices"
	"strings"

	"github.com/skillsearch/skillsearch/ranker"
	"github.com/skillsearch/skillsearch/skill"
)

// evidence gathers from an order of the view what tells whether any skill fits
// the query, among the skills that keep keeps.
func (v *view) evidence(order []ranker.Ranked, keep func(*skill.Skill) bool, query string) ranker.Evidence {
	e := ranker.Evidence{By: string(v.ranking)}
	kept := func(place ranker.Ranked) bool { return keep(v.snapshot.skills[place.Index]) }
	first := slices.IndexFunc(order, kept)
	if first < 0 {
		return e
	}
	var scores, cosines, lexical []float64
	for _, place := range order {
		if kept(place) {
			scores = append(scores, place.Score)
		}
	}
	for i, item := range v.items {
		if keep(v.snapshot.skills[i]) {
			cosines, lexical = append(cosines, item.Cosine(v.bodies)), append(lexical, item.Lexical)
		}
	}
	best := order[first].Index
	e.Skills = len(cosines)
	e.Gap = apart(scores[0]-scores[min(len(scores), DefaultLimit)-1], scores, 0)
	e.Cosine, e.Lexical = v.items[best].Cosine(v.bodies), v.items[best].Lexical
	e.CosineApart, e.LexicalApart = apart(e.Cosine, cosines, mean(cosines)), apart(e.Lexical, lexical, mean(lexical))
	e.Coverage = coverage(v.snapshot.skills[best], query)
	return e
}

// apart is how far x lies above from, in standard deviations of the scores; 0
// where all are equal.
func apart(x float64, scores []float64, from float64) float64 {
	m, squares := mean(scores), 0.0
	for _, s := range scores {
		squares += (s - m) * (s - m)
	}
	if squares == 0 {
		return 0
	}
	return (x - from) / math.Sqrt(squares/float64(len(scores)))
}

func mean(scores []float64) float64 {
	sum := 0.0
	for _, s := range scores {
		sum += s
	}
	return sum / float64(len(scores))
}

// coverage is the share of the query's different terms that a skill has.
func coverage(s *skill.Skill, query string) float64 {
	wanted := termSet(query)
	if len(wanted) == 0 {
		return 0
	}
	text := strings.Join([]string{s.Name, s.Title, s.Description, strings.Join(s.Tags, " "), s.Body}, "\n")
	return float64(countTerms(text, wanted)) / float64(len(wanted))
}
