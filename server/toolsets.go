package server

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/mcpserver"
	"github.com/skillsearch/skillsearch/toolset"
)

// library is what tools see, with the pool that a request names.
func (s *Server) library(header http.Header) toolset.Library {
	lib := s.cfg.Tools
	lib.Engine = s.engine
	return mcpserver.Pool(lib, header)
}

// A toolsetList is what /v1/toolsets says.
type toolsetList struct {
	Toolsets []toolset.Summary `json:"toolsets"`
}

func (s *Server) toolsets(c *gin.Context) error {
	known, err := toolset.Known(s.library(nil))
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, toolsetList{known})
}

// open opens the toolsets that the path names, separated by commas.
func (s *Server) open(c *gin.Context) (*toolset.Toolset, error) {
	names, err := param(c, "toolset")
	if err != nil {
		return nil, err
	}
	set, err := toolset.OpenAll(strings.Split(names, ","), s.library(c.Request.Header))
	return set, inField("toolset", "", err)
}

func (s *Server) definitions(c *gin.Context) error {
	r, err := parseQuery(c.Request.URL.RawQuery, definitionParameters)
	if err != nil {
		return err
	}
	set, err := s.open(c)
	if err != nil {
		return err
	}
	raw, err := toolset.Definitions(set.Tools, cmp.Or(r.format, toolset.MCP))
	if err != nil {
		return err
	}
	send(c, http.StatusOK, "application/json", append(raw, '\n'))
	return nil
}

// The parameter of GET /v1/toolsets/{toolset}.
var definitionParameters = []parameter{{"format", text, setFormat, aDefinition()}}

func setFormat(r *request, name string, v []string) (err error) {
	r.format, err = toolset.ParseFormat(v[0])
	return inField(name, "", err)
}

// call runs a tool with the body as its arguments. An error has the tool's own
// sentence whole, because a model is to read it.
func (s *Server) call(c *gin.Context) error {
	set, err := s.open(c)
	if err != nil {
		return err
	}
	name, err := param(c, "tool")
	if err != nil {
		return err
	}
	tool, err := set.Tool(name)
	if err != nil {
		return inField("tool", "", err)
	}
	arguments, err := io.ReadAll(c.Request.Body)
	if err != nil {
		return err
	}
	result, err := tool.Call(c.Request.Context(), arguments)
	if err != nil {
		return sentence(err)
	}
	return answer(c, http.StatusOK, result)
}

// sentence keeps the text of an error in one piece.
func sentence(err error) error {
	kind := skillsearch.ErrorKind(err)
	if kind == "" {
		return err
	}
	return refusal{kind: kind, detail: strings.TrimPrefix(err.Error(), skillsearch.ErrInvalidArgument.Error()+": ")}
}

// serveMCP speaks MCP for the toolsets that the path names.
func (s *Server) serveMCP(c *gin.Context) error {
	names, err := param(c, "toolset")
	if err != nil {
		return err
	}
	tooling, err := s.tooling(strings.Split(names, ","), nil)
	if err != nil {
		return inField("toolset", "", err)
	}
	tooling.ServeHTTP(c.Writer, c.Request)
	return nil
}

// tooling is the MCP server of some toolsets, made when it is first asked for.
// The order of their names says nothing, so that there are few.
func (s *Server) tooling(names, tools []string) (*mcpserver.Server, error) {
	if _, err := toolset.OpenAll(names, s.library(nil)); err != nil {
		return nil, err
	}
	names = inOrder(names)
	key := strings.Join(names, ",") + "/" + strings.Join(tools, ",")
	s.mcp.mu.Lock()
	defer s.mcp.mu.Unlock()
	if known := s.mcp.servers[key]; known != nil {
		return known, nil
	}
	lib := s.library(nil)
	made, err := mcpserver.New(mcpserver.Config{
		Library: lib, Toolsets: names, Tools: tools, Version: s.cfg.Version, Idle: s.cfg.SessionIdle, Logger: s.cfg.Logger,
		Section: func(ctx context.Context) (string, error) {
			index, err := lib.SystemPrompt(ctx, toolset.PromptOptions{})
			return string(index), err
		},
	})
	if err == nil {
		s.mcp.servers[key] = made
	}
	return made, err
}
