package skillsearch

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/skillsearch/skillsearch/ranker"
	"github.com/skillsearch/skillsearch/skill"
)

// A Similarity answers what is near a skill.
type Similarity struct {
	Skill          string `json:"skill"` // id
	EmbeddingModel string `json:"embedding_model"`
	Degraded       bool   `json:"degraded"` // words were compared, for want of vectors
	Reason         string `json:"reason"`
	Hits           []Hit  `json:"hits"`
}

// Similar finds the skills whose heads are nearest to that of the skill which
// ref means, by cosine; with no vectors, those that share the words of its name
// and description. limit is 1–50, 0 for DefaultLimit; wait as in Query. The
// error wraps skill.ErrNotFound or ErrInvalidArgument.
func (e *Engine) Similar(ctx context.Context, ref string, limit int, wait time.Duration) (*Similarity, error) {
	return onSnapshot(e, func(s *snapshot) (*Similarity, error) { return e.similarIn(ctx, s, ref, limit, wait) })
}

func (e *Engine) similarIn(ctx context.Context, snap *snapshot, ref string, limit int, wait time.Duration) (*Similarity, error) {
	s, err := snap.catalogue.Resolve(ref)
	if err != nil {
		return nil, err
	}
	q, err := Query{Text: s.Name + " " + s.Description, Limit: limit, Wait: wait}.check(Cosine)
	if err != nil {
		return nil, err
	}
	v := newView(snap, Cosine)
	if err := e.lookAround(ctx, v, s, wait); err != nil {
		if ctx.Err() != nil || errors.Is(err, errMoved) {
			return nil, cmp.Or(ctx.Err(), err)
		}
		v.degrade(err)
		v.lookAtWords(q.Text)
	}
	return v.similarity(s, q), nil
}

// errNoComparer: a store that keeps its vectors to itself.
var errNoComparer = errors.New("the store can't compare skills")

// lookAround fills in the cosines of every head with that of one skill.
func (e *Engine) lookAround(ctx context.Context, v *view, s *skill.Skill, wait time.Duration) error {
	ctx, cancel := within(ctx, wait)
	defer cancel()
	x, err := e.indexFor(ctx, v.snapshot)
	if err != nil {
		return patience(ctx, err)
	}
	store, ok := x.store.(Comparer)
	if !ok {
		return errNoComparer
	}
	v.vector, ok = store.Vector(x.keyOf(s), 0)
	if !ok {
		return errors.New("this skill has no vector yet; run \"skillsearch index\"")
	}
	if err := e.fill(context.WithoutCancel(ctx), v, x); err != nil {
		return err
	}
	v.bodies = false
	return nil
}

// similarity is the best of the view, without the skill itself.
func (v *view) similarity(s *skill.Skill, q Query) *Similarity {
	out := &Similarity{Skill: s.ID, Degraded: v.reason != "", Reason: v.reason, Hits: []Hit{}}
	if v.index != nil {
		out.EmbeddingModel = v.index.model.Name
	}
	for _, place := range v.order() {
		if len(out.Hits) == q.Limit {
			break
		}
		if place.ID == s.ID {
			continue
		}
		if hit, ok := v.near(place); ok {
			hit.Rank = len(out.Hits) + 1
			out.Hits = append(out.Hits, hit)
		}
	}
	if len(out.Hits) == 0 && out.Reason == "" {
		out.Reason = "there is no other skill with a vector"
	}
	return out
}

// near is the hit for a place, without a passage: heads were compared.
func (v *view) near(place ranker.Ranked) (Hit, bool) {
	hit, ok := v.hit(place, Query{})
	hit.Passage = nil
	return hit, ok
}

// confusableCosine is how near the heads of two skills are when each is found
// by the needs of the other. Of 4,041 public skills 113 pairs are as near: copies
// that were edited, one tool described twice, siblings that differ by a word.
const confusableCosine = 0.85

// Confusable finds the pairs of skills that take each other's queries: heads
// nearly alike, or one body under two names. Each is a problem of the first of
// the two. The error says why heads can't be compared; equal bodies are found
// all the same.
func (e *Engine) Confusable(ctx context.Context) ([]skill.Problem, error) {
	return onSnapshot(e, func(s *snapshot) ([]skill.Problem, error) { return e.confusableIn(ctx, s) })
}

func (e *Engine) confusableIn(ctx context.Context, snap *snapshot) ([]skill.Problem, error) {
	problems := equalBodies(snap.skills)
	x, err := e.indexFor(ctx, snap)
	if err != nil {
		return problems, err
	}
	store, ok := x.store.(Comparer)
	if !ok {
		return problems, errNoComparer
	}
	pairs, err := snap.confusable(ctx, store)
	for _, p := range pairs {
		problems = append(problems, confusable(snap.skills[p.a], snap.skills[p.b], p.cosine))
	}
	return problems, err
}

// A confusablePair is two skills of a snapshot, a before b in order of ID.
type confusablePair struct {
	a, b   int
	cosine float64
}

// confusable finds the pairs of the snapshot's skills whose heads are nearly
// alike, the nearest first.
func (s *snapshot) confusable(ctx context.Context, store Comparer) ([]confusablePair, error) {
	found, err := store.Pairs(ctx, confusableCosine)
	if err != nil {
		return nil, err
	}
	var pairs []confusablePair
	for _, p := range found {
		a, okA := s.byKey[p.A]
		b, okB := s.byKey[p.B]
		if okA && okB {
			pairs = append(pairs, confusablePair{min(a, b), max(a, b), float64(p.Cosine)})
		}
	}
	return pairs, nil
}

func confusable(a, b *skill.Skill, cosine float64) skill.Problem {
	return skill.Problem{
		Kind: skill.Confusable, Path: a.Path, Line: 1, Skill: a.ID,
		Message: "name and description are nearly those of " + b.ID + " (cosine " + strconv.FormatFloat(cosine, 'f', 3, 64) + "): a need for one finds the other",
		Remedy:  "say in each description what the other is not for, or make one skill of both",
	}
}

// equalBodies reports skills of different names that give the same instructions.
func equalBodies(skills []*skill.Skill) []skill.Problem {
	problems := []skill.Problem{}
	first := make(map[string]*skill.Skill)
	for _, s := range skills {
		body := strings.TrimSpace(s.Body)
		if body == "" {
			continue
		}
		other, ok := first[body]
		if !ok {
			first[body] = s
			continue
		}
		problems = append(problems, skill.Problem{
			Kind: skill.EqualBody, Path: s.Path, Line: s.BodyLine, Skill: s.ID,
			Message: "the instructions are those of " + other.ID + ", under another header",
			Remedy:  "keep one of the two, or set active: false in the other",
		})
	}
	return problems
}
