// Package server answers: how do tools and searches travel? It serves an engine
// over HTTP behind one guard, and keeps its index filled in the background.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/mcpserver"
	"github.com/skillsearch/skillsearch/server/page"
	"github.com/skillsearch/skillsearch/toolset"
)

// Limits of a connection. A search may wait maxWait for its vector, which a
// write time-out has to leave room for.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 30 * time.Second
	writeTimeout      = maxWait + 30*time.Second
	idleTimeout       = 60 * time.Second
	// maxHeader bounds the request line and the headers, in bytes: a query of
	// skillsearch.MaxQuery with every byte percent-encoded has room.
	maxHeader = 256 << 10
	// grace is how long requests in flight may go on after the end.
	grace = 10 * time.Second
)

// A Config says how an engine is served. The zero Config is good.
type Config struct {
	// Version is shown by /v1/status.
	Version string
	// Index embeds in the background what has no vector yet. Without it the
	// vectors that are there are loaded, and a reindex embeds when it is asked for.
	Index bool
	// Watch follows what changes on disk, and embeds it where Index says so. Without
	// it the skills are read again when a reindex asks for it.
	Watch bool
	// AllowedHosts are names or addresses under which requests are taken besides
	// the loopback ones, "name" with any port or "name:port", for a proxy that
	// passes its own Host on.
	AllowedHosts []string
	// Tools is what tools see besides the engine.
	Tools toolset.Library
	// SessionIdle is how long a session of MCP lives without a request; 0 is
	// mcpserver.DefaultIdle.
	SessionIdle time.Duration
	// Limits hold for all libraries of a server together.
	Limits Limits
	// Now is the clock; nil is time.Now.
	Now func() time.Time
	// NewID names a request whose caller did not; nil counts from the start.
	NewID func() string
	// Logger gets one line a request, and what went wrong; nil drops them. No
	// query, header or path that a client sent is in it, but the id of the
	// request where it is a UUID or a trace id.
	Logger *slog.Logger
	// LogQueries puts the queries into the log as well.
	LogQueries bool
}

// A Server serves one engine. It is safe for concurrent use.
type Server struct {
	engine   *skillsearch.Engine
	cfg      Config
	worker   *worker
	routes   http.Handler // all of them, before the guard
	metrics  *metrics
	throttle *throttle
	peers    []*Server // those that requests at the address are for, itself one of them
	handler  http.Handler
	started  time.Time
	counter  atomic.Uint64 // of requests
	mcp      mcpServers

	renderer  *page.Renderer
	described func() ([]byte, error) // as OpenAPI
}

// New prepares a server; it starts nothing.
func New(engine *skillsearch.Engine, cfg Config) *Server {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{engine: engine, cfg: cfg, worker: newWorker(engine, cfg), started: cfg.Now(), renderer: page.NewRenderer()}
	if s.cfg.NewID == nil {
		s.cfg.NewID = s.nextID
	}
	s.mcp.servers = make(map[string]*mcpserver.Server)
	s.worker.changed = func() { s.mcp.each((*mcpserver.Server).Changed) }
	s.described = sync.OnceValues(func() ([]byte, error) { return describeRoutes(s.table(), cfg.Version) })
	s.metrics, s.peers = newMetrics(s), []*Server{s}
	s.routes = s.router()
	s.throttle = newThrottle(cfg.Limits)
	s.handler = s.observe(s.guard(s.bound(s.limited(s.claim(s.routes)))))
	return s
}

// Handler is all of the server's routes behind the guard, for an http.Server of
// one's own. It answers searches, but only Run does the work in the background:
// without it /readyz stays at "starting" and a reindex is refused.
func (s *Server) Handler() http.Handler { return s.handler }

// Run serves on the listener, which it closes, and works in the background
// until ctx ends. Then it takes no more connections, lets requests in flight go
// on for at most 10 s, and returns nil if all of them came to an end. Call it
// once.
func (s *Server) Run(ctx context.Context, listener net.Listener) error {
	return serve(ctx, listener, []*Server{s})
}

// serve runs servers at one address. The first one's handler gets all requests.
func serve(ctx context.Context, listener net.Listener, servers []*Server) error {
	front := servers[0]
	web := &http.Server{
		Handler:                      front.handler,
		ReadHeaderTimeout:            readHeaderTimeout,
		ReadTimeout:                  readTimeout,
		WriteTimeout:                 writeTimeout,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               maxHeader,
		DisableGeneralOptionsHandler: true, // it would answer in front of the guard
		ErrorLog:                     slog.NewLogLogger(front.cfg.Logger.Handler(), slog.LevelWarn),
	}
	working, stop := context.WithCancel(ctx)
	served := make(chan error, 1)
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	for _, s := range servers {
		web.RegisterOnShutdown(func() { s.mcp.each((*mcpserver.Server).Close) }) // their streams have no end of their own
		all.Go(func() { s.worker.run(working) })
	}
	all.Go(func() { served <- web.Serve(listener) })
	select {
	case err := <-served:
		return fmt.Errorf("serve on %s: %w", listener.Addr(), err)
	case <-ctx.Done():
		return shutDown(ctx, web)
	}
}

// shutDown ends a server, by force if it must.
func shutDown(ctx context.Context, web *http.Server) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	err := web.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		_ = web.Close() // the listener is closed already; this cuts the connections
		return fmt.Errorf("stop serving: requests were still in flight after %v and were cut off", grace)
	}
	return err
}

// nextID names a request: when the server was made and a count, so that ids in
// one log differ over restarts too.
func (s *Server) nextID() string {
	return strconv.FormatInt(s.started.UnixMilli(), 36) + "-" + strconv.FormatUint(s.counter.Add(1), 10)
}
