package vectorstore

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/skillsearch/skillsearch/vectorstore/internal/kernels"
)

const (
	// blockRows is how many rows lie one after the other. A block of 384
	// dimensions is 384 KiB of floats, long enough for the processor to read
	// ahead and short enough that a small store stays small.
	blockRows = 256

	// threadRows is how many rows are worth more than one thread: below, waking
	// a thread takes longer than its share of the scan.
	threadRows = 50_000
)

// A slab holds unit vectors as rows 0…n-1, each as float32 and in 8 bits. Its
// blocks are never moved, so that a chromem document can hold a slice of its
// row, and are given back when rows are removed. The zero slab has no
// dimensions yet.
type slab struct {
	dimensions int
	columns    int // floats of a row: dimensions up to a multiple of kernels.FloatLanes
	columns8   int // bytes of a row: dimensions up to a multiple of kernels.ByteLanes
	n          int
	blocks     []*block
}

// A block is blockRows rows. Padding columns are zero in floats; in bytes they
// may hold anything, as a query's padding is zero.
type block struct {
	floats    []float32
	bytes     []uint8
	scales    [blockRows]float32 // what one step of a row's bytes is worth
	distances [blockRows]float32 // at least the distance from a row to its bytes
}

func newSlab(dimensions int) slab {
	return slab{
		dimensions: dimensions,
		columns:    roundUp(dimensions, kernels.FloatLanes),
		columns8:   roundUp(dimensions, kernels.ByteLanes),
	}
}

// add appends a row of zeros and returns its number; set fills it.
func (s *slab) add() int {
	if s.n == len(s.blocks)*blockRows {
		s.blocks = append(s.blocks, &block{
			floats: make([]float32, blockRows*s.columns),
			bytes:  make([]uint8, blockRows*s.columns8),
		})
	}
	s.n++
	return s.n - 1
}

// set writes a vector of the given length to a row, as a unit vector.
func (s *slab) set(row int, vector []float32, length float64) {
	setUnit(s.row(row), vector, length)
	b, i := s.blocks[row/blockRows], row%blockRows
	b.scales[i], b.distances[i] = quantiseRow(b.bytes[i*s.columns8:], s.row(row))
}

// row is the vector of a row, without padding. It can't be appended to.
func (s *slab) row(row int) []float32 {
	return s.padded(row)[:s.dimensions:s.dimensions]
}

func (s *slab) padded(row int) []float32 {
	return s.blocks[row/blockRows].floats[row%blockRows*s.columns:][:s.columns]
}

// overwrite copies one row over another.
func (s *slab) overwrite(to, from int) {
	copy(s.padded(to), s.padded(from))
	a, i := s.blocks[to/blockRows], to%blockRows
	b, j := s.blocks[from/blockRows], from%blockRows
	copy(a.bytes[i*s.columns8:][:s.columns8], b.bytes[j*s.columns8:])
	a.scales[i], a.distances[i] = b.scales[j], b.distances[j]
}

// drop removes the last row. One spare block is kept, so that a store that
// grows and shrinks by a row does not allocate each time.
func (s *slab) drop() {
	s.n--
	if keep := roundUp(s.n, blockRows)/blockRows + 1; keep < len(s.blocks) {
		s.blocks = slices.Delete(s.blocks, keep, len(s.blocks))
	}
}

// scan calls do for every block with the number of its first row and how many
// rows it has, on so many threads; 0 threads are one, or for a large slab all
// that there are. do must write to its own rows only, and the order of calls
// is not fixed. The error is that of a context that ended.
func (s *slab) scan(ctx context.Context, threads int, do func(b *block, first, rows int)) error {
	blocks := roundUp(s.n, blockRows) / blockRows
	switch {
	case threads == 0 && s.n < threadRows:
		threads = 1
	case threads == 0:
		threads = runtime.GOMAXPROCS(0)
	}
	part := func(from, to int) {
		for i := from; i < to && ctx.Err() == nil; i++ {
			do(s.blocks[i], i*blockRows, min(blockRows, s.n-i*blockRows))
		}
	}
	var others sync.WaitGroup
	for t := 1; t < threads; t++ {
		others.Go(func() { part(blocks*t/threads, blocks*(t+1)/threads) })
	}
	part(0, blocks/threads)
	others.Wait()
	return ctx.Err()
}
