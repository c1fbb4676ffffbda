package main

import (
	"context"
	"fmt"
	"net"
	"path/filepath"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/server"
	"github.com/skillsearch/skillsearch/skill"
)

// libraryConfig is one entry of server.libraries.
type libraryConfig struct {
	Name      string       `yaml:"name"`
	TokenFile string       `yaml:"token_file"`
	Roots     []rootConfig `yaml:"roots"`
}

// A library is a libraryConfig whose paths have been found.
type library struct {
	name, tokenFile string
	roots           []skill.Root
}

// openLibraries opens each library with an index of its own, so that none holds
// a byte of another.
func (a *app) openLibraries(ctx context.Context, s settings) ([]server.Library, error) {
	var out []server.Library
	for _, l := range s.libraries {
		tokens, err := server.OpenTokenFile(l.tokenFile)
		if err != nil {
			return nil, err
		}
		own := s
		own.roots = l.roots
		if s.cacheDir != "" {
			own.cacheDir = filepath.Join(s.cacheDir, "libraries", l.name)
		}
		engine, err := a.openEngine(ctx, own, false)
		if err != nil {
			return nil, err
		}
		out = append(out, server.Library{Name: l.name, Engine: engine, Tokens: tokens, Tools: a.library(engine, own)})
	}
	return out, nil
}

// libraries are those of a configuration file in the folder base.
func (a *app) libraries(c []libraryConfig, base string) ([]library, error) {
	var out []library
	for _, l := range c {
		if l.Name == "" || l.Name != filepath.Base(l.Name) || l.TokenFile == "" || len(l.Roots) == 0 {
			return nil, errLibrary(l.Name)
		}
		path, err := skill.ExpandPath(l.TokenFile, a.env.home, base)
		if err != nil {
			return nil, err
		}
		roots, err := a.fileRoots(l.Roots, base)
		if err != nil {
			return nil, err
		}
		out = append(out, library{l.Name, path, roots})
	}
	return out, nil
}

func errLibrary(name string) error {
	return fmt.Errorf("%w: library %q of server.libraries is not whole; give it a name without slashes, a token_file and roots", skillsearch.ErrInvalidArgument, name)
}

func (a *app) serveLibraries(ctx context.Context, s settings, cfg server.Config, listener net.Listener) error {
	libraries, err := a.openLibraries(ctx, s)
	if err != nil {
		return err
	}
	l, err := server.NewLibraries(libraries, cfg)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(a.env.stderr, "skillsearch: %d libraries at http://%s\n", len(libraries), listener.Addr()); err != nil {
		return err
	}
	return l.Run(ctx, listener)
}
