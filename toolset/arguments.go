package toolset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/skillsearch/skillsearch/skill"
)

// A Type is the type of a parameter.
type Type string

// The types.
const (
	String  Type = "string"
	Integer Type = "integer"
	Strings Type = "array" // of strings
)

// A Parameter is one field of a tool's input. It is both the schema that models
// read and the check of what they send.
type Parameter struct {
	Name        string
	Type        Type
	Description string
	Required    bool     // it must be there, and not blank
	Enum        []string // the strings that are allowed; nil is any
	Min, Max    int      // of an Integer
	Default     any      // what a left-out one stands for, told in the schema
}

// Arguments are the decoded fields of a call: a string, an int or a []string
// for each parameter that was given.
type Arguments map[string]any

// Text is a String, "" when it was left out.
func (a Arguments) Text(name string) string { s, _ := a[name].(string); return s }

// Int is an Integer, 0 when it was left out.
func (a Arguments) Int(name string) int { n, _ := a[name].(int); return n }

// List is a Strings, nil when it was left out.
func (a Arguments) List(name string) []string { l, _ := a[name].([]string); return l }

// decode reads what a model sent. null is like a field that was left out.
func (t Tool) decode(raw []byte) (Arguments, error) {
	fields, err := readObject(raw)
	if err != nil {
		return nil, err
	}
	if t.Strict {
		if err := t.known(fields); err != nil {
			return nil, err
		}
	}
	args := make(Arguments, len(fields))
	for _, p := range t.Input {
		value, ok := fields[p.Name]
		if !ok || value == nil {
			continue
		}
		if args[p.Name], err = p.decode(value); err != nil {
			return nil, err
		}
	}
	for _, p := range t.Input {
		if p.Required && blank(args[p.Name]) {
			return nil, invalidf("%s is missing; send it as %s", p.Name, p.form())
		}
	}
	return args, nil
}

// readObject reads one JSON object and nothing behind it.
func readObject(raw []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, nil
	}
	var fields map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err := d.Decode(&fields)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = fmt.Errorf("something follows the object at byte %d", d.InputOffset())
		}
	}
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		err = fmt.Errorf("they are JSON, but %s", article(wrong.Value))
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("they end too early")
	}
	if err != nil {
		return nil, invalidf(`the arguments are not one JSON object: %v; send an object such as {"name":"pdf"}`, err)
	}
	return fields, nil
}

func article(kind string) string {
	if kind == "array" || kind == "object" {
		return "an " + kind
	}
	return "a " + kind
}

// known refuses a field that is no parameter: a mistyped filter that did
// nothing would be an answer to another question.
func (t Tool) known(fields map[string]any) error {
	names := make([]string, len(t.Input))
	for i, p := range t.Input {
		names[i] = p.Name
	}
	for _, name := range sortedKeys(fields) {
		if !slices.Contains(names, name) {
			return invalidf("%s is no argument of %s; the arguments are %s", OneLine(skill.Shorten(name, 60)), t.Name, strings.Join(names, ", "))
		}
	}
	return nil
}

func (p Parameter) decode(value any) (any, error) {
	switch p.Type {
	case Integer:
		return p.integer(value)
	case Strings:
		return p.strings(value)
	}
	s, ok := value.(string)
	switch {
	case !ok:
		return nil, p.wrong(value)
	case s != "" && len(p.Enum) > 0 && !slices.Contains(p.Enum, s):
		return nil, invalidf("%s is %q; it must be %s", p.Name, skill.Shorten(s, 60), p.form())
	}
	return s, nil
}

// integer takes a whole number, and one in a string, as some models send it.
func (p Parameter) integer(value any) (any, error) {
	var text string
	switch v := value.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = strings.TrimSpace(v)
	default:
		return nil, p.wrong(value)
	}
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || math.IsNaN(n) || n != math.Trunc(n) && !math.IsInf(n, 0):
		return nil, p.wrong(value)
	case n < float64(p.Min) || n > float64(p.Max):
		return nil, invalidf("%s is %s; it must be %s", p.Name, skill.Shorten(text, 30), p.form())
	}
	return int(n), nil
}

// strings takes an array of strings, and one string with commas.
func (p Parameter) strings(value any) (any, error) {
	var items []string
	switch v := value.(type) {
	case string:
		items = strings.Split(v, ",")
	case []any:
		for _, item := range v {
			s, ok := item.(string)
			if !ok {
				return nil, p.wrong(item)
			}
			items = append(items, s)
		}
	default:
		return nil, p.wrong(value)
	}
	kept := []string{}
	for _, item := range items {
		if item = strings.TrimSpace(item); item != "" {
			kept = append(kept, item)
		}
	}
	return kept, nil
}

func (p Parameter) wrong(value any) error {
	return invalidf("%s is %s; it must be %s", p.Name, kindOf(value), p.form())
}

// form says in words what a parameter should be.
func (p Parameter) form() string {
	switch {
	case p.Type == Integer:
		return fmt.Sprintf("a whole number between %d and %d", p.Min, p.Max)
	case p.Type == Strings:
		return "an array of strings"
	case len(p.Enum) > 0:
		return "one of " + strings.Join(p.Enum, ", ")
	}
	return "a string"
}

func kindOf(value any) string {
	switch v := value.(type) {
	case string:
		return fmt.Sprintf("the string %q", skill.Shorten(v, 60))
	case json.Number:
		return "the number " + skill.Shorten(v.String(), 30)
	case bool:
		return strconv.FormatBool(v)
	case []any:
		return "an array"
	case nil:
		return "null"
	}
	return "an object"
}

func blank(value any) bool {
	switch v := value.(type) {
	case string:
		return strings.TrimSpace(v) == ""
	case []string:
		return len(v) == 0
	}
	return value == nil
}
