package vectorstore

import (
	"context"
	"fmt"

	"github.com/philippgille/chromem-go"

	"github.com/skillsearch/skillsearch/vectorstore/internal/kernels"
)

// NewChromemOn is NewChromem with one set of kernels.
func NewChromemOn(kernel kernels.Set) *Chromem { return newChromem(kernel) }

// Documents is chromem's own view of a store.
func (c *Chromem) Documents() *chromem.Collection { return c.documents }

// Row is the memory that holds a vector.
func (c *Chromem) Row(skill string, index int) []float32 {
	have := c.shelves.bySkill[skill]
	at, _ := have.find(index)
	return c.slab.row(have.passages[at].row)
}

// Blocks is how many blocks the slab has allocated.
func (c *Chromem) Blocks() int { return len(c.slab.blocks) }

// ByScan is all passages for a query, the best first, by a float32 scan that
// has no 8-bit part.
func (c *Chromem) ByScan(query []float32) []Match {
	length, err := norm(query)
	if err != nil {
		panic(err)
	}
	unit := make([]float32, c.slab.columns)
	setUnit(unit[:len(query)], query, length)
	all := c.newTop(c.slab.n)
	for row := range c.slab.n {
		var dot [1]float32
		c.kernel.Dot(unit, c.slab.padded(row), dot[:])
		all.rows = append(all.rows, ranked{dot[0], row})
	}
	return c.matches(all)
}

// Overshoot is by how much the float32 dot product of any row is above what its
// 8-bit estimate allows for. It must not be above zero.
func (c *Chromem) Overshoot(query []float32) float32 {
	s := new(scratch)
	if err := c.prepare(context.Background(), s, query); err != nil {
		panic(err)
	}
	if _, err := c.estimate(context.Background(), s, 1); err != nil {
		panic(err)
	}
	a, b := s.bound(c.slab.columns)
	most := float32(-1)
	for row, estimate := range s.dots {
		block, i := c.slab.blocks[row/blockRows], row%blockRows
		most = max(most, c.rescore(s, row).cosine-(estimate+a+b*block.distances[i]))
	}
	return most
}

// UseThreads makes every scan use a number of threads, whatever its size.
func (c *Chromem) UseThreads(n int) { c.threads = n }

// LimitPages lets the file grow to so many pages, as a full disk would.
func (c *Cache) LimitPages(n int) error {
	h, err := c.acquire(context.Background())
	if err != nil {
		return err
	}
	defer c.done(h)
	h.db.SetMaxOpenConns(1) // the limit belongs to a connection
	_, err = h.db.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", n))
	return err
}

// ReadRecord decodes the record of a vector.
func ReadRecord(vector []float32, space int64, hash, record []byte) bool {
	return readRecord(vector, space, hash, record)
}

// AppendRecord encodes the record of a vector.
func AppendRecord(b []byte, space int64, hash [32]byte, vector []float32) []byte {
	return appendRecord(b, space, hash, vector)
}
