package vectorstore

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"math"
	"slices"
)

// Nearest returns the k passages nearest to a query, the best first; equal
// cosines are ordered by skill and then by index. k is cut to the number of
// passages; a k of zero or less asks for none. A query that is not of unit
// length is made so. The error is ErrDimensions, ErrNotFinite, or that of a
// context that ended.
//
// The answer is exact: always that of a scan of all float32 vectors. Most
// vectors are looked at in 8 bits only, which proves that they are not among
// the k nearest; the rest are compared in float32.
func (c *Chromem) Nearest(ctx context.Context, query []float32, k int) ([]Match, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()

	s := c.scratch.Get().(*scratch)
	defer c.scratch.Put(s)
	if err := c.prepare(ctx, s, query); err != nil {
		return nil, fmt.Errorf("find the %d nearest: %w", k, err)
	}
	k = min(k, c.slab.n)
	if k <= 0 {
		return nil, nil
	}
	best, err := c.nearest(ctx, s, k)
	if err != nil {
		return nil, fmt.Errorf("find the %d nearest: %w", k, err)
	}
	return c.matches(best), nil
}

// nearest finds the k nearest rows for the query in s, with k from 1 to the
// number of rows.
//
// The k best estimates, rescored in float32, give a floor: the k-th best of
// all is at least as good as the k-th best of them. A row whose estimate,
// raised by all that it may be wrong by, stays below the floor is out. When
// the estimates exclude too few, a plain scan is cheaper.
func (c *Chromem) nearest(ctx context.Context, s *scratch, k int) (*top, error) {
	guess, err := c.estimate(ctx, s, k)
	if err != nil {
		return nil, err
	}
	best := c.newTop(k)
	for _, g := range guess.rows {
		best.offer(c.rescore(s, g.row))
		s.dots[g.row] = float32(math.Inf(-1)) // done: its estimate excludes it from here on
	}
	undecided := c.undecided(s, best.floor())
	if len(undecided) > c.slab.n/4 {
		return c.nearestFloat(ctx, s, k)
	}
	for _, row := range undecided {
		best.offer(c.rescore(s, row))
	}
	return best, nil
}

// estimate sets s.dots to the 8-bit estimate of every row's dot product with
// the query, and returns the k best.
func (c *Chromem) estimate(ctx context.Context, s *scratch, k int) (*top, error) {
	s.query8.set(s.query[:c.slab.dimensions], c.slab.columns8)
	s.sums = resize(s.sums, roundUp(c.slab.n, blockRows))
	s.dots = resize(s.dots, c.slab.n)
	err := c.slab.scan(ctx, c.threads, func(b *block, first, rows int) {
		sums := s.sums[first:][:blockRows]
		c.kernel.Dot8(s.steps, b.bytes, sums)
		for i := range rows {
			s.dots[first+i] = float32(sums[i]-s.offset) * (s.scale * b.scales[i])
		}
	})
	guess := c.newTop(k)
	for row, dot := range s.dots {
		guess.offer(ranked{dot, row})
	}
	return guess, err
}

// undecided lists the rows whose estimate does not prove them to be below a floor.
func (c *Chromem) undecided(s *scratch, floor float32) []int {
	var rows []int
	a, b := s.bound(c.slab.columns)
	for row, dot := range s.dots {
		if dot+a+b*c.slab.blocks[row/blockRows].distances[row%blockRows] >= floor {
			rows = append(rows, row)
		}
	}
	return rows
}

func (c *Chromem) rescore(s *scratch, row int) ranked {
	c.kernel.Dot(s.query, c.slab.padded(row), s.one[:])
	return ranked{s.one[0], row}
}

// nearestFloat scans all rows in float32.
func (c *Chromem) nearestFloat(ctx context.Context, s *scratch, k int) (*top, error) {
	err := c.scan(ctx, s)
	best := c.newTop(k)
	for row, dot := range s.dots {
		best.offer(ranked{dot, row})
	}
	return best, err
}

// matches turns ranked rows into matches, the best first.
func (c *Chromem) matches(best *top) []Match {
	slices.SortFunc(best.rows, best.compare)
	matches := make([]Match, len(best.rows))
	for i, r := range best.rows {
		of := c.owners[r.row]
		matches[i] = Match{Skill: of.shelf.skill, Index: of.index, Cosine: r.cosine}
	}
	return matches
}

// A ranked row is a row and its score.
type ranked struct {
	cosine float32
	row    int
}

// A top keeps the k best rows that it was offered, as a heap with the worst of
// them first.
type top struct {
	k      int
	owners []owner
	rows   []ranked
}

func (c *Chromem) newTop(k int) *top {
	return &top{k: k, owners: c.owners, rows: make([]ranked, 0, k)}
}

// floor is the score that a row must reach to be kept.
func (t *top) floor() float32 {
	if len(t.rows) < t.k {
		return float32(math.Inf(-1))
	}
	return t.rows[0].cosine
}

func (t *top) offer(r ranked) {
	if len(t.rows) < t.k {
		t.rows = append(t.rows, r)
		heap.Fix(t, len(t.rows)-1)
		return
	}
	if r.cosine >= t.rows[0].cosine && t.compare(r, t.rows[0]) < 0 {
		t.rows[0] = r
		heap.Fix(t, 0)
	}
}

// compare orders rows: the better cosine first, then by skill and by index.
func (t *top) compare(a, b ranked) int {
	if a.cosine != b.cosine {
		return cmp.Compare(b.cosine, a.cosine)
	}
	x, y := t.owners[a.row], t.owners[b.row]
	return cmp.Or(cmp.Compare(x.shelf.skill, y.shelf.skill), cmp.Compare(x.index, y.index))
}

// Len, Less and Swap are for container/heap.
func (t *top) Len() int           { return len(t.rows) }
func (t *top) Less(i, j int) bool { return t.compare(t.rows[i], t.rows[j]) > 0 }
func (t *top) Swap(i, j int)      { t.rows[i], t.rows[j] = t.rows[j], t.rows[i] }

// Push and Pop complete heap.Interface. A top is only ever fixed.
func (t *top) Push(any) { panic("vectorstore: a top is offered rows") }
func (t *top) Pop() any { panic("vectorstore: a top keeps its rows") }
