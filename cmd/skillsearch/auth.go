package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/credentials"
)

func (a *app) authCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "auth",
		Short: "Keep the credentials that skills require",
		Long: "Keep the credentials that skills require, in a file that only you can read. Values are never printed: \n" +
			"list tells names and where each comes from. A variable of the environment wins over a stored one.",
		Example: "  skillsearch auth set SHODAN_API_KEY\n  pass shodan | skillsearch auth set SHODAN_API_KEY\n  skillsearch auth list",
		Args:    noArguments,
		RunE:    func(c *cobra.Command, args []string) error { return c.Help() },
	}
	c.AddCommand(a.authSetCommand(), a.authListCommand(), a.authUnsetCommand())
	return c
}

func (a *app) authSetCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "set VAR",
		Short: "Store a credential: hidden input in a terminal, else one line from a pipe",
		Args:  oneArgument("the name of a variable"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkVariable(args[0]); err != nil {
				return err
			}
			value, err := a.readSecret(c.Context(), args[0])
			if err != nil {
				return err
			}
			store := a.credentials()
			if err := asArgument(store.Set(args[0], value)); err != nil {
				return err
			}
			a.warn("%s is stored in %s", args[0], printable(store.File()))
			if source, _ := store.Source(args[0]); source == credentials.Environment {
				a.warn("the environment has %s too, and wins while it does", args[0])
			}
			return nil
		},
	}
}

func (a *app) authListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the stored credentials and where each value comes from",
		Args:  noArguments,
		RunE: func(c *cobra.Command, args []string) error {
			list, err := a.credentials().List()
			if err != nil {
				return err
			}
			if a.flags.json {
				if err := skillsearch.Encode(a.env.stdout, map[string]any{"credentials": list}); err != nil {
					return err
				}
			}
			if len(list) == 0 {
				a.warn("no credential is stored; \"skillsearch auth set VAR\" stores one")
				return errNothing
			}
			if a.flags.json {
				return nil
			}
			for _, item := range list {
				if _, err := fmt.Fprintf(a.env.stdout, "%s  %s\n", item.Variable, item.Source); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func (a *app) authUnsetCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "unset VAR",
		Short: "Forget a stored credential",
		Args:  oneArgument("the name of a variable"),
		RunE: func(c *cobra.Command, args []string) error {
			return asArgument(a.credentials().Unset(args[0]))
		},
	}
}

func checkVariable(name string) error { return asArgument(credentials.Check(name)) }

// asArgument gives an error of the store the kind that programs know.
func asArgument(err error) error {
	switch {
	case errors.Is(err, credentials.ErrInvalid):
		return fmt.Errorf("%w: %w", skillsearch.ErrInvalidArgument, err)
	case errors.Is(err, credentials.ErrExposed):
		return fmt.Errorf("%w: %w", skillsearch.ErrForbidden, err)
	}
	return err
}
