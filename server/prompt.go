package server

import (
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/skillsearch/skillsearch/toolset"
)

// The parameters of GET /v1/prompt.
var promptParameters = []parameter{
	{"top", number, setCount(func(o *toolset.PromptOptions) *int { return &o.Top }), whole("how many of the last used skills", 0)},
	{"format", text, setPromptFormat, aPrompt()},
	{"max_chars", number, setCount(func(o *toolset.PromptOptions) *int { return &o.MaxChars }), whole("how many characters it may have", 0)},
}

// setCount takes a whole number from 1.
func setCount(of func(*toolset.PromptOptions) *int) func(*request, string, []string) error {
	return func(r *request, name string, v []string) error {
		const remedy = "it must be a whole number of at least 1"
		n, err := strconv.Atoi(v[0])
		switch {
		case err != nil:
			return malformed(name, name+" is no whole number", remedy)
		case n < 1:
			return outOfRange(name, name+" is "+v[0], remedy)
		}
		*of(&r.prompt) = n
		return nil
	}
}

func setPromptFormat(r *request, _ string, v []string) error {
	r.prompt.Format = toolset.PromptFormat(v[0])
	return nil
}

// prompt sends the skill index for a system prompt as it is, or nothing when
// there are no skills.
func (s *Server) prompt(c *gin.Context) error {
	r, err := parseQuery(c.Request.URL.RawQuery, promptParameters)
	if err != nil {
		return err
	}
	index, err := s.library(c.Request.Header).SystemPrompt(c.Request.Context(), r.prompt)
	switch {
	case err != nil:
		return err
	case len(index) == 0:
		c.Status(http.StatusNoContent)
		return nil
	}
	send(c, http.StatusOK, "text/plain; charset=utf-8", index)
	return nil
}
