package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/toolset"
)

// maxArguments is the largest JSON that call reads, in bytes.
const maxArguments = 1 << 20

func (a *app) callCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "call TOOLSET TOOL [JSON|-]",
		Short:   "Call a tool as an agent does",
		Long:    "Call a tool as an agent does, and print what the agent reads. JSON are the arguments, - reads them from standard input. --json prints the whole result, as MCP has it.",
		Example: "  skillsearch call skillsearch search_skills '{\"query\":\"merge pdf files\"}'\n  skillsearch call telos get_skill '{\"code\":\"pdf\"}' --json",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 2 || len(args) > 3 {
				return fmt.Errorf("%w: %d arguments were given; %s takes a toolset, a tool and the JSON of its arguments", skillsearch.ErrInvalidArgument, len(args), c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return a.call(c, args) },
	}
	registerPool(c.Flags(), &a.flags.availableTools)
	return c
}

func (a *app) call(c *cobra.Command, args []string) error {
	arguments, err := a.callArguments(args[2:])
	if err != nil {
		return err
	}
	engine, s, err := a.open(c.Context(), false)
	if err != nil {
		return err
	}
	lib := a.library(engine, s)
	lib.AskCredential = a.asker()
	set, err := toolset.Open(args[0], lib)
	if err != nil {
		return err
	}
	tool, err := set.Tool(args[1])
	if err != nil {
		return err
	}
	result, err := tool.Call(c.Context(), arguments)
	if err != nil {
		return err
	}
	if a.flags.json {
		return skillsearch.Encode(a.env.stdout, result)
	}
	_, err = io.WriteString(a.env.stdout, strings.TrimSuffix(result.Text, "\n")+"\n")
	return err
}

// callArguments is the JSON that was given, or read from standard input.
func (a *app) callArguments(args []string) ([]byte, error) {
	if len(args) == 0 || args[0] != "-" {
		return []byte(strings.Join(args, "")), nil
	}
	raw, err := io.ReadAll(io.LimitReader(a.env.stdin, maxArguments+1))
	if err == nil && len(raw) > maxArguments {
		err = fmt.Errorf("%w: the arguments have more than %d bytes; send fewer", skillsearch.ErrInvalidArgument, maxArguments)
	}
	return raw, err
}

func (a *app) toolsetCommand() *cobra.Command {
	var format string
	var only []string
	c := &cobra.Command{
		Use:     "toolset [NAME[,NAME…]]",
		Short:   "Print the definitions of tools for an agent without MCP",
		Long:    "Print the definitions of one or more toolsets as a model's API takes them. Without a name the toolsets are listed.",
		Example: "  skillsearch toolset\n  skillsearch toolset skillsearch --format openai",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			f, err := toolset.ParseFormat(format)
			if err != nil {
				return err
			}
			engine, s, err := a.open(c.Context(), false)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return a.listToolsets(a.library(engine, s))
			}
			return a.printDefinitions(a.library(engine, s), list(args[0]), only, f)
		},
	}
	c.Flags().StringVar(&format, "format", "", "mcp, openai or anthropic (default mcp)")
	c.Flags().StringSliceVar(&only, "tools", nil, "print only these tools (comma-separated)")
	return c
}

func (a *app) printDefinitions(lib toolset.Library, names, only []string, format toolset.Format) error {
	set, err := toolset.OpenAll(names, lib)
	if err == nil && only != nil {
		set, err = set.Only(only)
	}
	if err != nil {
		return err
	}
	raw, err := toolset.Definitions(set.Tools, format)
	if err != nil {
		return err
	}
	_, err = a.env.stdout.Write(append(raw, '\n'))
	return err
}

func (a *app) listToolsets(lib toolset.Library) error {
	known, err := toolset.Known(lib)
	if err != nil {
		return err
	}
	if a.flags.json {
		return skillsearch.Encode(a.env.stdout, map[string]any{"toolsets": known})
	}
	for _, k := range known {
		if _, err := fmt.Fprintf(a.env.stdout, "%-12s %s\n", k.Name, strings.Join(k.Tools, ", ")); err != nil {
			return err
		}
	}
	return nil
}
