package fallback

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// What a byte is to a compound.
const (
	byteOther     = iota
	byteSpace     // blanks and controls: always a border
	byteWord      // letter or digit, or part of one
	byteConnector // holds two words together: e2e-testing, snake_case, node.js, can't
)

// byteClass is indexed by a byte. Whoever reads it has seen to it that what is
// not ASCII belongs to a word.
var byteClass = func() (class [256]uint8) {
	for b := range class {
		switch {
		case b <= ' ' || b == 0x7f:
			class[b] = byteSpace
		case '0' <= b && b <= '9', 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', b >= utf8.RuneSelf:
			class[b] = byteWord
		case b == '-' || b == '_' || b == '.' || b == '\'':
			class[b] = byteConnector
		}
	}
	return class
}()

// compounds cuts a text into the units that are analysed at once: compounds of
// words like "e2e-testing", "C++" or ".NET", and runs of a script that is
// written without blanks. ASCII is cut without being copied.
func compounds(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := 0; i < len(text); {
			start, high := i, byte(0)
			for i < len(text) && byteClass[text[i]] != byteSpace {
				high |= text[i]
				i++
			}
			chunk := text[start:i]
			i++
			if high < utf8.RuneSelf && !cutChunk(chunk, yield) || high >= utf8.RuneSelf && !cutUnicode(chunk, yield) {
				return
			}
		}
	}
}

// connectors are those of other alphabets as their ASCII forms.
var connectors = strings.NewReplacer("’", "'", "‐", "-", "·", "-")

// cutUnicode yields the compounds of a text without ASCII blanks. It is false
// when yield stopped it.
func cutUnicode(chunk string, yield func(string) bool) bool {
	chunk = connectors.Replace(norm.NFKC.String(chunk))
	start, kind := 0, runeOther
	for i, r := range chunk {
		next := kindOf(r)
		if next == runeMark && kind != runeOther {
			continue
		}
		if next == kind {
			continue
		}
		if !cutRun(chunk[start:i], kind, yield) {
			return false
		}
		start, kind = i, next
	}
	return cutRun(chunk[start:], kind, yield)
}

// cutRun yields the compounds of a run of one kind.
func cutRun(run string, kind int, yield func(string) bool) bool {
	switch kind {
	case runeDense:
		return yield(run)
	case runeText:
		return cutChunk(run, yield)
	}
	return true
}

// What a rune is to a run.
const (
	runeOther = iota // border: blanks, controls, symbols, punctuation that is not ASCII
	runeText         // ASCII but for blanks and controls, and letters and digits
	runeDense        // letter of a script that is written without blanks, or whose words carry endings
	runeMark         // belongs to what it follows
)

func kindOf(r rune) int {
	switch {
	case r < utf8.RuneSelf:
		if byteClass[r] == byteSpace {
			return runeOther
		}
		return runeText
	case r == utf8.RuneError, r == '\u200b': // the blank of zero width
		return runeOther
	case unicode.In(r, unicode.L, unicode.Nd, unicode.Nl):
		if isDense(r) {
			return runeDense
		}
		return runeText
	case unicode.In(r, unicode.M, unicode.Cf):
		return runeMark
	}
	return runeOther
}

// isDense says whether a letter is of a script that is written without blanks,
// from Thai to Chinese, or of Korean, which has blanks, but whose words end in
// particles. It is to be asked about letters only.
func isDense(r rune) bool {
	if r < dense[0].first {
		return false
	}
	for _, block := range dense {
		if block.first <= r && r <= block.last {
			return true
		}
	}
	return false
}

// dense are the Unicode blocks of such scripts.
var dense = []struct{ first, last rune }{
	{0x0E00, 0x0EFF},   // Thai, Lao
	{0x1000, 0x109F},   // Burmese
	{0x1100, 0x11FF},   // Korean, single sounds
	{0x1780, 0x17FF},   // Khmer
	{0x1950, 0x19DF},   // Tai Le, New Tai Lue
	{0x1A20, 0x1AAF},   // Tai Tham
	{0x2E80, 0xA4CF},   // Chinese, Japanese, Yi
	{0xA960, 0xA97F},   // Korean, single sounds
	{0xA9E0, 0xA9FF},   // Burmese
	{0xAA60, 0xAADF},   // Burmese, Tai Viet
	{0xAC00, 0xD7FF},   // Korean
	{0xF900, 0xFAFF},   // Chinese
	{0x11700, 0x1174F}, // Ahom
	{0x16FE0, 0x1B2FF}, // Tangut, Japanese, Nushu
	{0x20000, 0x3FFFF}, // Chinese
}

// cutChunk yields the compounds of a text that has no blanks and in which all
// that is not ASCII are letters, digits and marks. It is false when yield
// stopped it.
func cutChunk(chunk string, yield func(string) bool) bool {
	for i := 0; i < len(chunk); {
		if byteClass[chunk[i]] != byteWord {
			i++
			continue
		}
		start, end := leadingDot(chunk, i), compoundEnd(chunk, i)
		if !yield(chunk[start:end]) {
			return false
		}
		i = end
	}
	return true
}

// leadingDot moves the start of a compound onto a dot that belongs to it, as in
// ".NET" and ".env", but not the last of several.
func leadingDot(chunk string, start int) int {
	if start == 0 || chunk[start-1] != '.' || start > 1 && chunk[start-2] == '.' {
		return start
	}
	return start - 1
}

// compoundEnd finds where the compound that starts at i ends.
func compoundEnd(chunk string, i int) int {
	start := i
	for i = wordEnd(chunk, i); i+1 < len(chunk) && byteClass[chunk[i+1]] == byteWord; i = wordEnd(chunk, i+1) {
		if byteClass[chunk[i]] != byteConnector {
			return shortPair(chunk, start, i)
		}
	}
	return signEnd(chunk, start, i)
}

// signEnd takes the sign of "C++" and "C#" into a compound of one letter.
func signEnd(chunk string, start, end int) int {
	if end-start != 1 {
		return end
	}
	switch rest := chunk[end:]; {
	case strings.HasPrefix(rest, "++"):
		return end + 2
	case strings.HasPrefix(rest, "#"):
		return end + 1
	}
	return end
}

// shortWord is the longest word, in bytes, that a slash or an ampersand holds
// together with another: CI/CD, TCP/IP, Q&A, but no path.
const shortWord = 4

// shortPair extends a single short word, chunk[start:i], over a slash or an
// ampersand to a second one, if that makes a pair and not a path; else the
// compound ends at i.
func shortPair(chunk string, start, i int) int {
	if chunk[i] != '/' && chunk[i] != '&' || i-start > shortWord || wordEnd(chunk, start) != i {
		return i
	}
	end := wordEnd(chunk, i+1)
	if end-i-1 > shortWord || start > 0 && chunk[start-1] == '/' {
		return i
	}
	if end < len(chunk) && chunk[end] == '/' {
		return i
	}
	if end+1 < len(chunk) && byteClass[chunk[end]] == byteConnector && byteClass[chunk[end+1]] == byteWord {
		return i
	}
	return end
}

// wordEnd is the first byte from i on that belongs to no letter or digit.
func wordEnd(chunk string, i int) int {
	for i < len(chunk) && byteClass[chunk[i]] == byteWord {
		i++
	}
	return i
}
