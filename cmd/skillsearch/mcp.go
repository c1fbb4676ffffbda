package main

import (
	"context"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/mcpserver"
	"github.com/skillsearch/skillsearch/server"
)

func (a *app) mcpCommand() *cobra.Command {
	var tools toolFlags
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Serve tools over MCP to the agent that starts it",
		Long: "Serve tools, and skills as resources and prompts, over MCP on standard input and output, and embed what is new in the background. " +
			"docs/integrations.md has the lines for each agent.",
		Example: "  skillsearch mcp\n  skillsearch mcp --toolset telos,batbox\n  skillsearch mcp --toolset planck --tools load_skill",
		Args:    noArguments,
		RunE: func(c *cobra.Command, args []string) error {
			return a.mcp(c.Context(), tools)
		},
	}
	tools.register(c.Flags())
	registerPool(c.Flags(), &a.flags.availableTools)
	return c
}

func (a *app) mcp(ctx context.Context, tools toolFlags) error {
	engine, s, err := a.open(ctx, false)
	if err != nil {
		return err
	}
	worker := server.New(engine, server.Config{Version: buildVersion(), Index: true, Logger: a.logger()})
	w := &watcher{engine: engine, changed: func() { worker.Reindex() }, now: time.Now}
	tooling, err := mcpserver.New(mcpserver.Config{
		Library: a.library(engine, s), Toolsets: tools.toolsets, Tools: tools.tools,
		Refresh: w.look, Version: buildVersion(), Logger: a.logger(),
	})
	if err != nil {
		return err
	}
	w.tell = tooling.Changed

	working, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	all.Go(func() { worker.Work(working) })
	all.Go(func() { w.run(working) })
	return tooling.Run(ctx, a.env.stdin, a.env.stdout)
}

// Between two looks at the roots lies at least lookEvery, and lookShare times
// what the last one took, so that looking costs a processor 1% at most.
const (
	lookEvery = 5 * time.Second
	lookShare = 100
	// lookSoon is the same for a look that somebody waits for.
	lookSoon = time.Second
)

// A watcher looks for changed skills now and then.
type watcher struct {
	engine  *skillsearch.Engine
	changed func() // the catalogue is another one
	tell    func() // after each look
	now     func() time.Time

	mu    sync.Mutex // one look at a time
	last  time.Time  // when a look ended
	pause time.Duration
}

// run looks until ctx ends.
func (w *watcher) run(ctx context.Context) {
	for {
		w.mu.Lock()
		pause := max(lookEvery, w.pause)
		w.mu.Unlock()
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
			w.look(ctx)
		}
	}
}

// look reads what changed, unless that was done a moment ago.
func (w *watcher) look(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	began := w.now()
	if began.Sub(w.last) < lookSoon {
		return
	}
	before := w.engine.Catalogue()
	if err := w.engine.Rescan(ctx); err != nil { // ctx has ended
		return
	}
	w.last = w.now()
	w.pause = lookShare * w.last.Sub(began)
	if w.engine.Catalogue() != before {
		w.changed()
	}
	w.tell()
}
