package benchmarks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/skillsearch/skillsearch"
)

// Options are what an evaluation may be told. The zero value is that of
// "skillsearch eval", but for the depth of the index.
type Options struct {
	Rankings []skillsearch.Ranking // none: cosine
	Measures []Measure             // none: DefaultMeasures; the first is the one that rankings are compared by
	Index    skillsearch.Depth     // how deep skills are embedded; the zero Depth is Full
	Depth    int                   // documents that are kept of an answer; 0 is 100
	Sampling Sampling
	Version  string // of the program, for the fingerprint

	// Indexing and Searching tell of progress; nil is fine. Searching is called
	// from several goroutines.
	Indexing  func(skillsearch.Progress)
	Searching func(ranking skillsearch.Ranking, done, total int)
}

func (o Options) filled() Options {
	if len(o.Rankings) == 0 {
		o.Rankings = []skillsearch.Ranking{skillsearch.Cosine}
	}
	if len(o.Measures) == 0 {
		o.Measures = DefaultMeasures()
	}
	o.Depth = cmp.Or(o.Depth, 100)
	o.Sampling.Draws = o.Sampling.draws()
	return o
}

// Evaluate has a library answer the queries of a collection with each ranking,
// and measures the answers. The library must be of the collection's documents,
// or of the user's skills where it has none. What keeps a ranking from being
// measured, such as a model that is not there, is an error: the figures are
// never those of another ranking.
func Evaluate(ctx context.Context, c *Collection, l *Library, opts Options) (*Report, error) {
	opts = opts.filled()
	c, err := l.Bind(c)
	if err != nil {
		return nil, err
	}
	if len(c.Queries) == 0 {
		return nil, fmt.Errorf("evaluate %s: %w", c.Name, errors.New("no query has a right answer; add one to measure by"))
	}
	byVectors := slices.ContainsFunc(opts.Rankings, func(r skillsearch.Ranking) bool { return r != skillsearch.Lexical })
	if byVectors {
		if err := l.Index(ctx, opts.Index, opts.Indexing); err != nil {
			return nil, err
		}
	}
	r := newReport(c, l, opts)
	scores := make([]Scores, len(opts.Rankings))
	for i, ranking := range opts.Rankings {
		system, s, err := l.system(ctx, c, ranking, opts)
		if err != nil {
			return nil, fmt.Errorf("evaluate %s by %s: %w", c.Name, ranking, err)
		}
		r.Systems, scores[i] = append(r.Systems, system), s
		r.Notes = append(r.Notes, system.Run.Notes...)
	}
	r.Pairs = pairs(opts, scores)
	return r, nil
}

func newReport(c *Collection, l *Library, opts Options) *Report {
	r := &Report{
		Collection: c.Name, Documents: l.Skills(), Queries: len(c.Queries), Negatives: len(c.Negatives),
		Notes: append([]string{}, c.Notes...), Measures: measureNames(opts.Measures),
	}
	for _, judged := range c.Qrels {
		r.Relevant += judged.relevant()
	}
	return r
}

// system answers and measures by one ranking.
func (l *Library) system(ctx context.Context, c *Collection, ranking skillsearch.Ranking, opts Options) (System, Scores, error) {
	all := slices.Concat(c.Queries, c.Negatives)
	run, err := l.Search(ctx, all, ranking, opts.Depth, counter(ranking, len(all), opts.Searching))
	if err != nil {
		return System{}, Scores{}, err
	}
	fingerprint, err := l.fingerprint(ctx, c, ranking, opts)
	if err != nil {
		return System{}, Scores{}, err
	}
	scores := Score(run, c.Qrels, opts.Measures)
	s := System{
		Ranking: string(ranking), Fingerprint: fingerprint, Run: run, Separation: separate(c, run),
		Means: estimates(opts.Measures, scores.Rows, opts.Sampling), Types: byType(c.Queries, scores, opts.Sampling),
		Queries: queryResults(c, run, scores),
	}
	if status := l.engine.Status(); ranking != skillsearch.Lexical {
		s.Unembedded = status.Skills - status.Embedded
	}
	return s, scores, nil
}

// counter counts the queries that have been answered.
func counter(ranking skillsearch.Ranking, total int, searching func(skillsearch.Ranking, int, int)) func() {
	if searching == nil {
		return nil
	}
	var done atomic.Int64
	return func() { searching(ranking, int(done.Add(1)), total) }
}

// queryResults are in the order of the collection's queries.
func queryResults(c *Collection, run Run, scores Scores) []QueryResult {
	row := make(map[string][]float64, len(scores.Queries))
	for i, id := range scores.Queries {
		row[id] = scores.Rows[i]
	}
	const top = 3
	results := make([]QueryResult, len(c.Queries))
	for i, q := range c.Queries {
		answer := run.Answers[q.ID]
		results[i] = QueryResult{ID: q.ID, Type: q.Type, Text: q.Text, FirstRelevant: firstRelevant(answer, c.Qrels[q.ID]), Top: documents(first(answer, top))}
		for _, v := range row[q.ID] {
			results[i].Values = append(results[i].Values, round6(v))
		}
	}
	return results
}

// pairs compares all rankings by the first measure.
func pairs(opts Options, scores []Scores) []Pair {
	pairs := []Pair{}
	var rows []Difference
	for a := range scores {
		for b := a + 1; b < len(scores); b++ {
			var c Comparison
			one := func(s Scores) Scores {
				s.Measures = s.Measures[:1]
				return s
			}
			c.compare(one(scores[a]), one(scores[b]), opts.Sampling)
			pairs = append(pairs, Pair{A: string(opts.Rankings[a]), B: string(opts.Rankings[b])})
			rows = append(rows, c.Rows[0])
		}
	}
	correct(rows)
	for i := range pairs {
		pairs[i].Difference = rows[i]
	}
	return pairs
}
