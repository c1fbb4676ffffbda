package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// inputArgument is what a prompt takes.
const inputArgument = "input"

func (s *Server) listPrompts(p *mcp.ListPromptsParams) (mcp.Result, error) {
	cursor := ""
	if p != nil {
		cursor = p.Cursor
	}
	after, err := parseCursor(cursor)
	if err != nil {
		return nil, err
	}
	result := &mcp.ListPromptsResult{Prompts: []*mcp.Prompt{}, Cacheable: volatile}
	last := ""
	for _, prompt := range s.cfg.Library.Prompts() {
		if prompt.Skill.ID <= after {
			continue
		}
		if len(result.Prompts) == pageSize {
			result.NextCursor = cursorAt(last)
			break
		}
		last = prompt.Skill.ID
		result.Prompts = append(result.Prompts, &mcp.Prompt{
			Name: prompt.Name, Title: prompt.Title, Description: prompt.Description,
			Arguments: []*mcp.PromptArgument{{Name: inputArgument, Description: "what the skill is to work on"}},
		})
	}
	return result, nil
}

func (s *Server) getPrompt(ctx context.Context, p *mcp.GetPromptParams) (mcp.Result, error) {
	prompt, text, err := s.cfg.Library.Prompt(ctx, p.Name, p.Arguments[inputArgument])
	if err != nil {
		return nil, err
	}
	return &mcp.GetPromptResult{
		Description: prompt.Description,
		Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
	}, nil
}
