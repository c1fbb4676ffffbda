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
		case r == '\u200c' || r == '\u200d': // joiners, at home between non-ASCII letters and emoji
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
// combining mark.
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
// behind the last blank in the second half of them, else where no joined
// sequence is torn, which may be later when one is longer than n.
func cutPoint(text string, n int) int {
	count, blank, whole := 0, 0, 0
	for i, r := range text {
		if i > 0 && !joins(text[:i], r) {
			whole = i
		}
		if count >= n && whole > 0 {
			return cmp.Or(blank, whole)
		}
		if count > n/2 && (r == ' ' || r == '\n' || r == '\t') {
			blank = i + 1
		}
		count++
	}
	return len(text)
}

// joins reports whether r belongs to the character before it.
func joins(before string, r rune) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	return last == '\u200d' || r == '\u200d' || unicode.Is(unicode.M, r) ||
		r >= 0x1F3FB && r <= 0x1F3FF || // skin tones
		isRegional(r) && isRegional(last) && oddRegionals(before)
}

func isRegional(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }

func oddRegionals(s string) bool {
	n := 0
	for s != "" {
		r, size := utf8.DecodeLastRuneInString(s)
		if !isRegional(r) {
			break
		}
		n++
		s = s[:len(s)-size]
	}
	return n%2 == 1
}
