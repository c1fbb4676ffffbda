package vectorstore

import (
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
