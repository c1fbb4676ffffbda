package skill

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// joinID joins the parts of an id.
func joinID(rel, name string) string {
	if rel == "" {
		return escapeName(name)
	}
	return rel + "/" + escapeName(name)
}

// escapeName percent-encodes what would not survive in an id: control
// characters, bytes that are no UTF-8, and a "%" that would read as such a code.
// Two names never get the same.
func escapeName(name string) string {
	if strings.IndexFunc(name, isSpecial) < 0 {
		return name
	}
	var out strings.Builder
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		if isControl(r) || r == utf8.RuneError && n == 1 || isCode(name[i:]) {
			for _, b := range []byte(name[i : i+n]) {
				fmt.Fprintf(&out, "%%%02X", b)
			}
		} else {
			out.WriteString(name[i : i+n])
		}
		i += n
	}
	return out.String()
}

func isSpecial(r rune) bool { return r == '%' || r == utf8.RuneError || isControl(r) }

// isControl reports characters that move what stands around them: controls,
// line separators, and marks that turn the direction of text.
func isControl(r rune) bool {
	return r < 0x20 || r >= 0x7f && unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}

// isCode reports whether text begins like "%0A".
func isCode(text string) bool {
	const hex = "0123456789abcdefABCDEF"
	return len(text) >= 3 && text[0] == '%' && strings.IndexByte(hex, text[1]) >= 0 && strings.IndexByte(hex, text[2]) >= 0
}

// distinct gives every candidate an id of its own: where a folder and flat
// files would share one, the flat files keep their extension.
func distinct(candidates []candidate) {
	count := make(map[string]int, len(candidates))
	for _, c := range candidates {
		count[c.rel]++
	}
	for i, c := range candidates {
		if c.flat && count[c.rel] > 1 {
			candidates[i].rel += filepath.Ext(c.path)
		}
	}
}

// prepare gives every root a clean path, a book, and a label of its own, which
// is one part of an id.
func prepare(roots []Root) []Root {
	roots = slices.Clone(roots)
	taken := make(map[string]bool, len(roots))
	for i := range roots {
		r := &roots[i]
		r.Path = filepath.Clean(r.Path)
		if r.Label == "" {
			r.Label = filepath.Base(r.Path)
		}
		if r.SkillBook == "" {
			r.SkillBook = r.Label
		}
		label := strings.ReplaceAll(escapeName(r.Label), "/", "-")
		r.Label = label
		for n := 2; taken[r.Label]; n++ {
			r.Label = fmt.Sprintf("%s-%d", label, n)
		}
		taken[r.Label] = true
	}
	return roots
}
