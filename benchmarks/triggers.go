package benchmarks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// OwnSkill stands in the qrels of an eval_queries.json for the skill in whose
// folder the file lies; Collection.Bind puts its ID there.
const OwnSkill = "."

// readTriggers reads eval_queries.json, in which a skill's author keeps queries
// that should find the skill and queries that should not:
//
//	[{"query": "…", "should_trigger": true}, …]
//
// The file lies in the skill's folder, or in a folder "evals" of it. Queries are
// numbered from 1.
func readTriggers(path string) (*Collection, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	list, err := decodeTriggers(path, raw)
	if err != nil {
		return nil, err
	}
	c := &Collection{Name: triggersName(path), Qrels: make(Qrels), Rejected: make(Qrels)}
	for i, t := range list {
		q := Query{ID: fmt.Sprintf("q%03d", i+1), Text: t.Query}
		if *t.ShouldTrigger {
			c.Queries = append(c.Queries, q)
			c.Qrels[q.ID] = Judgements{OwnSkill: 1}
			continue
		}
		c.Negatives = append(c.Negatives, q)
		c.Rejected[q.ID] = Judgements{OwnSkill: 0}
	}
	c.places = map[string]string{OwnSkill: path}
	return c, c.check()
}

// A trigger is one entry of eval_queries.json.
type trigger struct {
	Query         string `json:"query"`
	ShouldTrigger *bool  `json:"should_trigger"`
}

func decodeTriggers(path string, raw []byte) ([]trigger, error) {
	raw = bytes.TrimPrefix(raw, []byte("\uFEFF"))
	var list []trigger
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("%s:%d: this is no list of {\"query\", \"should_trigger\"}: %w", path, lineOf(raw, err), err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no query", path)
	}
	for i, t := range list {
		if strings.TrimSpace(t.Query) == "" || t.ShouldTrigger == nil {
			return nil, fmt.Errorf("%s: entry %d needs a query and should_trigger, true or false", path, i+1)
		}
	}
	return list, nil
}

// lineOf is the line on which decoding failed.
func lineOf(raw []byte, err error) int {
	offset := int64(0)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	}
	return 1 + bytes.Count(raw[:min(int(offset), len(raw))], []byte("\n"))
}

// TriggersFolder is the folder of the skill that an eval_queries.json is about.
func TriggersFolder(path string) string {
	dir := filepath.Dir(path)
	if filepath.Base(dir) == "evals" {
		dir = filepath.Dir(dir)
	}
	return dir
}

func triggersName(path string) string { return nameOf(TriggersFolder(path)) }
