package server

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/skillsearch/skillsearch"
)

func (s *Server) list(c *gin.Context) error {
	r, err := parseQuery(c.Request.URL.RawQuery, listParameters)
	if err != nil {
		return err
	}
	s.noteQuery(c.Request, r.Text)
	start := s.cfg.Now()
	page, err := s.engine.ListPage(c.Request.Context(), r.Query, r.cursor)
	switch {
	case errors.Is(err, skillsearch.ErrInvalidCursor):
		return inField("cursor", "", err)
	case err != nil:
		return inField("q", "", err)
	}
	noteResult(c.Request, page.Ranking, page.Degraded)
	timed(c, "list", s.cfg.Now().Sub(start))
	return answer(c, http.StatusOK, page)
}
