package mcpserver

import (
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// newProtocol is the first revision without sessions.
const newProtocol = "2026-07-28"

// maxSessions is how many sessions there may be at a time. Each costs two
// goroutines until it expires.
const maxSessions = 1000

// openHTTP makes the two handlers of streamable HTTP: with sessions for the
// revisions that have them, without for those that came later.
func (s *Server) openHTTP() {
	get := func(*http.Request) *mcp.Server { return s.mcp }
	// The guard in front has checked Host and Origin, and bounds the body.
	s.stateful = mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{JSONResponse: true, SessionTimeout: s.cfg.Idle, DisableLocalhostProtection: true})
	s.stateless = mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{JSONResponse: true, Stateless: true, DisableLocalhostProtection: true, PropagateRequestCancellation: true})
}

// ServeHTTP is streamable HTTP. What stands in front of it checks Host and
// Origin and bounds the body.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet || r.Header.Get("Mcp-Method") == listen {
		// A stream of notifications has no end of its own, so the limits of an
		// http.Server don't fit; a client that goes away ends it.
		control := http.NewResponseController(w)
		_ = control.SetReadDeadline(time.Time{})
		_ = control.SetWriteDeadline(time.Time{})
	}
	if r.Header.Get("Mcp-Protocol-Version") >= newProtocol {
		s.stateless.ServeHTTP(w, r)
		return
	}
	if r.Method == http.MethodPost && r.Header.Get("Mcp-Session-Id") == "" && s.sessions() >= maxSessions {
		http.Error(w, "there are too many sessions; end some, or ask again later", http.StatusServiceUnavailable)
		return
	}
	s.stateful.ServeHTTP(w, r)
}

func (s *Server) sessions() int {
	n := 0
	for range s.mcp.Sessions() {
		n++
	}
	return n
}
