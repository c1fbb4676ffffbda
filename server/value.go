package server

import (
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/toolset"
)

// A value is what a parameter takes, as the description of the server says it.
// What is taken in truth, set says.
type value struct {
	about  string
	must   bool               // a request without it is refused
	bounds *jsonschema.Schema // beyond its form; nil for none
}

// needed is a text without which a request is refused, and a blank is none.
func (v value) needed() value {
	bounds := &jsonschema.Schema{}
	if v.bounds != nil {
		bounds = v.bounds.CloneSchemas()
	}
	bounds.MinLength = jsonschema.Ptr(1)
	return value{about: v.about, must: true, bounds: bounds}
}

// described is a value of which its form says all.
func described(about string) value { return value{about: about} }

// whole is a number without fractions of at least 1; most is 0 for no bound.
func whole(about string, most int) value {
	bounds := &jsonschema.Schema{Type: "integer", Minimum: jsonschema.Ptr(1.0)}
	if most > 0 {
		bounds.Maximum = jsonschema.Ptr(float64(most))
	}
	return value{about: about, bounds: bounds}
}

// one is one of a few texts.
func one[T ~string](about string, of ...T) value {
	bounds := &jsonschema.Schema{}
	for _, text := range of {
		bounds.Enum = append(bounds.Enum, string(text))
	}
	return value{about: about, bounds: bounds}
}

// aQuery has at least one visible character, as the engine asks of it. Texts of
// combining marks or private characters alone are taken as well, but tools of
// OpenAPI don't read those classes.
func aQuery() value { return queryWith(`[\p{L}\p{N}\p{P}\p{S}]`) }

// aWordyQuery has a letter or a digit.
func aWordyQuery() value { return queryWith(`[\p{L}\p{N}]`) }

func queryWith(pattern string) value {
	return value{
		about: "what is needed, in words",
		// Bytes are counted, which are as many as characters or more.
		bounds: &jsonschema.Schema{MaxLength: jsonschema.Ptr(skillsearch.MaxQuery), Pattern: pattern},
	}
}

func aRanking() value {
	return one("how skills are ranked; else as the server is set up", skillsearch.Cosine, skillsearch.Lexical, skillsearch.Hybrid)
}

// aWait describes the usual ways to write a time; compounds such as 1s500ms are
// taken as well.
func aWait() value {
	return value{
		about:  "how long vectors are waited for, between 1ms and 1m",
		bounds: &jsonschema.Schema{Pattern: `^(([1-9]|[1-5][0-9])(\.[0-9]+)?s|0\.[1-9][0-9]*s|60s|[1-9][0-9]{0,3}ms|[1-5][0-9]{4}ms|60000ms|1m)$`},
	}
}

func aDefinition() value {
	return one("who is to take the definitions; else mcp", toolset.MCP, toolset.OpenAI, toolset.Anthropic)
}

func aPrompt() value {
	return one("the form of the index; else planck", toolset.PlanckPrompt, toolset.XMLPrompt, toolset.CodexPrompt)
}

// What filters take.
var (
	oneBook     = described("keep what belongs to one of these skill books")
	oneSource   = described("keep what comes from one of these sources")
	allTags     = described("keep what has all of these tags")
	oneCategory = described("keep what is of this category")
)

// schema is the one of the parameter's value in a URL.
func (p parameter) schema() *jsonschema.Schema {
	s := &jsonschema.Schema{}
	if p.value.bounds != nil {
		s = p.value.bounds.CloneSchemas()
	}
	if s.Type != "" {
		return s
	}
	switch p.form {
	case number:
		s.Type = "number"
	case truth:
		s.Type = "boolean"
	case texts:
		s.Type, s.Items = "array", &jsonschema.Schema{Type: "string"}
	default:
		s.Type = "string"
	}
	return s
}

// field is the schema of the parameter's value in a body, where null, and for
// texts a blank, is like a field that was left out.
func (p parameter) field() *jsonschema.Schema {
	s := p.schema()
	none := &jsonschema.Schema{Enum: []any{nil, ""}}
	switch {
	case p.value.must:
		s.Description = p.value.about
		return s
	case p.form == number:
		none.Enum = []any{nil}
	case p.form == texts:
		none = &jsonschema.Schema{Types: []string{"string", "null"}}
	}
	return &jsonschema.Schema{Description: p.value.about, AnyOf: []*jsonschema.Schema{s, none}}
}
