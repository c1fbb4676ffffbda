package mcpserver

import (
	"crypto/sha256"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillsearch/skillsearch/toolset"
)

// lists are digests of what clients are shown.
type lists struct{ tools, resources, prompts [sha256.Size]byte }

// look digests the present lists: what a client sees before it loads anything,
// with the hash of each skill for the resources' content. Files beside a skill
// are left out, because reading their folders would be a scan of its own.
func (s *Server) look() lists {
	var now lists
	if set, err := s.tools(s.cfg.Library); err == nil {
		raw, _ := toolset.Definitions(set.Tools, toolset.MCP) // names and texts
		now.tools = sha256.Sum256(raw)
	}
	resources, prompts := sha256.New(), sha256.New()
	write := json.NewEncoder(resources).Encode
	for _, sk := range s.readable() {
		_ = write([]any{sk.ID, sk.Name, sk.Description, sk.Hash})
	}
	write = json.NewEncoder(prompts).Encode
	for _, p := range s.cfg.Library.Prompts() {
		_ = write([]any{p.Name, p.Title, p.Description})
	}
	resources.Sum(now.resources[:0])
	prompts.Sum(now.prompts[:0])
	return now
}

// Changed tells the clients which of their lists are no longer what they were.
// Call it after the catalogue may have changed; when nothing did, nothing is sent.
func (s *Server) Changed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.look()
	// The SDK speaks of a list when something is added to it. What it adds here
	// nobody sees: receive answers the lists and the calls.
	if now.tools != s.told.tools {
		s.mcp.AddTool(&mcp.Tool{Name: "changed", InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
	}
	if now.resources != s.told.resources {
		s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{Name: "changed", URITemplate: "skill://changed"}, nil)
	}
	if now.prompts != s.told.prompts {
		s.mcp.AddPrompt(&mcp.Prompt{Name: "changed"}, nil)
	}
	s.told = now
}
