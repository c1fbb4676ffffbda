package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/benchmarks"
	"github.com/skillsearch/skillsearch/vectorstore"
)

// An evaluator opens what collections are searched in. It keeps the last of
// them: collections with the same documents need it only once.
type evaluator struct {
	app       *app
	settings  settings
	embedders []skillsearch.Embedder // of collections; they remember what they embedded
	last      *benchmarks.Collection
	shelf     *benchmarks.Library
	own       *benchmarks.Library // of the user's skills
	engine    *skillsearch.Engine // that of own
}

// library gives what a collection is searched in, and the collection as that
// knows it.
func (e *evaluator) library(ctx context.Context, path string, c *benchmarks.Collection) (*benchmarks.Library, *benchmarks.Collection, error) {
	if len(c.Documents) == 0 {
		return e.userLibrary(ctx, path, c)
	}
	if e.last != nil && benchmarks.SameDocuments(e.last, c) {
		return e.shelf, c, nil
	}
	if err := e.remember(ctx); err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "skillsearch-eval-")
	if err != nil {
		return nil, nil, err
	}
	e.app.end = append(e.app.end, func() error { return os.RemoveAll(dir) })
	e.shelf, err = benchmarks.Open(ctx, c.Documents, dir, e.embedders...)
	e.last = c
	return e.shelf, c, err
}

// remember opens the embedders, and a cache of their own: the vectors of
// collections would only be in the way of searches.
func (e *evaluator) remember(ctx context.Context) error {
	if e.embedders != nil {
		return nil
	}
	embedders, _, err := e.app.embedders(e.settings)
	if err != nil || e.settings.cacheDir == "" {
		e.embedders = embedders
		return err
	}
	cache, err := vectorstore.OpenCache(ctx, filepath.Join(e.settings.cacheDir, "eval.db"), vectorstore.CacheOptions{})
	if err != nil {
		return err
	}
	e.app.end = append(e.app.end, cache.Close)
	for _, em := range embedders {
		e.embedders = append(e.embedders, benchmarks.Remember(em, cache))
	}
	return nil
}

// userLibrary is that of the user's own skills.
func (e *evaluator) userLibrary(ctx context.Context, path string, c *benchmarks.Collection) (*benchmarks.Library, *benchmarks.Collection, error) {
	if e.own == nil {
		engine, s, err := e.app.open(ctx, true)
		if err != nil {
			return nil, nil, err
		}
		embedders, _, err := e.app.embedders(s)
		if err != nil {
			return nil, nil, err
		}
		e.engine, e.own = engine, benchmarks.OpenUser(engine, embedders)
	}
	bound, err := c.Bind(func(ref string) (string, error) {
		if ref != benchmarks.OwnSkill {
			return ref, nil
		}
		return e.skillIn(benchmarks.TriggersFolder(path))
	})
	return e.own, bound, err
}

// skillIn is the ID of the skill in a folder.
func (e *evaluator) skillIn(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return "", err
	}
	for _, s := range e.engine.Catalogue().Skills() {
		if s.Dir == real {
			return s.ID, nil
		}
	}
	return "", fmt.Errorf("%w: the skill in %s is in none of the roots; name the folder above it with --root", skillsearch.ErrInvalidArgument, dir)
}

// searching tells now and then how many queries have been answered.
func (a *app) searching() func(ranking skillsearch.Ranking, done, total int) {
	if a.flags.quiet {
		return nil
	}
	var mu sync.Mutex
	var last time.Time
	return func(ranking skillsearch.Ranking, done, total int) {
		mu.Lock()
		defer mu.Unlock()
		if last.IsZero() {
			last = time.Now()
		}
		if time.Since(last) >= lineEvery {
			last = time.Now()
			a.warn("%s: %d of %d queries answered", ranking, done, total)
		}
	}
}
