package fallback

import (
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// Terms are the terms by which a query is searched, in its order and with
// repetitions: words without case, accents, English endings and stop words,
// each part of a compound and the compound without connectors. A text in a
// script that is written without blanks gives its characters in pairs.
func Terms(text string) []string {
	terms := []string{}
	var s splitter
	for compound := range compounds(text) {
		s.split(compound, true, func(form []byte) {
			if term := termOf(string(form)); term != "" {
				terms = append(terms, term)
			}
		})
	}
	return terms
}

// termOf is what a form is indexed as: its stem, or nothing for a stop word.
func termOf(form string) string {
	if stopWords[form] {
		return ""
	}
	if !stemmed(form) {
		return form
	}
	if plural := len(form) - 1; form[plural] == 's' && form[plural-1] != 's' && !strings.ContainsAny(form, "aeiouy") {
		return form[:plural] // of an abbreviation, which Porter2 leaves: pdfs, llms
	}
	env := snowballstem.NewEnv(form)
	english.Stem(env)
	return env.Current()
}

// maxStem is the longest form, in bytes, that is taken for an English word.
const maxStem = 32

// stemmed says whether a form has a stem: one of three or more Latin letters.
func stemmed(form string) bool {
	if len(form) < 3 || len(form) > maxStem {
		return false
	}
	return !strings.ContainsFunc(form, func(r rune) bool { return r < 'a' || r > 'z' })
}

// stopWords are those that say nothing about what a skill is for. They are
// forms: contractions have lost their apostrophe.
var stopWords = func() map[string]bool {
	words := make(map[string]bool)
	for word := range strings.FieldsSeq(`
		a an the this that these those it its i im ive me my we our us you your they their them
		am is are was were be been do does did have has had can could should would will shall may
		and or but if then than so as at by for from in into of on onto to with about up out
		what when where which who how why there here not no dont doesnt cant
		please just some any all`) {
		words[word] = true
	}
	return words
}()
