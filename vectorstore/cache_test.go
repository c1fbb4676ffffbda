package vectorstore_test

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/skillsearch/skillsearch/vectorstore"
)

// open opens a cache that is closed when the test ends.
func open(tb testing.TB, path string) *vectorstore.Cache {
	tb.Helper()
	cache, err := vectorstore.OpenCache(tb.Context(), path, vectorstore.CacheOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := cache.Close(); err != nil {
			tb.Error(err)
		}
	})
	return cache
}

// cachePath is in a folder that does not exist yet.
func cachePath(tb testing.TB) string {
	return filepath.Join(tb.TempDir(), "cache", "vectors.db")
}

// model describes a model by a number; its probe is far from any other's.
func model(n, dimensions int) vectorstore.SpaceInfo {
	return vectorstore.SpaceInfo{
		Fingerprint: fmt.Sprintf("fingerprint %d", n), Model: fmt.Sprintf("model-%d", n), Engine: "ollama 0.17.4",
		Probe: vectorOf(fmt.Sprintf("probe %d", n), dimensions),
	}
}

func space(tb testing.TB, cache *vectorstore.Cache, m vectorstore.SpaceInfo) vectorstore.Space {
	tb.Helper()
	s, err := cache.Space(tb.Context(), m)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// hashOf is what a text is stored under.
func hashOf(text string) [32]byte { return sha256.Sum256([]byte(text)) }

// vectorOf is the one right vector of a text.
func vectorOf(text string, dimensions int) []float32 {
	return randomVector(rand.New(rand.NewChaCha8(hashOf(text))), dimensions)
}

// entries are the vectors of texts 'prefix from' to 'prefix to-1'.
func entries(prefix string, from, to, dimensions int) []vectorstore.Entry {
	var all []vectorstore.Entry
	for i := from; i < to; i++ {
		text := fmt.Sprint(prefix, " ", i)
		all = append(all, vectorstore.Entry{Hash: hashOf(text), Vector: vectorOf(text, dimensions)})
	}
	return all
}

func store(tb testing.TB, cache *vectorstore.Cache, s vectorstore.Space, all []vectorstore.Entry) {
	tb.Helper()
	if err := cache.Put(tb.Context(), s, all); err != nil {
		tb.Fatal(err)
	}
}

// vectors reads what was stored after a cursor, in order.
func vectors(tb testing.TB, cache *vectorstore.Cache, s vectorstore.Space, after vectorstore.Cursor) ([]vectorstore.Entry, vectorstore.Cursor) {
	tb.Helper()
	var all []vectorstore.Entry
	next, err := cache.Vectors(tb.Context(), s, after, func(hash [32]byte, vector []float32) error {
		all = append(all, vectorstore.Entry{Hash: hash, Vector: slices.Clone(vector)})
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return all, next
}

func holds(tb testing.TB, cache *vectorstore.Cache, s vectorstore.Space, want []vectorstore.Entry) {
	tb.Helper()
	got, _ := vectors(tb, cache, s, vectorstore.Cursor{})
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		tb.Errorf("vectors (-want +got):\n%s", diff)
	}
}

func noNotices(tb testing.TB, cache *vectorstore.Cache) {
	tb.Helper()
	if notices := cache.Notices(); len(notices) > 0 {
		tb.Errorf("notices: %q", notices)
	}
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
