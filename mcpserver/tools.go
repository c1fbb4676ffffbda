package mcpserver

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillsearch/skillsearch/toolset"
)

// PoolHeader names the tools that loads of this request may promote, separated
// by commas, instead of the configured ones.
const PoolHeader = "Available-Tools"

// Pool is the library with the pool that a request's headers name.
func Pool(lib toolset.Library, header http.Header) toolset.Library {
	if values, ok := header[PoolHeader]; ok {
		lib.AvailableTools = nil
		for _, name := range strings.Split(strings.Join(values, ","), ",") {
			if name = strings.TrimSpace(name); name != "" {
				lib.AvailableTools = append(lib.AvailableTools, name)
			}
		}
	}
	return lib
}

// tools are the server's tools over a library.
func (s *Server) tools(lib toolset.Library) (*toolset.Toolset, error) {
	set, err := toolset.OpenAll(s.cfg.Toolsets, lib)
	if err != nil || s.cfg.Tools == nil {
		return set, err
	}
	return set.Only(s.cfg.Tools)
}

func (s *Server) listTools() (mcp.Result, error) {
	set, err := s.tools(s.cfg.Library)
	if err != nil {
		return nil, err
	}
	definitions, err := toolset.Definitions(set.Tools, toolset.MCP)
	if err != nil {
		return nil, err
	}
	return &listResult{ListToolsResult: mcp.ListToolsResult{Cacheable: volatile}, body: fmt.Appendf(nil, `{"tools":%s}`, definitions)}, nil
}

// callTool calls a tool. What the model can act on is a result; a tool that
// isn't there is an error of the protocol.
func (s *Server) callTool(ctx context.Context, p *mcp.CallToolParamsRaw, header http.Header) (mcp.Result, error) {
	set, err := s.tools(Pool(s.cfg.Library, header))
	if err != nil {
		return nil, err
	}
	tool, err := set.Tool(p.Name)
	if err != nil {
		return nil, err
	}
	result, err := tool.Call(ctx, p.Arguments)
	if err != nil {
		result = toolset.Failed(err)
	}
	body, err := result.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return &callResult{body: body}, nil
}
