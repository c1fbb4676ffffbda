package minilm_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/data"
	"github.com/skillsearch/skillsearch/embedder/minilm"
)

func load(t testing.TB) *minilm.Model {
	t.Helper()
	m, err := minilm.Load(data.MiniLM())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A sentence is a text and its vector by the original weights in float64.
type sentence struct {
	Text   string
	Vector []float32
}

// golden reads testdata/vectors.jsonl, which scripts/builtin-model/golden.py
// writes.
func golden(t testing.TB) []sentence {
	t.Helper()
	f, err := os.Open("testdata/vectors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var sentences []sentence
	for d := json.NewDecoder(f); ; {
		var row struct {
			Text   string `json:"text"`
			Vector []byte `json:"vector"`
		}
		if err := d.Decode(&row); err == io.EOF {
			return sentences
		} else if err != nil {
			t.Fatal(err)
		}
		s := sentence{Text: row.Text, Vector: make([]float32, minilm.Dimensions)}
		if n, err := binary.Decode(row.Vector, binary.LittleEndian, s.Vector); n != len(row.Vector) || err != nil {
			t.Fatalf("%q: %d bytes read: %v", row.Text, n, err)
		}
		sentences = append(sentences, s)
	}
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa*bb)
}

// someIDs returns n token ids, different ones for each seed.
func someIDs(n int, seed uint64) []int32 {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = 1000 + r.Int32N(29000)
	}
	return ids
}

func TestVectorsAreCloseToTheOriginalWeights(t *testing.T) {
	base, sentences := load(t), golden(t)
	if len(sentences) < 20 {
		t.Fatalf("%d golden sentences, want 20 or more", len(sentences))
	}
	for _, k := range minilm.Kernels() {
		m := base.With(k)
		var sum, n float64
		for _, s := range sentences {
			ids := m.Tokenizer().Encode(s.Text, minilm.Context)
			if k.String() == "portable" && len(ids) > 16 {
				continue // it takes seconds, and longer under the race detector
			}
			got := m.Vector(ids)
			c := cosine(s.Vector, got)
			sum, n = sum+c, n+1
			if c < 0.998 {
				t.Errorf("%s, %.40q: cosine %.5f, want 0.998", k, s.Text, c)
			}
			if l := length(got); math.Abs(l-1) > 1e-6 {
				t.Errorf("%s, %.40q: length %g, want 1", k, s.Text, l)
			}
		}
		if sum/n < 0.999 {
			t.Errorf("%s: mean cosine %.5f, want 0.999", k, sum/n)
		}
	}
}

func length(v []float32) float64 {
	var square float64
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	return math.Sqrt(square)
}

// Every kernel of this machine must agree with the portable one, on texts that
// end before, at and behind the borders of tiles and panels.
func TestKernelsAgreeWithThePortableOne(t *testing.T) {
	m, kernels := load(t), minilm.Kernels()
	portable := kernels[len(kernels)-1]
	for _, n := range []int{1, 7, 12, 13, 33} {
		ids := someIDs(n, 1)
		want := m.With(portable).Vector(ids)
		for _, k := range kernels {
			if c := cosine(want, m.With(k).Vector(ids)); c < 0.9999 {
				t.Errorf("%d tokens: cosine of %s to portable %.6f, want 0.9999", n, k, c)
			}
		}
	}
}

// The kernels that are not slow must agree at every length up to three panels.
func TestFastKernelsAgreeAtEveryLength(t *testing.T) {
	m, kernels := load(t), minilm.Kernels()
	if len(kernels) < 3 {
		t.Skip("this machine has one fast kernel at most")
	}
	for _, k := range kernels[1 : len(kernels)-1] {
		for n := 1; n <= 96; n++ {
			ids := someIDs(n, 2)
			if c := cosine(m.Vector(ids), m.With(k).Vector(ids)); c < 0.9999 {
				t.Errorf("%d tokens: cosine of %s to %s %.6f, want 0.9999", n, k, m.Kernel(), c)
			}
		}
	}
}

func TestThePortableKernelIsTheLast(t *testing.T) {
	kernels := minilm.Kernels()
	if got := kernels[len(kernels)-1].String(); got != "portable" {
		t.Errorf("last kernel %s, want portable", got)
	}
	if got, want := load(t).Kernel().String(), kernels[0].String(); got != want {
		t.Errorf("chosen kernel %s, want the first, %s", got, want)
	}
}

// Buffers are used again, and texts run side by side: neither may show.
func TestVectorsDoNotDependOnWhatElseRuns(t *testing.T) {
	base := load(t)
	texts := make([][]int32, 12)
	for i := range texts {
		texts[i] = someIDs(2+17*i%80, uint64(i))
	}
	for _, k := range minilm.Kernels()[:max(1, len(minilm.Kernels())-1)] {
		m := base.With(k)
		want := make([][]float32, len(texts))
		for i, ids := range texts {
			want[i] = load(t).With(k).Vector(ids) // in a buffer that nothing used before
		}
		got := make([][]float32, len(texts))
		var group sync.WaitGroup
		for worker := range 4 {
			group.Go(func() {
				for i := len(texts) - 1 - worker; i >= 0; i -= 4 {
					m.Vector(someIDs(90, uint64(i)))
					got[i] = m.Vector(texts[i])
				}
			})
		}
		group.Wait()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: vectors differ (-alone +together):\n%s", k, diff)
		}
	}
}

func TestTokensOverTheContextAreLeftOut(t *testing.T) {
	m := load(t)
	ids := someIDs(minilm.Context+50, 1)
	if diff := cmp.Diff(m.Vector(ids[:minilm.Context]), m.Vector(ids)); diff != "" {
		t.Errorf("vectors differ (-cut +whole):\n%s", diff)
	}
}

func TestVectorAllocatesNothingElse(t *testing.T) {
	if raced {
		t.Skip("under the race detector a pool forgets what it holds, so that allocations say nothing")
	}
	m, ids := load(t), someIDs(12, 1)
	if n := testing.AllocsPerRun(20, func() { m.Vector(ids) }); n > 1 {
		t.Errorf("%g allocations, want 1, the vector", n)
	}
}

func TestTheCarriedModelIsWhatItSays(t *testing.T) {
	if err := load(t).Check(); err != nil {
		t.Error(err)
	}
}

// changed is the carried file with old written as new, of the same length, and a
// checksum that fits.
func changed(t *testing.T, old, new string) string {
	t.Helper()
	weights := data.MiniLM()
	if len(old) != len(new) || !strings.Contains(weights, old) {
		t.Fatalf("can't write %q as %q", old, new)
	}
	b := []byte(strings.Replace(weights, old, new, 1))
	binary.LittleEndian.PutUint32(b[len(b)-4:], crc32.ChecksumIEEE(b[:len(b)-4]))
	return string(b)
}

func TestAWellMadeFileOfAnotherKindIsRefused(t *testing.T) {
	for old, c := range map[string]struct{ new, want string }{
		`"layers":6`:      {`"layers":7`, "another architecture"},
		`"layer5.down.b"`: {`"layer6.down.b"`, "no layer5.down.b"},
		`"shape":[384],`:  {`"shape":"384",`, "read weights header"},
		`"bytes":1536,`:   {`"bytes":1532,`, "1532 bytes of"},
		"[PAD]\n":         {"[PAD]x", "30521 tokens"},
	} {
		_, err := minilm.Load(changed(t, old, c.new))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s as %s: error %v, want %q", old, c.new, err, c.want)
		}
	}
}

func TestADigestOfOtherBlobsIsFound(t *testing.T) {
	m := load(t)
	other := "0" + m.Digest()[1:]
	if m.Digest()[0] == '0' {
		other = "1" + m.Digest()[1:]
	}
	weights := changed(t, m.Digest(), other)
	m, err := minilm.Load(weights)
	if err != nil {
		t.Fatalf("Load looked at the digest: %v", err)
	}
	if err := m.Check(); err == nil || !strings.Contains(err.Error(), other) {
		t.Errorf("error %v, want one that names %s", err, other)
	}
}

func TestOtherBytesAreRefused(t *testing.T) {
	weights := data.MiniLM()
	flip := func(at int) string {
		b := []byte(weights)
		b[at] ^= 1
		return string(b)
	}
	for name, c := range map[string]struct{ weights, want string }{
		"nothing":          {"", "not a weights file"},
		"another file":     {strings.Repeat("x", 100), "not a weights file"},
		"header cut":       {weights[:100], "damaged"},
		"last byte cut":    {weights[:len(weights)-1], "damaged"},
		"more bytes":       {weights + "\x00", "damaged"},
		"a bit of a blob":  {flip(len(weights) / 2), "damaged"},
		"a bit of header":  {flip(40), "damaged"},
		"length of header": {flip(14), "damaged"},
	} {
		_, err := minilm.Load(c.weights)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

func BenchmarkVector(b *testing.B) {
	m := load(b)
	for _, k := range minilm.Kernels() {
		for _, n := range []int{12, 64, 128, 256} {
			b.Run(fmt.Sprintf("%s/%d", k, n), func(b *testing.B) {
				m, ids := m.With(k), someIDs(n, 1)
				b.ReportAllocs()
				for b.Loop() {
					m.Vector(ids)
				}
				b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
			})
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		load(b)
	}
}
