package server

import "github.com/gin-gonic/gin"

// What the tests of compression see.
var TakesGzip = takesGzip

const LeastCompressed = leastCompressed

// Patterns are the methods and patterns that the router has, "GET /v1/search".
func (s *Server) Patterns() []string {
	var patterns []string
	for _, r := range s.routes.(*gin.Engine).Routes() {
		patterns = append(patterns, r.Method+" "+r.Path)
	}
	return patterns
}
