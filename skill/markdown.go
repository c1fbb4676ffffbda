package skill

import (
	"iter"
	"strings"
)

// firstHeading is the text of the first "# " heading outside a code block that
// has one, or otherwise.
func firstHeading(body, otherwise string) string {
	for b := range blocks(body) {
		if b.level == 1 && headingText(b.text) != "" {
			return headingText(b.text)
		}
	}
	return otherwise
}

// firstParagraph is the first block of prose, its lines joined; where there is
// none, the first heading's text.
func firstParagraph(body string) string {
	heading := ""
	for b := range blocks(body) {
		switch {
		case b.level > 0:
			if heading == "" {
				heading = headingText(b.text)
			}
		case isProse(b.text):
			return strings.Join(strings.Fields(b.text), " ")
		}
	}
	return heading
}

func isProse(block string) bool {
	for _, prefix := range []string{">", "```", "~~~", "<", "|", "![", "[![", "---", "***", "___", "==="} {
		if strings.HasPrefix(strings.TrimSpace(block), prefix) {
			return false
		}
	}
	return strings.TrimSpace(block) != ""
}

// headingText is a heading's line without its marks.
func headingText(line string) string {
	text := strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#"))
	if i := strings.LastIndexFunc(text, func(r rune) bool { return r != '#' }); i >= 0 && strings.HasSuffix(text, "#") && text[i] == ' ' {
		text = text[:i]
	}
	return strings.TrimSpace(text)
}

// A block is a heading, a paragraph or a fenced code block of a body.
type block struct {
	text  string
	level int // of a heading, 1–6; 0 for anything else
	start int // offset within the body
	line  int // 0-based line within the body
}

// blocks cuts a body: a heading's line is a block, a fenced code block is one,
// and so is each run of other lines up to a blank one.
func blocks(body string) iter.Seq[block] {
	return func(yield func(block) bool) {
		sc := scanner{body: body, yield: yield}
		for line := 0; sc.offset < len(body) && !sc.done; line++ {
			sc.line(line)
		}
		sc.flush(len(body))
	}
}

// A scanner walks the lines of a body and holds the block that is open.
type scanner struct {
	body   string
	yield  func(block) bool
	done   bool // the consumer has seen enough
	offset int
	open   *block
	fence  string // mark of the open code block
}

func (sc *scanner) line(n int) {
	text := firstLine(sc.body[sc.offset:])
	start, next := sc.offset, min(sc.offset+len(text)+1, len(sc.body))
	sc.offset = next
	mark := fenceMark(text)
	level := headingLevel(text)
	switch {
	case sc.fence != "":
		if strings.HasPrefix(mark, sc.fence) && strings.TrimSpace(text) == mark {
			sc.fence = ""
			sc.flush(next)
		}
	case mark != "":
		sc.flush(start)
		sc.open, sc.fence = &block{start: start, line: n}, mark
	case level > 0:
		sc.flush(start)
		sc.open = &block{level: level, start: start, line: n}
		sc.flush(next)
	case strings.TrimSpace(text) == "":
		sc.flush(start)
	case sc.open == nil:
		sc.open = &block{start: start, line: n}
	}
}

// flush hands on the open block, which ends at offset end.
func (sc *scanner) flush(end int) {
	if sc.open == nil || sc.done {
		return
	}
	sc.open.text = strings.TrimRight(sc.body[sc.open.start:end], "\n")
	sc.done = !sc.yield(*sc.open)
	sc.open = nil
}

// fenceMark is the run of backticks or tildes that opens or closes a code
// block, "" when the line holds none.
func fenceMark(line string) string {
	text := strings.TrimLeft(line, " \t")
	for _, c := range []string{"`", "~"} {
		if n := len(text) - len(strings.TrimLeft(text, c)); n >= 3 {
			if c == "`" && strings.Contains(text[n:], "`") {
				return "" // inline code
			}
			return text[:n]
		}
	}
	return ""
}

func headingLevel(line string) int {
	if line == "" || line[0] != '#' {
		return 0
	}
	n := len(line) - len(strings.TrimLeft(line, "#"))
	if n > 6 || n < len(line) && line[n] != ' ' && line[n] != '\t' {
		return 0
	}
	return n
}
