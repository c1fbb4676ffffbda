package fallback

import (
	"slices"
	"strings"
)

// Missing are the words of a query that a skill has in no field, in the query's
// order, each once, without case and accents; nil if it has them all. explained
// is what Explain says of the skill for the query. A compound counts for its
// parts alone.
func (x *Index) Missing(query string, explained []Contribution) []string {
	var have, words []string
	for _, c := range explained {
		have = append(have, c.Word)
	}
	terms, _ := x.analyse(query)
	for _, t := range terms {
		if !strings.HasPrefix(t.term, namePrefix) && !slices.Contains(words, t.word) {
			words = append(words, t.word)
		}
	}
	var missing []string
	for _, word := range words {
		if !slices.Contains(have, word) && !joined(word, words) {
			missing = append(missing, word)
		}
	}
	return missing
}

// joined reports whether a word begins with one of the words and ends with
// another: the compound of both.
func joined(word string, words []string) bool {
	for _, a := range words {
		if len(a) < len(word) && strings.HasPrefix(word, a) && slices.ContainsFunc(words, func(b string) bool {
			return len(a)+len(b) <= len(word) && strings.HasSuffix(word, b)
		}) {
			return true
		}
	}
	return false
}
