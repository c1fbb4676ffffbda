package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/skillsearch/skillsearch"
)

// maxBatch bounds the queries of one request.
const maxBatch = 100

// A batchResult is what /v1/search/batch answers.
type batchResult struct {
	Results []skillsearch.Result `json:"results"`
}

// searchBatch answers several searches, in order. One that can't be read or
// answered refuses all of them: half a batch would have to be looked through.
func (s *Server) searchBatch(c *gin.Context) error {
	queries, err := parseBatch(c)
	if err != nil {
		return err
	}
	texts := make([]string, len(queries))
	for i, q := range queries {
		texts[i] = q.Text
	}
	s.noteQuery(c.Request, strings.Join(texts, "\n"))
	start := s.cfg.Now()
	results := make([]skillsearch.Result, len(queries))
	for i, q := range queries {
		result, err := s.engine.Search(c.Request.Context(), q.Query)
		if err != nil {
			return inField(fmt.Sprintf("queries[%d].query", i), "", err)
		}
		results[i] = *result
		noteResult(c.Request, result.Ranking, result.Degraded)
	}
	timed(c, "search", s.cfg.Now().Sub(start))
	return answer(c, http.StatusOK, batchResult{results})
}

func parseBatch(c *gin.Context) ([]request, error) {
	const remedy = `send {"queries":[{"query":"merge PDF files"},{"query":"tides"}]}`
	fields, err := readObject(c.Request.Body)
	if err != nil {
		return nil, err
	}
	for name := range fields {
		if _, err := find(name, []parameter{{name: "queries"}}); err != nil {
			return nil, err
		}
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(fields["queries"], &raw); err != nil || len(raw) == 0 {
		return nil, malformed("queries", "queries is no list of searches", remedy)
	}
	if len(raw) > maxBatch {
		return nil, outOfRange("queries", fmt.Sprintf("queries has %d entries", len(raw)), fmt.Sprintf("send at most %d in one request", maxBatch))
	}
	queries := make([]request, len(raw))
	for i, one := range raw {
		if queries[i], err = parseBody(bytes.NewReader(one), bodyParameters); err != nil {
			return nil, within(fmt.Sprintf("queries[%d]", i), err)
		}
	}
	return queries, nil
}

// within names the place of the field that an error is about.
func within(place string, err error) error {
	var r refusal
	if !errors.As(err, &r) {
		return err
	}
	r.field = strings.TrimSuffix(place+"."+r.field, ".")
	return r
}
