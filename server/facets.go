package server

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

// facets sends the values by which skills can be filtered.
func (s *Server) facets(c *gin.Context) error { return answer(c, http.StatusOK, s.engine.Facets()) }

// drawnMap sends the library on a plane.
func (s *Server) drawnMap(c *gin.Context) error {
	m, err := s.engine.Map(c.Request.Context())
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, m)
}
