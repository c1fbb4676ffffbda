package server

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

func (s *Server) search(c *gin.Context) error {
	r, err := parseQuery(c.Request.URL.RawQuery, searchParameters)
	if err != nil {
		return err
	}
	return s.answerSearch(c, r, "q")
}

func (s *Server) postSearch(c *gin.Context) error {
	r, err := parseBody(c.Request.Body, bodyParameters)
	if err != nil {
		return err
	}
	return s.answerSearch(c, r, "query")
}

// answerSearch sends the engine's result as it is. field is what the query was
// called.
func (s *Server) answerSearch(c *gin.Context, r request, field string) error {
	s.noteQuery(c.Request, r.Text)
	start := s.cfg.Now()
	result, err := s.engine.Search(c.Request.Context(), r.Query)
	if err != nil {
		return inField(field, "", err)
	}
	noteResult(c.Request, result.Ranking, result.Degraded)
	timed(c, "search", s.cfg.Now().Sub(start))
	return answer(c, http.StatusOK, result)
}
