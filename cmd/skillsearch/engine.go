package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/data"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/vectorstore"
)

// open reads the configuration and opens the engine. needsIndex makes an index
// that can't be opened an error; a search does without.
func (a *app) open(ctx context.Context, needsIndex bool) (*skillsearch.Engine, settings, error) {
	s, err := a.settings()
	if err != nil {
		return nil, s, err
	}
	s.roots = append(a.bundledRoots(s), s.roots...)
	engine, err := a.openEngine(ctx, s, needsIndex)
	return engine, s, err
}

// openEngine opens the engine that the settings describe.
func (a *app) openEngine(ctx context.Context, s settings, needsIndex bool) (_ *skillsearch.Engine, err error) {
	cfg := skillsearch.Config{Roots: s.roots, Ranking: s.ranking, Logger: a.logger(), Machine: a.machine()}
	cfg.Embedders, cfg.NoEmbedder, err = a.embedders(s)
	if err != nil {
		return nil, err
	}
	cfg.Cache, err = a.openCache(ctx, s)
	if err != nil {
		if needsIndex {
			return nil, err
		}
		cfg.Embedders, cfg.NoEmbedder = nil, err
	}
	engine, err := skillsearch.Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if err := namedRoots(engine.Catalogue()); err != nil {
		return nil, err
	}
	a.warnOfRoots(engine.Catalogue())
	return engine, nil
}

// namedRoots fails when roots were named on the command line and none of them
// can be read.
func namedRoots(c *skill.Catalogue) error {
	var first error
	for _, r := range c.Roots() {
		i := slices.IndexFunc(c.Problems(), func(p skill.Problem) bool { return p.Path == r.Path && isRootProblem(p) })
		if r.Source != skill.SourceFlag || i < 0 {
			return nil
		}
		p := c.Problems()[i]
		first = cmp.Or(first, fmt.Errorf("root %s: %w: %s; %s", p.Path, skill.ErrNotFound, p.Message, p.Remedy))
	}
	return first
}

func isRootProblem(p skill.Problem) bool {
	return p.Kind == skill.Unreadable || p.Kind == skill.NotRegularFile
}

// warnOfRoots says at once what is wrong with a root as a whole; the other
// problems wait for lint.
func (a *app) warnOfRoots(c *skill.Catalogue) {
	paths := make(map[string]bool)
	for _, r := range c.Roots() {
		paths[r.Path] = true
	}
	for _, p := range c.Problems() {
		if paths[p.Path] && isRootProblem(p) {
			a.warn("%s: %s; %s", printable(p.Path), p.Message, p.Remedy)
		}
	}
}

// logger writes to stderr: what happens with serve, which nobody watches, and
// otherwise errors alone, as the commands say themselves what a person should
// know.
func (a *app) logger() *slog.Logger {
	level := slog.LevelError
	if a.serving {
		level = slog.LevelInfo
	}
	switch {
	case a.flags.quiet:
		level = slog.LevelError + 1
	case a.flags.verbose:
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(a.env.stderr, &slog.HandlerOptions{Level: level}))
}

func indexPath(s settings) string { return filepath.Join(s.cacheDir, "index.db") }

func (a *app) openCache(ctx context.Context, s settings) (*vectorstore.Cache, error) {
	a.cache = nil // where this one can't be opened, that of another library must not stand for it
	if s.cacheDir == "" {
		a.warn("there is no folder for the index, so nothing is kept; set HOME or name one with --cache")
		return nil, nil
	}
	cache, err := vectorstore.OpenCache(ctx, indexPath(s), vectorstore.CacheOptions{})
	if err != nil {
		return nil, err
	}
	a.cache = cache
	a.end = append(a.end, cache.Close)
	for _, notice := range cache.Notices() {
		a.warn("%s", notice)
	}
	return cache, nil
}

// embedders are those that the settings ask for, in order of preference.
func (a *app) embedders(s settings) ([]skillsearch.Embedder, error, error) {
	if s.embedder == "none" {
		return nil, fmt.Errorf("%w (--embedder none)", skillsearch.ErrNoEmbedder), nil
	}
	if path := s.modelFile(); path != "" {
		return []skillsearch.Embedder{embedder.NewBuiltinFile(path)}, nil, nil
	}
	builtin := embedder.NewBuiltin()
	if s.embedder == "builtin" {
		return []skillsearch.Embedder{builtin}, nil, nil
	}
	headers, err := readHeaders(s.headersFile)
	if err != nil {
		return nil, nil, err
	}
	ollama, err := embedder.NewOllama(embedder.OllamaConfig{Host: s.host, Model: s.model, Headers: headers, Logger: a.logger()})
	if err != nil {
		return nil, nil, err
	}
	if s.embedder == "ollama" {
		return []skillsearch.Embedder{ollama}, nil, nil
	}
	return []skillsearch.Embedder{ollama, builtin}, nil, nil
}

// readHeaders reads "Name: value" lines for an Ollama behind a proxy.
func readHeaders(path string) (http.Header, error) {
	if path == "" {
		return nil, nil
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read headers_file: %w; correct its path in the configuration", err)
	}
	headers := make(http.Header)
	for n, line := range strings.Split(string(raw), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("%w: %s:%d: this is no header; write it as \"Name: value\"", skillsearch.ErrInvalidArgument, path, n+1)
		}
		headers.Add(textproto.TrimString(name), textproto.TrimString(value))
	}
	return headers, nil
}

// bundledRoots is the root of the skills inside the binary, which are written
// out so that agents can read them like any other. A root that was named on the
// command line stands alone.
func (a *app) bundledRoots(s settings) []skill.Root {
	if s.cacheDir == "" || len(a.flags.roots) > 0 || a.env.getenv("SKILLSEARCH_ROOT") != "" {
		return nil
	}
	dir := filepath.Join(s.cacheDir, "bundled-"+bundledDigest())
	if err := writeBundled(dir); err != nil {
		a.warn("the bundled skills can't be written: %v", err)
		return nil
	}
	return []skill.Root{{Path: filepath.Join(dir, "skills"), Label: skill.SourceBundled, Source: skill.SourceBundled}}
}

// bundledDigest tells the bundled skills of one build from those of another.
func bundledDigest() string {
	sum := sha256.New()
	_ = fs.WalkDir(data.Skills(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := data.Skills().ReadFile(path)
		fmt.Fprintf(sum, "%s %d\n%s", path, len(content), content)
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)[:6])
}

// writeBundled writes the skills beside their place and then moves them there,
// so that no process sees half of them. A folder that is there is complete.
func writeBundled(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "bundled-*.tmp")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := os.CopyFS(tmp, data.Skills()); err != nil {
		return err
	}
	if err := os.Rename(tmp, dir); err != nil && !errors.Is(err, os.ErrExist) {
		if _, statErr := os.Stat(dir); statErr != nil {
			return err
		}
	}
	return nil
}
