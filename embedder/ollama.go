package embedder

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/ollama/ollama/api"
)

const defaultModel = "all-minilm"

// OllamaConfig says which Ollama to ask and for which model. Its zero value is
// all-minilm at 127.0.0.1:11434.
type OllamaConfig struct {
	// Host is what OLLAMA_HOST may hold: host, host:port, :port or a URL, which
	// may carry user:password@ and a path. The credentials appear in no error.
	Host string
	// Model is the name that `ollama list` shows; the tag may be left out.
	// Empty means all-minilm.
	Model string
	// Headers go with every request, for a proxy in front of the server. They
	// are copied, and appear in no error.
	Headers http.Header
	// Transport carries the requests. Nil means one of our own that gives up
	// connecting after 2 seconds and honours HTTP_PROXY and its kin.
	Transport http.RoundTripper
	// Logger gets retries and splits. Nil discards them.
	Logger *slog.Logger
}

// String leaves out the credentials.
func (cfg OllamaConfig) String() string {
	return fmt.Sprintf("%s at %s", cmp.Or(cfg.Model, defaultModel), redact(cmp.Or(cfg.Host, "127.0.0.1:11434")))
}

// Ollama asks an Ollama server for vectors. It is safe for concurrent use.
//
// It never pulls a model, and never sends options: those that differ from the
// loaded model's make the server load it again, for every client.
type Ollama struct {
	name   string   // as configured, without ":latest"
	base   *url.URL // without credentials, so that no error can show them
	client *api.Client
	log    *slog.Logger

	documents slot // held during a document request
	inspect   slot // held while the server is asked for its model
	known     atomic.Pointer[known]
	probed    atomic.Pointer[[]Model]
	stale     atomic.Bool // the connection broke: another server may be there now
}

// NewOllama returns an embedder that has not yet talked to its server. The
// error is ErrInvalidHost.
func NewOllama(cfg OllamaConfig) (*Ollama, error) {
	base, err := parseHost(cfg.Host)
	if err != nil {
		return nil, err
	}
	carrier := &transport{next: cfg.Transport, user: base.User, headers: cfg.Headers.Clone()}
	if carrier.next == nil {
		carrier.next = newTransport()
	}
	base.User = nil
	return &Ollama{
		name:      strings.TrimSuffix(cmp.Or(strings.TrimSpace(cfg.Model), defaultModel), ":latest"),
		base:      base,
		client:    api.NewClient(base, &http.Client{Transport: carrier}),
		log:       cmp.Or(cfg.Logger, slog.New(slog.DiscardHandler)),
		documents: newSlot(),
		inspect:   newSlot(),
	}, nil
}

// Host is the URL that requests go to, without credentials.
func (o *Ollama) Host() string { return o.base.String() }

// String names the model and the server, without credentials.
func (o *Ollama) String() string { return fmt.Sprintf("%s at %s", o.name, o.Host()) }

// GoString is String, so that %#v shows no credentials either.
func (o *Ollama) GoString() string { return o.String() }

// A slot lets one at a time through.
type slot chan struct{}

func newSlot() slot { return make(slot, 1) }

func (s slot) take(ctx context.Context) error {
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s slot) give() { <-s }
