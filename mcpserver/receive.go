package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
)

// receive answers what concerns skills; the rest of the protocol is the SDK's.
// A panic in either is one error.
func (s *Server) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (result mcp.Result, err error) {
		began := time.Now()
		defer func() {
			if cause := recover(); cause != nil {
				s.cfg.Logger.ErrorContext(ctx, "an MCP method panicked", "method", method, "panic", fmt.Sprintf("%T", cause), "stack", string(debug.Stack()))
				result, err = nil, errPanicked
			}
			s.cfg.Logger.DebugContext(ctx, "MCP", "method", method, "duration", time.Since(began), "failed", err != nil)
		}()
		result, err = s.answer(ctx, next, method, req)
		return result, protocolError(err)
	}
}

func (s *Server) answer(ctx context.Context, next mcp.MethodHandler, method string, req mcp.Request) (mcp.Result, error) {
	result, err := s.own(ctx, req)
	switch {
	case err != nil:
		return nil, err
	case result == nil:
		return next(ctx, method, req)
	case isModern(req):
		return completed{result}, nil
	}
	return result, nil
}

// isModern tells whether a request is of a revision that has no sessions.
func isModern(req mcp.Request) bool {
	session, ok := req.GetSession().(*mcp.ServerSession)
	return ok && session.InitializeParams() != nil && session.InitializeParams().ProtocolVersion >= newProtocol
}

// own answers a method that is not left to the SDK; else both are nil.
func (s *Server) own(ctx context.Context, req mcp.Request) (mcp.Result, error) {
	switch p := req.GetParams().(type) {
	case *mcp.ListToolsParams:
		return s.listTools()
	case *mcp.CallToolParamsRaw:
		return s.callTool(ctx, p, headerOf(req))
	case *mcp.ListResourcesParams:
		return s.listResources(p)
	case *mcp.ListResourceTemplatesParams:
		return s.listTemplates()
	case *mcp.ReadResourceParams:
		return s.readResource(ctx, p)
	case *mcp.ListPromptsParams:
		return s.listPrompts(p)
	case *mcp.GetPromptParams:
		return s.getPrompt(ctx, p)
	}
	return nil, nil
}

// headerOf are the headers of a request over HTTP, none over streams.
func headerOf(req mcp.Request) http.Header {
	if extra := req.GetExtra(); extra != nil {
		return extra.Header
	}
	return nil
}

var errPanicked = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "this request failed through a defect of skillsearch; others work, and the log has the details"}

// protocolError gives an error of ours the code of JSON-RPC.
func protocolError(err error) error {
	var own *jsonrpc.Error
	switch kind := skillsearch.ErrorKind(err); {
	case err == nil || errors.As(err, &own):
		return err
	case errors.Is(err, skill.ErrNotFound), errors.Is(err, skill.ErrOutside), errors.Is(err, skill.ErrNotRegular), kind == "invalid_argument":
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	case kind != "":
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	return err
}
