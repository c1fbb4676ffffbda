package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
)

func (a *app) skillCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "skill ID [ARGS…]",
		Short: "Load a skill as its operator, with an input",
		Long: "Load a skill as its operator: one that models may not load, too. It prints where the skill lies, what it misses, and its instructions, \n" +
			"in which the input takes the place of $ARGS, or stands behind them where there is none. It fails where the skill can't run. " +
			"Flags stand before the ID; all that follows it is the input.",
		Example: "  skillsearch skill pdf\n  skillsearch skill restart staging",
		Args:    atLeastOne("the id, name or code of a skill, and an input"),
		RunE:    func(c *cobra.Command, args []string) error { return a.operate(c, args) },
	}
	c.Flags().SetInterspersed(false) // the input may hold what looks like a flag
	return c
}

func (a *app) operate(c *cobra.Command, args []string) error {
	engine, s, err := a.open(c.Context(), false)
	if err != nil {
		return err
	}
	lib := a.library(engine, s)
	lib.AskCredential = a.asker()
	result, err := lib.Operate(c.Context(), args[0], strings.Join(args[1:], " "))
	if err != nil {
		return err
	}
	if a.flags.json {
		return skillsearch.Encode(a.env.stdout, result)
	}
	_, err = io.WriteString(a.env.stdout, result.Text)
	return err
}
