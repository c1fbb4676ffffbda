package server

import "github.com/google/jsonschema-go/jsonschema"

// A body is the schema of what a POST takes.
type body func() *jsonschema.Schema

// searchBody is the body of a search; parseBody reads it.
func searchBody() *jsonschema.Schema {
	s := closed(map[string]*jsonschema.Schema{})
	for _, p := range bodyParameters {
		s.Properties[p.name] = p.field()
		s.PropertyOrder = append(s.PropertyOrder, p.name)
		if p.must {
			s.Required = append(s.Required, p.name)
		}
	}
	return s
}

// batchBody is the body of several searches; parseBatch reads it.
func batchBody() *jsonschema.Schema {
	queries := &jsonschema.Schema{Type: "array", Items: searchBody(), MinItems: jsonschema.Ptr(1), MaxItems: jsonschema.Ptr(maxBatch)}
	s := closed(map[string]*jsonschema.Schema{"queries": queries})
	s.Required = []string{"queries"}
	return s
}

// toolBody is the arguments of a tool, which its own definition describes.
func toolBody() *jsonschema.Schema { return &jsonschema.Schema{Type: "object"} }

// closed is an object with these properties and no others.
func closed(properties map[string]*jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Properties: properties, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
}

// A toolResult is what toolset.Result is as JSON.
type toolResult struct {
	Content    []map[string]any `json:"content"`
	Structured map[string]any   `json:"structuredContent,omitempty"`
	IsError    bool             `json:"isError,omitempty"`
}
