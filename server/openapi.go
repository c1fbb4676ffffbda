package server

import (
	"bytes"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/mcpserver"
)

// The parts of an OpenAPI 3.1 document that describe this server.
type (
	document struct {
		OpenAPI    string                           `json:"openapi"`
		Info       about                            `json:"info"`
		Paths      map[string]map[string]*operation `json:"paths"`
		Components components                       `json:"components"`
		Security   []map[string][]string            `json:"security"`
	}
	about struct {
		Title       string `json:"title"`
		Version     string `json:"version"`
		Description string `json:"description"`
	}
	components struct {
		Schemas map[string]*jsonschema.Schema `json:"schemas"`
		Schemes map[string]scheme             `json:"securitySchemes"`
	}
	scheme struct {
		Type        string `json:"type"`
		Scheme      string `json:"scheme"`
		Description string `json:"description"`
	}
	operation struct {
		ID         string              `json:"operationId"`
		Summary    string              `json:"summary"`
		Parameters []input             `json:"parameters,omitempty"`
		Body       *content            `json:"requestBody,omitempty"`
		Responses  map[string]*content `json:"responses"`
	}
	input struct {
		Name        string             `json:"name"`
		In          string             `json:"in"`
		Description string             `json:"description"`
		Required    bool               `json:"required,omitempty"`
		Empty       bool               `json:"allowEmptyValue,omitempty"`
		Schema      *jsonschema.Schema `json:"schema"`
	}
	content struct {
		Description string           `json:"description"`
		Required    bool             `json:"required,omitempty"`
		Content     map[string]media `json:"content,omitempty"`
	}
	media struct {
		Schema *jsonschema.Schema `json:"schema,omitempty"`
	}
)

// onEveryRoute are the kinds of problems that stand in front of the routes.
var onEveryRoute = []string{"forbidden", "token_required", "internal", "rate_limited", "overloaded"}

// withBody are those that a request with a body meets besides.
var withBody = []string{"too_large", "unsupported_media_type", "invalid_argument"}

// segments are the parts of a path that a request fills in.
var segments = map[string]string{
	"id":      "a skill's id in one segment (claude%2Fpdf), or its name or code",
	"path":    "a file of the skill's references",
	"toolset": "one toolset, or several with commas between them",
	"tool":    "a tool of the toolset",
}

var segment = regexp.MustCompile(`[:*](\w+)`)

// openAPI sends the description of the server.
func (s *Server) openAPI(c *gin.Context) error {
	raw, err := s.described()
	if err != nil {
		return err
	}
	send(c, http.StatusOK, "application/json", raw)
	return nil
}

// describeRoutes writes the OpenAPI document of routes.
func describeRoutes(routes []route, version string) ([]byte, error) {
	d := document{
		OpenAPI: "3.1.0",
		Info: about{
			Title: "skillsearch", Version: version,
			Description: "The search engine for agent skills. HEAD works where GET does. Errors are problem documents (RFC 9457). MCP is spoken at /mcp/{toolset}.",
		},
		Paths: map[string]map[string]*operation{},
		Components: components{
			Schemas: map[string]*jsonschema.Schema{},
			Schemes: map[string]scheme{"token": {"http", "bearer", "opens a library, where the server has several"}},
		},
		Security: []map[string][]string{{}, {"token": {}}},
	}
	for _, r := range routes {
		op, err := d.operation(r)
		if err != nil {
			return nil, fmt.Errorf("describe %s %s: %w", r.method, r.pattern, err)
		}
		path := segment.ReplaceAllString(r.pattern, "{$1}")
		if d.Paths[path] == nil {
			d.Paths[path] = map[string]*operation{}
		}
		d.Paths[path][strings.ToLower(r.method)] = op
	}
	var raw bytes.Buffer
	err := skillsearch.Encode(&raw, d)
	return raw.Bytes(), err
}

func (d *document) operation(r route) (*operation, error) {
	op := &operation{ID: r.id, Summary: r.summary, Parameters: r.inputs(), Responses: map[string]*content{}}
	kinds := slices.Concat(r.refusals, onEveryRoute)
	if r.method == http.MethodPost {
		kinds = append(kinds, withBody...)
	}
	if r.body != nil {
		s := r.body()
		op.Body = &content{Description: "one JSON object", Required: len(s.Required) > 0, Content: map[string]media{"application/json": {s}}}
	}
	if err := d.problems(op, kinds); err != nil {
		return nil, err
	}
	for _, a := range r.answers {
		if err := d.reply(op, a); err != nil {
			return nil, err
		}
		if r.method == http.MethodGet && a.status == http.StatusOK && !r.untagged {
			op.respond(http.StatusNotModified, http.StatusText(http.StatusNotModified), "", nil)
		}
	}
	return op, nil
}

// inputs are what stands in the URL.
func (r route) inputs() []input {
	var inputs []input
	for _, found := range segment.FindAllStringSubmatch(r.pattern, -1) {
		name := found[1]
		inputs = append(inputs, input{Name: name, In: "path", Description: segments[name], Required: true, Schema: &jsonschema.Schema{Type: "string", MinLength: jsonschema.Ptr(1)}})
	}
	for _, p := range r.parameters {
		inputs = append(inputs, input{Name: p.name, In: "query", Description: p.about, Required: p.must, Empty: !p.must && p.form != texts, Schema: p.schema()})
	}
	if r.pool {
		inputs = append(inputs, input{Name: mcpserver.PoolHeader, In: "header", Description: "the tools that the agent has, with commas between them", Schema: &jsonschema.Schema{Type: "string"}})
	}
	return inputs
}

// problems adds the problem documents of some kinds.
func (d *document) problems(op *operation, kinds []string) error {
	ref, err := d.schemaOf(problem{})
	if err != nil {
		return err
	}
	titles := map[int][]string{}
	for _, kind := range kinds {
		known, found := statuses[kind]
		if !found {
			return fmt.Errorf("%s is no kind of problem", kind)
		}
		titles[known.status] = append(titles[known.status], known.title)
		if kind == "invalid_argument" { // see outOfRange
			titles[http.StatusUnprocessableEntity] = []string{"Invalid argument: a value that is not taken"}
		}
	}
	for status, of := range titles {
		slices.Sort(of)
		op.respond(status, strings.Join(slices.Compact(of), ", or "), "application/problem+json", ref)
	}
	return nil
}

func (d *document) reply(op *operation, a reply) error {
	var ref *jsonschema.Schema
	if a.value != nil {
		var err error
		if ref, err = d.schemaOf(a.value); err != nil {
			return err
		}
	}
	op.respond(a.status, http.StatusText(a.status), a.media, ref)
	return nil
}

// respond adds one form of an answer. Where a status has others, it keeps them.
func (op *operation) respond(status int, title, mediaType string, schema *jsonschema.Schema) {
	code := strconv.Itoa(status)
	if op.Responses[code] == nil {
		op.Responses[code] = &content{Description: title}
	}
	if mediaType == "" {
		return
	}
	if op.Responses[code].Content == nil {
		op.Responses[code].Content = map[string]media{}
	}
	op.Responses[code].Content[mediaType] = media{schema}
}

// schemaOf is a reference to the schema of v's type, which it adds.
func (d *document) schemaOf(v any) (*jsonschema.Schema, error) {
	t := reflect.TypeOf(v)
	schema, err := jsonschema.ForType(t, nil)
	if err != nil {
		return nil, err
	}
	neverNull(schema)
	if t.Name() == "" { // a list has no name of its own
		return schema, nil
	}
	name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
	d.Components.Schemas[name] = schema
	return &jsonschema.Schema{Ref: "#/components/schemas/" + name}, nil
}

// neverNull takes null from lists: an empty one is written as [].
func neverNull(s *jsonschema.Schema) {
	if slices.Equal(s.Types, []string{"null", "array"}) {
		s.Type, s.Types = "array", nil
	}
	for _, p := range s.Properties {
		neverNull(p)
	}
	if s.Items != nil {
		neverNull(s.Items)
	}
}
