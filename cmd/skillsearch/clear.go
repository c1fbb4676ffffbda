package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/vectorstore"
)

func (a *app) clearCommand() *cobra.Command {
	var unused, dropHistory bool
	c := &cobra.Command{
		Use:     "clear",
		Short:   "Drop the index",
		Long:    "Drop the index of all projects: it is one file for this user. Also one that is damaged or was written by another version. The skills themselves are never touched, and the usage history is kept unless --history drops it too.",
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
			if !dropHistory {
				if kept, err := clearVectors(c.Context(), indexPath(s)); kept || err != nil {
					if err != nil {
						return err
					}
					return a.cleared(map[string]any{"cleared": indexPath(s)}, indexPath(s)+" was cleared; the usage history is kept, and \"skillsearch clear --history\" drops it")
				}
			}
			if err := vectorstore.ClearFile(c.Context(), indexPath(s)); err != nil {
				return err
			}
			return a.cleared(map[string]any{"removed": indexPath(s)}, indexPath(s)+" was removed")
		},
	}
	c.Flags().BoolVar(&unused, "unused", false, "drop only the vectors that no skill of these roots uses (those of other projects too: name their roots)")
	c.Flags().BoolVar(&dropHistory, "history", false, "drop the usage history as well")
	c.MarkFlagsMutuallyExclusive("unused", "history")
	return c
}

// clearVectors drops all but the usage history. kept is false where there is
// none that could be read: then the file can go.
func clearVectors(ctx context.Context, path string) (kept bool, err error) {
	if _, err := os.Stat(path); err != nil {
		return false, nil
	}
	cache, err := vectorstore.OpenCache(ctx, path, vectorstore.CacheOptions{})
	if err != nil {
		return false, nil // such as a newer version's, which is to be removed as well
	}
	defer func() { err = errors.Join(err, cache.Close()) }()
	if used, err := cache.LastUsed(ctx, 1); err != nil || len(used) == 0 {
		return false, err
	}
	return true, cache.Clear(ctx)
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
