package server

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"time"

	"github.com/skillsearch/skillsearch"
)

// Delays between tries while the embedding server is away: each is twice the
// one before.
const (
	firstDelay = 5 * time.Second
	lastDelay  = 5 * time.Minute
)

// readiness is how searches are answered.
type readiness string

const (
	starting readiness = "starting" // the vectors have not been looked for yet
	ready    readiness = "ready"    // by vectors
	lexical  readiness = "lexical"  // by words: there are no vectors, or too few yet
)

// progress is where the work in the background stands.
type progress struct {
	State   string    `json:"state"` // one of the states below
	Stage   string    `json:"stage"` // of a run: heads, first passages, remaining passages
	Done    int       `json:"done"`  // texts of the stage that have been answered
	Total   int       `json:"total"`
	Failed  int       `json:"failed"`
	Reason  string    `json:"reason"`            // why the last try failed
	NextTry time.Time `json:"next_try,omitzero"` // when retrying
}

// The states of the work in the background.
const (
	stopped  = "stopped"  // Run is not running
	idle     = "idle"     // nothing is to do
	running  = "running"  // reading or embedding
	waiting  = "waiting"  // another process is embedding
	retrying = "retrying" // the last try failed, another follows
)

// A worker attaches the index, fills it, and does both again when it is asked
// to. One try runs at a time.
type worker struct {
	engine *skillsearch.Engine
	cfg    Config
	wake   chan struct{} // holds one when a reindex was asked for
	// changed is called after each look at the roots; nil does nothing.
	changed func()

	mu       sync.Mutex
	attached bool // the vectors have been looked for
	progress progress
	cancel   context.CancelFunc // ends the present try
}

func newWorker(engine *skillsearch.Engine, cfg Config) *worker {
	return &worker{engine: engine, cfg: cfg, wake: make(chan struct{}, 1), progress: progress{State: stopped}}
}

// look is how searches are answered now, and what the worker is at.
func (w *worker) look() (readiness, progress) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case !w.attached:
		return starting, w.progress
	case w.engine.Ready() != nil:
		return lexical, w.progress
	}
	return ready, w.progress
}

func (w *worker) set(p progress) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.progress = p
}

// setAttached notes that the vectors have been looked for, found or not.
func (w *worker) setAttached() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.attached = true
}

// request asks for a reindex. Requests that come before it begins are one with
// it. ok is false when nobody works.
func (w *worker) request() (ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.progress.State == stopped {
		return false
	}
	select {
	case w.wake <- struct{}{}:
	default: // one is due already
	}
	if w.progress.State == waiting {
		w.cancel() // the other process may take hours, the roots are read now
	}
	return true
}

// A task is what a try has to do.
type task struct{ rescan, index bool }

// errInterrupted ends a try because a reindex was asked for.
var errInterrupted = errors.New("a reindex was asked for")

// run works until ctx ends.
func (w *worker) run(ctx context.Context) {
	w.set(progress{State: running})
	defer w.set(progress{State: stopped})
	if w.cfg.Watch {
		var following sync.WaitGroup
		following.Go(func() { w.follow(ctx) })
		defer following.Wait()
	}
	t := task{index: w.cfg.Index}
	delay, logged := firstDelay, ""
	for {
		err := w.try(ctx, t)
		if ctx.Err() != nil {
			return
		}
		reason := explain(err)
		if reason != "" && reason != logged && !errors.Is(err, skillsearch.ErrNoEmbedder) { // once, not at every retry
			w.cfg.Logger.Warn("the index can't be completed now", "reason", reason)
		}
		logged = reason
		if w.pause(ctx, err, delay) {
			t = task{rescan: true, index: true}
			delay = firstDelay
			continue
		}
		delay = min(2*delay, lastDelay)
	}
}

// explain is the text of an error that a person should know of, "" when there
// is none.
func explain(err error) string {
	if err == nil || errors.Is(err, errInterrupted) {
		return ""
	}
	return err.Error()
}

// pause waits after a try until the next one is due: a retry after delay, or
// what was asked for, which it reports.
func (w *worker) pause(ctx context.Context, err error, delay time.Duration) (asked bool) {
	var due <-chan time.Time
	switch {
	case errors.Is(err, errInterrupted): // and what was asked for is due at once
	case err == nil, errors.Is(err, skillsearch.ErrNoEmbedder):
		w.set(progress{State: idle, Reason: explain(err)})
	default:
		timer := time.NewTimer(delay)
		defer timer.Stop()
		due = timer.C
		w.set(progress{State: retrying, Reason: err.Error(), NextTry: w.cfg.Now().Add(delay).UTC()})
	}
	select {
	case <-ctx.Done():
	case <-due:
	case <-w.wake:
		return true
	}
	return false
}

// try does a task. A panic in it, on a skill that nobody foresaw, is a failed
// try.
func (w *worker) try(ctx context.Context, t task) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer func() {
		if cause := recover(); cause != nil {
			w.cfg.Logger.Error("indexing panicked", "panic", describePanic(cause), "stack", string(debug.Stack()))
			err = errors.New("indexing failed; the server's log says more")
		}
	}()
	w.begin(cancel)
	if t.rescan {
		if err := w.engine.Rescan(ctx); err != nil {
			return err
		}
		w.tell()
	}
	if err := w.attach(ctx); !t.index {
		return err
	}
	return w.embed(ctx, cancel) // whatever could be attached: it says itself why it can't
}

// tell says that the catalogue may be another one.
func (w *worker) tell() {
	if w.changed != nil {
		w.changed()
	}
}

func (w *worker) begin(cancel context.CancelFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.progress, w.cancel = progress{State: running}, cancel
}

// attach loads the vectors that are there; from then on it is known how
// searches are answered.
func (w *worker) attach(ctx context.Context) error {
	err := w.engine.Attach(ctx)
	w.setAttached()
	return err
}

// embed fills the index. A reindex that is asked for meanwhile ends it after
// the batch in flight, so that nothing is embedded twice.
func (w *worker) embed(ctx context.Context, cancel context.CancelFunc) error {
	interrupted := func() bool { return len(w.wake) > 0 }
	report, err := w.engine.Index(ctx, skillsearch.IndexOptions{
		Waiting: func() {
			w.set(progress{State: waiting})
			if interrupted() {
				cancel()
			}
		},
		Progress: func(p skillsearch.Progress) {
			w.set(progress{State: running, Stage: p.Stage, Done: p.Done, Total: p.Total, Failed: p.Failed})
			if interrupted() {
				cancel()
			}
		},
	})
	switch {
	case err == nil:
		w.cfg.Logger.Info("the index is complete", "model", report.Model, "skills", report.Skills, "embedded", report.Embedded, "failed", report.Failed)
		return nil
	case ctx.Err() != nil && interrupted():
		return errInterrupted
	}
	return err
}
