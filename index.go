package skillsearch

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/vectorstore"
)

// firstPassages is the head and the body passages of the second stage: the
// first four give the hybrid all that a body adds, and cosine more than half of
// it (docs/benchmarks.md), long before all are embedded.
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
	whole    bool     // bodies count: a skill joins with its first body passages (standin.go)
	standIns []string // of each skill: the store's key of an older content; "" for none. Fixed
	heads    int      // skills that have vectors
	waiting  int      // first passages of those that have joined with neither vector nor failure
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
// the cache has. What previous, an index of the same model, holds is taken over;
// retire then removes what only previous needs.
func (e *Engine) openIndex(ctx context.Context, s *snapshot, chosen choice, previous *index) (*index, error) {
	x := &index{
		snapshot: s, embedder: chosen.embedder, model: chosen.model, space: chosen.space, limit: firstPassages,
		failed: make(map[[32]byte]vectorstore.Failure),
	}
	if previous != nil && (previous.model.Fingerprint != x.model.Fingerprint || previous.choice().space.ID != x.space.ID) {
		previous = nil
	}
	if err := x.begin(ctx, e.cfg, previous); err != nil {
		return nil, err
	}
	if previous == nil {
		return x, x.fetch(ctx, e.cfg.Cache)
	}
	return x, x.fetchFew(ctx, e.cfg.Cache)
}

// begin sets the state in which the index starts.
func (x *index) begin(ctx context.Context, cfg Config, previous *index) error {
	if cfg.Cache != nil && x.space.ID != 0 {
		failures, err := cfg.Cache.Failures(ctx, x.space)
		if err != nil {
			return err
		}
		x.failed = failures
	}
	if previous == nil {
		x.store = cfg.NewStore()
		x.standIns = make([]string, len(x.snapshot.skills))
		x.cut(x.limit, nil)
		return nil
	}
	previous.mu.RLock()
	defer previous.mu.RUnlock()
	x.store, x.limit = previous.store, previous.limit
	x.whole = previous.whole || len(previous.state) > 0 && previous.complete()
	x.standIns = make([]string, len(x.snapshot.skills))
	for i, sk := range x.snapshot.skills {
		x.standIns[i] = standInFor(previous, sk.ID, x.snapshot.keys[i])
	}
	if cfg.Cache == nil {
		x.failed = maps.Clone(previous.failed)
	}
	x.cut(x.limit, previous)
	return nil
}

// cut cuts every skill into at most limit passages, on all processors. What
// previous, which may be nil and may be the index itself, has of the same
// content is taken over.
func (x *index) cut(limit int, previous *index) {
	skills := x.snapshot.skills
	passages := make([][]skill.Passage, len(skills))
	states := make([][]state, len(skills))
	parallel(len(skills), func(i int) {
		old, known := 0, false
		if previous != nil {
			old, known = previous.snapshot.byKey[x.snapshot.keys[i]]
		}
		if known && previous.limit == limit && previous.passages != nil {
			passages[i] = previous.passages[old]
		} else {
			passages[i] = skills[i].Passages(x.model.PassageSize, limit)
		}
		states[i] = make([]state, len(passages[i]))
		if known {
			copy(states[i], previous.state[old])
		}
		for n, p := range passages[i] {
			if _, bad := x.failed[p.Hash]; bad && states[i][n] == missing {
				states[i][n] = failed
			}
		}
	})
	x.passages, x.state, x.limit = passages, states, limit
	x.count()
}

// count sets heads and waiting anew.
func (x *index) count() {
	x.heads, x.waiting = 0, 0
	for i := range x.state {
		answered, waiting := x.share(i)
		x.heads += answered
		x.waiting += waiting
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

// retire removes from the store what x, which has taken the place of previous,
// does not need.
func (x *index) retire(ctx context.Context, previous *index) error {
	if previous == nil || previous.store != x.store {
		return nil
	}
	x.mu.RLock()
	needed := make(map[string]bool)
	for i := range x.standIns {
		needed[x.key(i)] = true
	}
	x.mu.RUnlock()
	var gone []string
	for i, key := range previous.snapshot.keys {
		for _, key := range []string{key, previous.standIns[i]} {
			if _, present := x.snapshot.byKey[key]; key != "" && !present && !needed[key] {
				gone = append(gone, key)
			}
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
		x.cut(0, x)
	}
	x.mu.Unlock()
	if whole || cache == nil || x.space.ID == 0 {
		return nil
	}
	_, err := x.fetchWanted(ctx, cache)
	return err
}

// fetchFew puts the cached vectors of missing passages into the store where
// most passages are known from an index before.
func (x *index) fetchFew(ctx context.Context, cache *vectorstore.Cache) error {
	if cache == nil || x.space.ID == 0 {
		return nil
	}
	wanted, known := x.wanted()
	if len(wanted) > len(known)/8 { // to read all in their order is faster then
		return x.fetch(ctx, cache)
	}
	found, err := cache.Find(ctx, x.space, slices.Collect(maps.Keys(wanted)))
	if err != nil {
		return err
	}
	arrived := arrivals{index: x, ctx: ctx}
	for hash, vector := range found {
		err = cmp.Or(err, arrived.add(wanted[hash], vector))
	}
	return cmp.Or(err, arrived.finish())
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
		answeredBefore, waitingBefore := x.share(p.skill)
		x.state[p.skill][p.passage] = to
		answered, waiting := x.share(p.skill)
		x.heads += answered - answeredBefore
		x.waiting += waiting - waitingBefore
	}
}

// ready reports whether bodies count: every embedded skill has the vectors of
// its first body passages.
func (x *index) ready() bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.waiting == 0
}

// embeddedHeads is how many skills have vectors that answer for them.
func (x *index) embeddedHeads() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.heads
}

// hasHead reports whether a skill has vectors that answer for it.
func (x *index) hasHead(i int) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.key(i) != ""
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
