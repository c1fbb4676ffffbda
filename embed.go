package skillsearch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/vectorstore"
)

// A Depth says how much of each skill is embedded.
type Depth int

// The depths, each with those before it.
const (
	Full  Depth = iota // every passage
	Heads              // names, descriptions and tags
	Body               // and the first four passages of the body
)

// ParseDepth reads head, body or full.
func ParseDepth(name string) (Depth, error) {
	switch name {
	case "head":
		return Heads, nil
	case "body":
		return Body, nil
	case "full":
		return Full, nil
	}
	return 0, invalid("depth is %q; it must be head, body or full", name)
}

// A Stage is one of the steps in which a catalogue is embedded.
type Stage struct {
	Name     string // heads, first passages, remaining passages
	from, to int    // passages; to 0 is the last
}

func (d Depth) stages() []Stage {
	all := []Stage{{"heads", 0, 1}, {"first passages", 1, firstPassages}, {"remaining passages", firstPassages, 0}}
	switch d {
	case Heads:
		return all[:1]
	case Body:
		return all[:2]
	}
	return all
}

// Progress is where an Index stands.
type Progress struct {
	Stage  string
	Done   int // texts of the stage that have been answered
	Total  int
	Failed int
}

// IndexOptions are what an Index may be told. The zero value embeds all.
type IndexOptions struct {
	Depth    Depth
	Progress func(Progress) // called after every batch; nil is fine
	// Waiting is called once when another process is embedding.
	Waiting func()
}

// An IndexReport says what an Index did.
type IndexReport struct {
	Model     string `json:"embedding_model"`
	Engine    string `json:"engine"`
	Skills    int    `json:"skills"`
	Passages  int    `json:"passages"`  // to this depth
	Embedded  int    `json:"embedded"`  // texts embedded by this call
	Shortened int    `json:"shortened"` // of these, embedded in pieces because the model sees less
	Failed    int    `json:"failed"`    // passages that have no vector; lint names them
}

// retryFailed is after how long a text that could not be embedded is tried
// again.
const retryFailed = 24 * time.Hour

// Index embeds every passage that has no vector yet, heads first. It can be
// interrupted: all but the batch in flight is kept. Of several processes one
// embeds at a time, the others wait and then use what it made.
func (e *Engine) Index(ctx context.Context, opts IndexOptions) (IndexReport, error) {
	c, err := e.chooseForIndex(ctx)
	if err != nil {
		return IndexReport{}, err
	}
	unlock, err := e.lock(ctx, opts.Waiting)
	if err != nil {
		return IndexReport{}, err
	}
	defer unlock()
	var report IndexReport
	for {
		x, err := e.activateForIndex(ctx, c)
		if err != nil {
			return report, err
		}
		report.Model, report.Engine, report.Skills = x.model.Name, x.model.Engine, len(x.snapshot.skills)
		err = e.embedAll(ctx, x, opts, &report)
		if !errors.Is(err, errMoved) {
			report.Passages, report.Failed = x.tally(opts.Depth)
			return report, err
		}
	}
}

// activateForIndex opens the index anew: another process may have embedded what
// was missing.
func (e *Engine) activateForIndex(ctx context.Context, c choice) (*index, error) {
	release, err := e.active.take(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	return e.activate(ctx, e.current.Load(), c)
}

// embedAll embeds what is missing to a depth. The error is errMoved as soon as
// queries use another index than x.
func (e *Engine) embedAll(ctx context.Context, x *index, opts IndexOptions, report *IndexReport) error {
	if opts.Depth == Full {
		if err := x.deepen(ctx, e.cfg.Cache); err != nil {
			return err
		}
	}
	x.retry(e.cfg.Now())
	for _, stage := range opts.Depth.stages() {
		if err := e.embedStage(ctx, x, stage, opts.Progress, report); err != nil {
			return err
		}
	}
	return nil
}

// lock takes the cache's lock of the process that embeds.
func (e *Engine) lock(ctx context.Context, waiting func()) (unlock func(), err error) {
	if e.cfg.Cache == nil {
		return func() {}, nil
	}
	unlock, ok, err := e.cfg.Cache.TryLock()
	if err != nil || ok {
		return unlock, err
	}
	if waiting != nil {
		waiting()
	}
	return e.cfg.Cache.Lock(ctx)
}

// batch is how many texts are embedded and kept at once: what a killed process
// loses at most.
const batch = 8

func (e *Engine) embedStage(ctx context.Context, x *index, stage Stage, progress func(Progress), report *IndexReport) error {
	tasks := x.todo(stage.from, stage.to)
	p := Progress{Stage: stage.Name, Total: len(tasks)}
	for len(tasks) > 0 {
		if e.loaded() != x {
			return errMoved
		}
		n := min(batch, len(tasks))
		outcome, err := e.embedBatch(ctx, x, tasks[:n])
		if err != nil {
			return err
		}
		tasks = tasks[n:]
		report.Embedded += outcome.embedded
		report.Shortened += outcome.shortened
		p.Done += n
		p.Failed += n - outcome.embedded
		if progress != nil {
			progress(p)
		}
	}
	return nil
}

// An outcome counts what became of a batch.
type outcome struct{ embedded, shortened int }

// embedBatch embeds the texts of a few tasks, keeps the vectors and puts them
// into the store.
func (e *Engine) embedBatch(ctx context.Context, x *index, tasks []task) (outcome, error) {
	texts := make([]string, len(tasks))
	for i, t := range tasks {
		texts[i] = t.text
	}
	embeddings, err := x.embedder.Embed(ctx, embedder.Document, texts)
	if err != nil {
		return outcome{}, err
	}
	if len(embeddings) != len(texts) {
		return outcome{}, fmt.Errorf("embed %d texts: %d answers came", len(texts), len(embeddings))
	}
	var entries []vectorstore.Entry
	var out outcome
	for i, em := range embeddings {
		if em.Err != nil {
			err = cmp.Or(err, e.fail(ctx, x, tasks[i], em.Err))
			continue
		}
		out.embedded++
		if em.Parts > 1 {
			out.shortened++
		}
		entries = append(entries, vectorstore.Entry{Hash: tasks[i].hash, Vector: em.Vector})
	}
	if e.cfg.Cache != nil && len(entries) > 0 {
		err = cmp.Or(err, e.cfg.Cache.Put(ctx, x.space, entries))
	}
	return out, cmp.Or(err, e.deliver(ctx, x, tasks, entries))
}

// deliver puts new vectors of tasks into the store, for the index that asked for
// them or the one that has taken its place meanwhile: none is opened while the
// turn is held, so that none misses them.
func (e *Engine) deliver(ctx context.Context, x *index, tasks []task, entries []vectorstore.Entry) error {
	release, err := e.active.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	places := make(map[[32]byte][]place, len(tasks))
	for _, t := range tasks {
		places[t.hash] = t.places
	}
	if newer := e.loaded(); newer != nil && newer != x && newer.store == x.store {
		x = newer
		places, _ = x.wanted()
	}
	arrived := arrivals{index: x, ctx: ctx}
	for _, entry := range entries {
		err = cmp.Or(err, arrived.add(places[entry.Hash], entry.Vector))
	}
	return cmp.Or(err, arrived.finish())
}

// fail notes that a text can't be embedded.
func (e *Engine) fail(ctx context.Context, x *index, t task, reason error) error {
	now := e.cfg.Now()
	e.cfg.Logger.Warn("a passage could not be embedded", "skill", x.snapshot.skills[t.places[0].skill].ID, "reason", reason)
	x.mu.Lock()
	x.failed[t.hash] = vectorstore.Failure{Reason: reason.Error(), At: now}
	x.mu.Unlock()
	x.mark(t.places, failed)
	if e.cfg.Cache == nil {
		return nil
	}
	return e.cfg.Cache.PutFailure(ctx, x.space, t.hash, reason.Error(), now)
}

// retry makes failures that are old enough missing again.
func (x *index) retry(now time.Time) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i, passages := range x.passages {
		for n, p := range passages {
			if f, ok := x.failed[p.Hash]; ok && x.state[i][n] == failed && now.Sub(f.At) >= retryFailed {
				x.state[i][n] = missing
			}
		}
	}
	x.count()
}

// tally counts the passages to a depth, and those of them that failed.
func (x *index) tally(d Depth) (passages, bad int) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	limit := map[Depth]int{Heads: 1, Body: firstPassages}[d]
	for _, states := range x.state {
		for n, s := range states {
			if limit > 0 && n >= limit {
				break
			}
			passages++
			if s == failed {
				bad++
			}
		}
	}
	return passages, bad
}

// embedHeads embeds what skills without a vector need until ctx ends. It gives way to a process
// that is indexing. What stops it is not an error: the answer says how many
// heads are missing.
func (e *Engine) embedHeads(ctx context.Context, x *index) {
	tasks := x.todoToJoin()
	if len(tasks) == 0 {
		return
	}
	if e.cfg.Cache != nil {
		unlock, ok, err := e.cfg.Cache.TryLock()
		if err != nil || !ok {
			return
		}
		defer unlock()
		if x.space.ID == 0 {
			c, err := e.withSpace(ctx, choice{x.embedder, x.model, x.space})
			if err != nil {
				return
			}
			x.mu.Lock()
			x.space = c.space
			x.mu.Unlock()
		}
	}
	for len(tasks) > 0 && ctx.Err() == nil {
		n := min(batch, len(tasks))
		if _, err := e.embedBatch(ctx, x, tasks[:n]); err != nil {
			if !errors.Is(err, context.DeadlineExceeded) {
				e.cfg.Logger.Warn("heads could not be embedded", "reason", err)
			}
			return
		}
		tasks = tasks[n:]
	}
}
