package benchmarks

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/vectorstore"
)

// A Memory is an embedder that asks another one for each text only once, and
// keeps the vectors of documents and queries in a cache. With it an engine needs
// no cache of its own, and has exactly the vectors that it asked for: were it to
// share one with other collections and depths, it would find more there than
// the depth says, and use it.
type Memory struct {
	embedder skillsearch.Embedder
	cache    *vectorstore.Cache

	mu      sync.Mutex
	space   vectorstore.Space // of the model whose vectors are loaded; ID 0 before that
	print   string            // that model's fingerprint
	vectors map[[sha256.Size]byte][]float32
}

// Remember wraps an embedder. The cache should be used for nothing else: texts
// are kept by their hash with their role. All vectors of the model are held in
// memory. It is safe for concurrent use as the embedder is.
func Remember(e skillsearch.Embedder, cache *vectorstore.Cache) *Memory {
	return &Memory{embedder: e, cache: cache}
}

// Model is the embedder's.
func (m *Memory) Model(ctx context.Context) (embedder.Model, error) { return m.embedder.Model(ctx) }

// Embed answers from the cache what is there, asks the embedder for the rest and
// keeps what it answers. A text that can't be embedded is not kept: it is tried
// again next time.
func (m *Memory) Embed(ctx context.Context, role embedder.Role, texts []string) ([]embedder.Embedding, error) {
	if err := m.load(ctx); err != nil {
		return nil, err
	}
	answers := make([]embedder.Embedding, len(texts))
	var missing []int
	m.mu.Lock()
	for i, text := range texts {
		if v, ok := m.vectors[textHash(role, text)]; ok {
			answers[i] = embedder.Embedding{Vector: slices.Clone(v), Parts: 1}
		} else {
			missing = append(missing, i)
		}
	}
	m.mu.Unlock()
	return answers, m.ask(ctx, role, texts, missing, answers)
}

// ask has the missing texts embedded and keeps their vectors.
func (m *Memory) ask(ctx context.Context, role embedder.Role, texts []string, missing []int, answers []embedder.Embedding) error {
	if len(missing) == 0 {
		return nil
	}
	wanted := make([]string, len(missing))
	for n, i := range missing {
		wanted[n] = texts[i]
	}
	fresh, err := m.embedder.Embed(ctx, role, wanted)
	if err != nil {
		return err
	}
	if len(fresh) != len(wanted) {
		return fmt.Errorf("embed %d texts: %d answers came", len(wanted), len(fresh))
	}
	var entries []vectorstore.Entry
	for n, i := range missing {
		answers[i] = fresh[n]
		if fresh[n].Err == nil {
			entries = append(entries, vectorstore.Entry{Hash: textHash(role, texts[i]), Vector: slices.Clone(fresh[n].Vector)})
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range entries {
		m.vectors[e.Hash] = e.Vector
	}
	return m.cache.Put(ctx, m.space, entries)
}

// load reads the vectors of the embedder's model, once.
func (m *Memory) load(ctx context.Context) error {
	model, err := m.embedder.Model(ctx)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.space.ID != 0 && m.print == model.Fingerprint {
		return nil
	}
	space, err := m.cache.Space(ctx, vectorstore.SpaceInfo{Fingerprint: model.Fingerprint, Model: model.Name, Engine: model.Engine, Probe: model.Probe})
	if err != nil {
		return err
	}
	vectors := make(map[[sha256.Size]byte][]float32)
	_, err = m.cache.Vectors(ctx, space, vectorstore.Cursor{}, func(hash [32]byte, vector []float32) error {
		vectors[hash] = slices.Clone(vector)
		return nil
	})
	if err != nil {
		return err
	}
	m.space, m.print, m.vectors = space, model.Fingerprint, vectors
	return nil
}

// textHash is of a text in a role: models may give one text two vectors.
func textHash(role embedder.Role, text string) [sha256.Size]byte {
	return sha256.Sum256(append([]byte{byte(role), 0}, text...))
}
