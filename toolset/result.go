package toolset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
)

// A Result is what a tool answers. Its JSON form is MCP's CallToolResult, on all
// ways.
type Result struct {
	// Text is what the model reads.
	Text string
	// Structured is the same for programs, a JSON object; nil when there is none.
	Structured any
	// Links name skills that a client can read as resources.
	Links []Link
	// IsError: the text says what went wrong, for the model to act on.
	IsError bool
}

// Failed is the result that tells a model of an error of Tool.Call, for ways
// that have no errors of their own.
func Failed(err error) Result { return Result{Text: err.Error(), IsError: true} }

// A Link is a resource of MCP: a skill, by its URI.
type Link struct {
	URI         string `json:"uri"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	MIMEType    string `json:"mimeType,omitempty"`
}

// MarshalJSON writes an MCP CallToolResult.
func (r Result) MarshalJSON() ([]byte, error) {
	type block struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	type link struct {
		Type string `json:"type"`
		Link
	}
	out := struct {
		Content    []any `json:"content"`
		Structured any   `json:"structuredContent,omitempty"`
		IsError    bool  `json:"isError,omitempty"`
	}{Content: []any{block{"text", r.Text}}, Structured: r.Structured, IsError: r.IsError}
	for _, l := range r.Links {
		out.Content = append(out.Content, link{"resource_link", l})
	}
	return encode(out)
}

// A Failure is an error that a model can act on, in the words of its system.
// skillsearch.ErrorKind tells its kind.
type Failure struct {
	Err     error // a sentinel of this project
	Message string
}

func (f *Failure) Error() string { return f.Message }

// Unwrap makes errors.Is and skillsearch.ErrorKind see the sentinel.
func (f *Failure) Unwrap() error { return f.Err }

func failf(sentinel error, format string, args ...any) error {
	return &Failure{Err: sentinel, Message: fmt.Sprintf(format, args...)}
}

// invalidf is a Failure about an argument.
func invalidf(format string, args ...any) error {
	return failf(skillsearch.ErrInvalidArgument, format, args...)
}

// errPanicked: a defect of a tool. Its text is all that leaves the process.
var errPanicked = errors.New("the tool failed through a defect of skillsearch; other calls work, and the log has the details")

func (t Tool) panicked(ctx context.Context, p any) error {
	t.logger.ErrorContext(ctx, "a tool panicked", "tool", t.Name, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	return errPanicked
}

// encode is one line of JSON without a line break, the characters of HTML as
// they are.
func encode(v any) ([]byte, error) {
	var out bytes.Buffer
	if err := skillsearch.Encode(&out, v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// closeNames is the sentence with up to three names near one that was not
// found, " Close names: pdf, pdf-forms."; "" when err tells none.
func closeNames(err error) string {
	var missing *skill.NotFoundError
	if !errors.As(err, &missing) || len(missing.Close) == 0 {
		return ""
	}
	var out bytes.Buffer
	out.WriteString(" Did you mean ")
	for i, name := range missing.Close {
		switch {
		case i > 0 && i == len(missing.Close)-1:
			out.WriteString(" or ")
		case i > 0:
			out.WriteString(", ")
		}
		out.WriteString(OneLine(name))
	}
	out.WriteString("?")
	return out.String()
}
