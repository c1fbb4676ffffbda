package benchmarks

import (
	"encoding/json"
	"strings"
)

// A Query is one need, in the words of a user.
type Query struct {
	ID   string
	Text string
	// Type is what a report breaks its measures down by; "" is none.
	Type string
}

// readQueries reads queries by the ending of the file: .jsonl is that of BEIR,
// anything else "ID<tab>text" or "ID<tab>text<tab>type" on each line.
func readQueries(path string) ([]Query, error) {
	parse := parseQueryColumns
	if strings.HasSuffix(path, ".jsonl") {
		parse = parseQueryJSON
	}
	return gatherQueries(path, parse)
}

// gatherQueries reads a query from each line; one ID twice is an error.
func gatherQueries(path string, parse func(l line) (Query, error)) ([]Query, error) {
	var queries []Query
	at := make(map[string]int)
	err := readLines(path, func(l line) error {
		q, err := parse(l)
		switch {
		case err != nil:
			return err
		case q.ID == "":
			return l.errorf("the query has no ID")
		case strings.TrimSpace(q.Text) == "":
			return l.errorf("query %q has no text", q.ID)
		case at[q.ID] > 0:
			return l.errorf("query %q comes a second time; line %d has it already", q.ID, at[q.ID])
		}
		at[q.ID] = l.number
		queries = append(queries, q)
		return nil
	})
	return queries, err
}

func parseQueryColumns(l line) (Query, error) {
	columns := strings.Split(strings.TrimRight(l.text, "\r"), "\t")
	for i := range columns {
		columns[i] = strings.TrimSpace(columns[i])
	}
	switch len(columns) {
	case 2:
		return Query{ID: columns[0], Text: columns[1], Type: typeOf(columns[0])}, nil
	case 3:
		return Query{ID: columns[0], Text: columns[1], Type: columns[2]}, nil
	}
	return Query{}, l.errorf("%d columns separated by tabs, want 2 or 3: ID, text, type", len(columns))
}

func parseQueryJSON(l line) (Query, error) {
	var q struct {
		ID   string `json:"_id"`
		Text string `json:"text"`
	}
	if err := decode(l, &q); err != nil {
		return Query{}, err
	}
	return Query{ID: q.ID, Text: q.Text, Type: typeOf(q.ID)}, nil
}

// typeOf is the type that an ID speaks of: what stands before its last hyphen,
// as in "t-amb-002".
func typeOf(id string) string {
	if i := strings.LastIndexByte(id, '-'); i > 0 {
		return id[:i]
	}
	return ""
}

// decode reads a line that is a JSON object.
func decode(l line, into any) error {
	if err := json.Unmarshal([]byte(l.text), into); err != nil {
		return l.errorf("this is no JSON object of the form that is expected: %w", err)
	}
	return nil
}
