package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
)

// oneArgument refuses any other number of arguments than one.
func oneArgument(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("%w: %d arguments were given; %s takes %s", skillsearch.ErrInvalidArgument, len(args), c.CommandPath(), what)
		}
		return nil
	}
}

// noArguments refuses arguments.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%w: %q was given; %s takes no arguments", skillsearch.ErrInvalidArgument, args[0], c.CommandPath())
	}
	return nil
}

// atLeastOne refuses no arguments.
func atLeastOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 || args[0] == "" {
			return fmt.Errorf("%w: no argument was given; %s takes %s", skillsearch.ErrInvalidArgument, c.CommandPath(), what)
		}
		return nil
	}
}
