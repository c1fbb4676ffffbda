package skill

import (
	"crypto/sha256"
	"strings"
	"unicode"
)

// PassageVersion changes when the same skill is cut into other passages.
const PassageVersion = 2

// A Passage is a piece of a skill that gets one vector. Passage 0 is the head
// (name, description, tags); the others are the body, one after the other.
type Passage struct {
	Index   int               // 0 is the head, 1… the body in order
	Heading string            // headings of a body passage's first text: "Forms > Filling"
	Text    string            // the passage as it stands in the file; the head's made-up text for 0
	Line    int               // 1-based line of the file on which Text begins; 0 for the head
	Hash    [sha256.Size]byte // of Input
}

// Input is the text that an embedder is given. It has no heading path and no
// name: both were measured to draw passages of one skill together, away from
// what they say (docs/decisions/020-passages.md).
func (p Passage) Input() string { return p.Text }

// Excerpt is the text without the headings that it begins with, which Heading
// tells, and the line on which it begins then.
func (p Passage) Excerpt() (text string, line int) {
	text, line = p.Text, p.Line
	for headingLevel(firstLine(text)) > 0 {
		rest := text[len(firstLine(text)):]
		body := strings.TrimLeftFunc(rest, unicode.IsSpace)
		if body == "" {
			return p.Text, p.Line
		}
		line += strings.Count(rest[:len(rest)-len(body)], "\n")
		text = body
	}
	return text, line
}

// Passages cuts the skill: its head, whole, then its body in pieces of at most
// size characters (40 at least), each as long as the size and a good place to
// cut allow. limit is how many passages are wanted, 0 for all; fewer are the
// first of all. Every character of the body is in one passage, except for the
// blanks between them.
func (s *Skill) Passages(size, limit int) []Passage {
	passages := []Passage{{Text: s.head()}}
	var starts []int
	line := s.BodyLine
	size = max(size, 40)
	for at := 0; limit == 0 || len(passages) < limit; {
		rest := s.Body[at:]
		text := strings.TrimLeftFunc(rest, unicode.IsSpace)
		if text == "" {
			break
		}
		blank := len(rest) - len(text)
		line += strings.Count(rest[:blank], "\n")
		text = text[:passageEnd(text, size)]
		starts = append(starts, at+blank)
		passages = append(passages, Passage{Index: len(passages), Text: strings.TrimRightFunc(text, unicode.IsSpace), Line: line})
		line += strings.Count(text, "\n")
		at += blank + len(text)
	}
	s.setHeadings(passages[1:], starts)
	for i := range passages {
		passages[i].Hash = sha256.Sum256([]byte(passages[i].Input()))
	}
	return passages
}

// passageEnd is where a passage of at most size characters ends: at a blank
// line in its last quarter, else at a line's end there, else at a blank.
func passageEnd(text string, size int) int {
	end := cutPoint(text, size)
	if end == 0 { // one joined sequence, longer than a passage
		end = cutAnywhere(text, size)
	}
	if end == len(text) {
		return end
	}
	for _, mark := range []string{"\n\n", "\n"} {
		if i := strings.LastIndex(text[:end], mark); i > 3*end/4 {
			return i
		}
	}
	return end
}

// setHeadings notes of body passages, which start at the offsets, the headings
// of their first text.
func (s *Skill) setHeadings(passages []Passage, starts []int) {
	var open []block
	next := func() {
		passages[0].Heading = headingPath(open)
		passages, starts = passages[1:], starts[1:]
	}
	for b := range blocks(s.Body) {
		switch {
		case b.level == 0:
			for len(starts) > 0 && starts[0] < b.start+len(b.text) {
				next()
			}
		default:
			for len(starts) > 1 && starts[1] <= b.start { // a passage of headings alone
				next()
			}
			open = append(above(open, b.level), b)
		}
		if len(starts) == 0 {
			return
		}
	}
	for len(starts) > 0 {
		next()
	}
}

// above are the open headings that one of a level lies under.
func above(open []block, level int) []block {
	for len(open) > 0 && open[len(open)-1].level >= level {
		open = open[:len(open)-1]
	}
	return open
}

// maxHeading is the longest heading, in characters, that is told whole.
const maxHeading = 100

func headingPath(open []block) string {
	var path []string
	for _, b := range open {
		if text := headingText(b.text); text != "" {
			path = append(path, Shorten(text, maxHeading))
		}
	}
	return strings.Join(path, " > ")
}

// head is the text of passage 0. The title is left out: it mostly says the name
// again, or what the first passage of the body begins with.
func (s *Skill) head() string {
	var out strings.Builder
	out.WriteString(s.Name)
	if s.Description != "" {
		out.WriteString(". " + s.Description)
	}
	if len(s.Tags) > 0 {
		out.WriteString(" " + strings.Join(s.Tags, ", "))
	}
	return out.String()
}
