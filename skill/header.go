package skill

import (
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

const (
	maxDepth   = 100    // levels of a header
	maxAliases = 10_000 // nodes that one value may grow to when its aliases are followed
)

// A field is one top-level entry of a header.
type field struct {
	key  string     // normalised: lower case, "-" for "_"
	raw  string     // the key as written
	node *yaml.Node // nil when the value could not be decoded
	text string     // the value's source, joined into one text, when node is nil
	line int        // 1-based line of the file
}

// decodeHeader reads the top-level fields of a header in the order of the file.
// What YAML refuses is recovered line by line; bad is then the line of the
// first field that needed it.
func decodeHeader(header string, line int) (fields []field, bad int, err error) {
	if len(header) > maxHeader {
		return nil, 0, errTooLarge
	}
	if bracketDepth(header) > maxDepth || indentDepth(header) > maxDepth {
		return nil, 0, errTooDeep
	}
	if fields, err := decodeYAML(header, line); err == nil {
		return fields, 0, nil
	}
	fields, bad = recoverFields(header, line)
	return fields, bad, nil
}

var (
	errTooLarge = errors.New("header is larger than 64 KiB")
	errTooDeep  = errors.New("header is nested deeper than 100 levels")
	errNoFields = errors.New("header holds no key: value lines")
)

// decodeYAML decodes into nodes only: decoding a hostile header into a map or a
// struct can take minutes.
func decodeYAML(header string, line int) ([]field, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(header), &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	top := doc.Content[0]
	if top.Kind != yaml.MappingNode {
		return nil, errNoFields
	}
	fields := make([]field, 0, len(top.Content)/2)
	for i := 0; i+1 < len(top.Content); i += 2 {
		key, value := top.Content[i], top.Content[i+1]
		fields = append(fields, field{key: normalKey(key.Value), raw: key.Value, node: value, line: line + key.Line - 1})
	}
	return fields, nil
}

// recoverFields reads "key: value" line by line: a value is the rest of its
// line, joined with the indented lines that follow. Each is first tried as YAML
// by itself, so that one bad line costs only its own key.
func recoverFields(header string, line int) (fields []field, bad int) {
	for _, c := range cutChunks(header) {
		f := field{key: normalKey(c.key), raw: strings.TrimSpace(c.key), line: line + c.line}
		if one, err := decodeYAML(c.source, f.line); err == nil && len(one) == 1 && !looksTorn(one[0]) {
			f.node = one[0].node
		} else {
			f.text = joinValue(c.value)
			if bad == 0 {
				bad = f.line
			}
		}
		fields = append(fields, f)
	}
	return fields, bad
}

// looksTorn reports a text field that YAML read as a mapping because it holds
// a colon: "description:\n  Use when: asked".
func looksTorn(f field) bool {
	return isText(f.key) && f.node.Kind == yaml.MappingNode
}

func isText(key string) bool {
	return slices.Contains([]string{"name", "description", "title", "code", "license", "compatibility"}, key)
}

// A chunk is one key of a header with the lines that belong to it.
type chunk struct {
	key    string
	source string // all of its lines
	value  string // the same without the key
	line   int    // 0-based line within the header
}

func cutChunks(header string) []chunk {
	var chunks []chunk
	for n, line := range strings.Split(header, "\n") {
		if end := keyEnd(line); end > 0 {
			chunks = append(chunks, chunk{key: line[:end], source: line, value: line[end+1:], line: n})
		} else if last := len(chunks) - 1; last >= 0 && !strings.HasPrefix(line, "#") {
			chunks[last].source += "\n" + line
			chunks[last].value += "\n" + line
		}
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
