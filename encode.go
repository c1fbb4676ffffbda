package skillsearch

import (
	"encoding/json"
	"io"
)

// Encode writes v as one line of JSON, the same bytes in the shell, over HTTP
// and in MCP. Characters of HTML stay as they are.
func Encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
