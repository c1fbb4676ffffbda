package skill

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// scalar is the source text of a field: "1e3", "true" and dates stay as they
// were written. ok is false for null, lists and mappings.
func (f field) scalar() (text string, ok bool) {
	if f.node == nil {
		return f.text, f.text != ""
	}
	node := follow(f.node)
	if node == nil || node.Kind != yaml.ScalarNode || node.Tag == "!!null" {
		return "", false
	}
	return strings.TrimSpace(node.Value), true
}

// withComments is the source text of a plain value with what YAML takes for
// comments before and behind it. In a description that is nearly always meant as
// text; found reports that there was some.
func (f field) withComments(text string) (whole string, found bool) {
	if f.node == nil || f.node.Kind != yaml.ScalarNode || f.node.Style != 0 {
		return text, false
	}
	whole = strings.TrimSpace(f.note + " " + text + " " + f.node.LineComment)
	return whole, f.note != "" || f.node.LineComment != ""
}

// list is the items of a list, or of a text that separates them with commas or
// blanks. Parentheses hold an item together: "Bash(git add:*) Read".
func (f field) list() []string {
	if f.node == nil {
		return splitList(f.text, "[]")
	}
	node := follow(f.node)
	if node == nil {
		return nil
	}
	if node.Kind != yaml.SequenceNode {
		text, _ := f.scalar()
		return splitList(text, "")
	}
	var items []string
	for _, item := range node.Content {
		if text, ok := (field{node: item}).scalar(); ok && text != "" {
			items = append(items, text)
		}
	}
	return items
}

// tags is list, except that commas alone separate where there are any: a tag
// may hold a blank.
func (f field) tags() []string {
	text, ok := f.scalar()
	if !ok || !strings.Contains(text, ",") {
		return f.list()
	}
	var items []string
	for item := range strings.SplitSeq(strings.Trim(text, "[]"), ",") {
		if item = strings.Trim(strings.TrimSpace(item), `"'`); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// splitList cuts at commas and blanks; quotes around an item, and marks of a
// list that is no YAML, fall away.
func splitList(text, marks string) []string {
	depth := 0
	items := strings.FieldsFunc(text, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth = max(0, depth-1)
		}
		return depth == 0 && (r == ',' || r == ' ' || r == '\t' || r == '\n')
	})
	for i := range items {
		items[i] = strings.Trim(items[i], `"'`+marks)
	}
	return slices.DeleteFunc(items, func(s string) bool { return s == "" || s == "-" })
}

// yes reports a boolean as people write them.
func (f field) yes() bool {
	text, _ := f.scalar()
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "yes", "on", "y", "1":
		return true
	}
	return false
}

// no reports a boolean that people write for no, or leave out.
func (f field) no() bool {
	text, ok := f.scalar()
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "false", "no", "off", "n", "0", "", "null", "~":
		return ok || text == "" && (f.node == nil || follow(f.node).Content == nil)
	}
	return false
}

// entries are the fields of a mapping, the first of equal keys; nil when f is
// none.
func (f field) entries() []field {
	node := follow(f.node)
	if node == nil || node.Kind != yaml.MappingNode {
		return nil
	}
	seen := make(map[string]bool)
	var fields []field
	for i := 0; i+1 < len(node.Content); i += 2 {
		raw := node.Content[i].Value
		if key := normalKey(raw); !seen[key] {
			seen[key] = true
			fields = append(fields, field{key: key, raw: raw, node: node.Content[i+1], line: f.line})
		}
	}
	return fields
}

func lookup(fields []field, key string) (field, bool) {
	i := slices.IndexFunc(fields, func(f field) bool { return f.key == key })
	if i < 0 {
		return field{}, false
	}
	return fields[i], true
}

// follow resolves an alias; YAML allows no alias to an alias.
func follow(node *yaml.Node) *yaml.Node {
	if node != nil && node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

// data is the field's value as string, []any or map[string]any. Each node costs
// one of budget, those behind aliases again and again; ok is false when it does
// not suffice.
func (f field) data(budget *int) (value any, ok bool) {
	if f.node == nil {
		return f.text, true
	}
	value = toData(f.node, budget, 0)
	return value, *budget > 0
}

func toData(node *yaml.Node, budget *int, depth int) any {
	*budget--
	node = follow(node)
	if *budget <= 0 || depth > maxDepth || node == nil {
		*budget = min(*budget, 0)
		return nil
	}
	switch node.Kind {
	case yaml.SequenceNode:
		items := make([]any, 0, len(node.Content))
		for _, item := range node.Content {
			items = append(items, toData(item, budget, depth+1))
		}
		return items
	case yaml.MappingNode:
		items := make(map[string]any, len(node.Content)/2)
		for i := 0; i+1 < len(node.Content); i += 2 {
			key := node.Content[i].Value
			if _, taken := items[key]; !taken { // the first of two equal keys wins
				items[key] = toData(node.Content[i+1], budget, depth+1)
			}
		}
		return items
	}
	if node.Tag == "!!null" {
		return nil
	}
	return node.Value
}
