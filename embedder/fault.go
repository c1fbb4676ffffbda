package embedder

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"

	"github.com/ollama/ollama/api"
)

// A fault is a request that failed, sorted by what can be done about it. Its
// text is for people and names the remedy.
type fault struct {
	kind faultKind
	err  error
}

func (f *fault) Error() string { return f.err.Error() }
func (f *fault) Unwrap() error { return f.err }

type faultKind int

const (
	final       faultKind = iota // no further request can help
	unreachable                  // nothing listens; a server that restarts will again
	transient                    // the connection broke, or the server is busy
	crashed                      // the server failed at these texts: by chance, or because of one of them
	tooLong                      // a text is longer than the model's context
	unusable                     // no vector, or none to work with, for one of these texts
)

// ofText says whether the same request without one of its texts may succeed.
func (k faultKind) ofText() bool { return k == crashed || k == tooLong || k == unusable }

// faultOf returns what sort gave, final for any other error, nil for none.
func faultOf(err error) *fault {
	var f *fault
	if err == nil || errors.As(err, &f) {
		return f
	}
	return &fault{final, err}
}

// sort reads an error of the client. What it can't tell apart is transient:
// net/http has unexported errors for connections that went away.
func (o *Ollama) sort(err error) *fault {
	var (
		status    api.StatusError
		refusal   api.AuthorizationError
		odd       *foreign
		operation *net.OpError
		syntax    *json.SyntaxError
		mismatch  *json.UnmarshalTypeError
		size      *http.MaxBytesError
	)
	switch {
	case errors.As(err, &status):
		return o.sortStatus(status.StatusCode, readable(status.ErrorMessage))
	case errors.As(err, &refusal):
		return o.sortStatus(refusal.StatusCode, "unauthorized")
	case errors.As(err, &odd):
		return o.notOllama(odd.answer)
	case errors.As(err, &size):
		return o.notOllama(fmt.Sprintf("more than %d MiB", size.Limit>>20))
	case errors.As(err, &syntax), errors.As(err, &mismatch):
		return &fault{unusable, fmt.Errorf("%s: answer of %s is not the JSON of vectors: %w", o.name, o.Host(), err)}
	case errors.As(err, &operation) && (operation.Op == "dial" || operation.Op == "proxyconnect"):
		return o.unavailable(unreachable, "no server answers at %s (%v); %s", o.Host(), operation.Err, o.startIt())
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return o.unavailable(transient, "%s closed the connection before it had answered; see its log, and run the command again", o.Host())
	}
	return o.unavailable(transient, "request failed: %w; see the server's log, and run the command again", err)
}

// The wordings are those of Ollama 0.12.6 to 0.17.4.
func (o *Ollama) sortStatus(code int, message string) *fault {
	lower := strings.ToLower(message)
	says := func(words ...string) bool {
		for _, w := range words {
			if !strings.Contains(lower, w) {
				return false
			}
		}
		return true
	}
	answer := fmt.Sprintf("%s answers %d %s", o.Host(), code, message)
	switch {
	case code == http.StatusNotFound && says("model"), says("unqualified name"), says("invalid model"):
		return o.missing()
	case code == http.StatusNotFound, code == http.StatusMethodNotAllowed:
		return o.notOllama(fmt.Sprintf("%d %s", code, message))
	case code == http.StatusUnauthorized, code == http.StatusForbidden, code == http.StatusProxyAuthRequired:
		return o.unavailable(final, "%s; give credentials in the host (user:password@) or in embedder.headers_file", answer)
	case says("exceeds", "context length"):
		return &fault{tooLong, fmt.Errorf("%s: text exceeds the model's context; shorten it", o.name)}
	case strings.Contains(message, "NaN"), says("failed to encode"):
		return &fault{unusable, fmt.Errorf("%s: the model has no vector for this text (%s); change its wording", o.name, message)}
	case says("failed to load"):
		return o.unavailable(final, "%s; see the server's log", answer)
	case says("do embedding request"), strings.Contains(message, "EOF"):
		return o.unavailable(crashed, "%s: the model's process died; see the server's log", answer)
	case code == http.StatusTooManyRequests, code >= http.StatusBadGateway && code <= http.StatusGatewayTimeout:
		return o.unavailable(transient, "%s; try again later", answer)
	case code >= http.StatusInternalServerError:
		return o.unavailable(crashed, "%s; see the server's log", answer)
	}
	return o.unavailable(final, "%s; is it an Ollama that skillsearch knows (0.12 or newer)?", answer)
}

func (o *Ollama) unavailable(kind faultKind, format string, args ...any) *fault {
	return &fault{kind, fmt.Errorf("%w: "+format, append([]any{ErrUnavailable}, args...)...)}
}

func (o *Ollama) missing() *fault {
	return &fault{final, fmt.Errorf("%w: %s is not at %s; run `ollama pull %s`, or name another with --model", ErrModelMissing, o.name, o.Host(), o.name)}
}

func (o *Ollama) notOllama(answer string) *fault {
	return o.unavailable(final, "%s answers, but not as Ollama does (%s); check --ollama-host and OLLAMA_HOST", o.Host(), answer)
}

// ended tells a caller that gave up from one that ran out of time.
func (o *Ollama) ended(ctx context.Context) *fault {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return o.unavailable(final, "no answer from %s in time (it may still be loading %s); try again, or wait longer: %w", o.Host(), o.name, ctx.Err())
	}
	return &fault{final, fmt.Errorf("embed with %s: %w", o.name, ctx.Err())}
}

func (o *Ollama) startIt() string {
	const other = ", or name another server with --ollama-host or OLLAMA_HOST"
	if host := o.base.Hostname(); host == "127.0.0.1" || host == "::1" || host == "localhost" {
		return "start it with `ollama serve`" + other
	}
	return "start `ollama serve` there" + other
}

var (
	title  = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
	markup = regexp.MustCompile(`(?s)<[^>]*>`)
)

// readable makes one short line of an error's body, which is JSON's text or, of
// a proxy, a page.
func readable(body string) string {
	if found := title.FindStringSubmatch(body); found != nil {
		body = found[1]
	}
	line := strings.Join(strings.Fields(markup.ReplaceAllString(body, " ")), " ")
	const most = 200
	if runes := []rune(line); len(runes) > most {
		line = string(runes[:most]) + "…"
	}
	return line
}
