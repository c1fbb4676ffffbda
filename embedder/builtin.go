package embedder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/skillsearch/skillsearch/data"
	"github.com/skillsearch/skillsearch/embedder/minilm"
	"github.com/skillsearch/skillsearch/embedder/wordpiece"
)

// Builtin computes a model of the architecture of all-MiniLM-L6-v2 in this
// process, for a machine without a server. It is safe for concurrent use. Its
// vectors are near those that Ollama gives the same model, but not the same: the
// fingerprints differ.
type Builtin struct {
	load     func() (*minilm.Model, error)
	describe func() (Model, error)
}

// NewBuiltin returns an embedder of the model that the binary carries. It reads
// the weights, in a few milliseconds, when it is first asked for something.
func NewBuiltin() *Builtin {
	return newBuiltin(func() (*minilm.Model, error) { return minilm.Load(data.MiniLM()) })
}

// NewBuiltinFile returns an embedder of the model in a weights file, such as
// training/ makes. A file that can't be used is an error of every call.
func NewBuiltinFile(path string) *Builtin {
	return newBuiltin(func() (*minilm.Model, error) {
		weights, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read the model file: %w; correct --model", err)
		}
		m, err := minilm.Load(string(weights))
		if err == nil {
			err = m.Check()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w; make the file anew as training/README.md tells, or leave out --model", path, err)
		}
		return m, nil
	})
}

func newBuiltin(load func() (*minilm.Model, error)) *Builtin {
	b := &Builtin{load: sync.OnceValues(load)}
	b.describe = sync.OnceValues(b.newDescription)
	return b
}

// Model describes the model. An error means that the binary or the model's file
// is damaged; ctx's is the only other one.
func (b *Builtin) Model(ctx context.Context) (Model, error) {
	if err := ctx.Err(); err != nil {
		return Model{}, fmt.Errorf("describe the built-in model: %w", err)
	}
	m, err := b.describe()
	m.Probe = slices.Clone(m.Probe) // the caller's own
	return m, err
}

func (b *Builtin) newDescription() (Model, error) {
	m, err := b.load()
	if err != nil {
		return Model{}, err
	}
	model := Model{
		Name:        m.Name(),
		Engine:      "built-in",
		Digest:      m.Digest(),
		Dimensions:  minilm.Dimensions,
		Context:     minilm.Context,
		PassageSize: passageSize(minilm.Context),
		Probe:       m.Vector(m.Tokenizer().Encode(probeText, minilm.Context)),
	}
	model.Fingerprint = recipe{}.fingerprint(model) // texts go in as they are
	return model, nil
}

// Tokenizer returns the model's tokenizer, which counts exactly how much of
// Model.Context a text takes. An error means that the weights are
// damaged.
func (b *Builtin) Tokenizer() (*wordpiece.Tokenizer, error) {
	m, err := b.load()
	if err != nil {
		return nil, err
	}
	return m.Tokenizer(), nil
}

// Embed returns the vector of each text, in the order of texts. A text with no
// token that the model could read has ErrBlank in its Err, and a query of which
// the model does not know half an error as well. One that is longer
// than the model's context is halved until its parts fit; its vector is their
// mean, weighted by their lengths in characters.
//
// Documents are spread over GOMAXPROCS goroutines. Queries are embedded one
// after the other beside them, without waiting for documents to end. Either
// way the same text gets the same bits on one machine. The error is ctx's,
// which is looked at before every text and part, or says that the weights are
// damaged; no vector is returned with it.
func (b *Builtin) Embed(ctx context.Context, role Role, texts []string) ([]Embedding, error) {
	m, err := b.load()
	if err != nil {
		return nil, err
	}
	workers := 1
	if role == Document {
		workers = min(runtime.GOMAXPROCS(0), len(texts))
	}
	results := make([]Embedding, len(texts))
	var next atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(texts)); i = next.Add(1) - 1 {
				if role == Query && unreadable(m, texts[i]) {
					results[i] = Embedding{Err: errUnreadable}
					continue
				}
				results[i] = embedText(ctx, m, texts[i])
			}
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("embed %d texts: %w", len(texts), err)
	}
	return results, nil
}

// errUnreadable: a query's vector would be that of noise, and words do better.
var errUnreadable = errors.New("the built-in model reads English and knows too little of this text; a multilingual model of Ollama reads it (--model)")

// unknownToken is the id of [UNK].
const unknownToken = 100

// unreadable reports whether half or more of a text's tokens are unknown to the
// model, as with most scripts but Latin.
func unreadable(m *minilm.Model, text string) bool {
	ids := m.Tokenizer().Encode(text, minilm.Context)
	unknown := 0
	for _, id := range ids {
		if id == unknownToken {
			unknown++
		}
	}
	return unknown > 0 && 2*unknown >= len(ids)-2 // less [CLS] and [SEP]
}

func embedText(ctx context.Context, m *minilm.Model, text string) Embedding {
	sum := mean{sum: make([]float64, minilm.Dimensions)}
	if err := addParts(ctx, m, strings.TrimSpace(text), &sum); err != nil {
		return Embedding{Err: err}
	}
	if sum.parts == 0 {
		return Embedding{Err: ErrBlank}
	}
	v, err := unit(sum.sum, minilm.Dimensions)
	return Embedding{Vector: v, Parts: sum.parts, Err: err}
}

// addParts adds the vector of text to sum, or those of its halves when it is
// too long for the model. Text without a token adds nothing.
func addParts(ctx context.Context, m *minilm.Model, text string, sum *mean) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	const empty = 2 // [CLS] and [SEP]
	ids := m.Tokenizer().Encode(text, minilm.Context+1)
	if len(ids) == empty {
		return nil
	}
	left, right, halved := "", "", false
	if len(ids) > minilm.Context {
		left, right, halved = halve(text)
	}
	if !halved {
		return sum.add(m.Vector(ids), utf8.RuneCountInString(text))
	}
	if err := addParts(ctx, m, left, sum); err != nil {
		return err
	}
	return addParts(ctx, m, right, sum)
}
