package toolset

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// A Format is a way to write definitions down for a model's API.
type Format string

// The formats.
const (
	MCP       Format = "mcp"
	OpenAI    Format = "openai"
	Anthropic Format = "anthropic"
)

// ParseFormat reads the name of a format; "" is MCP.
func ParseFormat(name string) (Format, error) {
	switch f := Format(name); f {
	case "":
		return MCP, nil
	case MCP, OpenAI, Anthropic:
		return f, nil
	}
	return "", invalidf("format is %q; it must be mcp, openai or anthropic", name)
}

// A Field is one property of a tool's structured result.
type Field struct {
	Name string
	Type string // a type of JSON Schema
}

// Definitions are the tools as an API takes them, one JSON array.
func Definitions(tools []Tool, format Format) ([]byte, error) {
	definitions := make([]any, len(tools))
	for i, t := range tools {
		definitions[i] = t.Definition(format)
	}
	return encode(definitions)
}

// Definition is one tool as an API takes it, to be encoded as JSON.
func (t Tool) Definition(format Format) any {
	switch format {
	case OpenAI:
		return ordered{{"type", "function"}, {"function", ordered{{"name", t.Name}, {"description", t.Description}, {"parameters", t.InputSchema()}}}}
	case Anthropic:
		return ordered{{"name", t.Name}, {"description", t.Description}, {"input_schema", t.InputSchema()}}
	}
	d := ordered{{"name", t.Name}}
	if t.Title != "" {
		d = append(d, member{"title", t.Title})
	}
	d = append(d, member{"description", t.Description}, member{"inputSchema", t.InputSchema()})
	if t.Output != nil {
		d = append(d, member{"outputSchema", t.OutputSchema()})
	}
	return append(d, member{"annotations", ordered{{"readOnlyHint", true}, {"openWorldHint", false}}})
}

// InputSchema is the JSON Schema of the tool's arguments. That a strict tool
// takes no others is left to its error: a model pays for each character here
// with every request.
func (t Tool) InputSchema() json.Marshaler {
	properties, required := ordered{}, []string{}
	for _, p := range t.Input {
		properties = append(properties, member{p.Name, p.schema()})
		if p.Required {
			required = append(required, p.Name)
		}
	}
	schema := ordered{{"type", "object"}, {"properties", properties}}
	if len(required) > 0 {
		schema = append(schema, member{"required", required})
	}
	return schema
}

func (p Parameter) schema() ordered {
	schema := ordered{{"type", p.Type}}
	switch {
	case p.Type == Strings:
		schema = append(schema, member{"items", ordered{{"type", "string"}}})
	case p.Type == Integer:
		schema = append(schema, member{"minimum", p.Min}, member{"maximum", p.Max})
	case len(p.Enum) > 0:
		schema = append(schema, member{"enum", p.Enum})
	}
	if p.Default != nil {
		schema = append(schema, member{"default", p.Default})
	}
	if p.Description != "" {
		schema = append(schema, member{"description", p.Description})
	}
	return schema
}

// OutputSchema is the JSON Schema of the tool's structured result.
func (t Tool) OutputSchema() json.Marshaler {
	properties := ordered{}
	for _, f := range t.Output {
		properties = append(properties, member{f.Name, ordered{{"type", f.Type}}})
	}
	return ordered{{"type", "object"}, {"properties", properties}}
}

// An ordered is a JSON object that keeps the order of its members: a model
// reads the most important argument first.
type ordered []member

type member struct {
	key   string
	value any
}

func (o ordered) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		key, _ := encode(m.key) // a string
		out.Write(key)
		out.WriteByte(':')
		value, err := encode(m.value)
		if err != nil {
			return nil, err
		}
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
