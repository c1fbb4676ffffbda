package benchmarks

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/ranker"
)

// Search answers every query with its first depth documents. The order is the
// engine's own; where scores are equal, or too near for trec_eval to tell apart,
// they are lowered by as little as makes trec_eval see that order. done, if not
// nil, is called from several goroutines whenever a query has been answered.
//
// An answer without the vectors that the ranking needs is an error, not a
// ranking of another kind.
func (l *Library) Search(ctx context.Context, queries []Query, ranking skillsearch.Ranking, depth int, done func()) (Run, error) {
	if ranking != skillsearch.Lexical && !l.indexed {
		return Run{}, fmt.Errorf("search by %s: the skills are not embedded yet", ranking)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	answers := make([][]Scored, len(queries))
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(queries)) {
		group.Go(func() {
			for i := int(next.Add(1) - 1); i < len(queries) && ctx.Err() == nil; i = int(next.Add(1) - 1) {
				answer, err := l.answer(ctx, queries[i], ranking, depth)
				if err != nil {
					cancel(fmt.Errorf("query %s: %w", queries[i].ID, err))
					return
				}
				answers[i] = answer
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
	return run, nil
}

// answer is what a search would find, to a greater depth than a search goes. A
// list also has the skills that a search leaves out, which are passed over: by
// words those that share none with the query, by meaning those with no vector.
func (l *Library) answer(ctx context.Context, q Query, ranking skillsearch.Ranking, depth int) ([]Scored, error) {
	list, err := l.engine.List(ctx, skillsearch.Query{Text: q.Text, Ranking: ranking})
	switch {
	case err != nil:
		return nil, err
	case list.Degraded:
		return nil, fmt.Errorf("it can't be ranked by %s: %s", ranking, list.Reason)
	}
	var answer []Scored
	for _, s := range list.Skills {
		if len(answer) == depth {
			break
		}
		if s.RankedBy == ranker.ByLexical && (ranking != skillsearch.Lexical || *s.Score <= 0) {
			continue
		}
		answer = append(answer, Scored{Document: l.documentOf(s.ID), Score: *s.Score})
	}
	descend(answer)
	return answer, nil
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
