package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/toolset"
)

// skillsCommand is Batbox's /skills.
func (a *app) skillsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "skills",
		Short:   "List skills as Batbox does; show or run one",
		Example: "  skillsearch skills\n  skillsearch skills info hunter\n  skillsearch skills run hunter \"review src\"",
		Args:    noArguments,
		RunE:    func(c *cobra.Command, args []string) error { return a.list(c, skillsearch.Query{}, false, "table") },
	}
	c.AddCommand(&cobra.Command{
		Use: "info NAME", Short: "Print what is known of a skill, without its body", Args: oneArgument("the name of a skill"),
		RunE: func(c *cobra.Command, args []string) error { return a.skillInfo(c, args[0]) },
	}, &cobra.Command{
		Use: "run NAME [INPUT]", Short: "Print a skill's body; with an input, that in the place of $ARGS", Args: nameAndInput,
		RunE: func(c *cobra.Command, args []string) error { return a.skillRun(c, args) },
	})
	return c
}

func nameAndInput(c *cobra.Command, args []string) error {
	if len(args) < 1 || len(args) > 2 {
		return fmt.Errorf("%w: %d arguments were given; %s takes the name of a skill and one input, in quotes", skillsearch.ErrInvalidArgument, len(args), c.CommandPath())
	}
	return nil
}

func (a *app) skillInfo(c *cobra.Command, ref string) error {
	shown, err := a.shown(c, ref)
	if err != nil {
		return err
	}
	shown.Body = ""
	if a.flags.json {
		return skillsearch.Encode(a.env.stdout, shown)
	}
	_, err = io.WriteString(a.env.stdout, showHead(shown))
	return err
}

func (a *app) skillRun(c *cobra.Command, args []string) error {
	shown, err := a.shown(c, args[0])
	if err != nil {
		return err
	}
	body := shown.Body
	if len(args) == 2 {
		body = toolset.ReplaceArgs(body, args[1])
	}
	if a.flags.json {
		return skillsearch.Encode(a.env.stdout, map[string]string{"skill": shown.ID, "body": body})
	}
	_, err = io.WriteString(a.env.stdout, body)
	return err
}

func (a *app) shown(c *cobra.Command, ref string) (*skillsearch.Shown, error) {
	engine, _, err := a.open(c.Context(), false)
	if err != nil {
		return nil, err
	}
	return engine.Show(ref)
}
