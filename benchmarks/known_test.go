package benchmarks_test

import (
	"cmp"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/benchmarks"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/fallback"
	"github.com/skillsearch/skillsearch/skill"
)

// known are the collections whose published kind of rows is reproduced.
var known = []string{"cranfield", "metatool", "livemcpbench", "router-laurigates"}

// readKnown reads a collection of COLLECTIONS and what a reference system
// reached on it.
func readKnown(t *testing.T, name, system string) (*benchmarks.Collection, map[string]float64) {
	t.Helper()
	folder := filepath.Join(collections(t), name)
	c, err := benchmarks.Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(folder, "reference", "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var expected map[string]map[string]float64
	if err := json.Unmarshal(raw, &expected); err != nil {
		t.Fatal(err)
	}
	return c, expected[system]
}

// TestPlainBM25IsTheReference holds that our BM25, set as the reference's, comes
// within 0.01 of its nDCG@10. The reference is bm25s with its defaults but for
// k1 1.2 and b 0.75: over name, description and body as one text, with words of
// two characters or more, Lucene's stop words and the English stemmer. The rest
// of our analysis, which splits identifiers, is kept from playing a part: it
// makes .09 of a difference on metatool.
func TestPlainBM25IsTheReference(t *testing.T) {
	for _, name := range known {
		c, expected := readKnown(t, name, "bm25")
		skills := make([]*skill.Skill, len(c.Documents))
		for i, d := range c.Documents {
			text := strings.Join([]string{d.Title, d.Description, d.Text}, " ")
			skills[i] = &skill.Skill{ID: d.ID, Name: d.ID, Body: asReference(text)}
		}
		index := fallback.NewWithParams(skills, fallback.PlainParams(1.2, 0.75))
		run := benchmarks.Run{Name: "bm25", Answers: make(map[string][]benchmarks.Scored)}
		for _, q := range c.Queries {
			for _, m := range index.Search(asReference(q.Text)) {
				run.Answers[q.ID] = append(run.Answers[q.ID], benchmarks.Scored{Document: m.ID, Score: m.Score})
			}
			benchmarks.Sort(run.Answers[q.ID])
		}
		got := benchmarks.Score(run, c.Qrels, measures(t, "nDCG@10")).Means()[0]
		t.Logf("%s: %.4f, reference %.4f", name, got, expected["nDCG@10"])
		if math.Abs(got-expected["nDCG@10"]) > 0.01 {
			t.Errorf("%s: nDCG@10 is %.4f, the reference has %.4f", name, got, expected["nDCG@10"])
		}
	}
}

var (
	referenceWord  = regexp.MustCompile(`[\pL\pN_]{2,}`)
	referenceStops = strings.Fields("a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with")
)

// asReference is a text of the reference's terms, each spelt as a word that our
// analysis takes as it is: in Cyrillic letters, two for each byte.
func asReference(text string) string {
	const letters = "бвгджзклмнпрстфх"
	alphabet := []rune(letters)
	var out strings.Builder
	for _, word := range referenceWord.FindAllString(strings.ToLower(text), -1) {
		if slices.Contains(referenceStops, word) {
			continue
		}
		env := snowballstem.NewEnv(word)
		english.Stem(env)
		for _, b := range []byte(env.Current()) {
			out.WriteRune(alphabet[b>>4])
			out.WriteRune(alphabet[b&15])
		}
		out.WriteByte(' ')
	}
	return out.String()
}

// base is the model that the carried one is tuned from, in the file that the
// variable BASE names; see TestTheTunedModelGains.
func base(t *testing.T) *embedder.Builtin {
	t.Helper()
	path := os.Getenv("BASE")
	if path == "" {
		t.Skip("BASE names no file of the base model")
	}
	return embedder.NewBuiltinFile(path)
}

// TestBaseModelIsTheReference holds that the cosine of our all-MiniLM-L6-v2, over
// name and description as the reference has it, comes within 0.01 of its nDCG@10.
// The reference sees the first 256 tokens of a text and no more, where we would
// see all of it in pieces: texts are cut for it.
func TestBaseModelIsTheReference(t *testing.T) {
	builtin := base(t)
	m := memory(t, builtin)
	for _, name := range known {
		c, expected := readKnown(t, name, "minilm")
		documents := make([]benchmarks.Document, len(c.Documents))
		for i, d := range c.Documents {
			documents[i] = benchmarks.Document{ID: d.ID, Title: d.Title, Description: firstTokens(t, builtin, d.Title, cmp.Or(d.Description, d.Text))}
		}
		library, err := benchmarks.Open(t.Context(), documents, t.TempDir(), m)
		if err != nil {
			t.Fatal(err)
		}
		report, err := benchmarks.Evaluate(t.Context(), c, library, benchmarks.Options{
			Measures: measures(t, "nDCG@10"), Index: skillsearch.Heads, Sampling: benchmarks.Sampling{Draws: 1},
		})
		if err != nil {
			t.Fatal(err)
		}
		got := report.Systems[0].Means[0].Mean
		t.Logf("%s: %.4f, reference %.4f", name, got, expected["nDCG@10"])
		if math.Abs(got-expected["nDCG@10"]) > 0.01 {
			t.Errorf("%s: nDCG@10 is %.4f, the reference has %.4f", name, got, expected["nDCG@10"])
		}
	}
}

// firstTokens is as many words of a text as the model sees behind a name.
func firstTokens(t *testing.T, builtin *embedder.Builtin, name, text string) string {
	t.Helper()
	tokenizer, err := builtin.Tokenizer()
	if err != nil {
		t.Fatal(err)
	}
	const context = 256
	words := strings.Fields(text)
	fits := func(n int) bool {
		return len(tokenizer.Encode(name+". "+strings.Join(words[:n], " "), context+1)) <= context
	}
	n := sort.Search(len(words), func(n int) bool { return !fits(n + 1) })
	return strings.Join(words[:n], " ")
}

// published is the share of queries with a right skill among the first five that
// the makers of router-laurigates publish for their own hybrid over names and
// descriptions.
const published = 0.6727

// TestTheRoutersRow holds that published lies in the interval of the base model's
// cosine over the same fields.
func TestTheRoutersRow(t *testing.T) {
	e := routersRow(t, base(t), skillsearch.Heads, skillsearch.Cosine)
	if e.Low > published || e.High < published {
		t.Errorf("by the cosine of heads Success@5 is %v, published is %v", e, published)
	}
}

// TestTheRoutersRowIsBeaten holds that our hybrid over all of our fields does
// better than published.
func TestTheRoutersRowIsBeaten(t *testing.T) {
	if e := routersRow(t, builtin(), skillsearch.Body, skillsearch.Hybrid); e.Mean <= published {
		t.Errorf("hybrid has a Success@5 of %v, published is %v", e, published)
	}
}

// routersRow is our Success@5 on router-laurigates.
func routersRow(t *testing.T, model *embedder.Builtin, depth skillsearch.Depth, ranking skillsearch.Ranking) benchmarks.Estimate {
	t.Helper()
	c, _ := readKnown(t, "router-laurigates", "minilm")
	library, err := benchmarks.Open(t.Context(), c.Documents, t.TempDir(), memory(t, model))
	if err != nil {
		t.Fatal(err)
	}
	report, err := benchmarks.Evaluate(t.Context(), c, library, benchmarks.Options{
		Rankings: []skillsearch.Ranking{ranking}, Measures: measures(t, "Success@5"), Index: depth,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %+v", ranking, report.Systems[0].Means[0])
	return report.Systems[0].Means[0]
}
