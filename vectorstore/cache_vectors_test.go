package vectorstore_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/skillsearch/skillsearch/vectorstore"
)

func TestStoredVectorsAreThereAfterReopening(t *testing.T) {
	path := cachePath(t)
	want := entries("text", 0, 2_000, 20) // more than are read at a time
	cache := open(t, path)
	s := space(t, cache, model(1, 20))
	store(t, cache, s, want[:1_500])
	store(t, cache, s, want[1_500:])
	holds(t, cache, s, want)
	if err := cache.Close(); err != nil {
		t.Fatal(err)
	}
	cache = open(t, path)
	if diff := cmp.Diff(s, space(t, cache, model(1, 20))); diff != "" {
		t.Errorf("space (-first +reopened):\n%s", diff)
	}
	holds(t, cache, s, want)
	noNotices(t, cache)
}

func TestOnlyThisUserCanReadTheFiles(t *testing.T) {
	path := cachePath(t)
	cache := open(t, path)
	store(t, cache, space(t, cache, model(1, 4)), entries("text", 0, 3, 4))
	if _, _, err := cache.TryLock(); err != nil {
		t.Fatal(err)
	}
	modes := map[string]string{}
	folder := filepath.Dir(path)
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		info, err := file.Info()
		if err != nil {
			t.Fatal(err)
		}
		modes[file.Name()] = info.Mode().String()
	}
	info, err := os.Stat(folder)
	if err != nil {
		t.Fatal(err)
	}
	modes["."] = info.Mode().String()
	want := map[string]string{
		".": "drwx------", "vectors.db": "-rw-------", "vectors.db-wal": "-rw-------", "vectors.db-shm": "-rw-------",
		"vectors.db.lock": "-rw-------", "vectors.db.opening": "-rw-------",
	}
	if diff := cmp.Diff(want, modes); diff != "" {
		t.Errorf("modes (-want +got):\n%s", diff)
	}
}

func TestPathsMayHoldAnyCharacter(t *testing.T) {
	for _, name := range []string{"a b.db", "what?x=1&mode=ro.db", "100%41.db", "a#b.db", "a:b.db", "ü'\"`;--.db", ":memory:"} {
		path := filepath.Join(t.TempDir(), "f?o#l%20d er", name)
		cache := open(t, path)
		store(t, cache, space(t, cache, model(1, 4)), entries("text", 0, 3, 4))
		noNotices(t, cache)
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBadVectorsStoreNothing(t *testing.T) {
	cache := open(t, cachePath(t))
	s := space(t, cache, model(1, 2))
	for _, c := range []struct {
		vector []float32
		want   error
	}{
		{[]float32{1}, vectorstore.ErrDimensions},
		{[]float32{1, 2, 3}, vectorstore.ErrDimensions},
		{nil, vectorstore.ErrDimensions},
		{[]float32{0, 0}, vectorstore.ErrNotFinite},
		{[]float32{1, float32(math.NaN())}, vectorstore.ErrNotFinite},
		{[]float32{float32(math.Inf(-1)), 1}, vectorstore.ErrNotFinite},
	} {
		err := cache.Put(t.Context(), s, append(entries("text", 0, 3, 2), vectorstore.Entry{Vector: c.vector}))
		if !errors.Is(err, c.want) {
			t.Errorf("%v: error %v, want %v", c.vector, err, c.want)
		}
	}
	holds(t, cache, s, nil)
}

func TestMissingKeepsTheOrder(t *testing.T) {
	cache := open(t, cachePath(t))
	s := space(t, cache, model(1, 4))
	store(t, cache, s, entries("text", 10, 20, 4))
	var asked, want [][32]byte
	for i := range 30 {
		hash := hashOf(fmt.Sprint("text ", 29-i))
		asked = append(asked, hash)
		if i >= 20 || i < 10 {
			want = append(want, hash)
		}
	}
	for name, c := range map[string]struct {
		space vectorstore.Space
		want  [][32]byte
	}{"some": {s, want}, "all": {vectorstore.Space{SpaceInfo: model(2, 4)}, asked}} {
		got, err := cache.Missing(t.Context(), c.space, asked)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestFailuresAreRememberedUntilTheVectorComes(t *testing.T) {
	path := cachePath(t)
	cache := open(t, path)
	a, b := space(t, cache, model(1, 4)), space(t, cache, model(2, 4))
	at := time.Date(2026, 2, 3, 4, 5, 6, 789, time.FixedZone("", 3600))
	note := func(s vectorstore.Space, text, reason string, at time.Time) {
		t.Helper()
		if err := cache.PutFailure(t.Context(), s, hashOf(text), reason, at); err != nil {
			t.Fatal(err)
		}
	}
	fails := func(s vectorstore.Space, want map[[32]byte]vectorstore.Failure) {
		t.Helper()
		got, err := cache.Failures(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("failures (-want +got):\n%s", diff)
		}
	}
	note(a, "text 0", "NaN", at)
	note(a, "text 1", "too long", at)
	note(a, "text 1", "", at.Add(time.Hour))
	note(b, "text 0", "other model", at)
	fails(a, map[[32]byte]vectorstore.Failure{
		hashOf("text 0"): {Reason: "NaN", At: at.UTC()}, hashOf("text 1"): {At: at.Add(time.Hour).UTC()},
	})
	store(t, cache, a, entries("text", 0, 1, 4))
	cache = open(t, path)
	fails(a, map[[32]byte]vectorstore.Failure{hashOf("text 1"): {At: at.Add(time.Hour).UTC()}})
	fails(b, map[[32]byte]vectorstore.Failure{hashOf("text 0"): {Reason: "other model", At: at.UTC()}})
	fails(vectorstore.Space{SpaceInfo: model(3, 4)}, nil)
}

func TestCursorAndVersionShowWhatAnotherProcessStored(t *testing.T) {
	path := cachePath(t)
	reader, writer := open(t, path), open(t, path)
	s := space(t, writer, model(1, 4))
	version := func() int64 {
		t.Helper()
		v, err := reader.Version(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	store(t, writer, s, entries("text", 0, 700, 4))
	before := version()
	got, cursor := vectors(t, reader, s, vectorstore.Cursor{})
	if len(got) != 700 || version() != before {
		t.Errorf("%d vectors; version %d, then %d", len(got), before, version())
	}
	store(t, writer, s, entries("text", 600, 750, 4))
	if version() == before {
		t.Error("the version is as before a change")
	}
	got, cursor = vectors(t, reader, s, cursor)
	if diff := cmp.Diff(entries("text", 700, 750, 4), got); diff != "" {
		t.Errorf("new vectors (-want +got):\n%s", diff)
	}
	if got, _ = vectors(t, reader, s, cursor); len(got) != 0 {
		t.Errorf("%d vectors are new twice", len(got))
	}
}

func TestYieldMayUseTheCacheAndEndTheCall(t *testing.T) {
	cache := open(t, cachePath(t))
	s, other := space(t, cache, model(1, 4)), space(t, cache, model(2, 4))
	all := entries("text", 0, 600, 4)
	store(t, cache, s, all)
	enough := errors.New("enough")
	n := 0
	_, err := cache.Vectors(t.Context(), s, vectorstore.Cursor{}, func(hash [32]byte, vector []float32) error {
		if n++; n == 550 {
			return enough
		}
		return cache.Put(t.Context(), other, []vectorstore.Entry{{Hash: hash, Vector: vector}})
	})
	if !errors.Is(err, enough) {
		t.Errorf("error %v", err)
	}
	holds(t, cache, other, all[:549])
}
