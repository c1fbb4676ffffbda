package vectorstore_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/vectorstore"
)

// rounds is how often a random test is repeated: the variable
// VECTORSTORE_ROUNDS, or a number that a test run can afford.
func rounds(tb testing.TB, otherwise int) int {
	tb.Helper()
	text := os.Getenv("VECTORSTORE_ROUNDS")
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

// A state is the files of a cache as a process left them.
type state map[string][]byte

// A held space is a model and what a state has of it.
type held struct {
	model   vectorstore.SpaceInfo
	vectors []vectorstore.Entry
}

// states are one that was closed, and one that was killed with a log.
func states(t *testing.T) map[string]state {
	path := cachePath(t)
	cache := open(t, path)
	store(t, cache, space(t, cache, model(2, 16)), entries("other", 0, 80, 16))
	store(t, cache, space(t, cache, model(1, 32)), entries("text", 0, 240, 32))
	read := func(parts ...string) state {
		s := state{}
		for _, part := range parts {
			data, err := os.ReadFile(path + part)
			if err != nil {
				t.Fatal(err)
			}
			s[part] = data
		}
		return s
	}
	for i := range 20 {
		if err := cache.PutFailure(t.Context(), space(t, cache, model(1, 32)), hashOf(fmt.Sprint("failed ", i)), "reason", time.Unix(int64(i), 0)); err != nil {
			t.Fatal(err)
		}
	}
	killed := read("", "-wal")
	if err := cache.Close(); err != nil {
		t.Fatal(err)
	}
	return map[string]state{"closed": read(""), "killed": killed}
}

// The case that started it all: a start never fails, and never does a wrong
// vector come out, whatever bit was flipped and wherever the file was cut off.
func TestNoDamageIsSilentOrFatal(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 11))
	held := []held{{model(1, 32), entries("text", 0, 240, 32)}, {model(2, 16), entries("other", 0, 80, 16)}}
	damage := func(t *testing.T, s state, part, label string, change func(data []byte) []byte) {
		t.Helper()
		damage(t, s, part, label, change, held)
	}
	for name, s := range states(t) {
		for part := range s {
			label := name + " " + "file" + part
			for _, size := range []int{0, 1, len(s[part]) / 2, len(s[part]) - 1} {
				damage(t, s, part, fmt.Sprintf("%s cut off at %d", label, size), func(data []byte) []byte { return data[:size] })
			}
			for bit := range 128 * 8 { // in the header every bit counts; bytes 18 and 19 say who may write and read
				if bit/16 == 9 || bit%max(1, 23-rounds(t, 8)/10) == 0 {
					damage(t, s, part, fmt.Sprintf("%s bit %d", label, bit), flip(bit))
				}
			}
			for range rounds(t, 8) {
				bit := random.IntN(8 * len(s[part]))
				damage(t, s, part, fmt.Sprintf("%s bit %d", label, bit), flip(bit))
			}
			for range rounds(t, 8) / 2 {
				at, n := random.IntN(len(s[part])), random.IntN(40_000)
				damage(t, s, part, fmt.Sprintf("%s %d zeros at %d", label, n, at), func(data []byte) []byte {
					clear(data[at:min(at+n, len(data))])
					return data
				})
			}
		}
	}
}

func flip(bit int) func(data []byte) []byte {
	return func(data []byte) []byte {
		data[bit/8] ^= 1 << (bit % 8)
		return data
	}
}

// damage changes one file of a state, and holds that the cache opens, yields
// right vectors only, takes what is missing, and is sound afterwards.
func damage(t *testing.T, s state, part, label string, change func(data []byte) []byte, held []held) {
	t.Helper()
	folder, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "vectors.db")
	for p, data := range s {
		if p == part {
			data = change(slices.Clone(data))
		}
		if err := os.WriteFile(path+p, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cache, err := vectorstore.OpenCache(t.Context(), path, vectorstore.CacheOptions{})
	if err != nil {
		t.Errorf("%s: %v", label, err)
		return
	}
	defer cache.Close()
	for _, h := range held {
		if err := heal(t, cache, h.model, h.vectors); err != nil {
			t.Errorf("%s: %v", label, err)
		}
	}
	if _, err := cache.Failures(t.Context(), space(t, cache, model(1, 32))); err != nil {
		t.Errorf("%s: %v", label, err)
	}
	if err := cache.Clear(t.Context()); err != nil {
		t.Errorf("%s: %v", label, err)
	}
}

// heal reads a space, stores what it lacks, and reads it again.
func heal(t *testing.T, cache *vectorstore.Cache, m vectorstore.SpaceInfo, want []vectorstore.Entry) error {
	right := map[[32]byte][]float32{}
	for _, e := range want {
		right[e.Hash] = e.Vector
	}
	s, err := cache.Space(t.Context(), m)
	if err != nil {
		return err
	}
	have := map[[32]byte]bool{}
	yield := func(hash [32]byte, vector []float32) error {
		if !slices.Equal(right[hash], vector) {
			return fmt.Errorf("a wrong vector of text %x", hash[:4])
		}
		have[hash] = true
		return nil
	}
	if _, err := cache.Vectors(t.Context(), s, vectorstore.Cursor{}, yield); err != nil {
		return err
	}
	var absent []vectorstore.Entry
	for _, e := range want {
		if !have[e.Hash] {
			absent = append(absent, e)
		}
	}
	if err := cache.Put(t.Context(), s, absent); err != nil {
		return err
	}
	clear(have)
	if _, err := cache.Vectors(t.Context(), s, vectorstore.Cursor{}, yield); err != nil {
		return err
	}
	if len(have) != len(want) {
		return fmt.Errorf("%d of %d vectors after what was missing was stored", len(have), len(want))
	}
	return nil
}

// A vector with a flipped bit is absent in every way that one can ask, and can
// be stored again.
func TestAVectorThatFailsItsChecksumIsAbsent(t *testing.T) {
	for _, look := range []string{"vectors", "missing", "put"} {
		path := written(t)
		execute(t, path,
			"UPDATE vector SET record = zeroblob(length(record)) WHERE id = 21",
			"UPDATE vector SET record = substr(record, 1, 8) WHERE id = 22",
			"UPDATE vector SET space = 1 WHERE id = 23")
		cache := open(t, path)
		s := foundSpace(t, cache, model(1, 32))
		want := entries("text", 0, 40, 32)
		switch look {
		case "vectors":
			holds(t, cache, s, slices.Concat(want[:10], want[13:]))
		case "missing":
			var hashes [][32]byte
			for _, e := range want {
				hashes = append(hashes, e.Hash)
			}
			missing, err := cache.Missing(t.Context(), s, hashes)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(hashes[10:13], missing); diff != "" {
				t.Errorf("missing (-want +got):\n%s", diff)
			}
		}
		store(t, cache, s, want)
		holds(t, cache, s, slices.Concat(want[:10], want[13:], want[10:13]))
		if look == "vectors" {
			vectors(t, cache, foundSpace(t, cache, model(2, 16)), vectorstore.Cursor{})
			notices := cache.Notices()
			if len(notices) != 1 || !strings.Contains(notices[0], " 3 vectors do not match their checksums") {
				t.Errorf("notices: %q", notices)
			}
		}
	}
}

// A space whose row is damaged is another space: its vectors can't be trusted
// to be of the model that it names.
func TestASpaceThatFailsItsChecksumIsAbsent(t *testing.T) {
	for _, change := range []string{
		"fingerprint = 'fingerprint 3'", "model = 'x'", "probe = zeroblob(length(probe))", "probe = substr(probe, 2)",
		"checksum = checksum + 1", "id = 9", "checksum = 1.5", "engine = char(0) || engine",
	} {
		path := written(t)
		execute(t, path, "UPDATE space SET "+strings.Replace(change, "1.5", "2", 1)+" WHERE id = 2")
		cache := open(t, path)
		if s, ok, err := cache.FindSpace(t.Context(), model(1, 32)); ok || err != nil {
			t.Errorf("%s: found %d, %v", change, s.ID, err)
		}
		s := space(t, cache, model(1, 32))
		store(t, cache, s, entries("text", 0, 40, 32))
		holds(t, cache, s, entries("text", 0, 40, 32))
		holds(t, cache, foundSpace(t, cache, model(2, 16)), entries("other", 0, 10, 16))
	}
}

// The index still finds a row whose own columns are damaged. That row must not
// pass for stored: Vectors will never yield it.
func TestARowThatDiffersFromItsIndexIsStoredAgain(t *testing.T) {
	path := written(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := entries("text", 0, 40, 32)
	hash := want[7].Hash[:]
	at := 0
	for { // the hash stands in the table, after the space's number, and in the index
		found := bytes.Index(data[at:], hash)
		if found < 0 {
			t.Fatal("the row is not in the file")
		}
		at += found
		if bytes.HasPrefix(data[at+len(hash):], vectorstore.AppendRecord(nil, 2, want[7].Hash, want[7].Vector)) {
			break
		}
		at += len(hash)
	}
	data[at-1] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	cache := open(t, path)
	s := foundSpace(t, cache, model(1, 32))
	missing, err := cache.Missing(t.Context(), s, [][32]byte{want[7].Hash, want[8].Hash})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][32]byte{want[7].Hash}, missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	store(t, cache, s, want)
	holds(t, cache, s, slices.Concat(want[:7], want[8:], want[7:8]))
}

func TestAFailureThatFailsItsChecksumIsAbsent(t *testing.T) {
	for _, change := range []string{"reason = 'other'", "at = at + 1", "hash = zeroblob(32)", "space = 1", "hash = x'00'"} {
		path := written(t)
		cache := open(t, path)
		if err := cache.PutFailure(t.Context(), space(t, cache, model(1, 32)), hashOf("failed"), "reason", time.Unix(0, 0)); err != nil {
			t.Fatal(err)
		}
		if err := cache.Close(); err != nil {
			t.Fatal(err)
		}
		execute(t, path, "UPDATE failure SET "+change)
		cache = open(t, path)
		for _, m := range []vectorstore.SpaceInfo{model(1, 32), model(2, 16)} {
			failures, err := cache.Failures(t.Context(), foundSpace(t, cache, m))
			if err != nil || len(failures) != 0 {
				t.Errorf("%s: failures %v, %v", change, failures, err)
			}
		}
	}
}

// Most of a file with one bad page is read back, from both ends.
func TestADamagedPageCostsLittle(t *testing.T) {
	path := cachePath(t)
	cache := open(t, path)
	all := entries("text", 0, 2_000, 128)
	store(t, cache, space(t, cache, model(1, 128)), all)
	if err := cache.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const pageSize = 16384
	middle := len(data) / pageSize / 2 * pageSize
	clear(data[middle : middle+pageSize])
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	cache = open(t, path)
	s := foundSpace(t, cache, model(1, 128))
	vectors(t, cache, s, vectorstore.Cursor{}) // finds the page
	got, _ := vectors(t, cache, s, vectorstore.Cursor{})
	if len(got) < 1_900 || len(got) == 2_000 {
		t.Errorf("%d of 2,000 vectors were read back", len(got))
	}
	if notices := cache.Notices(); len(notices) != 1 || !strings.Contains(notices[0], fmt.Sprintf("%d vectors were read back", len(got))) {
		t.Errorf("notices: %q", notices)
	}
}

// A server that holds the file open goes on when the file goes bad under it,
// and when another process has set it aside.
func TestAFileThatGoesBadUnderACacheIsReplaced(t *testing.T) {
	path := written(t)
	a, b := open(t, path), open(t, path)
	execute(t, path, "DROP TABLE failure") // any other process may do worse
	s := foundSpace(t, a, model(1, 32))
	if err := a.PutFailure(t.Context(), s, hashOf("failed"), "reason", time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	if notices := a.Notices(); len(notices) != 1 || !strings.Contains(notices[0], "50 vectors were read back") {
		t.Errorf("notices: %q", notices)
	}
	for _, cache := range []*vectorstore.Cache{a, b} {
		failures, err := cache.Failures(t.Context(), s)
		if err != nil || len(failures) != 1 {
			t.Errorf("failures: %v, %v", failures, err)
		}
		holds(t, cache, s, entries("text", 0, 40, 32))
	}
	noNotices(t, b)
}

func FuzzReadRecord(f *testing.F) {
	hash := hashOf("text")
	f.Add(int64(1), hash[:], vectorstore.AppendRecord(nil, 1, hash, vectorOf("text", 4)), uint8(4))
	f.Add(int64(2), hash[:], []byte{}, uint8(0))
	f.Add(int64(-1), []byte("short"), make([]byte, 20), uint8(4))
	f.Fuzz(func(t *testing.T, space int64, hash, record []byte, n uint8) {
		vector := make([]float32, n)
		if !vectorstore.ReadRecord(vector, space, hash, record) {
			return
		}
		again := vectorstore.AppendRecord(nil, space, [32]byte(hash), vector)
		if !slices.Equal(record, again) {
			t.Errorf("record %x reads as that of %x", record, again)
		}
		for i := range record {
			record[i] ^= 1
			if vectorstore.ReadRecord(vector, space, hash, record) {
				t.Errorf("byte %d does not count", i)
			}
			record[i] ^= 1
		}
	})
}
