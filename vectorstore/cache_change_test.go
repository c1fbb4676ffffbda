package vectorstore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/vectorstore"
)

func TestPuttingAgainChangesNothing(t *testing.T) {
	cache := open(t, cachePath(t))
	s := space(t, cache, model(1, 8))
	all := entries("text", 0, 20, 8)
	store(t, cache, s, all)
	other := slices.Clone(all[:10])
	for i := range other {
		other[i].Vector = vectorOf("something else", 8)
	}
	store(t, cache, s, other)
	store(t, cache, s, append(all[15:], all[15:]...))
	store(t, cache, s, nil)
	holds(t, cache, s, all)
}

func TestPruneKeepsWhatItIsToldTo(t *testing.T) {
	path := cachePath(t)
	cache := open(t, path)
	a, b := space(t, cache, model(1, 64)), space(t, cache, model(2, 64))
	all := entries("text", 0, 4_000, 64)
	store(t, cache, a, all)
	store(t, cache, b, all[:10])
	if err := cache.PutFailure(t.Context(), b, hashOf("failed"), "reason", time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	wanted := map[[32]byte]bool{}
	for _, e := range all[100:200] {
		wanted[e.Hash] = true
	}
	removed, err := cache.Prune(t.Context(), func(s vectorstore.Space, hash [32]byte) bool {
		return s.Fingerprint == a.Fingerprint && wanted[hash]
	})
	if err != nil || removed != 3_910 {
		t.Errorf("%d removed, error %v", removed, err)
	}
	holds(t, cache, a, all[100:200])
	uses, err := cache.Spaces(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]vectorstore.SpaceUse{{Space: a, Vectors: 100}}, uses); diff != "" {
		t.Errorf("spaces (-want +got):\n%s", diff)
	}
	if size := sizeOf(t, path); size > 300_000 {
		t.Errorf("the file still has %d bytes", size)
	}
	store(t, cache, b, all[:10]) // its space was removed, and is made again
	holds(t, cache, b, all[:10])
}

// What belongs to a space whose row is damaged can't be asked for any more.
func TestPruneRemovesWhatBelongsToNoSpace(t *testing.T) {
	path := written(t)
	execute(t, path, "UPDATE space SET model = 'x' WHERE id = 2")
	cache := open(t, path)
	removed, err := cache.Prune(t.Context(), func(vectorstore.Space, [32]byte) bool { return true })
	if err != nil || removed != 40 {
		t.Errorf("%d removed, error %v", removed, err)
	}
	holds(t, cache, foundSpace(t, cache, model(2, 16)), entries("other", 0, 10, 16))
}

func TestClearRemovesEverything(t *testing.T) {
	path := cachePath(t)
	cache, other := open(t, path), open(t, path)
	s := space(t, cache, model(1, 64))
	store(t, cache, s, entries("text", 0, 3_000, 64))
	_, cursor := vectors(t, other, s, vectorstore.Cursor{})
	if err := cache.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []*vectorstore.Cache{cache, other} {
		holds(t, c, s, nil)
		if uses, err := c.Spaces(t.Context()); err != nil || len(uses) != 0 {
			t.Errorf("spaces after clear: %v, %v", uses, err)
		}
	}
	if size := sizeOf(t, path); size > 200_000 {
		t.Errorf("the file still has %d bytes", size)
	}
	store(t, cache, s, entries("text", 0, 3, 64))
	got, _ := vectors(t, other, s, cursor)
	if diff := cmp.Diff(entries("text", 0, 3, 64), got); diff != "" {
		t.Errorf("vectors after clear, from the old cursor (-want +got):\n%s", diff)
	}
}

func TestAFileThatIsRemovedUnderACacheIsBegunAgain(t *testing.T) {
	path := cachePath(t)
	cache, other := open(t, path), open(t, path)
	s := space(t, cache, model(1, 8))
	store(t, cache, s, entries("text", 0, 5, 8))
	_, cursor := vectors(t, other, s, vectorstore.Cursor{})
	version, err := other.Version(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := vectorstore.ClearFile(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if now, err := other.Version(t.Context()); err != nil || now == version {
		t.Errorf("version %d after the file was removed, %d before; error %v", now, version, err)
	}
	store(t, cache, s, entries("text", 3, 7, 8)) // with a space of the old file
	got, _ := vectors(t, other, s, cursor)
	if diff := cmp.Diff(entries("text", 3, 7, 8), got); diff != "" {
		t.Errorf("vectors of the new file, from an old cursor (-want +got):\n%s", diff)
	}
	if err := cache.Close(); err != nil {
		t.Fatal(err)
	}
	holds(t, open(t, path), s, entries("text", 3, 7, 8))
}

// SQLite deletes a log by name when the last user of a file closes it. A cache
// whose file was replaced must not take the new file's log with it.
func TestClosingACacheLeavesANewFileAlone(t *testing.T) {
	path := cachePath(t)
	old := open(t, path)
	store(t, old, space(t, old, model(1, 8)), entries("old", 0, 5, 8))
	if err := vectorstore.ClearFile(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	cache := open(t, path)
	s := space(t, cache, model(1, 8))
	store(t, cache, s, entries("text", 0, 5, 8))
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	store(t, cache, s, entries("text", 5, 9, 8))
	holds(t, open(t, path), s, entries("text", 0, 9, 8))
}

// A change whose file is replaced before it is committed is made in the new one.
func TestAChangeToAReplacedFileIsMadeAgain(t *testing.T) {
	path := cachePath(t)
	cache := open(t, path)
	s := space(t, cache, model(1, 8))
	store(t, cache, s, entries("text", 0, 5, 8))
	replaced := false
	removed, err := cache.Prune(t.Context(), func(_ vectorstore.Space, hash [32]byte) bool {
		if !replaced {
			replaced = true
			if err := vectorstore.ClearFile(t.Context(), path); err != nil {
				t.Error(err)
			}
			other := open(t, path)
			store(t, other, space(t, other, model(1, 8)), entries("text", 3, 9, 8))
		}
		return hash == hashOf("text 8")
	})
	if err != nil || removed != 5 {
		t.Errorf("%d removed, error %v", removed, err)
	}
	holds(t, open(t, path), s, entries("text", 8, 9, 8))
}

func TestClearFileWorksOnAnything(t *testing.T) {
	folder := t.TempDir()
	if err := vectorstore.ClearFile(t.Context(), filepath.Join(folder, "none", "vectors.db")); err != nil {
		t.Error(err)
	}
	for i, content := range []string{"", "garbage", strings.Repeat("SQLite format 3\x00", 300)} {
		path := filepath.Join(folder, fmt.Sprint(i))
		for _, part := range []string{"", "-wal", "-shm"} {
			if err := os.WriteFile(path+part, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := vectorstore.ClearFile(t.Context(), path); err != nil {
			t.Error(err)
		}
		if left, err := filepath.Glob(path + "*"); err != nil || !slices.Equal(left, []string{path + ".opening"}) {
			t.Errorf("left: %q, %v", left, err)
		}
	}
}

func TestFullDiskStoresNothingOfTheBatch(t *testing.T) {
	path := cachePath(t)
	cache := open(t, path)
	s := space(t, cache, model(1, 256))
	all := entries("text", 0, 400, 256)
	store(t, cache, s, all[:100])
	if err := cache.LimitPages(16); err != nil {
		t.Fatal(err)
	}
	err := cache.Put(t.Context(), s, all[50:])
	if !errors.Is(err, vectorstore.ErrDiskFull) {
		t.Fatalf("error %v", err)
	}
	for _, word := range []string{path, "free some space"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q does not say %q", err, word)
		}
	}
	holds(t, cache, s, all[:100])
	noNotices(t, cache)
	if err := cache.LimitPages(1 << 20); err != nil {
		t.Fatal(err)
	}
	store(t, cache, s, all)
	holds(t, cache, s, all)
}

func TestEndedContextsAreErrors(t *testing.T) {
	cache := open(t, cachePath(t))
	s := space(t, cache, model(1, 4))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	yield := func([32]byte, []float32) error { return nil }
	for name, call := range map[string]func() error{
		"OpenCache": func() error {
			_, err := vectorstore.OpenCache(ended, cache.Path(), vectorstore.CacheOptions{})
			return err
		},
		"Space":      func() error { _, err := cache.Space(ended, model(2, 4)); return err },
		"FindSpace":  func() error { _, _, err := cache.FindSpace(ended, model(1, 4)); return err },
		"Spaces":     func() error { _, err := cache.Spaces(ended); return err },
		"Vectors":    func() error { _, err := cache.Vectors(ended, s, vectorstore.Cursor{}, yield); return err },
		"Missing":    func() error { _, err := cache.Missing(ended, s, [][32]byte{{}}); return err },
		"Put":        func() error { return cache.Put(ended, s, entries("text", 0, 1, 4)) },
		"PutFailure": func() error { return cache.PutFailure(ended, s, [32]byte{}, "", time.Time{}) },
		"Failures":   func() error { _, err := cache.Failures(ended, s); return err },
		"Prune": func() error {
			_, err := cache.Prune(ended, func(vectorstore.Space, [32]byte) bool { return false })
			return err
		},
		"Clear":     func() error { return cache.Clear(ended) },
		"ClearFile": func() error { return vectorstore.ClearFile(ended, cache.Path()) },
		"Version":   func() error { _, err := cache.Version(ended); return err },
		"Lock":      func() error { _, err := cache.Lock(ended); return err },
	} {
		if err := call(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	holds(t, cache, s, nil)
	noNotices(t, cache)
}

func TestAClosedCacheSaysSo(t *testing.T) {
	cache := open(t, cachePath(t))
	s := space(t, cache, model(1, 4))
	for range 2 {
		if err := cache.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := cache.Put(t.Context(), s, entries("text", 0, 1, 4)); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("error %v", err)
	}
}
