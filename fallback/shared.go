package fallback

import (
	"slices"
	"strings"
	"unicode"
)

// Shared are the words of a text that a query has too, as the text writes them,
// each once and in its order: what a reader would like to see marked. Words are
// equal when a search takes them to be: "PDFs" is shared with "pdf". Of a script
// that is written without blanks they are the pairs of characters that count.
func Shared(query, text string) []string {
	wanted := make(map[string]bool)
	for _, t := range Terms(query) {
		wanted[t] = true
	}
	counts := func(word string) bool {
		return slices.ContainsFunc(Terms(word), func(t string) bool { return wanted[t] })
	}
	shared := []string{}
	seen := make(map[string]bool)
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) }) {
		for _, part := range parts(word) {
			if !seen[part] && counts(part) {
				shared = append(shared, part)
			}
			seen[part] = true
		}
	}
	return shared
}

// parts are a word, or the pairs of a run of characters without blanks.
func parts(word string) []string {
	runes := []rune(word)
	if len(runes) < 3 || !unicode.In(runes[0], unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer) {
		return []string{word}
	}
	var pairs []string
	for i := range runes[1:] {
		pairs = append(pairs, string(runes[i:i+2]))
	}
	return pairs
}
