package fallback

import (
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A queryTerm is a term that is searched, and the word of the query that it was
// first taken from.
type queryTerm struct {
	term string
	word string
}

// queryTerms are the different terms of a query, in its order, and last the one
// that stands for it as a whole name.
func queryTerms(query string) []queryTerm {
	var terms []queryTerm
	var s splitter
	seen := make(map[string]bool)
	add := func(form []byte) {
		if term := termOf(string(form)); term != "" && !seen[term] {
			seen[term] = true
			terms = append(terms, queryTerm{term: term, word: string(form)})
		}
	}
	analysed := make(map[string]bool)
	for compound := range compounds(query) {
		if !analysed[compound] {
			analysed[compound] = true
			s.split(compound, true, add)
		}
	}
	if term := nameTerm(query); term != "" {
		terms = append(terms, queryTerm{term: term, word: term[len(namePrefix):]})
	}
	return terms
}

// namePrefix is what no other term begins with.
const namePrefix = "="

// maxName is the longest name, in bytes, that is found as a whole.
const maxName = 256

// nameTerm is the term that stands for a whole name: its letters and digits
// without case, accents and whatever lies between, so that "PDF_Processing",
// "pdf processing" and "pdfprocessing" are the same name. It holds stop words
// too: "to-do" is found although both its words are stop words. The plus and
// the sharp stay: "C++" is not "C". It is empty if there is no letter or digit,
// or too many.
func nameTerm(name string) string {
	if len(name) > 4*maxName {
		return ""
	}
	folded, words := []byte(namePrefix), false
	for _, r := range norm.NFKC.String(name) {
		word := unicode.In(r, unicode.L, unicode.N)
		if word || unicode.Is(unicode.M, r) || r == '+' || r == '#' {
			folded = appendFolded(folded, r)
		}
		words = words || word
	}
	if !words || len(folded) > maxName {
		return ""
	}
	return string(folded)
}
