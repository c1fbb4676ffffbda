package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/vectorstore"
)

// Exit codes.
const (
	exitFound   = 0
	exitNothing = 1 // nothing found, or problems found by lint
	exitError   = 2
)

// errNothing ends a command that worked and has nothing to show.
var errNothing = errors.New("nothing found")

// environment is what a command knows of the world.
type environment struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	cwd            string
	home           string // "" when it is not known
	configDir      string // of the user; "" when it is not known
	cacheDir       string // of the user; "" when it is not known
}

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, env environment) int {
	a := &app{env: env}
	root := a.command()
	root.SetArgs(args)
	root.SetIn(env.stdin)
	root.SetOut(env.stdout)
	root.SetErr(env.stderr)
	err := root.ExecuteContext(ctx)
	if closeErr := a.close(); err == nil {
		err = closeErr
	}
	switch {
	case err == nil:
		return exitFound
	case errors.Is(err, errNothing):
		return exitNothing
	}
	a.reportError(err)
	return exitError
}

// app is one run of the command.
type app struct {
	env   environment
	flags flags
	// serving is set by serve.
	serving bool
	cache   *vectorstore.Cache // nil until open has opened it, and where there is none
	end     []func() error     // what close does, last first
}

func (a *app) close() error {
	var errs []error
	for i := len(a.end) - 1; i >= 0; i-- {
		errs = append(errs, a.end[i]())
	}
	a.end = nil
	return errors.Join(errs...)
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:           "skillsearch",
		Short:         "Find the right agent skill by need",
		Long:          "skillsearch reads agent skills where they lie and finds the right one by need, not by name.",
		Example:       "  skillsearch search merge several PDF files into one\n  skillsearch show pdf",
		Version:       buildVersion(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w: %s; see \"%s --help\"", skillsearch.ErrInvalidArgument, flagError(err), c.CommandPath())
	})
	a.flags.register(root.PersistentFlags())
	root.AddCommand(
		a.searchCommand(),
		a.listCommand(),
		a.similarCommand(),
		a.showCommand(),
		a.skillCommand(),
		a.authCommand(),
		a.whyCommand(),
		a.indexCommand(),
		a.lintCommand(),
		a.doctorCommand(),
		a.serveCommand(),
		a.mcpCommand(),
		a.callCommand(),
		a.toolsetCommand(),
		a.promptCommand(),
		a.skillsCommand(),
		a.evalCommand(),
		a.tuneCommand(),
		a.clearCommand(),
		a.versionCommand(),
		a.manCommand(),
	)
	return root
}

// reportError prints an error for people to stderr, and with --json for
// programs to stdout. What follows the first "; " is the remedy.
func (a *app) reportError(err error) {
	message, remedy, _ := strings.Cut(suggest(err.Error()), "; ")
	if a.flags.json {
		_ = skillsearch.Encode(a.env.stdout, map[string]any{"error": map[string]string{
			"kind": skillsearch.ErrorKind(err), "message": message, "remedy": remedy,
		}})
	}
	fmt.Fprintf(a.env.stderr, "skillsearch: error: %s\n", printable(message))
	if remedy != "" {
		fmt.Fprintf(a.env.stderr, "skillsearch: hint: %s\n", printable(remedy))
	}
}

// suggest puts cobra's proposals for a mistyped command on the error's line.
func suggest(text string) string {
	head, names, ok := strings.Cut(text, "\n\nDid you mean this?\n")
	if !ok {
		return text
	}
	return head + "; did you mean " + strings.Join(strings.Fields(names), " or ") + "?"
}

// goNoise is what Go's parsers say of themselves.
var goNoise = regexp.MustCompile(`strconv\.\w+: parsing ".*": |time: `)

// flagError is a flag's error without repetition.
func flagError(err error) string {
	text := goNoise.ReplaceAllString(strings.TrimPrefix(err.Error(), "invalid argument "), "")
	if strings.Contains(text, "duration") {
		text += ", write a time such as 2s or 500ms"
	}
	return text
}

// warn tells the person something that does not stop the command.
func (a *app) warn(format string, args ...any) {
	if !a.flags.quiet {
		fmt.Fprintf(a.env.stderr, "skillsearch: "+format+"\n", args...)
	}
}
