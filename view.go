package skillsearch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/ranker"
)

// A view is what is known of every skill for one query: the one basis of
// searches and lists.
type view struct {
	snapshot   *snapshot
	ranking    Ranking // the one that is used
	items      []ranker.Item
	passage    []int        // each skill's best body passage by cosine; 0 for none
	stale      map[int]bool // skills whose cosine is that of an older content
	bodies     bool         // bodies count in the cosine
	index      *index       // nil when no vectors were used
	vector     []float32    // the query's; nil when no vectors were used
	reason     string       // why vectors that were asked for were not used
	unembedded int          // skills that have no vector, when vectors were asked for
}

// look gathers what the query's ranking needs. Vectors that can't be had are no
// error: the view is then lexical, and says why.
func (e *Engine) look(ctx context.Context, q Query) (*view, error) {
	return onSnapshot(e, func(s *snapshot) (*view, error) { return e.lookAt(ctx, s, q) })
}

func (e *Engine) lookAt(ctx context.Context, s *snapshot, q Query) (*view, error) {
	v := newView(s, q.Ranking)
	if q.Ranking != Lexical && len(s.skills) > 0 {
		if err := e.lookAtVectors(ctx, v, q); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if errors.Is(err, errMoved) {
				return nil, err
			}
			v.degrade(err)
			v.unembedded = e.unembedded(s)
		}
	}
	if v.ranking != Cosine {
		v.lookAtWords(q.Text)
	}
	return v, nil
}

func newView(s *snapshot, ranking Ranking) *view {
	v := &view{snapshot: s, ranking: ranking, items: make([]ranker.Item, len(s.skills)), passage: make([]int, len(s.skills)), stale: make(map[int]bool)}
	for i, sk := range s.skills {
		v.items[i].ID = sk.ID
	}
	return v
}

// degrade falls back to words.
func (v *view) degrade(reason error) {
	v.ranking, v.reason, v.index, v.vector = Lexical, reason.Error(), nil, nil
	clear(v.stale)
	for i := range v.items {
		v.items[i] = ranker.Item{ID: v.items[i].ID}
	}
}

func (v *view) lookAtWords(text string) {
	for _, m := range v.snapshot.words().Search(text) {
		v.items[v.snapshot.byID[m.ID]].Lexical = m.Score
	}
}

// lookAtVectors fills in the cosines, within q.Wait.
func (e *Engine) lookAtVectors(ctx context.Context, v *view, q Query) error {
	ctx, cancel := within(ctx, q.Wait)
	defer cancel()
	x, err := e.indexFor(ctx, v.snapshot)
	if err != nil {
		return patience(ctx, err)
	}
	vector, err := queryVector(ctx, x, q.Text)
	if errors.Is(err, embedder.ErrModelChanged) {
		e.active.index.CompareAndSwap(x, nil) // the next query looks at the model anew
	}
	if err != nil {
		return patience(ctx, err)
	}
	if q.Wait > 0 {
		e.embedHeads(ctx, x)
	}
	v.unembedded = len(v.items) - x.embeddedHeads()
	if err := enough(x); err != nil {
		return err
	}
	// The vectors are here: an expired wait must not lose them now.
	v.vector = vector
	return e.fill(context.WithoutCancel(ctx), v, x)
}

// fill puts the scores of the store into the view. Where another index took x's
// place meanwhile, vectors that x needs may be gone: then the error is errMoved.
func (e *Engine) fill(ctx context.Context, v *view, x *index) error {
	if err := v.fill(ctx, x); err != nil {
		return err
	}
	if e.loaded() != x {
		return errMoved
	}
	return nil
}

// within bounds ctx by a wait; 0 is no bound.
func within(ctx context.Context, wait time.Duration) (context.Context, context.CancelFunc) {
	if wait <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, wait, waitError(wait))
}

func waitError(wait time.Duration) error {
	return fmt.Errorf("%w: no answer within %v; the model may still be loading, so ask again or wait longer (--wait)", embedder.ErrUnavailable, wait)
}

// patience is the error of an expired wait where that is what err came from.
func patience(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.DeadlineExceeded) {
		return context.Cause(ctx)
	}
	return err
}

// enough refuses to rank by vectors while most skills have none: the best of
// the few would hide the rest.
func enough(x *index) error {
	have, total := x.embeddedHeads(), len(x.snapshot.skills)
	if 2*have >= total && have > 0 {
		return nil
	}
	return fmt.Errorf("only %d of %d skills are embedded yet; run \"skillsearch index\", or wait for the one that runs", have, total)
}

// queryVector embeds the query.
func queryVector(ctx context.Context, x *index, text string) ([]float32, error) {
	embeddings, err := x.embedder.Embed(ctx, embedder.Query, []string{text})
	switch {
	case err != nil:
		return nil, err
	case len(embeddings) != 1:
		return nil, fmt.Errorf("embed the query: %d answers came", len(embeddings))
	case embeddings[0].Err != nil:
		return nil, fmt.Errorf("the query can't be embedded: %w", embeddings[0].Err)
	}
	return embeddings[0].Vector, nil
}

// fill puts the scores of v.vector into the view. Scores of contents that answer
// for no skill are passed over.
func (v *view) fill(ctx context.Context, x *index) error {
	now := x.answering()
	scores, err := x.store.Scores(ctx, v.vector)
	if err != nil {
		return err
	}
	v.index, v.bodies, v.unembedded = x, now.bodies, len(v.items)-now.count
	for _, s := range scores {
		i, stale, ok := now.skill(s.Skill)
		if !ok || !s.HasHead {
			continue
		}
		item := &v.items[i]
		item.Embedded, item.Head = true, float64(s.Head)
		item.HasBody, item.Body = s.Passage > 0, float64(s.Body)
		if stale { // its passages are those of another text
			v.stale[i] = true
		} else {
			v.passage[i] = s.Passage
		}
	}
	return nil
}

// order ranks the view for a search.
func (v *view) order() []ranker.Ranked {
	switch v.ranking {
	case Cosine:
		return ranker.Cosine(v.items, v.bodies)
	case Hybrid:
		return ranker.Hybrid(v.items, v.bodies)
	}
	return ranker.Lexical(v.items)
}

// orderAll ranks the view for a list.
func (v *view) orderAll() []ranker.Ranked {
	if v.ranking == Lexical {
		return ranker.LexicalList(v.items)
	}
	return ranker.List(v.items, v.order())
}
