package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/credentials"
)

// maxSecret bounds what is read of a pipe, in bytes.
const maxSecret = 128 << 10

// terminal is the standard input where a person types there.
func (a *app) terminal() (*os.File, bool) {
	f, ok := a.env.stdin.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// readSecret asks the person at the terminal, who sees nothing of what they
// type, or reads the one line of a pipe.
func (a *app) readSecret(ctx context.Context, variable string) (credentials.Secret, error) {
	if f, ok := a.terminal(); ok {
		return a.askSecret(ctx, f, variable)
	}
	raw, err := io.ReadAll(io.LimitReader(bufio.NewReader(a.env.stdin), maxSecret))
	if err != nil {
		return credentials.Secret{}, fmt.Errorf("read the value of %s: %w", variable, err)
	}
	line := strings.TrimSuffix(strings.TrimSuffix(string(raw), "\n"), "\r")
	if strings.ContainsAny(line, "\r\n") {
		return credentials.Secret{}, fmt.Errorf("%w: more than one line came for %s; send one line", skillsearch.ErrInvalidArgument, variable)
	}
	return credentials.NewSecret(line), nil
}

// askSecret leaves the terminal as it was, also when the person gives up.
func (a *app) askSecret(ctx context.Context, f *os.File, variable string) (credentials.Secret, error) {
	before, err := term.GetState(int(f.Fd()))
	if err != nil {
		return credentials.Secret{}, fmt.Errorf("ask for %s: %w; send the value through a pipe", variable, err)
	}
	fmt.Fprintf(a.env.stderr, "%s (input is hidden): ", variable)
	type typed struct {
		raw []byte
		err error
	}
	done := make(chan typed, 1)
	go func() { // ends with its line, or with the process
		raw, err := term.ReadPassword(int(f.Fd()))
		done <- typed{raw, err}
	}()
	defer fmt.Fprintln(a.env.stderr)
	select {
	case <-ctx.Done():
		return credentials.Secret{}, fmt.Errorf("ask for %s: %w", variable, joinRestored(ctx.Err(), f, before))
	case t := <-done:
		if t.err != nil {
			return credentials.Secret{}, fmt.Errorf("ask for %s: %w", variable, t.err)
		}
		return credentials.NewSecret(string(t.raw)), nil
	}
}

func joinRestored(err error, f *os.File, before *term.State) error {
	if restoreErr := term.Restore(int(f.Fd()), before); restoreErr != nil {
		return fmt.Errorf("%w (and the terminal can't be restored: %w; run: reset)", err, restoreErr)
	}
	return err
}

// asker is how a tool gets a credential from the person at the terminal; nil
// where there is none.
func (a *app) asker() func(ctx context.Context, variable string) error {
	f, ok := a.terminal()
	if !ok {
		return nil
	}
	return func(ctx context.Context, variable string) error {
		value, err := a.askSecret(ctx, f, variable)
		if err != nil {
			return err
		}
		return a.credentials().Set(variable, value)
	}
}
