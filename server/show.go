package server

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/skillsearch/skillsearch/toolset"
)

func (s *Server) show(c *gin.Context) error {
	id, err := param(c, "id")
	if err != nil {
		return err
	}
	shown, err := s.engine.Show(id)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, shown)
}

// file sends a file beside a skill as it is, with the validators of HTTP.
func (s *Server) file(c *gin.Context) error {
	id, err := param(c, "id")
	if err != nil {
		return err
	}
	name, err := param(c, "path")
	if err != nil {
		return err
	}
	// The slash before the path is the route's; a second one is the client's.
	file, err := s.engine.ReadFile(id, strings.TrimPrefix(name, "/"))
	if err != nil {
		return inField("path", "the references of the skill list its files", err)
	}
	h := c.Writer.Header()
	h.Set("Cache-Control", "no-cache") // may be kept, is asked about each time
	h.Set("Content-Type", contentType(file.Path, file.Content))
	sendTagged(c.Writer, c.Request, file.ModTime, file.Content)
	return nil
}

// contentType never makes active content of a file: HTML, SVG and scripts are
// plain text.
func contentType(name string, content []byte) string {
	kind := toolset.MIMEType(name, content)
	if strings.HasPrefix(kind, "text/") {
		kind += "; charset=utf-8"
	}
	return kind
}
