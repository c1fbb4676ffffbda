package skill

import "strings"

const (
	maxHeader = 64 << 10 // bytes of a header that are given to the YAML decoder
	maxKey    = 256      // bytes of a key
)

// A frontmatter is a file cut into its header and its body.
type frontmatter struct {
	header     string // without the fences
	headerLine int    // 1-based line of the file on which header begins
	body       string
	bodyLine   int
	found      bool // there is an opening fence
	terminated bool // and a closing one
	late       bool // blank lines or comments stood before the opening fence
}

// splitFrontmatter finds the header. A fence is "---" at the start of a line,
// blanks may follow. Without a closing fence the header ends where its lines
// stop looking like one.
func splitFrontmatter(text string) frontmatter {
	start, line := skipPreamble(text)
	first, rest, more := strings.Cut(text[start:], "\n")
	if !isFence(first) || start > 0 && text[start-1] != '\n' {
		return withBody(frontmatter{}, text, 1)
	}
	fm := frontmatter{found: true, late: start > 0, headerLine: line + 1}
	if !more {
		return withBody(fm, "", line+1)
	}
	if end, next, ok := closingFence(rest); ok {
		fm.terminated = true
		fm.header = rest[:end]
		return withBody(fm, rest[next:], fm.headerLine+strings.Count(rest[:next], "\n"))
	}
	end := headerEnd(rest)
	fm.header = rest[:end]
	return withBody(fm, rest[end:], fm.headerLine+strings.Count(rest[:end], "\n"))
}

// withBody sets the body, less the blank lines before it.
func withBody(fm frontmatter, body string, line int) frontmatter {
	for {
		first, rest, more := strings.Cut(body, "\n")
		if !more || strings.TrimSpace(first) != "" {
			break
		}
		body, line = rest, line+1
	}
	if strings.TrimSpace(body) == "" {
		body = ""
	}
	fm.body, fm.bodyLine = body, line
	return fm
}

// skipPreamble passes blank lines and HTML comments. It returns the offset and
// the 1-based line of what follows.
func skipPreamble(text string) (offset, line int) {
	for {
		rest := text[offset:]
		lead := len(rest) - len(strings.TrimLeft(rest, " \t\n"))
		end := strings.Index(rest[lead:], "-->")
		if end < 0 || !strings.HasPrefix(rest[lead:], "<!--") {
			offset += strings.LastIndexByte(rest[:lead], '\n') + 1
			return offset, 1 + strings.Count(text[:offset], "\n")
		}
		offset += lead + end + len("-->")
	}
}

func isFence(line string) bool {
	return strings.HasPrefix(line, "---") && strings.TrimRight(line[3:], " \t") == ""
}

// closingFence finds the line that ends the header: where it starts, and where
// the line behind it starts.
func closingFence(text string) (start, next int, ok bool) {
	for start < len(text) {
		end := strings.IndexByte(text[start:], '\n')
		if end < 0 {
			return start, len(text), isFence(text[start:])
		}
		if isFence(text[start : start+end]) {
			return start, start + end + 1, true
		}
		start += end + 1
	}
	return 0, 0, false
}

// headerEnd is the offset at which text stops looking like a header: lines of
// "key: value", indented ones and list items. Behind a blank line only the
// first two go on with it: a list there is the body's.
func headerEnd(text string) int {
	end, offset, blank := 0, 0, false
	for offset < len(text) {
		line := firstLine(text[offset:])
		next := min(offset+len(line)+1, len(text))
		switch {
		case strings.TrimSpace(line) == "":
			blank = true
		case line[0] == ' ' || line[0] == '\t', keyEnd(line) > 0, isItem(line) && !blank:
			end, blank = next, false
		default:
			return end
		}
		offset = next
	}
	return end
}

func isItem(line string) bool { return line == "-" || strings.HasPrefix(line, "- ") }

// keyEnd is the offset of the colon that ends a top-level key, 0 when the line
// has none. A colon must be followed by a blank or the line's end, except
// behind the keys that matter most.
func keyEnd(line string) int {
	i := strings.IndexByte(line, ':')
	if i <= 0 || i > maxKey || !isKey(line[:i]) {
		return 0
	}
	if i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t' {
		return i
	}
	if key := normalKey(line[:i]); key == "name" || key == "description" {
		return i
	}
	return 0
}

func isKey(s string) bool {
	s = strings.Trim(strings.TrimRight(s, " \t"), `"'`)
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == '-' || c == '.')) {
			return false
		}
	}
	return s != ""
}

// normalKey folds the spellings of one key: case, "_" and "-".
func normalKey(key string) string {
	key = strings.Trim(strings.TrimSpace(key), `"'`)
	return strings.ReplaceAll(strings.ToLower(key), "_", "-")
}
