package skillsearch_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/vectorstore"
)

// bag embeds a text as the hashed bag of its words, for what a real model can't
// be made to do on demand.
type bag struct {
	model string
	mu    sync.Mutex
	texts []string                // documents that were embedded
	down  error                   // when set, nothing can be embedded
	fault func(text string) error // a text that can't be embedded
	after func(batches int) error // called before each batch of documents
	n     int
	turn  string // a document with this word gets the opposite of the query's direction
}

func (b *bag) Model(context.Context) (embedder.Model, error) {
	if b.down != nil {
		return embedder.Model{}, b.down
	}
	return embedder.Model{Name: b.model, Engine: "bag", Dimensions: 64, Context: 256, PassageSize: 600, Fingerprint: "bag of " + b.model, Probe: b.vector("probe")}, nil
}

func (b *bag) vector(text string) []float32 {
	v := make([]float32, 64)
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
		h := fnv.New32a()
		h.Write([]byte(b.model + w))
		v[h.Sum32()%64]++
	}
	v[0] += 0.1
	norm := 0.0
	for _, x := range v {
		norm += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(norm))
	}
	return v
}

func (b *bag) Embed(ctx context.Context, role embedder.Role, texts []string) ([]embedder.Embedding, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.down != nil {
		return nil, b.down
	}
	if role == embedder.Document {
		if b.n++; b.after != nil {
			if err := b.after(b.n); err != nil {
				return nil, err
			}
		}
		b.texts = append(b.texts, texts...)
	}
	out := make([]embedder.Embedding, len(texts))
	for i, text := range texts {
		out[i] = embedder.Embedding{Vector: b.vector(text), Parts: 1}
		if b.turn != "" && role == embedder.Document && strings.Contains(text, b.turn) {
			v := b.vector("sails a boat")
			for i := range v {
				v[i] = -v[i]
			}
			out[i].Vector = v
		}
		if b.fault != nil {
			if err := b.fault(text); err != nil {
				out[i] = embedder.Embedding{Err: err}
			}
		}
	}
	return out, ctx.Err()
}

// A harbour is a root of skills, a cache file and an embedder.
type harbour struct {
	t     *testing.T
	root  string
	cache string
	bag   *bag
	now   time.Time
}

func newHarbour(t *testing.T) *harbour {
	return &harbour{t: t, root: filepath.Join(t.TempDir(), "harbour"), cache: filepath.Join(t.TempDir(), "index.db"), bag: &bag{model: "a"}, now: time.Unix(1e9, 0)}
}

// write makes a skill; a body may have several paragraphs.
func (h *harbour) write(name, description, body string) {
	h.t.Helper()
	dir := filepath.Join(h.root, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		h.t.Fatal(err)
	}
	text := fmt.Sprintf("---\nname: %s\ndescription: %s\n---\n%s\n", name, description, body)
	if err := os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// open opens an engine as a new process would.
func (h *harbour) open(embedders ...skillsearch.Embedder) *skillsearch.Engine {
	h.t.Helper()
	cache, err := vectorstore.OpenCache(h.t.Context(), h.cache, vectorstore.CacheOptions{})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { cache.Close() })
	if embedders == nil {
		embedders = []skillsearch.Embedder{h.bag}
	}
	engine, err := skillsearch.Open(h.t.Context(), skillsearch.Config{
		Roots: skill.NamedRoots(skill.SourceFlag, h.root), Embedders: embedders, Cache: cache, Now: func() time.Time { return h.now },
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return engine
}

// paragraphs is a body of n paragraphs that no other skill has.
func paragraphs(boat rune, n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "Paragraph %d of boat %c about sails and ropes.\n\n", i, boat)
	}
	return out.String()
}

func (h *harbour) index(engine *skillsearch.Engine) skillsearch.IndexReport {
	h.t.Helper()
	report, err := engine.Index(h.t.Context(), skillsearch.IndexOptions{})
	if err != nil {
		h.t.Fatal(err)
	}
	return report
}

func (h *harbour) search(engine *skillsearch.Engine, text string) *skillsearch.Result {
	h.t.Helper()
	result, err := engine.Search(h.t.Context(), skillsearch.Query{Text: text})
	if err != nil {
		h.t.Fatal(err)
	}
	return result
}

func names(r *skillsearch.Result) []string {
	out := []string{}
	for _, hit := range r.Hits {
		out = append(out, hit.Name)
	}
	return out
}

func TestEverythingIsEmbeddedOnce(t *testing.T) {
	h := newHarbour(t)
	for i := range 20 {
		h.write(fmt.Sprintf("boat-%02d", i), fmt.Sprintf("Sails boat number%c.", 'a'+i), paragraphs(rune('a'+i), 60))
	}
	report := h.index(h.open())
	if report.Embedded != report.Passages || report.Passages < 40 {
		t.Fatalf("the first index embedded %d of %d passages", report.Embedded, report.Passages)
	}
	if again := h.index(h.open()); again.Embedded != 0 || again.Passages != report.Passages {
		t.Errorf("the second index embedded %d of %d passages, want 0 of %d", again.Embedded, again.Passages, report.Passages)
	}
	h.write("boat-03", "Sails boat numberd.", "Another body.")
	if changed := h.index(h.open()); changed.Embedded != 1 {
		t.Errorf("after a change of one body %d passages were embedded, want its own 1", changed.Embedded)
	}
	if err := os.Rename(filepath.Join(h.root, "boat-04"), filepath.Join(h.root, "moved")); err != nil {
		t.Fatal(err)
	}
	if moved := h.index(h.open()); moved.Embedded != 0 {
		t.Errorf("after a folder was renamed %d passages were embedded, want 0", moved.Embedded)
	}
}

func TestAnInterruptedIndexKeepsWhatWasEmbedded(t *testing.T) {
	h := newHarbour(t)
	for i := range 40 {
		h.write(fmt.Sprintf("boat-%02d", i), fmt.Sprintf("Sails boat number %s.", strings.Repeat(string(rune('a'+i%26)), 1+i/26)), "Go.")
	}
	broken := errors.New("the cable was cut")
	h.bag.after = func(n int) error {
		if n == 4 {
			return broken
		}
		return nil
	}
	report, err := h.open().Index(t.Context(), skillsearch.IndexOptions{})
	if !errors.Is(err, broken) || report.Embedded != 24 {
		t.Fatalf("index: %v after %d passages, want %v after 24", err, report.Embedded, broken)
	}
	h.bag.after = nil
	h.index(h.open())
	seen := make(map[string]int)
	for _, text := range h.bag.texts {
		seen[text]++
	}
	for text, n := range seen {
		if n > 1 {
			t.Errorf("%q was embedded %d times", text, n)
		}
	}
}

func TestATextThatCantBeEmbeddedCostsOnlyItself(t *testing.T) {
	h := newHarbour(t)
	h.write("good", "Moors a boat.", "Use a rope.")
	h.write("bad", "Picks a poisonberry.", "Use a basket.")
	h.bag.fault = func(text string) error {
		if strings.Contains(text, "poisonberry") {
			return errors.New("the vector holds NaN")
		}
		return nil
	}
	engine := h.open()
	if report := h.index(engine); report.Failed != 1 {
		t.Errorf("%d passages failed, want 1", report.Failed)
	}
	result := h.search(engine, "moor the boat")
	if diff := cmp.Diff([]string{"good"}, names(result)); diff != "" || result.Unembedded != 1 {
		t.Errorf("search: unembedded %d, %s", result.Unembedded, diff)
	}
	var kinds []skill.Kind
	for _, p := range h.open().Problems() { // another process knows it from the cache
		kinds = append(kinds, p.Kind)
	}
	if !slices.Contains(kinds, skill.EmbeddingFailed) {
		t.Errorf("problems are %v, want embedding-failed among them", kinds)
	}
	// The query itself may be what fails: then words decide.
	byWords := h.search(engine, "poisonberry")
	if diff := cmp.Diff([]string{"bad"}, names(byWords)); diff != "" || !byWords.Degraded || byWords.Ranking != "lexical" {
		t.Errorf("search for the poison: degraded %v by %s, %s", byWords.Degraded, byWords.Ranking, diff)
	}
	// It is tried again later, not on every pass.
	before := len(h.bag.texts)
	h.index(h.open())
	if n := len(h.bag.texts) - before; n != 0 {
		t.Errorf("the next pass sent %d texts, want none", n)
	}
	h.now = h.now.Add(25 * time.Hour)
	h.index(h.open())
	if n := len(h.bag.texts) - before; n != 1 {
		t.Errorf("a day later %d texts were sent, want the one that failed", n)
	}
}

func TestVectorsOfTwoModelsNeverMeet(t *testing.T) {
	h := newHarbour(t)
	h.write("tide", "Reads the tide table.", "Look it up.")
	h.write("knots", "Ties knots.", "Pull.")
	h.index(h.open())
	other := &bag{model: "b"}
	engine := h.open(other)
	result := h.search(engine, "read the tide")
	if result.Ranking != "lexical" || !result.Degraded || !strings.Contains(result.Reason, "index_model_mismatch") || !strings.Contains(result.Reason, "skillsearch index") {
		t.Errorf("ranking %s, degraded %v, reason %q", result.Ranking, result.Degraded, result.Reason)
	}
	if len(other.texts) > 0 {
		t.Errorf("a search embedded %d texts with another model", len(other.texts))
	}
	h.index(engine)
	if result := h.search(engine, "read the tide"); result.Ranking != "cosine" || names(result)[0] != "tide" {
		t.Errorf("after the index: ranking %s, hits %v", result.Ranking, names(result))
	}
	// The first model's vectors are still there.
	before := len(h.bag.texts)
	if h.index(h.open()); len(h.bag.texts) != before {
		t.Errorf("switching back embedded %d texts anew", len(h.bag.texts)-before)
	}
}

func TestAServerThatIsAwayDegradesTheAnswer(t *testing.T) {
	h := newHarbour(t)
	h.write("tide", "Reads the tide table.", "Look it up.")
	h.bag.down = fmt.Errorf("%w: nobody answers; start it", embedder.ErrUnavailable)
	engine := h.open()
	result := h.search(engine, "tide")
	want := &skillsearch.Result{Query: "tide", Ranking: "lexical", Degraded: true, Reason: h.bag.down.Error(), Confidence: "high", Total: 1, Unembedded: 1, Hits: result.Hits}
	if diff := cmp.Diff(want, result); diff != "" || len(result.Hits) != 1 {
		t.Errorf("%d hits, %s", len(result.Hits), diff)
	}
	if _, err := engine.Index(t.Context(), skillsearch.IndexOptions{}); skillsearch.ErrorKind(err) != "embedding_unavailable" {
		t.Errorf("index: %v", err)
	}
	// Its model in reserve answers only with complete heads; here it has none.
	reserve := &bag{model: "reserve"}
	h.bag.down = nil
	h.index(h.open())
	h.bag.down = embedder.ErrUnavailable
	if r := h.search(h.open(h.bag, reserve), "tide"); r.Ranking != "lexical" {
		t.Errorf("a reserve without heads answered by %s", r.Ranking)
	}
	h.index(h.open(reserve))
	h.bag.down = nil
	h.index(h.open()) // nothing to embed; the first model's index is the latest again
	h.bag.down = embedder.ErrUnavailable
	if r := h.search(h.open(h.bag, reserve), "tide"); r.Ranking != "cosine" || r.EmbeddingModel != "reserve" {
		t.Errorf("a reserve with all heads: ranking %s of %q", r.Ranking, r.EmbeddingModel)
	}
}

func TestBodiesCountOnceAllFirstPassagesAreThere(t *testing.T) {
	h := newHarbour(t)
	h.write("head", "Finds lighthouse lamps.", "Nothing of the kind.")
	h.write("body", "Does something.", "Trim the lighthouse lamps, polish lighthouse lamps.")
	engine := h.open()
	if _, err := engine.Index(t.Context(), skillsearch.IndexOptions{Depth: skillsearch.Heads}); err != nil {
		t.Fatal(err)
	}
	heads := h.search(engine, "lighthouse lamps")
	if engine.Status().Bodies {
		t.Error("bodies count although none is embedded")
	}
	h.index(engine)
	both := h.search(engine, "lighthouse lamps")
	if !engine.Status().Bodies || heads.Hits[0].Name != "head" {
		t.Errorf("bodies %v; by heads alone the first is %s", engine.Status().Bodies, heads.Hits[0].Name)
	}
	if hit := both.Hits[0]; hit.Name != "body" || hit.Passage == nil || !strings.Contains(hit.Passage.Text, "polish") || hit.Passage.StartLine != 5 {
		t.Errorf("with bodies the first hit is %s with passage %+v", hit.Name, hit.Passage)
	}
}

func TestListHasEverySkillOnceAndTheUnembeddedAmongThem(t *testing.T) {
	h := newHarbour(t)
	for i := range 10 {
		h.write(fmt.Sprintf("boat-%c", 'a'+i), fmt.Sprintf("Sails the boat %c.", 'a'+i), "Go on.")
	}
	h.index(h.open())
	for i := range 10 {
		h.write(fmt.Sprintf("lamp-%c", 'a'+i), fmt.Sprintf("Lights the lamp %c.", 'a'+i), "Go on.")
	}
	engine := h.open()
	listing, err := engine.List(t.Context(), skillsearch.Query{Text: "lamp-c"})
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for place, s := range listing.Skills {
		seen[s.ID] = true
		if by := map[bool]string{true: "cosine", false: "lexical"}[s.Embedded]; s.RankedBy != by {
			t.Errorf("%s, embedded %v, is ranked by %s", s.ID, s.Embedded, s.RankedBy)
		}
		if s.Name == "lamp-c" && (place > 1 || s.Embedded) {
			t.Errorf("the unembedded skill of the query's name stands at %d", place+1)
		}
	}
	if len(seen) != 20 || listing.Total != 20 || listing.Degraded {
		t.Errorf("%d skills of 20, total %d, degraded %v", len(seen), listing.Total, listing.Degraded)
	}
	// A search skips them and says so.
	result := h.search(engine, "lamp")
	if result.Unembedded != 10 || slices.ContainsFunc(names(result), func(n string) bool { return strings.HasPrefix(n, "lamp") }) {
		t.Errorf("unembedded %d, hits %v", result.Unembedded, names(result))
	}
	// Given time it embeds them first.
	waited, err := engine.Search(t.Context(), skillsearch.Query{Text: "lamp c", Wait: time.Minute})
	if err != nil || waited.Unembedded != 0 || waited.Hits[0].Name != "lamp-c" {
		t.Errorf("with time: unembedded %d, hits %v (%v)", waited.Unembedded, names(waited), err)
	}
}

func TestRescanForgetsWhatIsGoneAndFindsWhatIsNew(t *testing.T) {
	h := newHarbour(t)
	h.write("ghost", "Haunts the plover seven.", "Boo.")
	h.write("edited", "Was about curlews.", "Old.")
	engine := h.open()
	h.index(engine)
	if err := os.RemoveAll(filepath.Join(h.root, "ghost")); err != nil {
		t.Fatal(err)
	}
	if r := h.search(engine, "plover"); slices.Contains(names(r), "ghost") {
		t.Error("a skill whose file is gone was found before the rescan")
	}
	h.write("edited", "Is about sanderlings now.", "New and longer.")
	if r := h.search(engine, "curlews"); !r.Hits[0].Stale {
		t.Error("a hit whose file changed is not stale")
	}
	if err := engine.Rescan(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Show("ghost"); skillsearch.ErrorKind(err) != "not_found" {
		t.Errorf("show: %v", err)
	}
	h.index(engine)
	if r := h.search(engine, "sanderlings"); names(r)[0] != "edited" || r.Hits[0].Stale || r.Total != 1 {
		t.Errorf("hits %v, stale %v, total %d", names(r), r.Hits[0].Stale, r.Total)
	}
}

// TestTheSameQueryHasOneAnswer asks 1,000 times: over restarts, caches and the
// orders in which vectors came, with many scores that tie.
func TestTheSameQueryHasOneAnswer(t *testing.T) {
	h := newHarbour(t)
	random := rand.New(rand.NewPCG(3, 4))
	skills := random.Perm(30)
	answers := make(map[string]int)
	for range 20 {
		h.cache = filepath.Join(t.TempDir(), "index.db")
		random.Shuffle(len(skills), func(i, j int) { skills[i], skills[j] = skills[j], skills[i] })
		if err := os.RemoveAll(h.root); err != nil {
			t.Fatal(err)
		}
		for n, i := range skills {
			h.write(fmt.Sprintf("boat-%02d", i), fmt.Sprintf("Sails a boat of kind %c.", 'a'+i%3), "The same body for all.")
			if n%7 == 0 {
				h.index(h.open())
			}
		}
		h.index(h.open())
		engine := h.open()
		for range 50 {
			var out strings.Builder
			if err := skillsearch.Encode(&out, h.search(engine, "boat of kind b")); err != nil {
				t.Fatal(err)
			}
			answers[out.String()]++
		}
	}
	if len(answers) != 1 {
		t.Errorf("1,000 equal queries have %d answers: %v", len(answers), slices.Collect(maps.Keys(answers)))
	}
}

// TestAScoreBelowZeroIsAScore holds that a search fills its limit, however far
// the last hits are, unless a lowest score was asked for.
func TestAScoreBelowZeroIsAScore(t *testing.T) {
	h := newHarbour(t)
	h.write("near", "Sails a boat.", "Go.")
	h.write("far", "Opposite.", "Go.")
	h.bag.turn = "Opposite"
	engine := h.open()
	h.index(engine)
	if r := h.search(engine, "sails a boat"); len(r.Hits) != 2 || r.Hits[1].Score >= 0 {
		t.Errorf("hits are %+v, want both, the second below zero", r.Hits)
	}
	r, err := engine.Search(t.Context(), skillsearch.Query{Text: "sails a boat", MinScore: 0.1})
	if err != nil || len(r.Hits) != 1 {
		t.Errorf("from 0.1 on: %v, %v", names(r), err)
	}
}

func TestQueriesThatCantBeAnswered(t *testing.T) {
	engine := newHarbour(t).open()
	for name, q := range map[string]skillsearch.Query{
		"empty":      {},
		"blank":      {Text: " \t\n"},
		"zero width": {Text: "\u200b"},
		"long":       {Text: strings.Repeat("x", skillsearch.MaxQuery+1)},
		"limit":      {Text: "x", Limit: 51},
		"negative":   {Text: "x", Limit: -1},
		"ranking":    {Text: "x", Ranking: "best"},
	} {
		if _, err := engine.Search(t.Context(), q); !errors.Is(err, skillsearch.ErrInvalidArgument) {
			t.Errorf("%s: %v, want ErrInvalidArgument", name, err)
		}
	}
	if r, err := engine.Search(t.Context(), skillsearch.Query{Text: "***"}); err != nil || len(r.Hits) != 0 || r.Reason == "" {
		t.Errorf("punctuation: %+v, %v", r, err)
	}
}

func TestSearchesWhileIndexingAndRescanning(t *testing.T) {
	h := newHarbour(t)
	for i := range 50 {
		h.write(fmt.Sprintf("boat-%02d", i), fmt.Sprintf("Sails boat %c%c.", 'a'+i%26, 'a'+i/26), "Go on.")
	}
	engine := h.open()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				if _, err := engine.Search(t.Context(), skillsearch.Query{Text: "boat"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Go(func() { h.index(engine) })
	wg.Go(func() {
		for range 5 {
			if err := engine.Rescan(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	wg.Wait()
	h.index(engine)
	if r := h.search(engine, "boat"); r.Unembedded != 0 || r.Ranking != "cosine" {
		t.Errorf("unembedded %d, ranking %s", r.Unembedded, r.Ranking)
	}
}
