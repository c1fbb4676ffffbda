package server

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/skillsearch/skillsearch"
)

// A handler answers a request, or says why not.
type handler func(c *gin.Context) error

// router has every route. HEAD works where GET does.
func (s *Server) router() http.Handler {
	// The mode is a variable of the whole process. In any other one gin writes
	// to stdout, which is for data, whenever a router is made; so it is set
	// here, at the only place that makes one, and not when the package is imported.
	gin.SetMode(gin.ReleaseMode)
	g := gin.New()
	g.HandleMethodNotAllowed = true
	g.RedirectTrailingSlash = false
	// Segments are matched as they were sent, so that %2F is part of an id;
	// gin's own decoding would make a plus a blank (see param).
	g.UseEscapedPath, g.UnescapePathValues = true, false
	g.ForwardedByClientIP = false // nothing asks for a client's address
	_ = g.SetTrustedProxies(nil)  // no address in the list, so none is wrong

	for _, r := range s.table() {
		g.Handle(r.method, r.pattern, s.handle(r.handler))
		if r.method == http.MethodGet {
			g.Handle(http.MethodHead, r.pattern, s.handle(r.handler))
		}
	}
	g.Any("/mcp/:toolset", s.handle(s.serveMCP)) // a protocol of its own; see docs/mcp.md
	s.addPage(g)
	g.NoRoute(s.handle(noRoute))
	g.NoMethod(s.handle(noMethod))
	return g
}

// handle makes a handler gin's, and its error a problem document.
func (s *Server) handle(h handler) gin.HandlerFunc {
	return func(c *gin.Context) {
		if c.FullPath() != "" {
			recordOf(c.Request).route = c.FullPath()
		}
		if err := h(c); err != nil {
			s.refuse(c.Writer, c.Request, err)
		}
	}
}

func noRoute(*gin.Context) error {
	return refusal{
		kind: "not_found", detail: "nothing is served at this path",
		remedy: "docs/http.md lists the routes; in an id, write a slash as %2F, as in /v1/skills/claude%2Fpdf",
	}
}

func noMethod(c *gin.Context) error {
	return refusal{kind: "method_not_allowed", detail: "this path does not take this method", remedy: "use one of " + c.Writer.Header().Get("Allow")}
}

// param is a part of the path, decoded once.
func param(c *gin.Context, name string) (string, error) {
	text, err := url.PathUnescape(c.Param(name))
	if err != nil {
		return "", malformed(name, "it is not percent-encoded as it should be", "write a percent sign as %25")
	}
	return text, nil
}

// answer sends v as JSON.
func answer(c *gin.Context, status int, v any) error {
	var body bytes.Buffer
	if err := skillsearch.Encode(&body, v); err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	send(c, status, "application/json", body.Bytes())
	return nil
}

// send answers with content. One to a GET has an ETag: a program that asks again
// names it in If-None-Match, and gets the answer when it is another one.
func send(c *gin.Context, status int, contentType string, content []byte) {
	c.Header("Content-Type", contentType)
	if method := c.Request.Method; status == http.StatusOK && (method == http.MethodGet || method == http.MethodHead) {
		sendTagged(c.Writer, c.Request, time.Time{}, content)
		return
	}
	content, _ = compress(c.Writer, c.Request, content)
	write(c.Writer, status, contentType, content)
}

// write sends a whole answer. That a client went away is no error of anybody's.
func write(w http.ResponseWriter, status int, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// timed tells how long a step took, beside the answer.
func timed(c *gin.Context, step string, took time.Duration) {
	c.Header("Server-Timing", fmt.Sprintf("%s;dur=%.3f", step, float64(took)/float64(time.Millisecond)))
}
