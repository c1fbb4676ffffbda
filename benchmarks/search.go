package benchmarks

import (
	"context"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/ranker"
)

// Search answers every query with its first depth documents. The order is the
// engine's own; where scores are equal, or too near for trec_eval to tell apart,
// they are lowered by as little as makes trec_eval see that order. done, if not
// nil, is called from several goroutines whenever a query has been answered.
//
// An answer without the vectors that the ranking needs is an error, not a
// ranking of another kind; unless it is the query that the model can't read,
// which is then ranked by words, as in any search. The run's Notes count those.
func (l *Library) Search(ctx context.Context, queries []Query, ranking skillsearch.Ranking, depth int, done func()) (Run, error) {
	if ranking != skillsearch.Lexical && !l.indexed {
		return Run{}, fmt.Errorf("search by %s: the skills are not embedded yet", ranking)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	answers, unread := make([][]Scored, len(queries)), make([]error, len(queries))
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(queries)) {
		group.Go(func() {
			for i := int(next.Add(1) - 1); i < len(queries) && ctx.Err() == nil; i = int(next.Add(1) - 1) {
				var err error
				answers[i], unread[i], err = l.answer(ctx, queries[i], ranking, depth)
				if err != nil {
					cancel(fmt.Errorf("query %s: %w", queries[i].ID, err))
					return
				}
				if done != nil {
					done()
				}
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return Run{}, context.Cause(ctx)
	}
	run := Run{Name: string(ranking), Answers: make(map[string][]Scored, len(queries))}
	for i, q := range queries {
		run.Answers[q.ID] = answers[i]
	}
	run.Notes = unreadNotes(ranking, unread)
	return run, nil
}

// unreadNotes say how many queries were ranked by words for each reason.
func unreadNotes(ranking skillsearch.Ranking, unread []error) []string {
	counts := make(map[string]int)
	for _, err := range unread {
		if err != nil {
			counts[err.Error()]++
		}
	}
	var notes []string
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		notes = append(notes, fmt.Sprintf("by %s, %d of %d queries are ranked by words: %s", ranking, counts[reason], len(unread), reason))
	}
	return notes
}

// answer is what a search would find, to a greater depth than a search goes. A
// list also has the skills that a search leaves out, which are passed over: by
// words those that share none with the query, by meaning those with no vector.
// unread says why the model can't read the query, which is then ranked by words.
func (l *Library) answer(ctx context.Context, q Query, ranking skillsearch.Ranking, depth int) (answer []Scored, unread, err error) {
	list, err := l.engine.List(ctx, skillsearch.Query{Text: q.Text, Ranking: ranking})
	if err != nil {
		return nil, nil, err
	}
	if list.Degraded {
		if unread = l.unread(ctx, q.Text); unread == nil {
			return nil, nil, fmt.Errorf("it can't be ranked by %s: %s", ranking, list.Reason)
		}
	}
	words := list.Ranking == string(skillsearch.Lexical)
	for _, s := range list.Skills {
		if len(answer) == depth {
			break
		}
		if s.RankedBy == ranker.ByLexical && (!words || *s.Score <= 0) {
			continue
		}
		answer = append(answer, Scored{Document: l.documentOf(s.ID), Score: *s.Score})
	}
	descend(answer)
	return answer, unread, nil
}

// unread is why the embedder of the index can't embed a query while it can embed
// others; nil when it is not the query's fault.
func (l *Library) unread(ctx context.Context, query string) error {
	status := l.engine.Status()
	for _, e := range l.embedders {
		if m, err := e.Model(ctx); err != nil || m.Name != status.Model || m.Engine != status.Engine {
			continue
		}
		if embeddings, err := e.Embed(ctx, embedder.Query, []string{query}); err == nil && len(embeddings) == 1 {
			return embeddings[0].Err
		}
	}
	return nil
}

func (l *Library) documentOf(skillID string) string {
	if l.document == nil {
		return skillID
	}
	return l.document[skillID]
}

// descend makes the scores of an answer fall strictly, as 32-bit numbers.
func descend(answer []Scored) {
	for i := range answer {
		score := float32(answer[i].Score)
		if i > 0 {
			score = min(score, math.Nextafter32(float32(answer[i-1].Score), -math.MaxFloat32))
		}
		answer[i].Score = float64(score)
	}
}
