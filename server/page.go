package server

import (
	"net/http"
	"path"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/skillsearch/skillsearch/server/page"
)

// addPage adds the page. Its files say nothing of the library and need no token.
func (s *Server) addPage(g *gin.Engine) {
	read := []string{http.MethodGet, http.MethodHead}
	files := page.New()
	file := s.handle(func(c *gin.Context) error {
		f, ok := files.File(c.Request.URL.Path)
		if !ok {
			return noRoute(c)
		}
		page.SetHeader(c.Writer.Header())
		send(c, http.StatusOK, f.Type, f.Content)
		return nil
	})
	g.Match(read, "/", file)
	g.Match(read, "/assets/*file", file)
}

// The parameter of GET /v1/skills/{id}/html.
var htmlParameters = []parameter{{"file", text, setFile, described("a markdown file beside the skill; else its instructions")}}

func setFile(r *request, _ string, v []string) error {
	r.file = v[0]
	return nil
}

// html sends a skill's instructions, or a markdown file beside it, as a piece
// of HTML that can do nothing.
func (s *Server) html(c *gin.Context) error {
	r, err := parseQuery(c.Request.URL.RawQuery, htmlParameters)
	if err != nil {
		return err
	}
	id, err := param(c, "id")
	if err != nil {
		return err
	}
	shown, err := s.engine.Show(id)
	if err != nil {
		return err
	}
	name, markdown := r.file, shown.Body
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
	rendered, err := s.renderer.Render(shown.ID, name, markdown)
	if err != nil {
		return err
	}
	send(c, http.StatusOK, "text/html; charset=utf-8", []byte(rendered))
	return nil
}

// isPage reports whether a path is the page's or one of its files.
func isPage(path string) bool { return path == "/" || strings.HasPrefix(path, "/assets/") }
