package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/toolset"
)

// How long a search waits for vectors.
const (
	defaultWait = 2 * time.Second
	maxWait     = time.Minute
)

// A request is what is asked of a search or a list.
type request struct {
	skillsearch.Query
	cursor string // where the page of a list begins; "" at the start
	skill  string // of which a place is explained
	prompt toolset.PromptOptions
	format toolset.Format // of the definitions of tools
	file   string         // beside a skill; "" is its own instructions
}

// A form is how a value is written in JSON.
type form string

const (
	text   form = "a string"
	number form = "a number"
	truth  form = "true or false"
	texts  form = "a string or an array of strings"
)

// A parameter is one field of a request. set gets at least one value, and only
// the list forms more.
type parameter struct {
	name string
	form form
	set  func(r *request, name string, values []string) error
	value
}

// The parameters of GET /v1/search, of the body of POST /v1/search, and of
// GET /v1/skills.
var (
	searchParameters = []parameter{
		{"q", text, setText, aQuery().needed()},
		{"limit", number, setLimit(skillsearch.MaxLimit), whole("how many; else 10", skillsearch.MaxLimit)},
		{"ranking", text, setRanking, aRanking()},
		{"skillbook", texts, addBooks, oneBook},
		{"category", text, setCategory, oneCategory},
		{"tag", texts, addTags, allTags},
		{"source", texts, addSources, oneSource},
		{"min_score", number, setMinScore, described("leave out what scores less")},
		{"mark", truth, setMark, described("tell the words that count")},
		{"wait", text, setWait, aWait()},
	}
	bodyParameters = []parameter{
		{"query", text, setText, aQuery().needed()},
		{"limit", number, setLimit(skillsearch.MaxLimit), whole("how many; else 10", skillsearch.MaxLimit)},
		{"ranking", text, setRanking, aRanking()},
		{"skillbook", texts, addBooks, oneBook},
		{"skillbooks", texts, addBooks, oneBook},
		{"category", text, setCategory, oneCategory},
		{"tags", texts, addTags, allTags},
		{"source", texts, addSources, oneSource},
		{"min_score", number, setMinScore, described("leave out what scores less")},
		{"wait", text, setWait, aWait()},
	}
	listParameters = []parameter{
		{"q", text, setText, aQuery()},
		{"limit", number, setLimit(skillsearch.MaxPage), whole("how many on a page; else 100", skillsearch.MaxPage)},
		{"cursor", text, setCursor, described("the next_cursor of the page before")},
		{"ranking", text, setRanking, aRanking()},
		{"skillbook", texts, addBooks, oneBook},
		{"category", text, setCategory, oneCategory},
		{"tag", texts, addTags, allTags},
		{"source", texts, addSources, oneSource},
		{"wait", text, setWait, aWait()},
	}
)

// parseQuery reads the query of a URL.
func parseQuery(raw string, known []parameter) (request, error) {
	r := request{Query: skillsearch.Query{Wait: defaultWait}}
	values, err := url.ParseQuery(raw)
	if err != nil {
		return r, malformed("", "the query of the URL can't be read", "percent-encode what stands in it: a percent sign is %25, a semicolon %3B")
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		p, err := find(name, known)
		if err != nil {
			return r, err
		}
		given := values[name]
		if p.form == texts {
			given = split(given...)
		} else if len(given) > 1 {
			return r, malformed(name, fmt.Sprintf("%s is given %d times", name, len(given)), "give it once")
		}
		if err := p.apply(&r, given); err != nil {
			return r, err
		}
	}
	return r, nil
}

// parseBody reads a body, which is to be one JSON object and nothing else.
func parseBody(body io.Reader, known []parameter) (request, error) {
	r := request{Query: skillsearch.Query{Wait: defaultWait}}
	fields, err := readObject(body)
	if err != nil {
		return r, err
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		p, err := find(name, known)
		if err != nil {
			return r, err
		}
		given, err := p.form.decode(fields[name])
		if err != nil {
			return r, malformed(name, name+" has the wrong type", "it must be "+string(p.form))
		}
		if err := p.apply(&r, given); err != nil {
			return r, err
		}
	}
	return r, nil
}

// readObject reads the fields of a body, which the guard bounds.
func readObject(body io.Reader) (map[string]json.RawMessage, error) {
	const remedy = `send an object such as {"query":"merge PDF files"}`
	var tooLong *http.MaxBytesError
	raw, err := io.ReadAll(body)
	switch {
	case errors.As(err, &tooLong):
		return nil, err
	case err != nil:
		return nil, malformed("", "the body could not be read to its end", "send all of it")
	}
	var fields map[string]json.RawMessage
	var syntax *json.SyntaxError
	err = json.Unmarshal(raw, &fields)
	switch {
	case errors.As(err, &syntax):
		return nil, malformed("", fmt.Sprintf("the body is not one JSON object: %v at byte %d", syntax, syntax.Offset), remedy)
	case err != nil || fields == nil:
		return nil, malformed("", "the body is JSON, but not an object", remedy)
	}
	return fields, nil
}

// find also refuses a name that is not known: a mistyped filter that did
// nothing would be an answer to another question.
func find(name string, known []parameter) (parameter, error) {
	var names []string
	for _, p := range known {
		if p.name == name {
			return p, nil
		}
		names = append(names, p.name)
	}
	name = skill.Shorten(name, 100)
	return parameter{}, malformed(name, fmt.Sprintf("%q is not known here", name), "the fields are "+strings.Join(names, ", "))
}

// apply sets what was given. A blank is like a field that was left out.
func (p parameter) apply(r *request, given []string) error {
	if len(given) == 0 || len(given) == 1 && given[0] == "" {
		return nil
	}
	return p.set(r, p.name, given)
}

// decode reads the values of a JSON text; null has none.
func (f form) decode(raw json.RawMessage) ([]string, error) {
	if string(raw) == "null" {
		return nil, nil
	}
	var s string
	switch {
	case f == number:
		return decodeNumber(raw)
	case f == texts && raw[0] == '[':
		return decodeTexts(raw)
	case f == texts:
		err := json.Unmarshal(raw, &s)
		return split(s), err
	}
	err := json.Unmarshal(raw, &s)
	return []string{s}, err
}

// decodeNumber writes a whole number without a fraction: 10.0 is one in JSON.
func decodeNumber(raw json.RawMessage) ([]string, error) {
	if raw[0] == '"' { // a json.Number would take it
		return nil, errors.New("a string stands for a number")
	}
	var n json.Number
	if err := json.Unmarshal(raw, &n); err != nil {
		return nil, err
	}
	if f, err := n.Float64(); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return []string{strconv.FormatInt(int64(f), 10)}, nil
	}
	return []string{n.String()}, nil
}

// decodeTexts reads a list, in which null is no text.
func decodeTexts(raw json.RawMessage) ([]string, error) {
	var list []*string
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	items := make([]string, len(list))
	for i, item := range list {
		if item == nil {
			return nil, errors.New("null stands for a string")
		}
		items[i] = *item
	}
	return items, nil
}

// split cuts texts at commas and drops blanks.
func split(given ...string) []string {
	var items []string
	for _, g := range given {
		for item := range strings.SplitSeq(g, ",") {
			if item = strings.TrimSpace(item); item != "" {
				items = append(items, item)
			}
		}
	}
	return items
}

func setText(r *request, name string, v []string) error {
	if len(v[0]) > skillsearch.MaxQuery {
		return outOfRange(name, fmt.Sprintf("%s has %d bytes", name, len(v[0])), fmt.Sprintf("at most %d are read", skillsearch.MaxQuery))
	}
	r.Text = v[0]
	return nil
}

func setLimit(most int) func(*request, string, []string) error {
	return func(r *request, name string, v []string) error {
		remedy := fmt.Sprintf("it must be a whole number between 1 and %d", most)
		n, err := strconv.Atoi(v[0])
		switch {
		case err != nil:
			return malformed(name, name+" is no whole number", remedy)
		case n < 1 || n > most:
			return outOfRange(name, fmt.Sprintf("%s is %d", name, n), remedy)
		}
		r.Limit = n
		return nil
	}
}

func setRanking(r *request, name string, v []string) (err error) {
	if r.Ranking, err = skillsearch.ParseRanking(v[0]); err != nil {
		return outOfRange(name, fmt.Sprintf("%s is %q", name, skill.Shorten(v[0], 100)), "it must be cosine, lexical or hybrid")
	}
	return nil
}

func setMinScore(r *request, name string, v []string) error {
	score, err := strconv.ParseFloat(v[0], 64)
	if err != nil || math.IsNaN(score) || math.IsInf(score, 0) {
		return malformed(name, name+" is no number", "it must be a number such as 0.35")
	}
	r.MinScore = score
	return nil
}

func setWait(r *request, name string, v []string) error {
	const remedy = "it must be a time between 1ms and 1m, such as 2s or 500ms"
	wait, err := time.ParseDuration(v[0])
	switch {
	case err != nil:
		return malformed(name, name+" is no time", remedy)
	case wait < time.Millisecond || wait > maxWait:
		return outOfRange(name, fmt.Sprintf("%s is %v", name, wait), remedy)
	}
	r.Wait = wait
	return nil
}

func setCategory(r *request, _ string, v []string) error {
	r.Filter.Category = v[0]
	return nil
}

func addBooks(r *request, _ string, v []string) error {
	r.Filter.SkillBooks = append(r.Filter.SkillBooks, v...)
	return nil
}

func addTags(r *request, _ string, v []string) error {
	r.Filter.Tags = append(r.Filter.Tags, v...)
	return nil
}

func addSources(r *request, _ string, v []string) error {
	r.Filter.Sources = append(r.Filter.Sources, v...)
	return nil
}

func setMark(r *request, name string, v []string) error {
	var err error
	if r.Mark, err = strconv.ParseBool(v[0]); err != nil {
		return malformed(name, name+" is neither true nor false", "it must be true or false")
	}
	return nil
}

func setCursor(r *request, _ string, v []string) error {
	r.cursor = v[0]
	return nil
}
