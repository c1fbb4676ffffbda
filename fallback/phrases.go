package fallback

import (
	"slices"
	"sort"
)

// A queryPhrase is two terms that follow each other in a query, but for stop
// words. Terms that are pairs of characters already make none.
type queryPhrase struct{ first, second queryTerm }

// term is what Explain calls a phrase.
func (p queryPhrase) term() string { return p.first.term + " " + p.second.term }

// maxPhrases is how many phrases of a query count, the first ones: enough for
// what people ask, and few enough for a page of text to be searched quickly.
const maxPhrases = 128

// places says where terms stand: all words of all skills have one sequence of
// positions from 1, with one left free between fields.
type places struct {
	begins []uint32 // skill i has the positions from begins[i] to before begins[i+1]
	starts []uint32 // term t stands at at[starts[t]:starts[t+1]], ascending
	at     []uint32
}

// noPlace stands between the words of two fields.
const noPlace = noTerm

// place sorts the words of all skills by term. It numbers those of counted anew.
func place(counted []counts, numbers [][]uint32, terms int) places {
	p := places{begins: append(make([]uint32, 0, len(counted)+1), 1), starts: make([]uint32, terms+1)}
	for _, c := range counted {
		known := numbers[c.reader]
		for i, n := range c.words {
			if n != noPlace {
				c.words[i] = known[n]
				p.starts[known[n]+1]++
			}
		}
		p.begins = append(p.begins, p.begins[len(p.begins)-1]+uint32(len(c.words)))
	}
	for t := range terms {
		p.starts[t+1] += p.starts[t]
	}
	p.at = make([]uint32, p.starts[terms])
	next := slices.Clone(p.starts)
	for s, c := range counted {
		for i, t := range c.words {
			if t != noPlace {
				p.at[next[t]] = p.begins[s] + uint32(i)
				next[t]++
			}
		}
	}
	return p
}

func (p places) of(term uint32) []uint32 { return p.at[p.starts[term]:p.starts[term+1]] }

// phrase is what a phrase adds to the scores of the skills that have it, by
// skill: its count saturates and its rarity counts as those of a term do.
func (x *Index) phrase(p queryPhrase) []posting {
	first, ok := x.terms[p.first.term]
	second, both := x.terms[p.second.term]
	if !ok || !both || x.params.Phrase == 0 {
		return nil
	}
	found := x.count(x.places.of(first), x.places.of(second))
	rarity := x.params.Phrase * x.rarity(len(found))
	for i := range found {
		found[i].score = float32(rarity * x.saturated(float64(found[i].score)))
	}
	return found
}

// count counts in each skill how often one of the second places follows right
// after one of the first.
func (x *Index) count(first, second []uint32) []posting {
	var found []posting
	shift := uint32(1) // from a place of the list that is walked to one of the other
	walked, other := first, second
	if len(second) < len(first) {
		walked, other, shift = second, first, ^uint32(0)
	}
	skill := 0
	for _, at := range walked {
		other = from(other, at+shift)
		if len(other) == 0 {
			break
		}
		if other[0] != at+shift {
			continue
		}
		skill += sort.Search(len(x.skills)-skill, func(i int) bool { return x.places.begins[skill+i+1] > at })
		if len(found) == 0 || found[len(found)-1].skill != uint32(skill) {
			found = append(found, posting{skill: uint32(skill)})
		}
		found[len(found)-1].score++
	}
	return found
}

// from is the part of an ascending list that starts at the least value not
// below least. It takes steps that double, since the next one is mostly near.
func from(list []uint32, least uint32) []uint32 {
	step := 1
	for step < len(list) && list[step-1] < least {
		step *= 2
	}
	i, _ := slices.BinarySearch(list[step/2:min(step, len(list))], least)
	return list[step/2+i:]
}
