package vectorstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/philippgille/chromem-go"

	"github.com/skillsearch/skillsearch/vectorstore/internal/kernels"
)

// A Chromem is a store in memory: chromem-go holds the documents, and one slab
// of vectors, of which every document holds its row, is what queries scan.
// chromem's own query and files are not used.
//
// The same passages and query give the same answer to the last bit, whatever
// the processor, the number of threads and the order in which passages came.
// All methods are safe for concurrent use; a change waits for the queries that
// are running, and is seen whole or not at all.
//
// Make one with NewChromem; it needs no closing.
type Chromem struct {
	kernel    kernels.Set
	documents *chromem.Collection
	scratch   sync.Pool // of *scratch
	threads   int       // of a scan; 0 lets its size decide

	mu      sync.RWMutex // guards what follows, and documents against our own order of calls
	slab    slab
	owners  []owner // of each row
	shelves shelves
}

// An owner is what a row stands for.
type owner struct {
	shelf *shelf
	index int // of the passage
}

// NewChromem returns an empty store.
func NewChromem() *Chromem { return newChromem(kernels.Best()) }

func newChromem(kernel kernels.Set) *Chromem {
	documents, err := chromem.NewDB().CreateCollection("passages", nil, embedsNothing)
	if err != nil {
		panic("vectorstore: " + err.Error()) // can't be: only files and an empty name fail
	}
	return &Chromem{
		kernel:    kernel,
		documents: documents,
		scratch:   sync.Pool{New: func() any { return new(scratch) }},
		shelves:   shelves{bySkill: map[string]*shelf{}},
	}
}

// embedsNothing stands where chromem would otherwise call OpenAI.
func embedsNothing(context.Context, string) ([]float32, error) {
	return nil, errors.New("passages come with their vectors")
}

// Len is the number of passages.
func (c *Chromem) Len() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.slab.n
}

// Passage returns the text that was put for one passage.
func (c *Chromem) Passage(skill string, index int) (text string, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	document, err := c.documents.GetByID(context.Background(), documentID(skill, index))
	return document.Content, err == nil
}

// Put adds passages, or replaces those with the same skill and index; of two
// in one call the later counts. Vectors that are not of unit length are made
// so. All of them must have the dimensions of those that are stored (an empty
// store takes any), and be finite and not zero: else nothing is changed, and
// the error is ErrDimensions or ErrNotFinite and names the passage. A context
// that has ended changes nothing either.
func (c *Chromem) Put(ctx context.Context, passages []Passage) error {
	c.mu.Lock()
	defer c.mu.Unlock()

	lengths, err := c.check(ctx, passages)
	if err != nil || len(passages) == 0 {
		return err
	}
	if c.slab.n == 0 && c.slab.dimensions != len(passages[0].Vector) {
		c.slab = newSlab(len(passages[0].Vector))
	}
	var fresh []*shelf
	for i, p := range passages {
		have, ok := c.shelves.bySkill[p.Skill]
		if !ok {
			have = &shelf{skill: p.Skill}
			c.shelves.bySkill[p.Skill] = have
			fresh = append(fresh, have)
		}
		row := c.place(have, p.Index)
		c.slab.set(row, p.Vector, lengths[i])
		c.keep(row, p.Text)
	}
	c.shelves.insert(fresh)
	return nil
}

// check returns the length of every vector, or why one of them can't be put.
func (c *Chromem) check(ctx context.Context, passages []Passage) ([]float64, error) {
	dimensions := c.slab.dimensions
	if c.slab.n == 0 && len(passages) > 0 {
		dimensions = len(passages[0].Vector)
	}
	lengths := make([]float64, len(passages))
	for i, p := range passages {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("put %d passages: %w", len(passages), err)
		}
		var err error
		lengths[i], err = norm(p.Vector)
		switch {
		case err == nil && len(p.Vector) != dimensions:
			err = fmt.Errorf("%w: it has %d, the others %d", ErrDimensions, len(p.Vector), dimensions)
		case p.Index < 0:
			err = errors.New("its index is below zero")
		}
		if err != nil {
			return nil, fmt.Errorf("put passage %d of %q: %w", p.Index, p.Skill, err)
		}
	}
	return lengths, ctx.Err()
}

// place returns the row of a passage, a new one when it has none.
func (c *Chromem) place(have *shelf, index int) int {
	at, ok := have.find(index)
	if ok {
		return have.passages[at].row
	}
	row := c.slab.add()
	c.owners = append(c.owners, owner{have, index})
	have.passages = slices.Insert(have.passages, at, placed{index, row})
	return row
}

// keep makes chromem's document of a row hold the row and a text.
func (c *Chromem) keep(row int, text string) {
	of := c.owners[row]
	err := c.documents.AddDocument(context.Background(), chromem.Document{
		ID:        documentID(of.shelf.skill, of.index),
		Metadata:  map[string]string{"skill": of.shelf.skill, "passage": strconv.Itoa(of.index)},
		Embedding: c.slab.row(row),
		Content:   text,
	})
	if err != nil {
		panic("vectorstore: " + err.Error()) // can't be: only an empty id or no vector fails
	}
}

// Remove takes out all passages of the given skills. Skills that are not there
// are no error. A context that has ended changes nothing.
func (c *Chromem) Remove(ctx context.Context, skills ...string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("remove %d skills: %w", len(skills), err)
	}
	for _, skill := range skills {
		have, ok := c.shelves.bySkill[skill]
		if !ok {
			continue
		}
		for n := len(have.passages); n > 0; n = len(have.passages) {
			c.removeLast(have)
		}
		delete(c.shelves.bySkill, skill)
	}
	c.shelves.removeEmpty()
	return nil
}

// removeLast takes out the last passage of a shelf. The last row of the slab
// fills the gap, so that rows stay without one.
func (c *Chromem) removeLast(have *shelf) {
	gone := have.passages[len(have.passages)-1]
	have.passages = have.passages[:len(have.passages)-1]
	id := documentID(have.skill, gone.index)
	if err := c.documents.Delete(context.Background(), nil, nil, id); err != nil {
		panic("vectorstore: " + err.Error()) // can't be: there is an id and no file
	}

	last := c.slab.n - 1
	moved := c.owners[last]
	c.owners = c.owners[:last]
	if gone.row == last {
		c.slab.drop()
		return
	}
	document, err := c.documents.GetByID(context.Background(), documentID(moved.shelf.skill, moved.index))
	if err != nil {
		panic("vectorstore: " + err.Error()) // can't be: every row has its document
	}
	c.slab.overwrite(gone.row, last)
	c.owners[gone.row] = moved
	at, _ := moved.shelf.find(moved.index)
	moved.shelf.passages[at].row = gone.row
	c.keep(gone.row, document.Content)
	c.slab.drop()
}

// documentID is unique for a skill and an index: digits end at the colon.
func documentID(skill string, index int) string {
	return strconv.Itoa(index) + ":" + skill
}
