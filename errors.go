package skillsearch

import (
	"errors"
	"fmt"

	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/vectorstore"
)

// ErrInvalidArgument: a query, a limit or a name is not what it should be. The
// error's text names the field and what it takes.
var ErrInvalidArgument = errors.New("invalid argument")

// ErrInvalidCursor: a cursor is not the one that came with the page before.
var ErrInvalidCursor = errors.New("invalid cursor")

// ErrForbidden: what was asked for is there, and not for this caller.
var ErrForbidden = errors.New("forbidden")

// ErrTokenRequired: the server would be reachable from other machines and has
// no token.
var ErrTokenRequired = errors.New("a token is required")

// kinds maps errors to the words by which programs know them, the same in the
// shell, over HTTP and in MCP.
var kinds = []struct {
	err  error
	kind string
}{
	{ErrInvalidArgument, "invalid_argument"},
	{ErrInvalidCursor, "invalid_argument"},
	{ErrForbidden, "forbidden"},
	{ErrTokenRequired, "token_required"},
	{skill.ErrInvalidPath, "invalid_argument"},
	{skill.ErrOutside, "path_outside_skill"},
	{skill.ErrNotRegular, "not_regular_file"},
	{skill.ErrTooLarge, "too_large"},
	{skill.ErrNotFound, "not_found"},
	{skill.ErrHomeNotSet, "home_not_set"},
	{embedder.ErrModelMissing, "model_missing"},
	{embedder.ErrNotEmbedding, "model_missing"},
	{embedder.ErrModelChanged, "embedding_unavailable"},
	{embedder.ErrUnavailable, "embedding_unavailable"},
	{ErrNoEmbedder, "embedding_unavailable"},
	{embedder.ErrInvalidHost, "invalid_ollama_host"},
	{vectorstore.ErrTooNew, "index_too_new"},
	{vectorstore.ErrDiskFull, "disk_full"},
	{vectorstore.ErrReadOnly, "read_only"},
}

// ErrorKind is the stable word for an error, "" when it has none.
func ErrorKind(err error) string {
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			return k.kind
		}
	}
	return ""
}

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrInvalidArgument, fmt.Sprintf(format, args...))
}
