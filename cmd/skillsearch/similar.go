package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
)

func (a *app) similarCommand() *cobra.Command {
	limit := limitFlag(skillsearch.DefaultLimit)
	wait := defaultWait
	c := &cobra.Command{
		Use:     "similar NAME",
		Short:   "Find what is near a skill",
		Long:    "Find the skills whose names and descriptions are nearest to those of one skill. NAME is an id, a name or a code.",
		Example: "  skillsearch similar pdf",
		Args:    oneArgument("the name of a skill"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.similar(c, args[0], int(limit), wait)
		},
	}
	c.Flags().Var(&limit, "limit", "how many hits")
	c.Flags().DurationVar(&wait, "wait", defaultWait, "how long to wait for vectors")
	return c
}

func (a *app) similar(c *cobra.Command, ref string, limit int, wait time.Duration) error {
	engine, _, err := a.open(c.Context(), false)
	if err != nil {
		return err
	}
	near, err := engine.Similar(c.Context(), ref, limit, wait)
	if err != nil {
		return err
	}
	if a.flags.json {
		err = skillsearch.Encode(a.env.stdout, near)
	} else {
		if near.Reason != "" {
			a.warn("compared by words: %s", printable(near.Reason))
		}
		err = a.printHits(near.Hits)
	}
	if err == nil && len(near.Hits) == 0 {
		return errNothing
	}
	return err
}
