package skill

import (
	"crypto/sha256"
	"slices"
	"strings"
	"unicode"
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

// Passages cuts the skill: its head, whole, then its body in pieces whose Input
// has at most size characters (40 at least). limit is how many passages are
// wanted, 0 for all; fewer are the first of all. Every character of the body is
// in one passage, except for blanks between them and for headings that the
// heading path of the text below them says.
func (s *Skill) Passages(size, limit int) []Passage {
	c := cutter{body: s.Body, size: max(size, 40), limit: limit, line: s.BodyLine, passages: []Passage{{Text: s.head()}}}
	c.measure()
	for b := range blocks(s.Body) {
		if c.full() {
			break
		}
		c.add(b)
	}
	c.write()
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
	return strings.EqualFold(withoutBreaks(a), withoutBreaks(b))
}

func withoutBreaks(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == ' ' {
			return -1
		}
		return r
	}, name)
}

// A cutter packs blocks into passages.
type cutter struct {
	body        string
	size, limit int
	line        int // of the file on which the body begins
	passages    []Passage

	open    []block // headings that the next block lies under, outermost first
	pending []block // the innermost of open, those with no text yet
	path    string  // heading path of a passage that begins now
	outside int     // how many of open have no room in path
	room    int     // characters that path leaves to the text

	// The passage being packed is body[start:end], chars its characters, at most
	// most: 0 when there is none.
	start, end, chars int
	heading           string
	startLine, most   int
}

func (c *cutter) full() bool { return c.limit > 0 && len(c.passages) >= c.limit }

// add packs a block. A heading begins a new passage unless the present one is
// still short; then it waits for its text, which carries it in its heading path.
func (c *cutter) add(b block) {
	if b.level == 0 {
		if c.outside > len(c.open)-len(c.pending) {
			c.write()
		}
		c.pending = c.pending[:0]
		c.pack(b)
		return
	}
	if n := len(c.pending); n > 0 && b.level <= c.pending[n-1].level {
		c.write()
	}
	if c.chars > c.size/3 || c.chars > 0 && !c.fits(b) {
		c.flush()
	}
	if c.chars > 0 {
		c.pack(b)
		c.enter(b)
		return
	}
	c.enter(b)
	c.pending = append(c.pending, b)
}

// write packs the pending headings as text: no passage's heading path will say
// them all, for want of text below them or of room.
func (c *cutter) write() {
	if len(c.pending) == 0 {
		return
	}
	c.open = c.open[:len(c.open)-len(c.pending)]
	c.measure()
	for _, b := range c.pending {
		c.pack(b)
		c.open = append(c.open, b)
		c.measure()
	}
	c.pending = c.pending[:0]
}

// enter notes a heading in the path.
func (c *cutter) enter(b block) {
	for len(c.open) > 0 && c.open[len(c.open)-1].level >= b.level {
		c.open = c.open[:len(c.open)-1]
	}
	c.open = append(c.open, b)
	c.measure()
}

// measure makes the heading path, in at most a quarter of a passage; what is
// furthest out is left away first.
func (c *cutter) measure() {
	c.path, c.outside = "", len(c.open)
	quarter := c.size / 4
	for i, b := range slices.Backward(c.open) {
		path := headingText(b.text)
		if c.path != "" {
			path += " > " + c.path
		}
		if utf8.RuneCountInString(path) > quarter {
			break
		}
		c.path, c.outside = path, i
	}
	if c.path == "" && len(c.open) > 0 {
		c.path = Shorten(headingText(c.open[len(c.open)-1].text), quarter)
	}
	c.room = c.size - utf8.RuneCountInString(c.path) - 1
}

// fits reports whether a block has room in the passage being packed.
func (c *cutter) fits(b block) bool {
	return c.chars+utf8.RuneCountInString(c.body[c.end:b.start+len(b.text)]) <= c.most
}

// pack adds a block to the passage being packed, or else begins one; what is
// longer than a passage is cut.
func (c *cutter) pack(b block) {
	if c.chars > 0 && !c.fits(b) {
		c.flush()
	}
	at, end, line := b.start, b.start+len(b.text), c.line+b.line
	if c.chars == 0 {
		rest := utf8.RuneCountInString(b.text)
		for rest > c.room && !c.full() {
			cut := cutPoint(c.body[at:end], c.room)
			if cut == 0 { // one joined sequence, longer than a passage
				cut = cutAnywhere(c.body[at:end], c.room)
			}
			piece := c.body[at : at+cut]
			c.extend(at, at+cut, line)
			c.flush()
			rest -= utf8.RuneCountInString(piece)
			line += strings.Count(piece, "\n")
			at += cut
		}
	}
	c.extend(at, end, line)
}

// extend makes body[start:end] the end of the passage being packed, or the
// beginning of one.
func (c *cutter) extend(start, end, line int) {
	if strings.TrimSpace(c.body[start:end]) == "" {
		return
	}
	if c.chars == 0 {
		c.start, c.end, c.startLine = start, start, line
		c.heading, c.most = c.path, c.room
	}
	c.chars += utf8.RuneCountInString(c.body[c.end:end])
	c.end = end
}

func (c *cutter) flush() {
	if c.chars == 0 {
		return
	}
	whole := c.body[c.start:c.end]
	text := strings.TrimLeftFunc(whole, unicode.IsSpace)
	line := c.startLine + strings.Count(whole[:len(whole)-len(text)], "\n")
	c.passages = append(c.passages, Passage{Index: len(c.passages), Heading: c.heading, Text: strings.TrimSpace(text), Line: line})
	c.chars = 0
}
