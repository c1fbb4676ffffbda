package skill

import (
	"crypto/sha256"
	"strings"
	"unicode/utf8"
)

// PassageVersion changes when the same skill is cut into other passages.
const PassageVersion = 1

// A Passage is a piece of a skill that gets one vector. Passage 0 is the head
// (name, title, description, tags); the others cut the body at headings and
// paragraphs.
type Passage struct {
	Index   int               // 0 is the head, 1… the body in order
	Heading string            // heading path of a body passage: "Forms > Filling"
	Text    string            // the passage as it stands in the file; the head's made-up text for 0
	Line    int               // 1-based line of the file on which Text begins; 0 for the head
	Hash    [sha256.Size]byte // of Input
}

// Input is the text that an embedder is given: the heading path, where there
// is one, and the text.
func (p Passage) Input() string {
	if p.Heading == "" {
		return p.Text
	}
	return p.Heading + "\n" + p.Text
}

// Passages cuts the skill: its head, then its body in pieces whose Input has
// at most size characters. limit is how many passages are wanted, 0 for all.
func (s *Skill) Passages(size, limit int) []Passage {
	c := cutter{body: s.Body, size: max(size, 40), line: s.BodyLine, passages: []Passage{{Text: s.head()}}}
	for b := range blocks(s.Body) {
		if limit > 0 && len(c.passages) >= limit {
			break
		}
		c.add(b)
	}
	c.flush()
	if limit > 0 && len(c.passages) > limit {
		c.passages = c.passages[:limit]
	}
	for i := range c.passages {
		c.passages[i].Hash = sha256.Sum256([]byte(c.passages[i].Input()))
	}
	return c.passages
}

// head is the text of passage 0. A title or a code that repeats the name is
// left out.
func (s *Skill) head() string {
	var out strings.Builder
	out.WriteString(s.Name)
	if !sameWords(s.Title, s.Name) {
		out.WriteString(". " + s.Title)
	}
	if s.Description != "" {
		out.WriteString(". " + s.Description)
	}
	if len(s.Tags) > 0 {
		out.WriteString(" " + strings.Join(s.Tags, ", "))
	}
	return out.String()
}

func sameWords(a, b string) bool {
	fold := strings.NewReplacer("-", "", "_", "", " ", "")
	return strings.EqualFold(fold.Replace(a), fold.Replace(b))
}

// A cutter packs blocks into passages. The passage being packed is
// body[start:end]; chars is its length in characters, 0 when there is none.
type cutter struct {
	body     string
	size     int
	line     int // of the file on which the body begins
	headings []string
	levels   []int
	passages []Passage

	start, end, chars int
	heading           string // heading path of the passage being packed
	startLine         int
}

// add packs a block. A heading begins a new passage unless the present one is
// still short.
func (c *cutter) add(b block) {
	if b.level > 0 {
		if c.chars > c.size/3 {
			c.flush()
		}
		c.enter(b)
		if c.chars == 0 {
			return // the heading path says it
		}
	}
	n := utf8.RuneCountInString(b.text)
	if c.chars > 0 && c.chars+2+n > c.room() {
		c.flush()
	}
	at, line := b.start, c.line+b.line
	for n > c.room() {
		cut := cutPoint(c.body[at:b.start+len(b.text)], c.room())
		c.pack(at, at+cut, line)
		c.flush()
		line += strings.Count(c.body[at:at+cut], "\n")
		at += cut
		n = utf8.RuneCountInString(c.body[at : b.start+len(b.text)])
	}
	c.pack(at, b.start+len(b.text), line)
}

// room is how many characters the heading path leaves to the text.
func (c *cutter) room() int {
	path := c.heading
	if c.chars == 0 {
		path = c.path()
	}
	return c.size - utf8.RuneCountInString(path) - 1
}

func (c *cutter) pack(start, end, line int) {
	text := c.body[start:end]
	if strings.TrimSpace(text) == "" {
		return
	}
	if c.chars == 0 {
		c.heading, c.start, c.startLine = c.path(), start, line
	} else {
		c.chars += 2
	}
	c.end = end
	c.chars += utf8.RuneCountInString(text)
}

func (c *cutter) flush() {
	if c.chars == 0 {
		return
	}
	text := strings.TrimSpace(c.body[c.start:c.end])
	c.passages = append(c.passages, Passage{Index: len(c.passages), Heading: c.heading, Text: text, Line: c.startLine})
	c.chars = 0
}

// enter notes a heading in the path.
func (c *cutter) enter(b block) {
	for len(c.levels) > 0 && c.levels[len(c.levels)-1] >= b.level {
		c.levels = c.levels[:len(c.levels)-1]
		c.headings = c.headings[:len(c.headings)-1]
	}
	c.levels = append(c.levels, b.level)
	c.headings = append(c.headings, headingText(b.text))
}

// path is the heading path, in at most a quarter of a passage; what is
// furthest out is left away first.
func (c *cutter) path() string {
	for from := range c.headings {
		if path := strings.Join(c.headings[from:], " > "); utf8.RuneCountInString(path) <= c.size/4 {
			return path
		}
	}
	if len(c.headings) == 0 {
		return ""
	}
	return Shorten(c.headings[len(c.headings)-1], c.size/4)
}
