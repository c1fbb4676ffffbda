package wordpiece

import (
	"unicode"
	"unicode/utf8"
)

// words calls yield with each word of text in order, until it returns false. A
// word is a stretch between white space or one punctuation mark, in lower case
// and without accents; the slice is valid only during the call.
func words(text string, yield func(word []byte) bool) {
	if !isASCII(text) {
		text = normalize(text)
	}
	var room [64]byte
	word := room[:0]
	flush := func() bool {
		ok := len(word) == 0 || yield(word)
		word = word[:0]
		return ok
	}
	for i, size := 0, 0; i < len(text); i += size {
		var r rune
		r, size = decode(text[i:])
		switch classOf(r) {
		case letter:
			word = append(word, text[i:i+size]...)
			word[len(word)-size] = lowerASCII(word[len(word)-size])
		case mark:
			if !flush() {
				return
			}
			word = append(word, text[i:i+size]...)
			if !flush() {
				return
			}
		case space:
			if !flush() {
				return
			}
		case control:
		}
	}
	flush()
}

// decode is utf8.DecodeRuneInString with a short way for ASCII.
func decode(s string) (r rune, size int) {
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	return utf8.DecodeRuneInString(s)
}

// A class says what a character does to the word that it stands in.
type class int

const (
	letter  class = iota // belongs to a word; digits and most symbols too
	mark                 // ends a word and is one of its own
	space                // ends a word
	control              // leaves no trace
)

// classOf sorts the characters as the reference does: every ASCII character
// that is no letter, digit, space or control character is punctuation, while
// beyond ASCII symbols (€, →, emoji) belong to words.
func classOf(r rune) class {
	if r >= utf8.RuneSelf {
		return classOfWide(r)
	}
	switch lower := r | 0x20; {
	case 'a' <= lower && lower <= 'z', '0' <= r && r <= '9':
		return letter
	case r == ' ', r == '\t', r == '\n', r == '\r':
		return space
	case r < ' ', r == 0x7f:
		return control
	}
	return mark
}

// classOfWide is classOf beyond ASCII.
func classOfWide(r rune) class {
	switch {
	case r == utf8.RuneError, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co):
		return control
	case unicode.Is(unicode.White_Space, r):
		return space
	case unicode.IsPunct(r):
		return mark
	}
	return letter
}

// lowerASCII lowers one byte and leaves those of longer characters alone.
func lowerASCII(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b + ('a' - 'A')
	}
	return b
}

// isASCII reports whether text needs no normalising.
func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
