// Package minilm answers: which vector does a model of the architecture of
// all-MiniLM-L6-v2 give a text? It runs in the process, in Go and small assembly
// kernels, from weights of 8 bits.
package minilm

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/skillsearch/skillsearch/embedder/wordpiece"
)

//go:generate go run ./internal/kernelgen

// What is fixed about the model.
const (
	Dimensions = 384 // length of a vector
	Context    = 256 // token ids of one text, [CLS] and [SEP] included
)

// The architecture, as in the model's config.json.
const (
	layers       = 6
	heads        = 12
	headSize     = Dimensions / heads
	intermediate = 4 * Dimensions
	words        = 30522 // of the vocabulary
)

// A Model is the loaded model. It is immutable and safe for concurrent use;
// calls do not wait for one another.
type Model struct {
	name      string
	digest    string
	blobs     []byte // that digest is of, where they were loaded from
	tokenizer *wordpiece.Tokenizer
	kernel    *Kernel
	tokens    table // a row for each token id
	positions []float32
	norm      norm // of the sum of both
	layers    [layers]layer
	pool      *sync.Pool // of *scratch
}

// A layer is one block of the encoder.
type layer struct {
	qkv           linear // queries, keys and values side by side
	attention     linear // the heads' outputs to the residual
	attentionNorm norm
	up, down      linear // the feed-forward network
	downNorm      norm
}

// A linear layer computes x*W + bias.
type linear struct {
	weights table // in panels: [outputs/32][inputs][32]
	bias    []float32
}

// inputs is the length of the vectors that the layer takes.
func (l linear) inputs() int { return len(l.weights.q) / len(l.bias) }

// A table is a matrix of 8-bit weights; each output row has its scale.
type table struct {
	q     []int8
	scale []float32
}

// A norm is the gain and the bias of a LayerNorm.
type norm struct{ gain, bias []float32 }

// Load reads a weights file. The model keeps reading from weights, which takes
// no memory of its own where that is embedded in the binary. Load fails when a
// checksum tells that weights are damaged, and when they are not of this
// architecture; the fastest kernel of this machine is chosen.
func Load(weights string) (*Model, error) {
	f, err := open(weights)
	if err != nil {
		return nil, fmt.Errorf("load the model: %w", err)
	}
	m := &Model{
		name:      f.Name,
		digest:    f.Digest,
		blobs:     f.blobs,
		kernel:    Kernels()[0],
		tokens:    f.table("embed.word", words, Dimensions),
		positions: f.table("embed.position", Context, Dimensions).floats(),
		norm:      f.norm("embed.norm"),
		pool:      &sync.Pool{New: func() any { return newScratch() }},
	}
	for i := range m.layers {
		m.layers[i] = f.layer(fmt.Sprintf("layer%d.", i))
	}
	vocabulary := f.bytes("vocab")
	if f.err != nil {
		return nil, fmt.Errorf("load the model: %w", f.err)
	}
	if n := bytes.Count(vocabulary, []byte{'\n'}) + 1; n != words {
		return nil, fmt.Errorf("load the model: its vocabulary has %d tokens, want %d", n, words)
	}
	if m.tokenizer, err = wordpiece.Load(vocabulary); err != nil {
		return nil, fmt.Errorf("load the model: %w", err)
	}
	return m, nil
}

// Check fails when the model's blobs are not those that its digest names. It
// takes some ten milliseconds; a file of the user's is worth them.
func (m *Model) Check() error {
	if got := fmt.Sprintf("%x", sha256.Sum256(m.blobs)); got != m.digest {
		return fmt.Errorf("check the model: its digest is %s, and it says %s", got, m.digest)
	}
	return nil
}

// Name is what the file calls the model.
func (m *Model) Name() string { return m.name }

// Digest is the SHA-256 of the file's blobs, weights and vocabulary, in hex. It
// names the model: other weights have another one.
func (m *Model) Digest() string { return m.digest }

// With returns the same model computed by kernel, which must be one of Kernels.
func (m *Model) With(kernel *Kernel) *Model {
	other := *m
	other.kernel = kernel
	return &other
}

// Kernel tells how the model is computed.
func (m *Model) Kernel() *Kernel { return m.kernel }

// Tokenizer returns the model's tokenizer.
func (m *Model) Tokenizer() *wordpiece.Tokenizer { return m.tokenizer }

// Vector returns the unit vector of a text of which ids are the tokens, as
// Tokenizer encodes it. What is over Context ids is left out; ids that are not
// in the vocabulary panic, and so do no ids at all. The same ids give the same
// bits on one kernel, whatever else is running.
func (m *Model) Vector(ids []int32) []float32 {
	s := m.pool.Get().(*scratch)
	defer m.pool.Put(s)
	vector := make([]float32, Dimensions)
	m.forward(s, ids[:min(len(ids), Context)], vector)
	return vector
}
