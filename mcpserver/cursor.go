package mcpserver

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A cursor is the id of the last skill of a page, so that a skill that came or
// went in the meantime moves no other one past the reader.
const cursorMark = "after "

func cursorAt(id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(cursorMark + id))
}

// parseCursor is the id that a cursor stands for, "" at the start.
func parseCursor(text string) (after string, err error) {
	if text == "" {
		return "", nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	after, ok := strings.CutPrefix(string(raw), cursorMark)
	if err != nil || !ok || after == "" || !utf8.ValidString(after) {
		return "", &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the cursor can't be read; send the nextCursor of the page before, as it is"}
	}
	return after, nil
}
