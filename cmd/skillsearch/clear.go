package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch/vectorstore"
)

func (a *app) clearCommand() *cobra.Command {
	var unused bool
	c := &cobra.Command{
		Use:     "clear",
		Short:   "Drop the index",
		Long:    "Drop the index, also one that is damaged or was written by another version. The skills themselves are never touched.",
		Example: "  skillsearch clear\n  skillsearch clear --unused",
		Args:    noArguments,
		RunE: func(c *cobra.Command, args []string) error {
			if unused {
				return a.clearUnused(c)
			}
			s, err := a.settings()
			if err != nil {
				return err
			}
			if err := vectorstore.ClearFile(c.Context(), indexPath(s)); err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.env.stdout, "%s was removed\n", indexPath(s))
			return err
		},
	}
	c.Flags().BoolVar(&unused, "unused", false, "drop only the vectors that no skill of the present roots uses")
	return c
}

func (a *app) clearUnused(c *cobra.Command) error {
	engine, _, err := a.open(c.Context(), true)
	if err != nil {
		return err
	}
	removed, err := engine.Prune(c.Context())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.env.stdout, "%d vectors were removed\n", removed)
	return err
}
