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
	e.Gap = spreadOf(scores).deviations(scores[0] - scores[min(len(scores), DefaultLimit)-1])
	e.Cosine, e.Lexical = v.items[best].Cosine(v.bodies), v.items[best].Lexical
	e.CosineApart, e.LexicalApart = spreadOf(cosines).apart(e.Cosine), spreadOf(lexical).apart(e.Lexical)
	e.Coverage = coverage(v.snapshot.skills[best], query)
	return e
}

// A spread is how scores lie.
type spread struct{ mean, deviation float64 }

func spreadOf(scores []float64) spread {
	var sum, squares float64
	for _, s := range scores {
		sum += s
	}
	mean := sum / float64(len(scores))
	for _, s := range scores {
		squares += (s - mean) * (s - mean)
	}
	return spread{mean, math.Sqrt(squares / float64(len(scores)))}
}

// deviations are a distance in standard deviations; 0 where all scores are equal.
func (s spread) deviations(distance float64) float64 {
	if s.deviation == 0 {
		return 0
	}
	return distance / s.deviation
}

// apart is how far a score lies above the mean, in standard deviations.
func (s spread) apart(score float64) float64 { return s.deviations(score - s.mean) }

// coverage is the share of the query's different terms that a skill has.
func coverage(s *skill.Skill, query string) float64 {
	wanted := termSet(query)
	if len(wanted) == 0 {
		return 0
	}
	text := strings.Join([]string{s.Name, s.Title, s.Description, strings.Join(s.Tags, " "), s.Body}, "\n")
	return float64(countTerms(text, wanted)) / float64(len(wanted))
}
