package mcpserver

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxValues is how many values a completion has, by the protocol.
const maxValues = 100

// complete proposes the ids of skills for the templates of resources. What a
// prompt's input may be, nobody knows.
func (s *Server) complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	details := mcp.CompletionResultDetails{Values: []string{}}
	if req.Params.Ref.Type == "ref/resource" && req.Params.Argument.Name == "id" {
		for _, sk := range s.readable() {
			if !strings.HasPrefix(sk.ID, req.Params.Argument.Value) {
				continue
			}
			if details.Total++; len(details.Values) < maxValues {
				details.Values = append(details.Values, sk.ID)
			}
		}
	}
	details.HasMore = details.Total > len(details.Values)
	return &mcp.CompleteResult{Completion: details}, nil
}
