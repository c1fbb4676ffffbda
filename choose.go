package skillsearch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/vectorstore"
)

// ErrNoEmbedder: the engine was told to do without vectors.
var ErrNoEmbedder = errors.New("no embedder is configured")

// ErrIndexMismatch: the vectors in the index are those of another model, and
// vectors of two models never meet.
var ErrIndexMismatch = errors.New("index_model_mismatch")

// A choice is the embedder that an index uses.
type choice struct {
	embedder Embedder
	model    embedder.Model
	space    vectorstore.Space // ID 0 when the cache has none for the model
}

// choose finds the embedder for a search: the one whose vectors the index has.
// Without an index it is the first that works. With one, another embedder than
// its own answers only if it is the only one that was asked for and has vectors
// of its own, or if its heads are complete.
func (e *Engine) choose(ctx context.Context, s *snapshot) (choice, error) {
	latest, err := e.latestSpace(ctx)
	if err != nil {
		return choice{}, err
	}
	var others []choice
	var reasons []error
	for _, em := range e.cfg.Embedders {
		c, err := e.inspect(ctx, em)
		switch {
		case err != nil:
			reasons = append(reasons, err)
		case latest.ID == 0 || c.space.ID == latest.ID:
			return c, nil
		default:
			others = append(others, c)
		}
	}
	for _, c := range others {
		if usable, err := e.usable(ctx, s, c); err != nil || usable {
			return c, err
		}
	}
	switch {
	case len(e.cfg.Embedders) == 0:
		return choice{}, cmp.Or(e.cfg.NoEmbedder, ErrNoEmbedder)
	case len(others) == 0:
		return choice{}, reasons[0]
	}
	return choice{}, fmt.Errorf("%w: the index was made with %s (%s), not with %s (%s); run \"skillsearch index\" to embed the skills anew",
		ErrIndexMismatch, latest.Model, latest.Engine, others[0].model.Name, others[0].model.Engine)
}

// usable reports whether a model other than the index's own may answer.
func (e *Engine) usable(ctx context.Context, s *snapshot, c choice) (bool, error) {
	if c.space.ID == 0 {
		return false, nil
	}
	if len(e.cfg.Embedders) == 1 {
		return true, nil
	}
	x, err := e.openIndex(ctx, s, c, nil)
	return err == nil && x.embeddedHeads() == len(s.skills), err
}

// chooseForIndex is the first embedder that works; its space is made when there
// is none.
func (e *Engine) chooseForIndex(ctx context.Context) (choice, error) {
	if len(e.cfg.Embedders) == 0 {
		return choice{}, cmp.Or(e.cfg.NoEmbedder, ErrNoEmbedder)
	}
	var reasons []error
	for _, em := range e.cfg.Embedders {
		c, err := e.inspect(ctx, em)
		if err != nil {
			reasons = append(reasons, err)
			continue
		}
		return e.withSpace(ctx, c)
	}
	return choice{}, reasons[0]
}

// withSpace makes the choice's space in the cache.
func (e *Engine) withSpace(ctx context.Context, c choice) (choice, error) {
	if e.cfg.Cache == nil {
		return c, nil
	}
	space, err := e.cfg.Cache.Space(ctx, spaceInfo(c.model))
	c.space = space
	return c, err
}

// A rememberer is an embedder that asks its server for less when it is told
// which models earlier processes met.
type rememberer interface {
	Remember(models ...embedder.Model)
}

// remind tells an embedder of the models that the cache has vectors of.
func (e *Engine) remind(ctx context.Context, em Embedder) error {
	r, ok := em.(rememberer)
	if !ok || e.cfg.Cache == nil {
		return nil
	}
	spaces, err := e.cfg.Cache.Spaces(ctx)
	if err != nil {
		return err
	}
	models := make([]embedder.Model, len(spaces))
	for i, s := range spaces {
		models[i] = embedder.Model{Name: s.Model, Engine: s.Engine, Fingerprint: s.Fingerprint, Dimensions: s.Dimensions, Probe: s.Probe}
	}
	r.Remember(models...)
	return nil
}

// inspect asks an embedder for its model and the cache for the model's space.
func (e *Engine) inspect(ctx context.Context, em Embedder) (choice, error) {
	if err := e.remind(ctx, em); err != nil {
		return choice{}, err
	}
	model, err := em.Model(ctx)
	if err != nil {
		return choice{}, err
	}
	c := choice{embedder: em, model: model}
	if e.cfg.Cache != nil {
		space, ok, err := e.cfg.Cache.FindSpace(ctx, spaceInfo(model))
		if err != nil {
			return choice{}, err
		}
		if ok {
			c.space = space
		}
	}
	return c, nil
}

func spaceInfo(m embedder.Model) vectorstore.SpaceInfo {
	return vectorstore.SpaceInfo{Fingerprint: m.Fingerprint, Model: m.Name, Engine: m.Engine, Probe: m.Probe}
}

// latestSpace is the space that was indexed last, the zero Space when none has
// a vector.
func (e *Engine) latestSpace(ctx context.Context) (vectorstore.Space, error) {
	if e.cfg.Cache == nil {
		return vectorstore.Space{}, nil
	}
	spaces, err := e.cfg.Cache.Spaces(ctx)
	if err != nil {
		return vectorstore.Space{}, err
	}
	for _, s := range spaces {
		if s.Vectors > 0 {
			return s.Space, nil
		}
	}
	return vectorstore.Space{}, nil
}

// activeIndex is the index that queries use. Whoever opens another one has the
// turn, which can take as long as a server needs to load a model: so the turn is
// waited for no longer than a context allows, and reading needs none.
type activeIndex struct {
	turn  chan struct{} // holds one while an index is being opened
	index atomic.Pointer[index]
}

// take waits for the turn.
func (a *activeIndex) take(ctx context.Context) (release func(), err error) {
	select {
	case a.turn <- struct{}{}:
		return func() { <-a.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// choice is what an index was opened for.
func (x *index) choice() choice {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return choice{x.embedder, x.model, x.space}
}

// errMoved: the catalogue changed before an index of it was opened. To open it
// now would put an old index in the place of a new one.
var errMoved = errors.New("the catalogue has changed")

// onSnapshot answers from one snapshot, and again from the present one when that
// was replaced before its index was there.
func onSnapshot[T any](e *Engine, answer func(*snapshot) (T, error)) (T, error) {
	for {
		got, err := answer(e.current.Load())
		if !errors.Is(err, errMoved) {
			return got, err
		}
	}
}

// indexFor is the index of a snapshot for a search.
func (e *Engine) indexFor(ctx context.Context, s *snapshot) (*index, error) {
	if x := e.loaded(); x != nil && x.snapshot == s {
		return x, nil
	}
	release, err := e.active.take(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	x := e.loaded()
	switch {
	case s != e.current.Load():
		return nil, errMoved
	case x != nil && x.snapshot == s: // somebody else opened it meanwhile
		return x, nil
	case x != nil: // the catalogue changed, the model did not
		return e.activate(ctx, s, x.choice())
	}
	c, err := e.choose(ctx, s)
	if err != nil {
		return nil, err
	}
	return e.activate(ctx, s, c)
}

// activate opens an index and makes it the one that queries use; its caller has
// the turn.
func (e *Engine) activate(ctx context.Context, s *snapshot, c choice) (*index, error) {
	previous := e.loaded()
	x, err := e.openIndex(ctx, s, c, previous)
	if err != nil {
		return nil, err
	}
	e.use(ctx, x, previous)
	return x, nil
}

// use makes an index the one that queries use; its caller has the turn. Only
// then may go what none but the one before needs: a query that used it looks
// again (lookAtVectors).
func (e *Engine) use(ctx context.Context, x, previous *index) {
	e.active.index.Store(x)
	if err := x.retire(context.WithoutCancel(ctx), previous); err != nil {
		e.cfg.Logger.Warn("old vectors could not be removed from the store", "reason", err)
	}
}
