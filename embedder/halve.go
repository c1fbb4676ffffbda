package embedder

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// minPart is the length in characters below which a text is not cut: no model
// that embeds has a context so short.
const minPart = 8

// halve cuts a text near its middle: at white space if there is some in the
// middle half, else between two characters that are drawn apart. Neither part
// is blank. It is not ok for a text that is too short.
func halve(text string) (left, right string, ok bool) {
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) < 2*minPart {
		return "", "", false
	}
	middle := len(text) / 2
	cut := nearest(text, middle, len(text)/4, spaceAt)
	if cut == 0 {
		cut = nearest(text, middle, len(text)/2-1, apartAt)
	}
	if cut == 0 {
		cut = nearest(text, middle, utf8.UTFMax, runeAt)
	}
	if cut == 0 { // no UTF-8
		cut = middle
	}
	return strings.TrimSpace(text[:cut]), strings.TrimSpace(text[cut:]), true
}

// nearest returns the offset closest to middle, the lower of two, at which fits
// holds, or 0 when there is none within reach.
func nearest(text string, middle, reach int, fits func(string, int) bool) int {
	for d := range reach + 1 {
		for _, cut := range []int{middle - d, middle + d} {
			if cut > 0 && cut < len(text) && fits(text, cut) {
				return cut
			}
		}
	}
	return 0
}

func runeAt(text string, cut int) bool { return utf8.RuneStart(text[cut]) }

func spaceAt(text string, cut int) bool {
	r, _ := utf8.DecodeRuneInString(text[cut:])
	return runeAt(text, cut) && unicode.IsSpace(r)
}

// apartAt says whether no accent, joiner, or flag ties the characters around
// cut together. It is an approximation of the grapheme clusters of UAX #29.
func apartAt(text string, cut int) bool {
	if !runeAt(text, cut) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:cut])
	after, _ := utf8.DecodeRuneInString(text[cut:])
	const joiner = '\u200d'
	return before != joiner && after != joiner &&
		!unicode.Is(unicode.M, after) && !isSkinTone(after) && !(isRegional(before) && isRegional(after)) &&
		!(unicode.Is(unicode.Hangul, before) && isVowelOrFinal(after))
}

func isSkinTone(r rune) bool { return r >= 0x1F3FB && r <= 0x1F3FF }

// Two regional indicators make a flag.
func isRegional(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }

// Of a Hangul syllable that is written in its letters, all but the first.
func isVowelOrFinal(r rune) bool { return r >= 0x1160 && r <= 0x11FF }
