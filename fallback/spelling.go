package fallback

import (
	"maps"
	"slices"
	"sort"
)

// leastSpelt is the shortest term, in letters, that is taken for a misspelling:
// one letter turns too many shorter ones into another word.
const leastSpelt = 5

// maxMisspelt is how many words of a query are looked up as misspellings: a page
// of a language that no skill is written in has more than can be meant.
const maxMisspelt = 16

// spellings are the terms of an index that another may be a misspelling of,
// sorted.
func spellings(terms map[string]uint32) []string {
	words := make([]string, 0, len(terms))
	for term := range maps.Keys(terms) {
		if len(term) >= leastSpelt-1 && stemmed(term) {
			words = append(words, term)
		}
	}
	slices.Sort(words)
	return words
}

// meant is the term that one which no skill has is read as: that of the index
// from which it differs by one letter too many, missing, or other, or by two
// swapped, but not by the first. Of several it is the one that most skills have,
// then the first by the alphabet; without any the term stays.
func (x *Index) meant(term string) string {
	if len(term) < leastSpelt || !stemmed(term) {
		return term
	}
	from := sort.SearchStrings(x.spellings, term[:1])
	best, most := term, 0
	for _, word := range x.spellings[from:] {
		if word[0] != term[0] {
			break
		}
		if oneEdit(word, term) {
			if df := len(x.find(word)); df > most {
				best, most = word, df
			}
		}
	}
	return best
}

// oneEdit reports whether two different texts differ by one edit.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	if i == len(a) {
		return false
	}
	swapped := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
	return swapped || a[i+1:] == b[i+1:]
}
