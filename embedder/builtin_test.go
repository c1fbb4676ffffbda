package embedder_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/skillsearch/skillsearch/data"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/embedder/minilm"
	"github.com/skillsearch/skillsearch/embedder/wordpiece"
)

// builtinVectors embeds texts that must all have a vector.
func builtinVectors(t testing.TB, b *embedder.Builtin, role embedder.Role, texts ...string) [][]float32 {
	t.Helper()
	got, err := b.Embed(t.Context(), role, texts)
	if err != nil {
		t.Fatal(err)
	}
	vectors := make([][]float32, len(got))
	for i, e := range got {
		if e.Err != nil {
			t.Fatalf("%.40q: %v", texts[i], e.Err)
		}
		vectors[i] = e.Vector
	}
	return vectors
}

func builtinTokenizer(t testing.TB, b *embedder.Builtin) *wordpiece.Tokenizer {
	t.Helper()
	tokenizer, err := b.Tokenizer()
	if err != nil {
		t.Fatal(err)
	}
	return tokenizer
}

// madeUpTexts returns n different texts of about so many words.
func madeUpTexts(n, words int) []string {
	vocabulary := strings.Fields("fill forms extract tables merge split sign redact convert review deploy roll back café naïve")
	r := rand.New(rand.NewPCG(1, uint64(words)))
	texts := make([]string, n)
	for i := range texts {
		text := make([]string, 1+r.IntN(2*words))
		for j := range text {
			text[j] = vocabulary[r.IntN(len(vocabulary))]
		}
		texts[i] = strings.Join(text, " ")
	}
	return texts
}

func TestBuiltinModelIsDescribed(t *testing.T) {
	b := embedder.NewBuiltin()
	got, err := b.Model(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m, err := minilm.Load(data.MiniLM())
	if err != nil {
		t.Fatal(err)
	}
	want := embedder.Model{
		Name: m.Name(), Engine: "built-in", Digest: m.Digest(),
		Dimensions: 384, Context: 256, PassageSize: 600,
		Probe: builtinVectors(t, b, embedder.Document, "Déjà vu — café: HEAD~3 | A=b")[0],
	}
	near := cmpopts.EquateApprox(0, 1e-6)
	if diff := cmp.Diff(want, got, near, cmpopts.IgnoreFields(embedder.Model{}, "Fingerprint")); diff != "" {
		t.Errorf("model (-want +got):\n%s", diff)
	}
	if len(got.Fingerprint) != 64 {
		t.Errorf("fingerprint %q, want 64 hex digits", got.Fingerprint)
	}
	again, err := embedder.NewBuiltin().Model(t.Context())
	if diff := cmp.Diff(got, again); diff != "" || err != nil {
		t.Errorf("a second embedder has another model: %v (-first +second):\n%s", err, diff)
	}
}

func TestBuiltinModelIsTheCallersOwn(t *testing.T) {
	b := embedder.NewBuiltin()
	first, err := b.Model(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	clear(first.Probe)
	second, err := b.Model(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := norm(second.Probe); n < 0.99 {
		t.Errorf("the probe has length %g after a caller changed its own", n)
	}
}

func TestBuiltinGivesQueriesAndDocumentsTheSameUnitVector(t *testing.T) {
	b := embedder.NewBuiltin()
	texts := madeUpTexts(12, 30)
	documents := builtinVectors(t, b, embedder.Document, texts...)
	if diff := cmp.Diff(documents, builtinVectors(t, b, embedder.Query, texts...)); diff != "" {
		t.Errorf("vectors differ (-document +query):\n%s", diff)
	}
	for i, v := range documents {
		if n := norm(v); n < 1-1e-6 || n > 1+1e-6 {
			t.Errorf("%.40q: length %g, want 1", texts[i], n)
		}
	}
}

func TestBuiltinRanksWhatIsMeantFirst(t *testing.T) {
	b := embedder.NewBuiltin()
	documents := builtinVectors(t, b, embedder.Document,
		"Fill in PDF forms and extract their fields", "Roll back a failed deployment", "Translate subtitles into French")
	queries := []string{"complete an acrobat questionnaire", "undo the last release", "localise captions of a video"}
	for i, query := range builtinVectors(t, b, embedder.Query, queries...) {
		best := 0
		for j, d := range documents {
			if dot(query, d) > dot(query, documents[best]) {
				best = j
			}
		}
		if best != i {
			t.Errorf("%q is nearest to document %d, want %d", queries[i], best, i)
		}
	}
}

func TestBuiltinTextsWithoutATokenAreBlank(t *testing.T) {
	got, err := embedder.NewBuiltin().Embed(t.Context(), embedder.Document,
		[]string{"", " \n\t\u3000", "word", "\u200b\x07\u00ad", "\xff\xfe"})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range got {
		if blank := i != 2; blank != errors.Is(e.Err, embedder.ErrBlank) || blank != (e.Vector == nil) {
			t.Errorf("text %d: error %v and %d dimensions", i, e.Err, len(e.Vector))
		}
	}
}

func TestBuiltinEmbedsNothing(t *testing.T) {
	for _, role := range []embedder.Role{embedder.Document, embedder.Query} {
		got, err := embedder.NewBuiltin().Embed(t.Context(), role, nil)
		if err != nil || len(got) != 0 {
			t.Errorf("role %d: %d embeddings and error %v", role, len(got), err)
		}
	}
}

// windows cuts text as Embed says that it does.
func windows(tokenizer *wordpiece.Tokenizer, text string) []string {
	if tokenizer.Count(text) <= minilm.Context {
		return []string{text}
	}
	left, right, ok := embedder.Halve(text)
	if !ok {
		return []string{text}
	}
	return append(windows(tokenizer, left), windows(tokenizer, right)...)
}

func TestBuiltinOverlongTextIsTheMeanOfItsParts(t *testing.T) {
	b := embedder.NewBuiltin()
	tokenizer := builtinTokenizer(t, b)
	for name, text := range map[string]string{
		"fits exactly":     strings.TrimSpace(strings.Repeat("word ", 254)),
		"one token over":   strings.TrimSpace(strings.Repeat("word ", 255)),
		"four parts":       strings.Repeat("Fill in the form, then sign it. ", 70) + strings.Repeat("Café — naïve! ", 60),
		"no space at all":  strings.Repeat("数据分析", 300),
		"mostly blank":     "start" + strings.Repeat(" ", 5000) + strings.Repeat("middle ", 300) + strings.Repeat("\n", 5000),
		"mostly invisible": "start" + strings.Repeat("\u200b", 5000) + strings.Repeat(" middle", 300),
	} {
		sum := make([]float64, 384)
		parts := 0
		for _, part := range windows(tokenizer, strings.TrimSpace(text)) {
			if tokenizer.Count(part) == 2 {
				continue
			}
			parts++
			for i, x := range builtinVectors(t, b, embedder.Document, part)[0] {
				sum[i] += float64(utf8.RuneCountInString(part)) * float64(x)
			}
		}
		want := make([]float32, len(sum))
		for i, x := range sum {
			want[i] = float32(x)
		}
		got, err := b.Embed(t.Context(), embedder.Document, []string{text})
		if err != nil || got[0].Err != nil {
			t.Fatalf("%s: %v, %v", name, err, got[0].Err)
		}
		if got[0].Parts != parts {
			t.Errorf("%s: %d parts, want %d", name, got[0].Parts, parts)
		}
		if c := dot(want, got[0].Vector) / norm(want); c < 0.999999 {
			t.Errorf("%s: cosine %.7f to the mean of the parts, want 1", name, c)
		}
	}
}

func TestBuiltinGivesTheSameBitsOnAnyNumberOfCores(t *testing.T) {
	b := embedder.NewBuiltin()
	texts := madeUpTexts(40, 40)
	want := builtinVectors(t, b, embedder.Query, texts...)
	for _, cores := range []int{1, 2, 5} {
		before := runtime.GOMAXPROCS(cores)
		got := builtinVectors(t, b, embedder.Document, texts...)
		runtime.GOMAXPROCS(before)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d cores (-one after the other +together):\n%s", cores, diff)
		}
	}
}

func TestBuiltinMayBeUsedForTheFirstTimeByMany(t *testing.T) {
	b := embedder.NewBuiltin()
	vectors := make([][]float32, 8)
	var group sync.WaitGroup
	for i := range vectors {
		group.Go(func() {
			if _, err := b.Model(t.Context()); err != nil {
				t.Error(err)
			}
			got, err := b.Embed(t.Context(), embedder.Role(i%2), []string{"a text"})
			if err != nil {
				t.Error(err)
				return
			}
			vectors[i] = got[0].Vector
		})
	}
	group.Wait()
	for i := range vectors {
		if diff := cmp.Diff(vectors[0], vectors[i]); diff != "" {
			t.Errorf("caller %d has another vector:\n%s", i, diff)
		}
	}
}

// endsAfter is a context that is cancelled when it has been asked n times.
type endsAfter struct {
	context.Context
	left atomic.Int32
}

func (c *endsAfter) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

func TestBuiltinCancelledContextIsAnError(t *testing.T) {
	b := embedder.NewBuiltin()
	over := strings.Repeat("word ", 5000) // many parts: one text must end early too
	for name, texts := range map[string][]string{"many texts": madeUpTexts(60, 5), "one text": {over}} {
		for _, asked := range []int32{0, 3} {
			for _, role := range []embedder.Role{embedder.Document, embedder.Query} {
				ctx := &endsAfter{Context: t.Context()}
				ctx.left.Store(asked)
				got, err := b.Embed(ctx, role, texts)
				if !errors.Is(err, context.Canceled) || got != nil {
					t.Errorf("%s, role %d, after %d: %d embeddings and error %v", name, role, asked, len(got), err)
				}
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Model(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Model: error %v, want the context's", err)
	}
}

func TestBuiltinQueriesDoNotWaitForDocuments(t *testing.T) {
	b := embedder.NewBuiltin()
	builtinVectors(t, b, embedder.Query, "load the weights")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := b.Embed(ctx, embedder.Document, madeUpTexts(3000, 100)) // minutes
		ended <- err
	}()
	for range 5 {
		builtinVectors(t, b, embedder.Query, "a query meanwhile")
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the documents ended before five queries did: %v", err)
	}
}

// CORPUS is a folder of skills; each must get a vector, whatever it holds.
func TestBuiltinEmbedsEverySkillOfTheCorpus(t *testing.T) {
	corpus := os.Getenv("CORPUS")
	if corpus == "" {
		t.Skip("CORPUS names no folder of skills")
	}
	var texts []string
	err := filepath.WalkDir(corpus, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.Name() != "SKILL.md" || len(texts) == 300 {
			return err
		}
		body, err := os.ReadFile(path)
		if start := string(body[:min(len(body), 1200)]); strings.TrimSpace(start) != "" {
			texts = append(texts, start)
		}
		return err
	})
	if err != nil || len(texts) == 0 {
		t.Fatalf("read %s: %d skills, %v", corpus, len(texts), err)
	}
	for i, v := range builtinVectors(t, embedder.NewBuiltin(), embedder.Document, texts...) {
		if n := norm(v); n < 1-1e-5 || n > 1+1e-5 {
			t.Errorf("%.60q: length %g, want 1", texts[i], n)
		}
	}
}

func BenchmarkBuiltinDocuments(b *testing.B) {
	e := embedder.NewBuiltin()
	texts := madeUpTexts(64, 60)
	tokens := 0
	for _, text := range texts {
		tokens += builtinTokenizer(b, e).Count(text)
	}
	for b.Loop() {
		builtinVectors(b, e, embedder.Document, texts...)
	}
	b.ReportMetric(float64(tokens)*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
}

func BenchmarkBuiltinQuery(b *testing.B) {
	e := embedder.NewBuiltin()
	for _, busy := range []bool{false, true} {
		b.Run(fmt.Sprintf("documents=%t", busy), func(b *testing.B) {
			ctx, cancel := context.WithCancel(b.Context())
			var group sync.WaitGroup
			if busy {
				group.Go(func() { _, _ = e.Embed(ctx, embedder.Document, madeUpTexts(100_000, 100)) })
			}
			for b.Loop() {
				builtinVectors(b, e, embedder.Query, "fill in a form that came as PDF")
			}
			cancel()
			group.Wait()
		})
	}
}

func BenchmarkBuiltinFirstQuery(b *testing.B) {
	for b.Loop() {
		builtinVectors(b, embedder.NewBuiltin(), embedder.Query, "fill in a form that came as PDF")
	}
}

// TestQueriesInOtherScriptsAreLeftToWords holds that a query of which the model
// knows too little has no vector, and that a document still has one.
func TestQueriesInOtherScriptsAreLeftToWords(t *testing.T) {
	b := embedder.NewBuiltin()
	for text, readable := range map[string]bool{
		"merge two PDF files": true, "café déjà vu": true, "会议纪要": false, "끝말잇기 게임을 진행한다": true,
	} {
		got, err := b.Embed(t.Context(), embedder.Query, []string{text})
		if err != nil || (got[0].Err == nil) != readable {
			t.Errorf("query %q: %v, %v; readable %v", text, got[0].Err, err, readable)
		}
		if got, err := b.Embed(t.Context(), embedder.Document, []string{text}); err != nil || got[0].Err != nil {
			t.Errorf("document %q: %v, %v", text, got[0].Err, err)
		}
	}
}
