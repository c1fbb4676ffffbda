package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/toolset"
)

func (a *app) promptCommand() *cobra.Command {
	var o toolset.PromptOptions
	var format string
	c := &cobra.Command{
		Use:   "prompt",
		Short: "Print the skill index for a system prompt",
		Long: "Print the skill index for a system prompt: pinned skills (always_present), then those used last, latest first. " +
			"Without skills it prints nothing.",
		Example: "  skillsearch prompt --top 5\n  skillsearch prompt --format xml --max-chars 8000",
		Args:    noArguments,
		RunE: func(c *cobra.Command, args []string) error {
			for _, name := range []string{"top", "max-chars"} {
				if n, _ := c.Flags().GetInt(name); c.Flags().Changed(name) && n < 1 {
					return fmt.Errorf("%w: %s is %d; it must be at least 1", skillsearch.ErrInvalidArgument, name, n)
				}
			}
			o.Format = toolset.PromptFormat(format)
			return a.prompt(c, o)
		},
	}
	c.Flags().IntVar(&o.Top, "top", 0, "how many of the last used skills to show (default 10 in planck's form, else all)")
	c.Flags().StringVar(&format, "format", string(toolset.PlanckPrompt), "planck, xml or codex")
	c.Flags().IntVar(&o.MaxChars, "max-chars", 0, "how many characters the index may have; the least used are left out first")
	return c
}

func (a *app) prompt(c *cobra.Command, o toolset.PromptOptions) error {
	engine, s, err := a.open(c.Context(), false)
	if err != nil {
		return err
	}
	text, err := a.library(engine, s).SystemPrompt(c.Context(), o)
	if err != nil {
		return err
	}
	if a.flags.json {
		return skillsearch.Encode(a.env.stdout, map[string]string{"prompt": string(text)})
	}
	_, err = a.env.stdout.Write(text)
	return err
}
