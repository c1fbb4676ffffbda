package skillsearch

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/vectorstore"
)

// firstPassages is the head and the body passages of the second stage: the
// first four give nearly all of what a body adds (docs/benchmarks.md).
const firstPassages = 1 + 4

// An index is the vectors of one model over one snapshot: which passages there
// are, which of them have a vector, and the store that holds these.
type index struct {
	snapshot *snapshot
	embedder Embedder
	model    embedder.Model
	store    Store

	mu       sync.RWMutex
	space    vectorstore.Space // ID 0 until the cache has one for the model
	limit    int               // passages cut of each skill; 0 is all
	passages [][]skill.Passage // of each skill of the snapshot
	state    [][]state         // of each passage
	failed   map[[32]byte]vectorstore.Failure
	heads    int // skills whose head has a vector
	waiting  int // first passages of those skills that have neither vector nor failure
}

// state says how far a passage has come.
type state uint8

const (
	missing state = iota
	embedded
	failed
)

// A place is one passage of one skill of a snapshot.
type place struct{ skill, passage int }

// openIndex cuts the snapshot's skills for a model and fetches the vectors that
// the cache has. What previous, an index of the same model, holds is taken over.
func (e *Engine) openIndex(ctx context.Context, s *snapshot, chosen choice, previous *index) (*index, error) {
	x := &index{
		snapshot: s, embedder: chosen.embedder, model: chosen.model, space: chosen.space, limit: firstPassages,
		failed: make(map[[32]byte]vectorstore.Failure),
	}
	if previous != nil && previous.model.Fingerprint == x.model.Fingerprint && previous.choice().space.ID == x.space.ID {
		x.store = previous.store
		previous.mu.RLock()
		x.limit = previous.limit
		previous.mu.RUnlock()
	} else {
		x.store, previous = e.cfg.NewStore(), nil
	}
	if e.cfg.Cache != nil && x.space.ID != 0 {
		failures, err := e.cfg.Cache.Failures(ctx, x.space)
		if err != nil {
			return nil, err
		}
		x.failed = failures
	}
	x.cut(x.limit)
	x.inherit(previous)
	if err := x.fetch(ctx, e.cfg.Cache); err != nil {
		return nil, err
	}
	return x, x.forget(ctx, previous)
}

// cut cuts every skill into at most limit passages, on all processors.
func (x *index) cut(limit int) {
	skills := x.snapshot.skills
	x.limit = limit
	x.passages = make([][]skill.Passage, len(skills))
	states := make([][]state, len(skills))
	parallel(len(skills), func(i int) {
		x.passages[i] = skills[i].Passages(x.model.PassageSize, limit)
		states[i] = make([]state, len(x.passages[i]))
		if x.state != nil {
			copy(states[i], x.state[i])
		}
		for n, p := range x.passages[i] {
			if _, bad := x.failed[p.Hash]; bad && states[i][n] == missing {
				states[i][n] = failed
			}
		}
	})
	x.state = states
	x.count()
}

// count sets heads and waiting anew.
func (x *index) count() {
	x.heads, x.waiting = 0, 0
	for _, states := range x.state {
		if states[0] == embedded {
			x.heads++
			x.waiting += countMissing(states)
		}
	}
}

func countMissing(states []state) int {
	n := 0
	for _, s := range states[:min(len(states), firstPassages)] {
		if s == missing {
			n++
		}
	}
	return n
}

// inherit takes over what is known of skills that did not change.
func (x *index) inherit(previous *index) {
	if previous == nil {
		return
	}
	previous.mu.RLock()
	defer previous.mu.RUnlock()
	for i, key := range x.snapshot.keys {
		if old, ok := previous.snapshot.byKey[key]; ok {
			copy(x.state[i], previous.state[old])
		}
	}
	x.count()
}

// forget removes from the store what only previous had.
func (x *index) forget(ctx context.Context, previous *index) error {
	if previous == nil {
		return nil
	}
	var gone []string
	for _, key := range previous.snapshot.keys {
		if _, ok := x.snapshot.byKey[key]; !ok {
			gone = append(gone, key)
		}
	}
	return x.store.Remove(ctx, gone...)
}

// fetch puts the cached vectors of missing passages into the store. Cutting
// every passage costs a search some tenths of a second, so it is done only where
// the cache holds more than one vector a skill beyond the first passages; fewer
// are what edits have left behind, or the beginning of the last stage.
func (x *index) fetch(ctx context.Context, cache *vectorstore.Cache) error {
	if cache == nil || x.space.ID == 0 {
		return nil
	}
	unused, err := x.fetchWanted(ctx, cache)
	if err != nil || unused <= len(x.passages) || x.limit == 0 {
		return err
	}
	return x.deepen(ctx, cache)
}

// deepen cuts every skill to its end and fetches the vectors of what that adds.
func (x *index) deepen(ctx context.Context, cache *vectorstore.Cache) error {
	x.mu.Lock()
	whole := x.limit == 0
	if !whole {
		x.cut(0)
	}
	x.mu.Unlock()
	if whole || cache == nil || x.space.ID == 0 {
		return nil
	}
	_, err := x.fetchWanted(ctx, cache)
	return err
}

// fetchBatch is how many vectors go to the store at once.
const fetchBatch = 512

func (x *index) fetchWanted(ctx context.Context, cache *vectorstore.Cache) (unused int, err error) {
	wanted, known := x.wanted()
	arrived := arrivals{index: x, ctx: ctx}
	_, err = cache.Vectors(ctx, x.space, vectorstore.Cursor{}, func(hash [32]byte, vector []float32) error {
		places, ok := wanted[hash]
		if !ok {
			if !known[hash] {
				unused++
			}
			return nil
		}
		return arrived.add(places, vector)
	})
	return unused, cmp.Or(err, arrived.finish())
}

// wanted are the places of every text that has no vector yet, and the texts
// that have one.
func (x *index) wanted() (wanted map[[32]byte][]place, known map[[32]byte]bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	wanted, known = make(map[[32]byte][]place, len(x.passages)*firstPassages), make(map[[32]byte]bool)
	for i, passages := range x.passages {
		for n, p := range passages {
			if x.state[i][n] == embedded {
				known[p.Hash] = true
			} else {
				wanted[p.Hash] = append(wanted[p.Hash], place{i, n})
			}
		}
	}
	return wanted, known
}

// arrivals gathers vectors for the store. While one batch is put there the next
// is gathered; finish waits for the last.
type arrivals struct {
	index   *index
	ctx     context.Context
	pending []vectorstore.Passage
	places  []place
	values  []float32  // what pending's vectors point into
	putting chan error // of the batch that is being put; nil when there is none
}

func (a *arrivals) add(places []place, vector []float32) error {
	if cap(a.values)-len(a.values) < len(vector) {
		a.values = make([]float32, 0, fetchBatch*len(vector))
	}
	at := len(a.values)
	a.values = append(a.values, vector...)
	for _, p := range places {
		passage := a.index.passage(p.skill, p.passage)
		a.pending = append(a.pending, vectorstore.Passage{Skill: a.index.snapshot.keys[p.skill], Index: passage.Index, Text: passage.Text, Vector: a.values[at:len(a.values):len(a.values)]})
	}
	a.places = append(a.places, places...)
	if len(a.pending) < fetchBatch {
		return nil
	}
	return a.flush()
}

// flush hands on what was gathered. The error may be that of the batch before.
func (a *arrivals) flush() error {
	if err := a.wait(); err != nil || len(a.pending) == 0 {
		return err
	}
	pending, places := a.pending, a.places
	a.pending, a.places, a.values = nil, nil, nil
	a.putting = make(chan error, 1)
	go func() { a.putting <- a.put(pending, places) }()
	return nil
}

func (a *arrivals) put(passages []vectorstore.Passage, places []place) error {
	if err := a.index.store.Put(a.ctx, passages); err != nil {
		return fmt.Errorf("put vectors into the store: %w", err)
	}
	a.index.mark(places, embedded)
	return nil
}

// wait waits for the batch that is being put.
func (a *arrivals) wait() error {
	if a.putting == nil {
		return nil
	}
	err := <-a.putting
	a.putting = nil
	return err
}

// finish puts what is left and waits for it. It is called whatever came before.
func (a *arrivals) finish() error {
	if err := a.flush(); err != nil {
		return err
	}
	return a.wait()
}

// mark sets the state of places and keeps the counts.
func (x *index) mark(places []place, to state) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, p := range places {
		states := x.state[p.skill]
		from := states[p.passage]
		states[p.passage] = to
		switch {
		case p.passage == 0 && from != embedded && to == embedded:
			x.heads++
			x.waiting += countMissing(states)
		case p.passage > 0 && p.passage < firstPassages && from == missing && to != missing && states[0] == embedded:
			x.waiting--
		}
	}
}

// ready reports whether bodies count: every embedded skill has the vectors of
// its first body passages.
func (x *index) ready() bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.waiting == 0
}

// embeddedHeads is how many skills have a vector.
func (x *index) embeddedHeads() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.heads
}

// hasHead reports whether a skill is embedded.
func (x *index) hasHead(i int) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.state[i][0] == embedded
}

// todo are the texts without a vector among the passages from first to last,
// skill after skill, each text once.
func (x *index) todo(from, to int) []task {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var tasks []task
	at := make(map[[32]byte]int)
	for i, passages := range x.passages {
		for n := from; n < len(passages) && (to == 0 || n < to); n++ {
			if x.state[i][n] != missing {
				continue
			}
			hash := passages[n].Hash
			if t, ok := at[hash]; ok {
				tasks[t].places = append(tasks[t].places, place{i, n})
				continue
			}
			at[hash] = len(tasks)
			tasks = append(tasks, task{hash: hash, text: passages[n].Input(), places: []place{{i, n}}})
		}
	}
	return slices.Clip(tasks)
}

// A task is one text to embed and where it stands.
type task struct {
	hash   [32]byte
	text   string
	places []place
}
