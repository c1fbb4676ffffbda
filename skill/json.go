package skill

import (
	"encoding/json"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// FrontMatter is the header of a skill file as data for JSON, every key and
// value as the author wrote it. ok is false for a header that needed mending,
// and for one with values that YAML parsers read differently: who compares it
// with the file would find another one.
func FrontMatter(raw []byte) (fields map[string]any, ok bool) {
	text, badLine, isBinary := decodeText(raw)
	fm := splitFrontmatter(text)
	if isBinary || badLine > 0 || !strings.HasPrefix(string(raw), "---") || !fm.terminated {
		return nil, false
	}
	decoded, err := decodeYAML(fm.header, 1)
	if err != nil {
		return nil, false
	}
	fields, budget := make(map[string]any, len(decoded)), maxHeader
	for _, f := range decoded {
		if _, twice := fields[f.raw]; twice {
			return nil, false
		}
		if fields[f.raw], ok = plainData(f.node, &budget, 0); !ok {
			return nil, false
		}
	}
	return fields, true
}

// Numbers on whose meaning all parsers agree.
var plainNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?$`)

// plainData is a node as nil, bool, json.Number, string, []any or
// map[string]any. Each node costs one of budget, those behind aliases again and
// again.
func plainData(node *yaml.Node, budget *int, depth int) (value any, ok bool) {
	node = follow(node)
	if *budget--; *budget <= 0 || depth > maxDepth || node == nil {
		return nil, false
	}
	switch node.Kind {
	case yaml.SequenceNode:
		items := make([]any, len(node.Content))
		for i, item := range node.Content {
			if items[i], ok = plainData(item, budget, depth+1); !ok {
				return nil, false
			}
		}
		return items, true
	case yaml.MappingNode:
		items := make(map[string]any, len(node.Content)/2)
		for i := 0; i+1 < len(node.Content); i += 2 {
			key := node.Content[i]
			if _, twice := items[key.Value]; twice || key.Kind != yaml.ScalarNode || key.ShortTag() != "!!str" {
				return nil, false
			}
			if items[key.Value], ok = plainData(node.Content[i+1], budget, depth+1); !ok {
				return nil, false
			}
		}
		return items, true
	}
	return plainScalar(node)
}

func plainScalar(node *yaml.Node) (value any, ok bool) {
	switch node.ShortTag() {
	case "!!str", "!!timestamp":
		return node.Value, true
	case "!!null":
		return nil, true
	case "!!bool":
		return strings.EqualFold(node.Value, "true"), true
	case "!!int", "!!float":
		return json.Number(node.Value), plainNumber.MatchString(node.Value)
	}
	return nil, false
}
