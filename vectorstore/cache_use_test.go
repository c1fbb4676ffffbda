package vectorstore_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/vectorstore"
)

func use(tb testing.TB, cache *vectorstore.Cache, ids ...string) {
	tb.Helper()
	for i, id := range ids {
		u := vectorstore.Use{Skill: id, Hash: hashOf(id), Toolset: "planck", At: time.Unix(int64(i), 5)}
		if err := cache.RecordUse(tb.Context(), u); err != nil {
			tb.Fatal(err)
		}
	}
}

func lastUsed(tb testing.TB, cache *vectorstore.Cache, limit int, want ...string) {
	tb.Helper()
	got, err := cache.LastUsed(tb.Context(), limit)
	if err != nil {
		tb.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		tb.Errorf("last used (-want +got):\n%s", diff)
	}
}

// Clear drops what can be made again; a history can't be.
func TestTheHistoryTellsWhatWasUsedLast(t *testing.T) {
	path := cachePath(t)
	cache, other := open(t, path), open(t, path)
	lastUsed(t, cache, 0)
	use(t, cache, "a/one", "a/two")
	use(t, other, "a/one", "a/three")
	lastUsed(t, cache, 0, "a/three", "a/one", "a/two")
	lastUsed(t, cache, 2, "a/three", "a/one")
	if err := cache.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	lastUsed(t, other, 0, "a/three", "a/one", "a/two")
	if err := cache.ClearHistory(t.Context()); err != nil {
		t.Fatal(err)
	}
	lastUsed(t, other, 0)
}

func TestAnUpgradeAndASalvageKeepTheHistory(t *testing.T) {
	for name, statements := range map[string][]string{
		"older":   {"PRAGMA user_version = 0"},
		"damaged": {"DROP INDEX vector_key"},
		"a row":   {"PRAGMA user_version = 0", "INSERT INTO use (skill, hash, toolset, at, checksum) VALUES ('forged', x'00', '', 0, 0)"},
	} {
		t.Run(name, func(t *testing.T) {
			path := written(t)
			cache := open(t, path)
			use(t, cache, "a/one", "a/two", "a/one")
			if err := cache.Close(); err != nil {
				t.Fatal(err)
			}
			execute(t, path, statements...)
			lastUsed(t, open(t, path), 0, "a/one", "a/two")
		})
	}
}

func TestTheHistoryIsBounded(t *testing.T) {
	path := cachePath(t)
	cache := open(t, path)
	use(t, cache, "a/oldest", "a/old")
	if err := cache.Close(); err != nil {
		t.Fatal(err)
	}
	execute(t, path, "UPDATE use SET id = id + 1000000 WHERE skill = 'a/old'")
	cache = open(t, path)
	use(t, cache, "a/new")
	lastUsed(t, cache, 0, "a/new", "a/old")
}
