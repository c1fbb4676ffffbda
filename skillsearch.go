// Package skillsearch is the search engine for agent skills: it keeps an index
// in step with a catalogue of skills and answers a query with the skills that
// fit it best.
//
//	engine, err := skillsearch.Open(ctx, skillsearch.Config{Roots: roots})
//	result, err := engine.Search(ctx, skillsearch.Query{Text: "merge PDF files"})
package skillsearch

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/vectorstore"
)

// An Embedder gives texts the vectors of one model. It must be safe for
// concurrent use.
type Embedder interface {
	// Model describes the model; it may ask a server.
	Model(ctx context.Context) (embedder.Model, error)
	// Embed answers one Embedding for each text, in order. An error means that
	// none could be embedded, such as an unreachable server.
	Embed(ctx context.Context, role embedder.Role, texts []string) ([]embedder.Embedding, error)
}

// A Store holds passages with their vectors. It must be safe for concurrent
// use; package storetest has the suite that every Store must pass.
type Store interface {
	Put(ctx context.Context, passages []vectorstore.Passage) error
	Remove(ctx context.Context, skills ...string) error
	Scores(ctx context.Context, query []float32) ([]vectorstore.Score, error)
}

// A Comparer is a Store that also compares what it holds. Similar and Confusable
// need one; Chromem is.
type Comparer interface {
	// Vector is a copy of a passage's unit vector.
	Vector(skill string, index int) (vector []float32, ok bool)
	// Pairs are the skills whose heads have at least a cosine of least, the
	// nearest first.
	Pairs(ctx context.Context, least float32) ([]vectorstore.Pair, error)
}

// A Config says what an Engine works on. Only Roots is needed.
type Config struct {
	// Roots of the skills, in increasing priority.
	Roots []skill.Root
	// Embedders in order of preference; the first that works is used, but an
	// index that exists keeps its own (see Engine.Search). None: words alone.
	Embedders []Embedder
	// NoEmbedder says why Embedders is empty; a degraded answer repeats it.
	NoEmbedder error
	// NewStore makes the store of one model's vectors; nil is chromem in process.
	NewStore func() Store
	// Cache keeps vectors durably; nil keeps none beyond the process.
	Cache *vectorstore.Cache
	// Ranking of a query that names none; "" is Cosine.
	Ranking Ranking
	// Machine is what skills may need; with its HasBinary set, hits name the
	// binaries that are missing.
	Machine skill.Machine
	// Now is the clock, for failures that are tried again later; nil is time.Now.
	Now func() time.Time
	// Logger gets what a person who runs the engine may want to know; nil drops it.
	Logger *slog.Logger
}

// An Engine answers queries over one catalogue. It is safe for concurrent use.
type Engine struct {
	cfg     Config
	current atomic.Pointer[snapshot]
	rescan  sync.Mutex // one writer of current
	active  activeIndex
	drawn   atomic.Pointer[drawnMap]
}

// Open reads the catalogue. It asks no embedding server: the first query or
// Index does. Only a cancelled context is an error; what is wrong with a skill
// is among the catalogue's problems.
func Open(ctx context.Context, cfg Config) (*Engine, error) {
	if cfg.NewStore == nil {
		cfg.NewStore = func() Store { return vectorstore.NewChromem() }
	}
	if cfg.Ranking == "" {
		cfg.Ranking = Cosine
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	catalogue, err := skill.Load(ctx, cfg.Roots, nil)
	if err != nil {
		return nil, err
	}
	e := &Engine{cfg: cfg, active: activeIndex{turn: make(chan struct{}, 1)}}
	e.current.Store(newSnapshot(catalogue))
	return e, nil
}

// Catalogue is the present snapshot of the skills.
func (e *Engine) Catalogue() *skill.Catalogue { return e.current.Load().catalogue }

// Rescan looks at the roots again and reads the files that changed. Where
// nothing did, the Catalogue stays the one that it was. Queries that are under
// way answer from one catalogue, the old or the new; an Index that is goes on with
// the new one.
func (e *Engine) Rescan(ctx context.Context) error {
	e.rescan.Lock()
	defer e.rescan.Unlock()
	old := e.current.Load()
	catalogue, err := skill.Load(ctx, e.cfg.Roots, old.catalogue)
	if err != nil || catalogue.Equal(old.catalogue) {
		return err
	}
	return e.replace(ctx, old, newSnapshot(catalogue))
}

// replace makes next the present snapshot. What queries need is made before,
// so that none has to wait for it.
func (e *Engine) replace(ctx context.Context, old, next *snapshot) error {
	if old.read.Load() {
		next.words()
	}
	if e.loaded() == nil { // whoever looks for the model may take long
		e.current.Store(next)
		return nil
	}
	release, err := e.active.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	previous := e.loaded()
	if previous == nil {
		e.current.Store(next)
		return nil
	}
	x, err := e.openIndex(ctx, next, previous.choice(), previous)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	e.current.Store(next)
	if err != nil {
		e.cfg.Logger.Warn("the vectors of the changed skills can't be looked up now", "reason", err)
		return nil // the next query tries it again, and says so
	}
	e.use(ctx, x, previous)
	return nil
}
