package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/vectorstore"
)

func (a *app) clearCommand() *cobra.Command {
	var unused bool
	c := &cobra.Command{
		Use:     "clear",
		Short:   "Drop the index",
		Long:    "Drop the index of all projects: it is one file for this user. Also one that is damaged or was written by another version. The skills themselves are never touched.",
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
			return a.cleared(map[string]any{"removed": indexPath(s)}, indexPath(s)+" was removed")
		},
	}
	c.Flags().BoolVar(&unused, "unused", false, "drop only the vectors that no skill of these roots uses (those of other projects too: name their roots)")
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
	return a.cleared(map[string]any{"vectors": removed}, fmt.Sprintf("%d vectors were removed", removed))
}

// cleared says what was done, to a program or a person.
func (a *app) cleared(object map[string]any, text string) error {
	if a.flags.json {
		return skillsearch.Encode(a.env.stdout, object)
	}
	_, err := fmt.Fprintln(a.env.stdout, text)
	return err
}
