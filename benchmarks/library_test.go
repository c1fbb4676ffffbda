package benchmarks_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/benchmarks"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/vectorstore"
)

// letters embeds a text as the counts of its letters, and notes what it was
// asked for.
type letters struct {
	mu    sync.Mutex
	asked []string
	down  error
}

func (l *letters) Model(context.Context) (embedder.Model, error) {
	if l.down != nil {
		return embedder.Model{}, l.down
	}
	return embedder.Model{Name: "letters", Engine: "test", Dimensions: 27, PassageSize: 600, Fingerprint: "letters 1", Probe: count("probe")}, nil
}

func (l *letters) Embed(_ context.Context, role embedder.Role, texts []string) ([]embedder.Embedding, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	answers := make([]embedder.Embedding, len(texts))
	for i, text := range texts {
		l.asked = append(l.asked, fmt.Sprint(role, " ", text))
		answers[i] = embedder.Embedding{Vector: count(text), Parts: 1}
		if strings.Contains(text, "unembeddable") {
			answers[i] = embedder.Embedding{Err: embedder.ErrBlank}
		}
	}
	return answers, nil
}

// count is a vector of length 1.
func count(text string) []float32 {
	v := make([]float32, 27)
	v[26] = 0.5
	for _, r := range strings.ToLower(text) {
		if r >= 'a' && r <= 'z' {
			v[r-'a']++
		}
	}
	squares := 0.0
	for _, x := range v {
		squares += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(squares))
	}
	return v
}

var harbour = []benchmarks.Document{
	{ID: "boats/a", Title: "boat", Description: "Rows a boat.", Text: "# Rowing\n\nPull both oars.\n"},
	{ID: "boats/a/b", Title: "boat", Description: "Sails a boat.", Text: "# Sailing\n\nHoist the sail.\n"},
	{ID: "copy 1", Title: "tide", Text: "High and low water."},
	{ID: "copy 2", Title: "tide", Text: "High and low water."},
	{ID: "node_modules", Title: "", Text: ""},
	{ID: "odd: \"quoted\" # not a comment", Title: "- [x] {y}: *z* &a !b %c @d `e`", Description: "first\nsecond: third\n\u0085\u2028\ufeff\x7f end", Tags: []string{"a, b", "c: d"}, Text: "---\nname: other\n---\nx"},
	{ID: "ÄÖ/日本", Title: "日本語", Description: "日本語の説明です。", Text: "本文"},
}

func TestEveryDocumentIsASkillOfItsOwn(t *testing.T) {
	dir := t.TempDir()
	folders, err := benchmarks.WriteSkills(dir, harbour)
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := skill.Load(t.Context(), []skill.Root{{Path: dir, Label: "c", Source: skill.SourceFlag}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(catalogue.Skills()) != len(harbour) {
		t.Fatalf("%d documents are %d skills: %v", len(harbour), len(catalogue.Skills()), catalogue.Problems())
	}
	for i, s := range catalogue.Skills() {
		d := harbour[i]
		want := benchmarks.Document{ID: "c/" + folders[i], Title: d.Title, Description: d.Description, Tags: d.Tags, Text: d.Text}
		switch {
		case d.ID == "node_modules":
			want.Title = d.ID // a skill has a name
		case d.Description == "":
			want.Description = d.Text // and a description, as any skill without one
		}
		got := benchmarks.Document{ID: s.ID, Title: s.Name, Description: s.Description, Tags: s.Tags, Text: s.Body}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", d.ID, diff)
		}
	}
}

func TestADocumentThatIsNoSkillIsAnError(t *testing.T) {
	_, err := benchmarks.Open(t.Context(), []benchmarks.Document{{ID: "fine", Text: "x"}, {ID: "odd", Text: "a\x00b"}}, t.TempDir())
	if err == nil || !strings.Contains(err.Error(), `document "odd" can't be read as a skill: the file holds binary data`) {
		t.Errorf("the error is %v", err)
	}
}

// FuzzDocumentsAreReadBack holds that what a document says is what the parser
// reads from the skill that it is written as.
func FuzzDocumentsAreReadBack(f *testing.F) {
	for _, d := range harbour {
		f.Add(d.ID, d.Title, d.Description, d.Text)
	}
	f.Add("a", "'", "\"\\\x1b\u200b", "\r\n\r\n")
	f.Fuzz(func(t *testing.T, id, title, description, text string) {
		text = strings.ReplaceAll(text, "\x00", "")
		dir := t.TempDir()
		if _, err := benchmarks.WriteSkills(dir, []benchmarks.Document{{ID: id, Title: title, Description: description, Text: text}}); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(filepath.Join(dir, "1", "SKILL.md"))
		if err != nil {
			t.Fatal(err)
		}
		s, problems := skill.Parse(raw, skill.File{Path: "SKILL.md", Name: "folder"})
		if s == nil {
			t.Fatalf("no skill: %v", problems)
		}
		valid := func(text string) string { return strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")) }
		if want := valid(title); want != "" && strings.TrimSpace(s.Name) != want {
			t.Errorf("the name is %q, want %q", s.Name, want)
		}
		if want := valid(description); want != "" && s.Description != want {
			t.Errorf("the description is %q, want %q", s.Description, want)
		}
		if len(problems) > 0 && slices.ContainsFunc(problems, func(p skill.Problem) bool { return p.Kind == skill.YAMLRepaired }) {
			t.Errorf("the header is no YAML: %s", raw)
		}
	})
}

// TestAnswersAreTheEnginesOrder holds that a run has the order of a search, by
// scores that trec_eval can tell apart.
func TestAnswersAreTheEnginesOrder(t *testing.T) {
	library, err := benchmarks.Open(t.Context(), harbour, t.TempDir(), &letters{})
	if err != nil {
		t.Fatal(err)
	}
	if err := library.Index(t.Context(), skillsearch.Full, nil); err != nil {
		t.Fatal(err)
	}
	queries := []benchmarks.Query{{ID: "tide", Text: "low water tide"}, {ID: "boat", Text: "boat"}}
	found := func(ranking skillsearch.Ranking, depth int) map[string][]string {
		t.Helper()
		run, err := library.Search(t.Context(), queries, ranking, depth, nil)
		if err != nil {
			t.Fatal(err)
		}
		ids := make(map[string][]string)
		for query, answer := range run.Answers {
			for i, s := range answer {
				ids[query] = append(ids[query], s.Document)
				if i > 0 && float32(s.Score) >= float32(answer[i-1].Score) {
					t.Errorf("%s by %s: score %d does not fall: %v", query, ranking, i, answer)
				}
			}
		}
		return ids
	}
	// Equal scores stand in the order of IDs; what shares no word is not found.
	want := map[string][]string{"tide": {"copy 1", "copy 2"}, "boat": {"boats/a", "boats/a/b"}}
	if diff := cmp.Diff(want, found(skillsearch.Lexical, 100)); diff != "" {
		t.Errorf("by words (-want +got):\n%s", diff)
	}
	if got := found(skillsearch.Cosine, 100); len(got["tide"]) != len(harbour) {
		t.Errorf("by cosine %d documents are found, want all %d", len(got["tide"]), len(harbour))
	}
	if got := found(skillsearch.Hybrid, 3); len(got["tide"]) != 3 || !slices.Contains(got["tide"], "copy 1") {
		t.Errorf("hybrid finds %v, want three documents, the first copy among them", got["tide"])
	}
}

func TestUnembeddedSkillsAreNotFoundByCosine(t *testing.T) {
	documents := []benchmarks.Document{{ID: "a", Title: "apple", Text: "x"}, {ID: "b", Title: "bee", Text: "x"}, {ID: "u", Title: "unembeddable", Text: "apple"}}
	library, err := benchmarks.Open(t.Context(), documents, t.TempDir(), &letters{})
	if err != nil {
		t.Fatal(err)
	}
	c := &benchmarks.Collection{Name: "c", Documents: documents, Queries: []benchmarks.Query{{ID: "q", Text: "apple"}}, Qrels: benchmarks.Qrels{"q": {"u": 1}}}
	report, err := benchmarks.Evaluate(t.Context(), c, library, benchmarks.Options{Rankings: []skillsearch.Ranking{skillsearch.Cosine, skillsearch.Lexical}, Measures: measures(t, "R@10")})
	if err != nil {
		t.Fatal(err)
	}
	type outcome struct {
		Recall     float64
		Unembedded int
	}
	got := []outcome{}
	for _, s := range report.Systems {
		got = append(got, outcome{s.Means[0].Mean, s.Unembedded})
	}
	if diff := cmp.Diff([]outcome{{0, 1}, {1, 0}}, got); diff != "" {
		t.Errorf("by cosine and by words (-want +got):\n%s", diff)
	}
}

// TestARankingThatCantBeHadIsAnError holds that no figures are those of another
// ranking.
func TestARankingThatCantBeHadIsAnError(t *testing.T) {
	c := &benchmarks.Collection{Name: "c", Documents: harbour, Queries: []benchmarks.Query{{ID: "q", Text: "boat"}}, Qrels: benchmarks.Qrels{"q": {"boats/a": 1}}}
	away := &letters{down: fmt.Errorf("%w: nobody answers", embedder.ErrUnavailable)}
	for name, test := range map[string]struct {
		embedders []skillsearch.Embedder
		want      error
	}{
		"no embedder": {nil, skillsearch.ErrNoEmbedder},
		"away":        {[]skillsearch.Embedder{away}, embedder.ErrUnavailable},
	} {
		library, err := benchmarks.Open(t.Context(), harbour, t.TempDir(), test.embedders...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := benchmarks.Evaluate(t.Context(), c, library, benchmarks.Options{}); !errors.Is(err, test.want) {
			t.Errorf("%s: the error is %v, want %v", name, err, test.want)
		}
		if _, err := library.Search(t.Context(), c.Queries, skillsearch.Cosine, 10, nil); err == nil {
			t.Errorf("%s: a search without vectors was answered", name)
		}
	}
	library, err := benchmarks.Open(t.Context(), harbour, t.TempDir(), &letters{})
	if err != nil {
		t.Fatal(err)
	}
	long := *c
	long.Queries = []benchmarks.Query{{ID: "long", Text: strings.Repeat("boat ", 20_000)}}
	if _, err := benchmarks.Evaluate(t.Context(), &long, library, benchmarks.Options{}); err == nil || !strings.Contains(err.Error(), "query long: invalid argument: query has 100000 bytes") {
		t.Errorf("a query that is too long: %v", err)
	}
	empty := &benchmarks.Collection{Name: "none", Negatives: c.Queries}
	if _, err := benchmarks.Evaluate(t.Context(), empty, library, benchmarks.Options{}); err == nil {
		t.Error("a collection without a right answer was evaluated")
	}
	if err := library.Index(t.Context(), skillsearch.Heads, nil); err == nil {
		t.Error("a library that is embedded in full was said to have heads alone")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := benchmarks.Evaluate(ended, c, library, benchmarks.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: the error is %v", err)
	}
}

// TestAMemoryAsksOnce holds that texts are embedded once for all libraries and
// processes, the same text apart for each role, and failures again.
func TestAMemoryAsksOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors.db")
	embed := func(role embedder.Role, texts ...string) (asked []string, answers []embedder.Embedding) {
		t.Helper()
		cache, err := vectorstore.OpenCache(t.Context(), path, vectorstore.CacheOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer cache.Close()
		l := &letters{}
		m := benchmarks.Remember(l, cache)
		for range 2 {
			if answers, err = m.Embed(t.Context(), role, texts); err != nil {
				t.Fatal(err)
			}
		}
		return l.asked, answers
	}
	for _, test := range []struct {
		role  embedder.Role
		texts []string
		want  []string
	}{
		{embedder.Document, []string{"a", "b"}, []string{"0 a", "0 b"}},
		{embedder.Document, []string{"b", "c", "a"}, []string{"0 c"}},
		{embedder.Query, []string{"a"}, []string{"1 a"}},
		{embedder.Query, []string{"a"}, nil},
		{embedder.Document, []string{"unembeddable", "a"}, []string{"0 unembeddable", "0 unembeddable"}},
	} {
		asked, answers := embed(test.role, test.texts...)
		if diff := cmp.Diff(test.want, asked); diff != "" {
			t.Errorf("asked for %v (-want +got):\n%s", test.texts, diff)
		}
		for i, text := range test.texts {
			want := embedder.Embedding{Vector: count(text), Parts: 1}
			if text == "unembeddable" {
				want = embedder.Embedding{Err: embedder.ErrBlank}
			}
			if diff := cmp.Diff(want, answers[i], cmp.Comparer(func(a, b error) bool { return errors.Is(a, b) })); diff != "" {
				t.Errorf("%s (-want +got):\n%s", text, diff)
			}
		}
	}
}

// TestAMemoryKeepsDepthsApart holds that heads alone are measured although the
// bodies of the same skills are in the cache.
func TestAMemoryKeepsDepthsApart(t *testing.T) {
	cache, err := vectorstore.OpenCache(t.Context(), filepath.Join(t.TempDir(), "vectors.db"), vectorstore.CacheOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer cache.Close()
	m := benchmarks.Remember(&letters{}, cache)
	first := func(depth skillsearch.Depth) benchmarks.Scored {
		t.Helper()
		library, err := benchmarks.Open(t.Context(), harbour, t.TempDir(), m)
		if err != nil {
			t.Fatal(err)
		}
		if err := library.Index(t.Context(), depth, nil); err != nil {
			t.Fatal(err)
		}
		run, err := library.Search(t.Context(), []benchmarks.Query{{ID: "q", Text: "Pull both oars."}}, skillsearch.Cosine, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		return run.Answers["q"][0]
	}
	alone := first(skillsearch.Heads)
	if first(skillsearch.Body) == alone {
		t.Error("bodies make no difference")
	}
	if again := first(skillsearch.Heads); again != alone {
		t.Errorf("heads alone give %v, and %v once bodies are in the cache", alone, again)
	}
}

// TestAQueryThatTheModelCantReadIsRankedByWords holds that such a query counts
// as the product answers it, and that the run says so; while a model that is
// away is an error.
func TestAQueryThatTheModelCantReadIsRankedByWords(t *testing.T) {
	model := &letters{}
	library, err := benchmarks.Open(t.Context(), harbour, t.TempDir(), model)
	if err != nil {
		t.Fatal(err)
	}
	if err := library.Index(t.Context(), skillsearch.Heads, nil); err != nil {
		t.Fatal(err)
	}
	queries := []benchmarks.Query{{ID: "tide", Text: "low water tide"}, {ID: "odd", Text: "unembeddable boat"}}
	run, err := library.Search(t.Context(), queries, skillsearch.Hybrid, 100, nil)
	if err != nil {
		t.Fatal(err)
	}
	words, err := library.Search(t.Context(), queries, skillsearch.Lexical, 100, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(words.Answers["odd"], run.Answers["odd"]); diff != "" || len(run.Answers["tide"]) != len(harbour) {
		t.Errorf("tide has %d answers; odd (-words +got):\n%s", len(run.Answers["tide"]), diff)
	}
	if want := []string{"by hybrid, 1 of 2 queries are ranked by words: " + embedder.ErrBlank.Error()}; !cmp.Equal(want, run.Notes) {
		t.Errorf("notes are %q, want %q", run.Notes, want)
	}
	model.down = errors.New("the model is away")
	if _, err := library.Search(t.Context(), queries, skillsearch.Hybrid, 100, nil); err == nil || !strings.Contains(err.Error(), "can't be ranked by hybrid") {
		t.Errorf("with the model away the error is %v", err)
	}
}
