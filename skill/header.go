package skill

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// maxDepth bounds the levels of a header.
const maxDepth = 100

// A field is one top-level entry of a header.
type field struct {
	key  string     // normalised: lower case, "-" for "_"
	raw  string     // the key as written
	node *yaml.Node // nil when the value could not be decoded
	note string     // what YAML takes for a comment between key and value
	text string     // the value's source, joined into one text, when node is nil
	line int        // 1-based line of the file
}

// decodeHeader reads the top-level fields of a header in the order of the file.
// What YAML refuses is recovered line by line; bad is then the line of the
// first field that needed it. With an error, fields are the essential ones
// alone.
func decodeHeader(header string, line int) (fields []field, bad int, err error) {
	if err := checkLimits(header); err != nil {
		fields, _ = recoverFields(essential(header), line)
		return fields, 0, err
	}
	if fields, err := decodeYAML(header, line); err == nil && !slices.ContainsFunc(fields, isTorn) {
		return fields, 0, nil
	}
	fields, bad = recoverFields(cutChunks(header, nil), line)
	return fields, bad, nil
}

var (
	errTooLarge  = errors.New("the header is larger than 64 KiB")
	errTooDeep   = errors.New("the header is nested deeper than 100 levels")
	errNoMapping = errors.New("the header is not one mapping")
)

func checkLimits(header string) error {
	switch {
	case len(header) > maxHeader:
		return errTooLarge
	case bracketDepth(header) > maxDepth || indentDepth(header) > maxDepth:
		return errTooDeep
	}
	return nil
}

// essentialKeys are read of an oversized header too: what it is called, and who
// may see and load it.
var essentialKeys = []string{"name", "description", "code", "skillbook", "active", "status", "deleted", "disable-model-invocation", "requires"}

// essential are the chunks that line-wise reading of an oversized header can
// afford: the first of each essential key, each of at most 64 KiB.
func essential(header string) []chunk {
	seen := make(map[string]bool)
	chunks := cutChunks(header, func(key string) bool {
		if !slices.Contains(essentialKeys, key) || seen[key] {
			return false
		}
		seen[key] = true
		return true
	})
	for i, c := range chunks {
		if source := c.source(); len(source) > maxHeader {
			chunks[i].lines = []string{strings.ToValidUTF8(source[:maxHeader], "")}
		}
	}
	return chunks
}

// decodeYAML decodes into nodes only: decoding a hostile header into a map or a
// struct can take minutes. A second document is an error, because its keys
// would be lost.
func decodeYAML(header string, line int) ([]field, error) {
	if err := checkLimits(header); err != nil {
		return nil, err
	}
	var doc, second yaml.Node
	d := yaml.NewDecoder(strings.NewReader(header))
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF): // nothing but comments
		return nil, nil
	case err != nil:
		return nil, err
	case !errors.Is(d.Decode(&second), io.EOF), doc.Content[0].Kind != yaml.MappingNode:
		return nil, errNoMapping
	}
	pairs := doc.Content[0].Content
	fields := make([]field, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		key, value := pairs[i], pairs[i+1]
		fields = append(fields, field{key: normalKey(key.Value), raw: key.Value, node: value, note: key.LineComment, line: line + key.Line - 1})
	}
	return fields, nil
}

// recoverFields reads "key: value" chunk by chunk. Each is first tried as YAML
// by itself, so that one bad line costs only its own key; else its value is the
// rest of the line, joined with the lines that follow.
func recoverFields(chunks []chunk, line int) (fields []field, bad int) {
	for _, c := range chunks {
		f := field{key: c.key, raw: c.raw, line: line + c.line}
		if one, err := decodeYAML(c.source(), f.line); err == nil && len(one) == 1 && !isTorn(one[0]) {
			f.node, f.note = one[0].node, one[0].note
		} else {
			f.text = joinValue(c.value())
			bad = cmp.Or(bad, f.line)
		}
		fields = append(fields, f)
	}
	return fields, bad
}

// isTorn reports a text field that YAML read as a mapping because it holds a
// colon: "description:\n  Use when: asked".
func isTorn(f field) bool {
	return isText(f.key) && f.node.Kind == yaml.MappingNode && f.node.Style&yaml.FlowStyle == 0
}

func isText(key string) bool {
	return slices.Contains([]string{"description", "title", "license", "compatibility"}, key)
}

// A chunk is one key of a header with the lines that belong to it.
type chunk struct {
	key   string   // normalised
	raw   string   // the key as written
	colon int      // where the key ends in the first line
	lines []string // all of its lines
	line  int      // 0-based line within the header
}

func (c chunk) source() string { return strings.Join(c.lines, "\n") }

// value is the source without the key.
func (c chunk) value() string { return c.source()[c.colon+1:] }

// takes reports whether a line that begins no key belongs to the chunk: an
// indented one, a list item, and prose that lost its indentation, unless it
// stands behind a blank line or a name, which is one line.
func (c chunk) takes(line string) bool {
	if line == "" || line[0] == ' ' || line[0] == '\t' || isItem(line) {
		return true
	}
	return c.key != "name" && c.lines[len(c.lines)-1] != "" && line[0] != '#' && line[0] != '-' && strings.ContainsFunc(line, unicode.IsLetter)
}

// cutChunks cuts a header at its keys. Where keep says no, the key and its lines
// are left out; nil keeps all.
func cutChunks(header string, keep func(key string) bool) []chunk {
	var chunks []chunk
	n, open := 0, false // open: the last chunk may go on
	for line := range strings.SplitSeq(header, "\n") {
		last := len(chunks) - 1
		if end := keyEnd(line); end > 0 {
			c := chunk{key: normalKey(line[:end]), raw: strings.TrimSpace(line[:end]), colon: end, lines: []string{line}, line: n}
			if open = keep == nil || keep(c.key); open {
				chunks = append(chunks, c)
			}
		} else if open && chunks[last].takes(line) {
			chunks[last].lines = append(chunks[last].lines, line)
		}
		n++
	}
	return chunks
}

// joinValue is the text of a value that is no YAML: its lines joined by blanks,
// or kept when it is a literal block; surrounding quotes fall away.
func joinValue(value string) string {
	first, rest, _ := strings.Cut(value, "\n")
	indicator := strings.TrimSpace(first)
	if strings.Trim(indicator, "|>+-0123456789") == "" && strings.ContainsAny(indicator, "|>") {
		return joinBlock(rest, strings.HasPrefix(indicator, "|"))
	}
	text := strings.Join(strings.Fields(value), " ")
	if !strings.Contains(value, "\n") {
		text = strings.TrimSpace(value) // one line stays as it is
	}
	if n := len(text); n >= 2 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
		text = text[1 : n-1]
	}
	return text
}

func joinBlock(block string, literal bool) string {
	lines := strings.Split(block, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	if literal {
		return strings.TrimSpace(strings.Join(lines, "\n"))
	}
	return strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
}

// bracketDepth is the deepest nesting of flow collections, quotes ignored: a
// bound, not a parse.
func bracketDepth(header string) int {
	depth, deepest := 0, 0
	for i := range len(header) {
		switch header[i] {
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth = max(0, depth-1)
		case '\n':
			if i+1 < len(header) && keyEnd(firstLine(header[i+1:])) > 0 {
				depth = 0
			}
		}
	}
	return deepest
}

// indentDepth is how many block levels a header can have at most: no line
// opens more than one for each blank and "- " it begins with.
func indentDepth(header string) int {
	deepest := 0
	for line := range strings.SplitSeq(header, "\n") {
		indent := len(line) - len(strings.TrimLeft(line, " -?"))
		deepest = max(deepest, indent)
	}
	return deepest / 2
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
