package skill

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// binaryWindow is how far a NUL is looked for before a file counts as binary.
const binaryWindow = 8000

// wholeText is a text that was cut at some byte, without what the cut left of
// its last character.
func wholeText(raw []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(raw); i++ {
		if tail := raw[len(raw)-i:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return raw[:len(raw)-i]
			}
			break
		}
	}
	return raw
}

// decodeText turns a file's bytes into text with "\n" line ends and no
// byte-order mark. UTF-16 with a mark is converted. Bytes that are no UTF-8
// become U+FFFD, and badLine is the first line (1-based) that held one; 0 when
// none did. binary reports that the bytes are no text at all.
func decodeText(raw []byte) (text string, badLine int, isBinary bool) {
	raw = fromUTF16(raw)
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	if bytes.IndexByte(raw[:min(len(raw), binaryWindow)], 0) >= 0 {
		return "", 0, true
	}
	text = string(raw)
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	if !utf8.ValidString(text) {
		badLine = firstInvalidLine(text)
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	return text, badLine, false
}

func fromUTF16(raw []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(raw, []byte{0xff, 0xfe}):
		order = binary.LittleEndian
	case bytes.HasPrefix(raw, []byte{0xfe, 0xff}):
		order = binary.BigEndian
	default:
		return raw
	}
	units := make([]uint16, 0, len(raw)/2)
	for i := 2; i+1 < len(raw); i += 2 {
		units = append(units, order.Uint16(raw[i:]))
	}
	return []byte(string(utf16.Decode(units)))
}

func firstInvalidLine(text string) int {
	line := 1
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n == 1 {
			return line
		}
		if r == '\n' {
			line++
		}
		i += n
	}
	return 0
}

// invisible reports whether s holds a character that a reader can't see but a
// model reads: bidi controls, tag characters, zero-width ones outside of an
// emoji or of a script that needs them.
func invisible(s string) bool {
	for i, r := range s {
		switch {
		case r < 0x80:
			if r < 0x20 && r != '\n' && r != '\t' || r == 0x7f {
				return true
			}
		case r == zwnj || r == zwj: // joiners, at home between non-ASCII letters and emoji
			if before, _ := utf8.DecodeLastRuneInString(s[:i]); before < 0x80 {
				return true
			}
		case unicode.Is(unicode.Cf, r) && r != '\u00ad':
			return true
		}
	}
	return false
}

// Shorten cuts text to at most n characters and puts "…" where it cut. It cuts
// at a blank where one is near, and never inside a joined emoji or before a
// combining mark: where the first of these alone is longer, "…" is all there is.
func Shorten(text string, n int) string {
	if n <= 0 {
		return ""
	}
	if len(text) <= n || utf8.RuneCountInString(text) <= n {
		return text
	}
	return strings.TrimRight(text[:cutPoint(text, n-1)], " \n\t") + "…"
}

// cutPoint is the byte offset at which to cut text after at most n characters:
// before or behind the last blank in the second half of them, else where no
// joined sequence is torn. It is 0 when the first sequence is longer than n, and
// len(text) when all of it fits.
func cutPoint(text string, n int) int {
	var j joiner
	count, blank, whole := 0, 0, 0
	for i, r := range text {
		wasBlank, joined := isBlank(j.last), j.joins(r)
		switch {
		case joined:
		case count == n && isBlank(r):
			return i // the last word just fits
		case wasBlank && count > n/2+1:
			blank, whole = i, i
		default:
			whole = i
		}
		if count >= n {
			return cmp.Or(blank, whole)
		}
		count++
	}
	return len(text)
}

// cutAnywhere is the byte offset behind the first n characters.
func cutAnywhere(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

func isBlank(r rune) bool { return r == ' ' || r == '\n' || r == '\t' }

// A joiner is given the characters of a text in order, and tells which of them
// belong to the one before: what UAX #29 calls extending, and every character
// behind a zero-width joiner.
type joiner struct {
	last rune
	half bool // last is the first half of a flag
}

func (j *joiner) joins(r rune) bool {
	last, half := j.last, j.half
	j.last, j.half = r, isRegional(r) && !half
	switch {
	case last < 0x20: // the text's beginning, a line's
		return false
	case last == zwj:
		return true
	case r < 0x300:
		return false
	}
	return extends(r) || isRegional(r) && half || isJamoTail(r) && isHangul(last)
}

const (
	zwnj = '\u200c'
	zwj  = '\u200d'
)

func extends(r rune) bool {
	switch {
	case r >= 0x3400 && r < 0xA000, r >= 0xAC00 && r < 0xD7A4: // Han, Hangul syllables
		return false
	case r == zwj, r == zwnj, r == 0xFF9E, r == 0xFF9F: // joiners, halfwidth kana's voice marks
		return true
	case r >= 0x1F3FB && r <= 0x1F3FF, r >= 0xE0020 && r <= 0xE007F: // skin tones, tags
		return true
	}
	return unicode.Is(unicode.M, r)
}

func isRegional(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }

// isJamoTail reports the vowels and finals of decomposed Hangul.
func isJamoTail(r rune) bool { return r >= 0x1160 && r <= 0x11FF || r >= 0xD7B0 && r <= 0xD7FB }

func isHangul(r rune) bool {
	return r >= 0x1100 && r <= 0x11FF || r >= 0xA960 && r <= 0xA97C || r >= 0xAC00 && r <= 0xD7FB
}
