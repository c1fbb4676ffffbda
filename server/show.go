package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"
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

// textTypes and binaryTypes are types that no browser runs. The table is ours:
// the system's own differs from machine to machine.
var (
	textTypes   = map[string]string{".md": "text/markdown; charset=utf-8", ".csv": "text/csv; charset=utf-8", ".json": "application/json"}
	binaryTypes = map[string]string{".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp"}
)

// contentType never makes active content of a file: HTML, SVG and scripts are
// plain text.
func contentType(name string, content []byte) string {
	kind, types := "application/octet-stream", binaryTypes
	if utf8.Valid(content) && bytes.IndexByte(content, 0) < 0 {
		kind, types = "text/plain; charset=utf-8", textTypes
	}
	if known, ok := types[strings.ToLower(path.Ext(name))]; ok {
		return known
	}
	return kind
}
