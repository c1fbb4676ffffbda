package server

import (
	"net/http"
	"path"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/skillsearch/skillsearch/server/page"
)

// addPage adds the page, and what it shows and programs have no need of. Its
// files say nothing of the library and need no token.
func (s *Server) addPage(g *gin.Engine) {
	read := []string{http.MethodGet, http.MethodHead}
	files, renderer := page.New(), page.NewRenderer()
	file := s.handle(func(c *gin.Context) error {
		if !files.Serve(c.Writer, c.Request) {
			return noRoute(c)
		}
		return nil
	})
	g.Match(read, "/", file)
	g.Match(read, "/assets/*file", file)
	g.Match(read, "/v1/facets", s.handle(s.facets))
	g.Match(read, "/v1/map", s.handle(s.drawnMap))
	g.Match(read, "/v1/skills/:id/html", s.handle(func(c *gin.Context) error { return s.html(c, renderer) }))
}

// html sends a skill's instructions, or a markdown file beside it, as a piece
// of HTML that can do nothing.
func (s *Server) html(c *gin.Context, renderer *page.Renderer) error {
	id, err := param(c, "id")
	if err != nil {
		return err
	}
	shown, err := s.engine.Show(id)
	if err != nil {
		return err
	}
	name, markdown := c.Query("file"), shown.Body
	if name != "" {
		file, err := s.engine.ReadFile(shown.ID, name)
		if err != nil {
			return inField("file", "the references of the skill list its files", err)
		}
		if kind := contentType(file.Path, file.Content); !strings.HasPrefix(kind, "text/markdown") {
			return outOfRange("file", path.Base(name)+" is no markdown", "get it as it is from /v1/skills/{id}/files/{path}")
		}
		markdown = string(file.Content)
	}
	rendered, err := renderer.Render(shown.ID, name, markdown)
	if err != nil {
		return err
	}
	send(c.Writer, http.StatusOK, "text/html; charset=utf-8", []byte(rendered))
	return nil
}

// isPage reports whether a path is the page's or one of its files.
func isPage(path string) bool { return path == "/" || strings.HasPrefix(path, "/assets/") }
