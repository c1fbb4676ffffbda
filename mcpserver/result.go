package mcpserver

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillsearch/skillsearch"
)

// A callResult is a CallToolResult whose own members have the bytes that they
// have on all other ways.
type callResult struct {
	mcp.CallToolResult        // what the protocol puts beside them
	body               []byte // a JSON object
}

// MarshalJSON writes the body, and behind it what the protocol adds.
func (r *callResult) MarshalJSON() ([]byte, error) {
	return merge(r.body, &r.CallToolResult, "content")
}

// A listResult is the same for the definitions of tools.
type listResult struct {
	mcp.ListToolsResult
	body []byte
}

// MarshalJSON writes the body, and behind it what the protocol adds.
func (r *listResult) MarshalJSON() ([]byte, error) { return merge(r.body, &r.ListToolsResult, "tools") }

// A completed is a result of a revision that marks whether a result is whole.
type completed struct{ mcp.Result }

// MarshalJSON writes the result, and the mark behind it.
func (c completed) MarshalJSON() ([]byte, error) {
	var body bytes.Buffer
	if err := skillsearch.Encode(&body, c.Result); err != nil {
		return nil, err
	}
	return merge(bytes.TrimSpace(body.Bytes()), struct {
		ResultType string `json:"resultType"`
	}{"complete"}, "")
}

// merge adds the members of an envelope, but for the body's own, to a JSON
// object.
func merge(body []byte, envelope any, own string) ([]byte, error) {
	raw, err := json.Marshal(envelope)
	if err != nil {
		return nil, err
	}
	var added map[string]json.RawMessage
	if err := json.Unmarshal(raw, &added); err != nil {
		return nil, err
	}
	delete(added, own)
	if len(added) == 0 {
		return body, nil
	}
	rest, err := json.Marshal(added)
	if err != nil {
		return nil, err
	}
	return slices.Concat(bytes.TrimSuffix(body, []byte("}")), []byte(","), rest[1:]), nil
}
