package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch/server"
)

func (a *app) serveCommand() *cobra.Command {
	var o serveOptions
	c := &cobra.Command{
		Use:     "serve",
		Short:   "Serve searches over HTTP",
		Long:    "Serve searches over HTTP on this machine, and follow what changes on disk: it is found within two seconds and embedded in the background. The routes are in docs/http.md.",
		Example: "  skillsearch serve\n  curl '127.0.0.1:7440/v1/search?q=merge+pdf+files'",
		Args:    noArguments,
		RunE: func(c *cobra.Command, args []string) error {
			return a.serve(c, o)
		},
	}
	c.Flags().StringVar(&o.addr, "addr", "", "address to listen on; \":8080\" means loopback (default 127.0.0.1:7440)")
	c.Flags().BoolVar(&o.watch, "watch", true, "follow what changes on disk; with --watch=false it is read on POST /v1/reindex")
	c.Flags().BoolVar(&o.logQueries, "log-queries", false, "write queries into the log, which otherwise has their length and a hash")
	return c
}

// serveOptions are the flags of serve alone.
type serveOptions struct {
	addr              string
	watch, logQueries bool
}

func (a *app) serve(c *cobra.Command, o serveOptions) error {
	a.serving = true
	s, err := a.settings()
	if err != nil {
		return err
	}
	listen := server.Listen
	if len(s.libraries) > 0 {
		listen = server.ListenGuarded
	}
	listener, err := listen(first(o.addr, s.addr)) // before the skills are read: a port in use is known at once
	if err != nil {
		return err
	}
	defer listener.Close()
	cfg := server.Config{Version: buildVersion(), Index: true, Watch: o.watch, LogQueries: o.logQueries, AllowedHosts: s.hosts, Limits: s.limits, Logger: a.logger()}
	if len(s.libraries) > 0 {
		return a.serveLibraries(c.Context(), s, cfg, listener)
	}
	engine, _, err := a.open(c.Context(), false)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(a.env.stderr, "skillsearch: %d skills at http://%s\n", len(engine.Catalogue().Skills()), listener.Addr()); err != nil {
		return err
	}
	cfg.Tools = a.library(engine, s)
	return server.New(engine, cfg).Run(c.Context(), listener)
}
