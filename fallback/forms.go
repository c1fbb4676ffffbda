package fallback

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of one compound. What is longer is an encoded blob, not a word.
const (
	maxWord    = 64 // bytes by which a word or a joined form is known
	maxJoined  = 8  // words that a joined form is made of
	maxBorders = 8  // borders inside a word up to which it is cut
)

// A splitter turns compounds into forms: folded words, not yet stemmed. Its
// zero value is ready; it is not safe for concurrent use.
type splitter struct {
	runes   []rune
	folded  []byte
	borders []border
}

// A border lies inside a word, before the byte at of its folded form.
type border struct {
	at    int
	digit bool // between a letter and a digit; else between letters of different case
}

// split calls yield with each form of a compound. The bytes hold until yield
// returns. An index holds every form; a query asks for the characters of a
// dense run in pairs, and for one by itself only where it is alone.
func (s *splitter) split(compound string, query bool, yield func(form []byte)) {
	if startsDense(compound) {
		s.splitDense(compound, query, yield)
		return
	}
	compound = withoutClitic(compound)
	body := strings.TrimPrefix(compound, ".")
	if !strings.ContainsFunc(body, isBetween) {
		s.splitWord(body, true, yield)
		if body != compound {
			yield(append([]byte("."), s.folded...))
		}
		return
	}
	for word := range strings.FieldsFuncSeq(body, isBetween) {
		s.splitWord(word, false, yield)
	}
	s.splitJoined(body, yield)
}

// startsDense says whether a compound is a dense run.
func startsDense(compound string) bool {
	r, _ := utf8.DecodeRuneInString(compound)
	return isDense(r)
}

// isBetween says whether a rune lies between the words of a compound.
func isBetween(r rune) bool {
	switch r {
	case '-', '_', '.', '\'', '/', '&':
		return true
	}
	return false
}

// withoutClitic drops what English writes behind an apostrophe: skill's, we're.
// Of a word with "not" (can't, doesn't) nothing is left.
func withoutClitic(compound string) string {
	i := strings.LastIndexByte(compound, '\'')
	if i < 0 {
		return compound
	}
	switch clitic := compound[i+1:]; clitic {
	case "s", "S", "m", "d", "re", "ve", "ll":
		return compound[:i]
	case "t", "T":
		if compound[i-1]|0x20 == 'n' {
			return ""
		}
	}
	return compound
}

// splitWord yields a word without connectors, then the parts of it. A single
// letter or digit is a word only where it is alone.
func (s *splitter) splitWord(word string, alone bool, yield func([]byte)) {
	s.fold(cut(word))
	if alone && len(s.folded) > 0 || utf8.RuneCount(s.folded) > 1 {
		yield(s.folded)
	}
	if len(s.borders) > maxBorders {
		return
	}
	s.splitParts(yield)
}

// fold sets folded and borders to those of a word.
func (s *splitter) fold(word string) {
	s.folded, s.borders, s.runes = s.folded[:0], s.borders[:0], s.runes[:0]
	for _, r := range word {
		s.runes = append(s.runes, r)
	}
	for i, r := range s.runes {
		if i > 0 && unicode.IsDigit(r) != unicode.IsDigit(s.runes[i-1]) {
			s.borders = append(s.borders, border{at: len(s.folded), digit: true})
		} else if caseBorder(s.runes, i) {
			s.borders = append(s.borders, border{at: len(s.folded)})
		}
		s.folded = appendFolded(s.folded, r)
	}
}

// caseBorder says whether a part of a word starts at rune i, as in gitHub and
// HTTPServer, but not in PDFs and IPv6.
func caseBorder(word []rune, i int) bool {
	if i == 0 || !unicode.IsUpper(word[i]) {
		return false
	}
	if unicode.IsLower(word[i-1]) {
		return true
	}
	return unicode.IsUpper(word[i-1]) && i+2 < len(word) && unicode.IsLower(word[i+1]) && unicode.IsLower(word[i+2])
}

// splitParts yields the parts of the word in folded: those between digits
// (OAuth2: oauth) and those between capitals (OAuth2: auth). A part of one
// letter means nothing.
func (s *splitter) splitParts(yield func([]byte)) {
	run, part, inCase := 0, 0, false
	numbered := slices.ContainsFunc(s.borders, func(b border) bool { return b.digit })
	for _, b := range append(s.borders, border{at: len(s.folded), digit: true}) {
		if !b.digit || inCase {
			yieldPart(s.folded[part:b.at], yield)
		}
		if b.digit && numbered {
			yieldPart(s.folded[run:b.at], yield)
		}
		if b.digit {
			run = b.at
		}
		part, inCase = b.at, !b.digit
	}
}

func yieldPart(part []byte, yield func([]byte)) {
	if utf8.RuneCount(part) > 1 {
		yield(part)
	}
}

// splitJoined yields the words of a compound as one, unless they are too many.
// A dot between two digits stays, because 2.0 is not 20.
func (s *splitter) splitJoined(compound string, yield func([]byte)) {
	s.folded = s.folded[:0]
	words := 1
	for i, r := range compound {
		if !isBetween(r) {
			s.folded = appendFolded(s.folded, r)
			continue
		}
		words++
		if r == '.' && isDigit(compound[i-1]) && isDigit(compound[i+1]) {
			s.folded = append(s.folded, '.')
		}
		if words > maxJoined {
			return
		}
	}
	if len(s.folded) > 0 && len(s.folded) <= maxWord {
		yield(s.folded)
	}
}

// splitDense yields the characters of a run of a script that is written without
// blanks, alone and in pairs. Each takes its marks along.
func (s *splitter) splitDense(run string, query bool, yield func([]byte)) {
	s.folded = s.folded[:0]
	before, last := 0, 0
	for _, r := range run {
		if !unicode.Is(unicode.M, r) && len(s.folded) > last {
			s.yieldDense(before, last, query, yield)
			before, last = last, len(s.folded)
		}
		if len(s.folded)-last < maxWord {
			s.folded = appendFolded(s.folded, r)
		}
	}
	if query && last == 0 && len(s.folded) > 0 {
		yield(s.folded)
		return
	}
	s.yieldDense(before, last, query, yield)
}

// yieldDense yields the last character of folded, and its pair with the one
// before, if there is one.
func (s *splitter) yieldDense(before, last int, query bool, yield func([]byte)) {
	if before < last {
		yield(s.folded[before:])
	}
	if !query {
		yield(s.folded[last:])
	}
}

func isDigit(b byte) bool {
	return '0' <= b && b <= '9'
}

// cut shortens a word to what it is known by, at a border of runes.
func cut(word string) string {
	if len(word) <= maxWord {
		return word
	}
	end := maxWord
	for !utf8.RuneStart(word[end]) {
		end--
	}
	return word[:end]
}
