package main

import (
	"context"
	"sync"

	"github.com/spf13/cobra"

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
	work := server.New(engine, server.Config{Version: buildVersion(), Index: true, Watch: true, Tools: a.library(engine, s), Logger: a.logger()})
	tooling, err := work.Tooling(tools.toolsets, tools.tools)
	if err != nil {
		return err
	}
	working, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	all.Go(func() { work.Work(working) })
	return tooling.Run(ctx, a.env.stdin, a.env.stdout)
}
