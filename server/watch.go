package server

import (
	"context"
	"runtime/debug"

	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/watch"
)

// follow keeps the catalogue that of the disk until ctx ends.
func (w *worker) follow(ctx context.Context) {
	watch.Run(ctx, watch.Config{
		Places:  func() []skill.Place { return w.engine.Catalogue().Places() },
		Reads:   skill.Reads,
		Changed: w.rescan,
		Logger:  w.cfg.Logger,
	})
}

// rescan makes what has changed on disk the catalogue, and has it embedded. It
// waits for nothing that is being embedded. A panic in it, on a skill that nobody
// foresaw, leaves the catalogue as it was.
func (w *worker) rescan(ctx context.Context) {
	defer func() {
		if cause := recover(); cause != nil {
			w.cfg.Logger.Error("reading the skills panicked", "panic", describePanic(cause), "stack", string(debug.Stack()))
		}
	}()
	before := w.engine.Catalogue()
	if err := w.engine.Rescan(ctx); err != nil {
		return // ctx has ended: nothing else is an error
	}
	now := w.engine.Catalogue()
	if now == before {
		return
	}
	w.cfg.Logger.Info("the skills on disk have changed", "skills", len(now.Skills()), "problems", len(now.Problems()))
	w.tell()
	if w.cfg.Index {
		w.request()
	}
}
