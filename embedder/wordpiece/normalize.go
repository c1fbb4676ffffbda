package wordpiece

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normalize is the reference's normaliser: control characters and broken UTF-8
// go, every Chinese character becomes a word, characters are decomposed (NFD),
// accents go, and what is left is lower-cased, but for ASCII, which words lowers.
//
// The reference's tables of accents and punctuation end with Unicode 8. Of all
// 1,112,064 characters 568, most of them marks of rare scripts, came or changed
// their category later, and are treated otherwise there.
func normalize(text string) string {
	clean := make([]byte, 0, len(text)+len(text)/8)
	for _, r := range text {
		switch {
		case classOf(r) == control:
		case isChinese(r):
			clean = append(utf8.AppendRune(append(clean, ' '), r), ' ')
		default:
			clean = utf8.AppendRune(clean, r)
		}
	}
	decomposed := norm.NFD.Bytes(clean)
	plain := make([]byte, 0, len(decomposed))
	for _, r := range string(decomposed) {
		switch {
		case r < utf8.RuneSelf:
			plain = append(plain, byte(r))
		case !unicode.Is(unicode.Mn, r):
			plain = utf8.AppendRune(plain, unicode.ToLower(r))
		}
	}
	return string(plain)
}

// isChinese reports whether r lies in one of the blocks of ideographs that the
// reference sets apart. Kana and Hangul do not: their words have spaces or
// pieces.
func isChinese(r rune) bool {
	switch {
	case r < 0x3400:
		return false
	case r <= 0x4DBF, 0x4E00 <= r && r <= 0x9FFF, 0xF900 <= r && r <= 0xFAFF:
		return true
	}
	return 0x20000 <= r && r <= 0x2A6DF || 0x2A700 <= r && r <= 0x2B81F ||
		0x2B920 <= r && r <= 0x2CEAF || 0x2F800 <= r && r <= 0x2FA1F
}
