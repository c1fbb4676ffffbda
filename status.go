package skillsearch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/vectorstore"
)

// A Status is what an engine has and how far it is.
type Status struct {
	Skills   int    `json:"skills"`
	Hidden   int    `json:"hidden"`   // shadowed, folded or inactive
	Problems int    `json:"problems"` // see lint
	Model    string `json:"embedding_model"`
	Engine   string `json:"engine"`
	Embedded int    `json:"embedded"` // skills with a vector
	Stale    int    `json:"stale"`    // of these, with those of an older content alone
	Passages int    `json:"passages"` // passages known so far
	Vectors  int    `json:"vectors"`  // of these, with a vector
	Failed   int    `json:"failed"`   // passages that can't be embedded
	Bodies   bool   `json:"bodies"`   // bodies count in the ranking
	Reason   string `json:"reason"`   // why there are no vectors
	// Cache is where vectors are kept; nil when they are lost with the process.
	Cache *CacheStatus `json:"cache,omitempty"`
}

// A CacheStatus is what a cache says of itself.
type CacheStatus struct {
	Path    string   `json:"path"`
	Notices []string `json:"notices"` // damage that was mended, and the like
}

// Status tells what is there, without asking an embedding server; what the
// index has is known once a search or an Index has run.
func (e *Engine) Status() Status {
	s := e.current.Load()
	st := Status{Skills: len(s.skills), Hidden: len(s.catalogue.Hidden()), Problems: len(e.problemsOf(s))}
	if e.cfg.Cache != nil {
		st.Cache = &CacheStatus{Path: e.cfg.Cache.Path(), Notices: nonNil(e.cfg.Cache.Notices())}
	}
	x := e.loaded()
	if x == nil || x.snapshot != s {
		st.Reason = "no vectors are loaded yet"
		st.Embedded = st.Skills - e.unembedded(s)
		return st
	}
	st.Model, st.Engine, st.Embedded, st.Bodies = x.model.Name, x.model.Engine, x.embeddedHeads(), x.ready()
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, states := range x.state {
		st.Passages += len(states)
		for _, state := range states {
			switch state {
			case embedded:
				st.Vectors++
			case failed:
				st.Failed++
			}
		}
	}
	st.Stale = x.stale()
	return st
}

// Ready tells why searches are ranked by words; nil when the loaded vectors rank
// them.
func (e *Engine) Ready() error {
	x := e.loaded()
	switch {
	case x == nil:
		return ErrNoEmbedder
	case len(x.snapshot.skills) == 0:
		return nil
	}
	return enough(x)
}

// Attach loads the vectors that the index has for the present catalogue. The
// error says why there are none to be used.
func (e *Engine) Attach(ctx context.Context) error {
	for {
		if _, err := e.indexFor(ctx, e.current.Load()); !errors.Is(err, errMoved) {
			return err
		}
	}
}

func (e *Engine) loaded() *index { return e.active.index.Load() }

// embeddedSkills tells of the snapshot's skills which are embedded, by the
// loaded index or else by the one that the cache was last given.
func (e *Engine) embeddedSkills(s *snapshot) func(i int) bool {
	if x := e.loaded(); x != nil && x.snapshot == s {
		return x.hasHead
	}
	heads := e.cachedHeads()
	return func(i int) bool { return heads[s.skills[i].Passages(1, 1)[0].Hash] }
}

// unembedded counts the skills that have no vector.
func (e *Engine) unembedded(s *snapshot) (n int) {
	has := e.embeddedSkills(s)
	for i := range s.skills {
		if !has(i) {
			n++
		}
	}
	return n
}

// cachedHeads are the texts that the latest space of the cache has vectors of.
func (e *Engine) cachedHeads() map[[32]byte]bool {
	ctx := context.Background()
	heads := make(map[[32]byte]bool)
	space, err := e.latestSpace(ctx)
	if err != nil || space.ID == 0 {
		return heads
	}
	_, err = e.cfg.Cache.Vectors(ctx, space, vectorstore.Cursor{}, func(hash [32]byte, _ []float32) error {
		heads[hash] = true
		return nil
	})
	if err != nil {
		e.cfg.Logger.Warn("the cache can't be read", "reason", err)
	}
	return heads
}

// Problems are the catalogue's and those of embedding, in order of path and
// line.
func (e *Engine) Problems() []skill.Problem { return e.problemsOf(e.current.Load()) }

func (e *Engine) problemsOf(s *snapshot) []skill.Problem {
	problems := slices.Clone(s.catalogue.Problems())
	if problems == nil {
		problems = []skill.Problem{}
	}
	failures := e.failures(s)
	if len(failures) == 0 {
		return problems
	}
	for _, sk := range s.skills {
		problems = append(problems, e.failedPassages(sk, failures)...)
	}
	return skill.SortProblems(problems)
}

// failedPassages are the passages of a skill whose text is among the failures.
// Of another process's index only the texts are known, not the size that it cut
// to, so every size is tried.
func (e *Engine) failedPassages(sk *skill.Skill, failures map[[32]byte]vectorstore.Failure) []skill.Problem {
	var problems []skill.Problem
	seen := make(map[[32]byte]bool)
	for _, size := range passageSizes {
		for _, p := range sk.Passages(size, 0) {
			f, ok := failures[p.Hash]
			if !ok || seen[p.Hash] {
				continue
			}
			seen[p.Hash] = true
			problems = append(problems, skill.Problem{
				Kind: skill.EmbeddingFailed, Path: sk.Path, Line: max(p.Line, 1), Skill: sk.ID,
				Message: fmt.Sprintf("passage %d can't be embedded: %s", p.Index, f.Reason),
				Remedy:  "change the passage's text; the skill is still found by its words",
			})
		}
	}
	return problems
}

// failures are those of the loaded index, else of the latest in the cache.
func (e *Engine) failures(s *snapshot) map[[32]byte]vectorstore.Failure {
	if x := e.loaded(); x != nil && x.snapshot == s {
		x.mu.RLock()
		defer x.mu.RUnlock()
		return maps.Clone(x.failed)
	}
	if e.cfg.Cache == nil {
		return nil
	}
	ctx := context.Background()
	space, err := e.latestSpace(ctx)
	if err != nil || space.ID == 0 {
		return nil
	}
	failures, err := e.cfg.Cache.Failures(ctx, space)
	if err != nil {
		e.cfg.Logger.Warn("the cache can't be read", "reason", err)
	}
	return failures
}
