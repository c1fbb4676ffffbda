package fallback

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A queryTerm is a term that is searched, and the word of the query that it was
// first taken from.
type queryTerm struct {
	term string
	word string
}

// analyse returns the different terms of a query, in its order, and last the one
// that stands for it as a whole name; and its different phrases. A phrase ends
// with its line. A term that no skill has is read as the one it misspells.
func (x *Index) analyse(query string) (terms []queryTerm, phrases []queryPhrase) {
	a := analyser{index: x, compounds: make(map[string][]queryTerm), seen: make(map[string]bool)}
	for line := range strings.Lines(query) {
		a.previous = queryTerm{}
		for compound := range compounds(line) {
			a.follow(compound)
		}
	}
	if term := nameTerm(query); term != "" {
		a.terms = append(a.terms, queryTerm{term: term, word: term[len(namePrefix):]})
	}
	return a.terms, a.phrases
}

// An analyser gathers what is searched.
type analyser struct {
	index     *Index
	misspelt  int // forms that were looked up
	splitter  splitter
	compounds map[string][]queryTerm
	seen      map[string]bool // terms and phrases
	previous  queryTerm       // the one before in the line; none at its start and after a dense run
	terms     []queryTerm
	phrases   []queryPhrase
}

func (a *analyser) follow(compound string) {
	found, known := a.compounds[compound]
	if !known {
		a.splitter.split(compound, true, func(form []byte) {
			if term := a.term(string(form)); term != "" {
				found = append(found, queryTerm{term: term, word: string(form)})
			}
		})
		a.compounds[compound] = found
	}
	dense := startsDense(compound)
	for _, t := range found {
		if !a.seen[t.term] {
			a.seen[t.term] = true
			a.terms = append(a.terms, t)
		}
		if !dense {
			a.pair(t)
		}
	}
	if dense {
		a.previous = queryTerm{}
	}
}

// term is what is searched for a form, nothing for a stop word.
func (a *analyser) term(form string) string {
	term := termOf(form)
	if term == "" || len(a.index.find(term)) > 0 || a.misspelt == maxMisspelt {
		return term
	}
	a.misspelt++
	return termOf(a.index.meant(form))
}

// pair notes the phrase that ends with a term.
func (a *analyser) pair(t queryTerm) {
	p := queryPhrase{a.previous, t}
	a.previous = t
	if p.first.term == "" || p.first.term == t.term || len(a.phrases) == maxPhrases || a.seen[p.term()] {
		return
	}
	a.seen[p.term()] = true
	a.phrases = append(a.phrases, p)
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
