package server

import (
	"context"

	"github.com/skillsearch/skillsearch/mcpserver"
)

// Work does in the background what Run does there, and serves nothing: for a
// process that is reached on another way. It returns when ctx ends.
func (s *Server) Work(ctx context.Context) { s.worker.run(ctx) }

// Tooling is the MCP server of some toolsets, for streams of the caller's own.
// Of their tools only those that are named are kept; nil keeps all. Its clients
// are told of changes while Run or Work runs.
func (s *Server) Tooling(toolsets, tools []string) (*mcpserver.Server, error) {
	return s.tooling(toolsets, tools)
}
