package vectorstore_test

import (
	"path/filepath"
	"testing"

	"github.com/skillsearch/skillsearch/vectorstore"
)

// BenchmarkCacheLoad reads 20,000 vectors of 384 dimensions from a file that
// the system has in memory, with and without putting them into a store.
func BenchmarkCacheLoad(b *testing.B) {
	path := filepath.Join(b.TempDir(), "vectors.db")
	cache := open(b, path)
	s := space(b, cache, model(1, 384))
	all := entries("text", 0, 20_000, 384)
	store(b, cache, s, all)
	if err := cache.Close(); err != nil {
		b.Fatal(err)
	}
	load := func(b *testing.B, yield func(hash [32]byte, vector []float32) error) {
		cache, err := vectorstore.OpenCache(b.Context(), path, vectorstore.CacheOptions{})
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		if _, err := cache.Vectors(b.Context(), s, vectorstore.Cursor{}, func(hash [32]byte, vector []float32) error {
			n++
			return yield(hash, vector)
		}); err != nil || n != len(all) {
			b.Fatal(n, err)
		}
		if err := cache.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			load(b, func([32]byte, []float32) error { return nil })
		}
	})
	b.Run("read and put", func(b *testing.B) {
		for b.Loop() {
			store := vectorstore.NewChromem()
			var batch []vectorstore.Passage
			load(b, func(hash [32]byte, vector []float32) error {
				batch = append(batch[:0], vectorstore.Passage{Skill: string(hash[:]), Vector: vector})
				return store.Put(b.Context(), batch)
			})
		}
	})
}

// BenchmarkCacheOpen is what every command of the shell pays.
func BenchmarkCacheOpen(b *testing.B) {
	path := written(b)
	for b.Loop() {
		cache, err := vectorstore.OpenCache(b.Context(), path, vectorstore.CacheOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if err := cache.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCacheVersion is what a server pays to see whether it must look.
func BenchmarkCacheVersion(b *testing.B) {
	cache := open(b, cachePath(b))
	for b.Loop() {
		if _, err := cache.Version(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCachePut stores batches of eight, each of which reaches the disk.
func BenchmarkCachePut(b *testing.B) {
	cache := open(b, cachePath(b))
	s := space(b, cache, model(1, 384))
	all := entries("text", 0, 8_000, 384)
	i := 0
	for b.Loop() {
		if err := cache.Put(b.Context(), s, all[i:i+8]); err != nil {
			b.Fatal(err)
		}
		i = (i + 8) % len(all)
	}
}
