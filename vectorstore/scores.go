package vectorstore

import (
	"context"
	"fmt"
)

// A scratch is the memory that one query writes to. It is kept between
// queries, so that a query allocates little but its answer.
type scratch struct {
	query []float32 // unit vector, padded to the columns of the slab
	dots  []float32 // of each row: its dot product with the query, or an estimate
	sums  []int32   // of each row: the dot product in 8 bits
	one   [1]float32
	query8
}

// Scores returns what the vectors say about every skill, ordered by skill. A
// query that is not of unit length is made so. The answer is empty when the
// store is. The error is ErrDimensions, ErrNotFinite, or that of a context
// that ended.
func (c *Chromem) Scores(ctx context.Context, query []float32) ([]Score, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()

	s := c.scratch.Get().(*scratch)
	defer c.scratch.Put(s)
	if err := c.prepare(ctx, s, query); err != nil {
		return nil, fmt.Errorf("score skills: %w", err)
	}
	if err := c.scan(ctx, s); err != nil {
		return nil, fmt.Errorf("score skills: %w", err)
	}
	return c.collect(s.dots), nil
}

// prepare checks a query and writes it to s as a padded unit vector.
func (c *Chromem) prepare(ctx context.Context, s *scratch, query []float32) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	length, err := norm(query)
	if err != nil {
		return err
	}
	if c.slab.n > 0 && len(query) != c.slab.dimensions {
		return fmt.Errorf("%w: it has %d, those stored %d", ErrDimensions, len(query), c.slab.dimensions)
	}
	s.query = resize(s.query, max(len(query), c.slab.columns))
	setUnit(s.query, query, length)
	clear(s.query[len(query):])
	return nil
}

// scan sets s.dots to the dot product of every row with s.query.
func (c *Chromem) scan(ctx context.Context, s *scratch) error {
	s.dots = resize(s.dots, c.slab.n)
	return c.slab.scan(ctx, c.threads, func(b *block, first, rows int) {
		c.kernel.Dot(s.query, b.floats, s.dots[first:first+rows])
	})
}

// collect makes scores of skills from those of rows.
func (c *Chromem) collect(dots []float32) []Score {
	scores := make([]Score, len(c.shelves.ordered))
	for i, have := range c.shelves.ordered {
		score := &scores[i]
		score.Skill = have.skill
		for _, p := range have.passages {
			switch cosine := dots[p.row]; {
			case p.index == 0:
				score.Head, score.HasHead = cosine, true
			case score.Passages == 0 || cosine > score.Body:
				score.Body, score.Passage = cosine, p.index
				score.Passages++
			default:
				score.Passages++
			}
		}
	}
	return scores
}
