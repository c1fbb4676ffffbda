package toolset

import (
	"encoding/xml"
	"regexp"
	"strings"
	"unicode"
)

// OneLine makes a text that a skill states fit for one line of an answer:
// blanks and line breaks become one blank, and control, bidirectional and other
// invisible characters are left out, so that no skill can begin a line of its
// own or hide what stands there.
func OneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case hidden(r):
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// hidden tells control and formatting characters, but for the joiners that
// scripts and emoji need.
func hidden(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d' && r != '\u200c'
}

// XML makes a text fit to stand between the tags of an answer.
func XML(text string) string {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(text)) // a Builder takes all
	return out.String()
}

// plainWord is what a shell takes as one word as it stands.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]*$`)

// shellWord makes a text one word of a command that an answer proposes: whoever
// pastes it runs nothing else.
func shellWord(text string) string {
	text = OneLine(text)
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
