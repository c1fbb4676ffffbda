package vectorstore

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
)

// A Pair is two skills whose heads are near to each other.
type Pair struct {
	A, B   string // skill keys, A before B
	Cosine float32
}

// Vector returns a copy of the unit vector of one passage.
func (c *Chromem) Vector(skill string, index int) (vector []float32, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	have, ok := c.shelves.bySkill[skill]
	if !ok {
		return nil, false
	}
	at, ok := have.find(index)
	if !ok {
		return nil, false
	}
	return slices.Clone(c.slab.row(have.passages[at].row)), true
}

// Pairs returns every pair of skills whose heads have a cosine of at least
// least, the nearest first, equal ones by A and then B. It compares all heads
// with all, on all processors: 4,000 in some tenths of a second. The error is
// that of a context that ended.
func (c *Chromem) Pairs(ctx context.Context, least float32) ([]Pair, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	skills, heads := c.heads()
	found := make([][]Pair, len(skills))
	var threads sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		threads.Go(func() {
			dots := make([]float32, len(skills))
			for i := range next {
				found[i] = c.pairsOf(i, skills, heads, least, dots)
			}
		})
	}
	for i := 0; i < len(skills) && ctx.Err() == nil; i++ {
		next <- i
	}
	close(next)
	threads.Wait()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("find pairs: %w", err)
	}
	pairs := slices.Concat(found...)
	slices.SortFunc(pairs, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
	return pairs, nil
}

// heads are the skills that have a head, in order, and their padded rows one
// after the other.
func (c *Chromem) heads() (skills []string, rows []float32) {
	for _, have := range c.shelves.ordered {
		if at, ok := have.find(0); ok {
			skills = append(skills, have.skill)
			rows = append(rows, c.slab.padded(have.passages[at].row)...)
		}
	}
	return skills, rows
}

// pairsOf compares head i with all after it; dots is memory to write to.
func (c *Chromem) pairsOf(i int, skills []string, heads []float32, least float32, dots []float32) []Pair {
	columns, rest := c.slab.columns, len(skills)-i-1
	if rest == 0 {
		return nil
	}
	c.kernel.Dot(heads[i*columns:(i+1)*columns], heads[(i+1)*columns:], dots[:rest])
	var pairs []Pair
	for j, cosine := range dots[:rest] {
		if cosine >= least {
			pairs = append(pairs, Pair{A: skills[i], B: skills[i+1+j], Cosine: cosine})
		}
	}
	return pairs
}
