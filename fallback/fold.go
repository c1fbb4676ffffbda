package fallback

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// appendFolded appends a rune without its case and accents: É as e, ß as ss.
// Marks that spell a sound, as in Hindi and Thai, stay; those that may be left
// out in writing, as in Arabic and Hebrew, go. What it gets is in NFKC.
func appendFolded(dst []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		return append(dst, byte(unicode.ToLower(r)))
	}
	if isAccent(r) || unicode.Is(unicode.Cf, r) {
		return dst
	}
	r = unicode.ToLower(r)
	if letters, ok := plainLetters[r]; ok {
		return append(dst, letters...)
	}
	if base := withoutAccent(r); base != r {
		return appendFolded(dst, base)
	}
	return utf8.AppendRune(dst, r)
}

// isAccent says whether a mark changes no letter: Latin, Greek and Cyrillic
// accents, Hebrew and Arabic points, variants of a glyph, frames.
func isAccent(r rune) bool {
	switch {
	case 0x0300 <= r && r < 0x0370, 0x0591 <= r && r < 0x05C8, 0x064B <= r && r < 0x0660, r == 0x0670:
		return unicode.Is(unicode.M, r)
	}
	return 0xFE00 <= r && r < 0xFE10 || 0x20D0 <= r && r < 0x2100
}

// withoutAccent is the letter below the accents of a Latin, Greek or Cyrillic
// one.
func withoutAccent(r rune) rune {
	if r >= 0x0590 && r < 0x1E00 || r >= 0x2000 {
		return r
	}
	if parts := norm.NFD.PropertiesString(string(r)).Decomposition(); parts != nil {
		r, _ = utf8.DecodeRune(parts)
	}
	return r
}

// plainLetters are the small letters that Unicode does not decompose, as they
// are written where a keyboard lacks them.
var plainLetters = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ı': "i", 'ς': "σ",
}
