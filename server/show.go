package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
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
	sum := sha256.Sum256(file.Content)
	h := c.Writer.Header()
	h.Set("ETag", `"`+hex.EncodeToString(sum[:16])+`"`)
	h.Set("Cache-Control", "no-cache") // may be kept, is asked about each time
	h.Set("Content-Type", contentType(file.Path, file.Content))
	// A file is small enough to be sent whole, which a server may always do; an
	// unsatisfiable range would be answered without a problem document.
	c.Request.Header.Del("Range")
	http.ServeContent(c.Writer, c.Request, "", file.ModTime, bytes.NewReader(file.Content))
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
