// Package mcpserver answers: how does a toolset travel over MCP? It speaks the
// Model Context Protocol over a pair of streams and over HTTP, and answers every
// list, tool, resource and prompt from the catalogue of that moment: it keeps
// nothing that could differ from it.
package mcpserver

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillsearch/skillsearch/toolset"
)

// DefaultIdle is how long a session over HTTP lives without a request.
const DefaultIdle = 30 * time.Minute

// A Config says what a Server offers. Library.Engine is needed.
type Config struct {
	Library toolset.Library
	// Toolsets are names of toolset.Names, at least one.
	Toolsets []string
	// Tools keeps only these tools of theirs; nil keeps all.
	Tools []string
	// Section gives the skill index for a system prompt, which becomes the
	// resource skillsearch://prompt; nil offers none.
	Section func(ctx context.Context) (string, error)
	// Version of the product, for clients to show.
	Version string
	// Idle is how long a session over HTTP lives without a request; 0 is DefaultIdle.
	Idle time.Duration
	// Logger gets what went wrong, and at debug level one line a request; nil drops
	// them. Nothing that a client sent is in them.
	Logger *slog.Logger
}

// A Server offers toolsets to any number of clients. It is safe for concurrent
// use.
type Server struct {
	cfg                 Config
	mcp                 *mcp.Server
	stateful, stateless http.Handler

	mu   sync.Mutex
	told lists // what clients last knew
}

// New prepares a server. Unknown toolsets and tools are errors that name the
// known ones.
func New(cfg Config) (*Server, error) {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Idle == 0 {
		cfg.Idle = DefaultIdle
	}
	s := &Server{cfg: cfg}
	if _, err := s.tools(cfg.Library); err != nil {
		return nil, err
	}
	s.mcp = mcp.NewServer(
		&mcp.Implementation{Name: "skillsearch", Title: "skillsearch", Description: "Finds and loads agent skills", Version: cfg.Version},
		&mcp.ServerOptions{Instructions: instructions, Capabilities: capabilities(), CompletionHandler: s.complete},
	)
	s.mcp.AddReceivingMiddleware(s.receive)
	if err := s.addSkillMethods(); err != nil {
		return nil, err
	}
	s.told = s.look()
	s.openHTTP()
	return s, nil
}

// instructions are for the model, beside the tools' own descriptions.
const instructions = "Skills are tested instructions for tasks. Before a task that a skill may cover, look for one with these tools, load it, and follow it."

func capabilities() *mcp.ServerCapabilities {
	c := &mcp.ServerCapabilities{
		Tools:     &mcp.ToolCapabilities{ListChanged: true},
		Resources: &mcp.ResourceCapabilities{ListChanged: true},
		Prompts:   &mcp.PromptCapabilities{ListChanged: true},
	}
	c.AddExtension(skillsExtension, map[string]any{"directoryRead": true})
	return c
}

// Run serves one client over a pair of streams, one JSON-RPC message a line,
// until in ends or ctx does. Nothing else is written to out. A request that was
// read before the end is answered.
func (s *Server) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	session, err := s.mcp.Connect(ctx, &lines{in: in, out: out}, nil)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case err = <-ended:
	case <-ctx.Done():
		_ = session.Close()
		err = <-ended
	}
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// Close ends all sessions.
func (s *Server) Close() {
	for session := range s.mcp.Sessions() {
		_ = session.Close()
	}
}
