package vectorstore_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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

func TestSpacesAreToldApartByFingerprintAndProbe(t *testing.T) {
	cache := open(t, cachePath(t))
	first := model(1, 64)
	a := space(t, cache, first)

	near := first
	near.Probe = jitter(rand.New(rand.NewPCG(1, 1)), first.Probe, .01)
	if b := space(t, cache, near); b.ID != a.ID {
		t.Error("a probe at cosine 0.9999 made another space")
	}
	renamed := first
	renamed.Model, renamed.Engine = "other name", "ollama 0.18.0"
	if b := space(t, cache, renamed); b.ID != a.ID || b.Model != "other name" || b.Engine != "ollama 0.18.0" {
		t.Errorf("another name and engine made space %+v", b)
	}

	ids := map[int64]string{a.ID: "the first"}
	far, longer, other := first, first, first
	far.Probe = jitter(rand.New(rand.NewPCG(2, 2)), first.Probe, .1)
	longer.Probe = append(slices.Clone(first.Probe), 0)
	other.Fingerprint = "another"
	for name, m := range map[string]vectorstore.SpaceInfo{"a far probe": far, "more dimensions": longer, "another fingerprint": other} {
		if found, ok, err := cache.FindSpace(t.Context(), m); ok || err != nil {
			t.Errorf("%s was found: %+v, %v", name, found, err)
		}
		s := space(t, cache, m)
		if same, ok := ids[s.ID]; ok {
			t.Errorf("%s has the space of %s", name, same)
		}
		ids[s.ID] = name
		found, ok, err := cache.FindSpace(t.Context(), m)
		if err != nil || !ok {
			t.Fatalf("%s was not found: %v", name, err)
		}
		if diff := cmp.Diff(s, found); diff != "" {
			t.Errorf("%s (-made +found):\n%s", name, diff)
		}
	}
}

func TestVectorsOfTwoModelsNeverMeet(t *testing.T) {
	cache := open(t, cachePath(t))
	a, b := space(t, cache, model(1, 16)), space(t, cache, model(2, 8))
	for i := range 50 {
		store(t, cache, a, entries("text", i, i+1, 16))
		store(t, cache, b, entries("text", 2*i, 2*i+2, 8))
	}
	holds(t, cache, a, entries("text", 0, 50, 16))
	holds(t, cache, b, entries("text", 0, 100, 8))
}

func TestSpacesAreListedTheLastIndexedFirst(t *testing.T) {
	cache := open(t, cachePath(t))
	var models []vectorstore.Space
	for i := range 3 {
		models = append(models, space(t, cache, model(i, 4)))
	}
	store(t, cache, models[1], entries("text", 0, 5, 4))
	store(t, cache, models[0], entries("text", 0, 2, 4))
	uses := func(order ...int) []vectorstore.SpaceUse {
		var all []vectorstore.SpaceUse
		for _, i := range order {
			all = append(all, vectorstore.SpaceUse{Space: models[i], Vectors: []int{2, 5, 0}[i]})
		}
		return all
	}
	lists := func(want []vectorstore.SpaceUse) {
		t.Helper()
		got, err := cache.Spaces(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("spaces (-want +got):\n%s", diff)
		}
	}
	lists(uses(0, 1, 2))
	space(t, cache, model(2, 4))
	lists(uses(2, 0, 1))
	if _, _, err := cache.FindSpace(t.Context(), model(1, 4)); err != nil {
		t.Fatal(err)
	}
	lists(uses(2, 0, 1)) // a search changes nothing
}

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

func TestASpaceNeedsAFingerprintAndAProbe(t *testing.T) {
	cache := open(t, cachePath(t))
	for _, m := range []vectorstore.SpaceInfo{
		{Probe: []float32{1}},
		{Fingerprint: "f"},
		{Fingerprint: "f", Probe: []float32{0, 0}},
		{Fingerprint: "f", Probe: []float32{float32(math.NaN())}},
	} {
		if s, err := cache.Space(t.Context(), m); err == nil {
			t.Errorf("%+v has space %d", m, s.ID)
		}
		if _, _, err := cache.FindSpace(t.Context(), m); err == nil {
			t.Errorf("%+v was looked for", m)
		}
	}
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

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
