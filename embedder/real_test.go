package embedder_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/embedder"
)

var update = flag.Bool("update", false, "write the texts of testdata/reference.jsonl anew, without vectors: scripts/reference-vectors.py adds those")

// realServer returns an embedder that asks a real Ollama.
func realServer(t testing.TB, model string) *embedder.Ollama {
	t.Helper()
	host := os.Getenv("SKILLSEARCH_TEST_OLLAMA")
	if host == "" {
		const need = "needs a real Ollama: `make ollama` starts one, and SKILLSEARCH_TEST_OLLAMA=host:port names it; `make test-ollama` does both"
		if os.Getenv("SKILLSEARCH_REQUIRE_OLLAMA") == "1" {
			t.Fatal(need)
		}
		t.Skip(need)
	}
	o, err := embedder.NewOllama(embedder.OllamaConfig{Host: host, Model: model})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func modelOf(t *testing.T, name string) embedder.Model {
	t.Helper()
	m, err := realServer(t, name).Model(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestRealModelIsDescribed(t *testing.T) {
	got := modelOf(t, "")
	for what, form := range map[string][2]string{
		"engine":      {got.Engine, `^ollama \d+\.\d+\.\d+$`},
		"digest":      {got.Digest, `^[0-9a-f]{64}$`},
		"fingerprint": {got.Fingerprint, `^[0-9a-f]{64}$`},
	} {
		if !regexp.MustCompile(form[1]).MatchString(form[0]) {
			t.Errorf("%s %q is not like %s", what, form[0], form[1])
		}
	}
	if len(got.Probe) != 384 || math.Abs(norm(got.Probe)-1) > 1e-6 {
		t.Errorf("probe has %d dimensions and length %v", len(got.Probe), norm(got.Probe))
	}
	want := embedder.Model{
		Name: "all-minilm", Dimensions: 384, Context: 256, PassageSize: 600,
		Engine: got.Engine, Digest: got.Digest, Fingerprint: got.Fingerprint, Probe: got.Probe,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("model (-want +got):\n%s", diff)
	}
	if again := modelOf(t, "All-MiniLM:latest"); again.Fingerprint != got.Fingerprint || dot(again.Probe, got.Probe) < 0.999999 {
		t.Error("another name for the same model gives another fingerprint or probe")
	}
}

func TestRealContextChangesPassagesAndFingerprint(t *testing.T) {
	short, long := modelOf(t, "all-minilm"), modelOf(t, "all-minilm:512")
	if long.Context != 512 || long.PassageSize != 1200 || long.Fingerprint == short.Fingerprint {
		t.Errorf("all-minilm:512 has context %d, passages of %d, fingerprint %s", long.Context, long.PassageSize, long.Fingerprint)
	}
}

func TestRealModelThatCannotServeIsRefused(t *testing.T) {
	for model, want := range map[string]error{
		"tiny-chat":       embedder.ErrNotEmbedding,
		"absent-embed":    embedder.ErrModelMissing,
		"all-minilm:gone": embedder.ErrModelMissing,
		"a b/c:d:e":       embedder.ErrModelMissing,
	} {
		t.Run(model, func(t *testing.T) {
			m, err := realServer(t, model).Model(t.Context())
			if !errors.Is(err, want) {
				t.Fatalf("model %+v, error %v, want %v", m, err, want)
			}
			mentions(t, err, model, "--model")
		})
	}
}

// sentences have what skills have and tokenizers differ in.
var sentences = []string{
	"Extract text, tables and metadata from PDF files.",
	"Use when the user asks to deploy a service to Kubernetes with `kubectl apply`.",
	"Déjà vu — café: HEAD~3 | A=b",
	"Review a pull request — style, tests, security — and write “blocking” comments.",
	"Don’t guess: measure first, then optimise…",
	"Convert €50 to $ and £; round to ±0.5 % × 2.",
	"• bullet one • bullet two ‣ and three",
	"Übersetzt deutsche Verträge ins Englische für die Geschäftsführung.",
	"naïve Bayes, Poincaré embeddings and Gödel’s theorem",
	"if a<b && c>=d then x^2+1 else ~/.config/$HOME",
	"🚀 Ship it! 👩‍💻 pair programming ✅ done",
	"HTTP → JSON → SQL pipelines with ≥ 3 stages",
	"git rebase --onto main HEAD~5; resolve conflicts; git push --force-with-lease",
	"Parse “smart quotes”, en–dashes and non‑breaking hyphens.",
	"CI/CD: build, lint & test on every push (GitHub Actions).",
	"数据库迁移，备份和恢复。",
	"TypeScript/React component scaffolding w/ Storybook",
	"Summarise quarterly earnings calls into five bullet points for executives",
	"ﬁle ① ½ Ⅳ ＦＵＬＬ　ＷＩＤＴＨ",
	"x",
}

type reference struct {
	Text   string `json:"text"`
	Vector []byte `json:"vector,omitempty"` // little-endian float32
}

func (r reference) cosine(v []float32) float64 {
	u := make([]float32, len(r.Vector)/4)
	if _, err := binary.Decode(r.Vector, binary.LittleEndian, u); err != nil || len(u) != len(v) {
		return math.NaN()
	}
	return dot(u, v)
}

func readReferences(t *testing.T, name string) []reference {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var all []reference
	for line := range bytes.Lines(data) {
		var r reference
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

func TestRealVectorsEqualTheReferenceModel(t *testing.T) {
	golden := filepath.Join("testdata", "reference.jsonl")
	if *update {
		writeTexts(t, golden)
	}
	references := readReferences(t, golden)
	if len(references) != len(sentences) {
		t.Fatalf("%d references for %d sentences", len(references), len(sentences))
	}
	got, err := realServer(t, "").Embed(t.Context(), embedder.Document, sentences)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range references {
		if r.Text != embedder.Normalise(sentences[i]) {
			t.Errorf("reference %d is of %q, the sentence is normalised to %q", i, r.Text, embedder.Normalise(sentences[i]))
		}
		if cosine := r.cosine(got[i].Vector); !(cosine >= 0.9999) {
			t.Errorf("%q: cosine to the reference %v, want 0.9999", sentences[i], cosine)
		}
	}
}

func writeTexts(t *testing.T, name string) {
	t.Helper()
	var b bytes.Buffer
	lines := json.NewEncoder(&b)
	lines.SetEscapeHTML(false)
	for _, s := range sentences {
		if err := lines.Encode(reference{Text: embedder.Normalise(s)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The file is made by: scripts/reference-vectors.py MODEL --skills CORPUS >build/reference.jsonl
func TestRealDescriptionsStayCloseToTheReferenceModel(t *testing.T) {
	file := filepath.Join("..", "build", "reference.jsonl")
	if _, err := os.Stat(file); err != nil {
		t.Skip("needs build/reference.jsonl: scripts/reference-vectors.py makes it from a folder of skills")
	}
	references := readReferences(t, file)
	if len(references) < 300 {
		t.Fatalf("%d descriptions, want 300", len(references))
	}
	var descriptions []string
	for _, r := range references {
		descriptions = append(descriptions, r.Text)
	}
	got, err := realServer(t, "").Embed(t.Context(), embedder.Document, descriptions)
	if err != nil {
		t.Fatal(err)
	}
	var cosines, whole []float64
	for i, r := range references {
		cosine := r.cosine(got[i].Vector)
		cosines = append(cosines, cosine)
		if got[i].Parts == 1 {
			whole = append(whole, cosine)
		}
	}
	slices.Sort(cosines)
	t.Logf("cosine to the reference: mean %.5f, p5 %.5f, min %.5f; mean of the %d texts that fit %.5f",
		average(cosines), cosines[len(cosines)/20], cosines[0], len(whole), average(whole))
	if !(average(cosines) > 0.998) || !(average(whole) > 0.999) {
		t.Error("want a mean above 0.998, above 0.999 for texts that the reference does not cut")
	}
}

func average(all []float64) float64 {
	sum := 0.0
	for _, x := range all {
		sum += x
	}
	return sum / float64(len(all))
}

func TestRealOverlongTextsAreEmbeddedInParts(t *testing.T) {
	o := realServer(t, "")
	var all []string
	for _, unit := range []string{"plain words ", "“naïve” — ", "👩‍💻 emoji 🚀 ", "数据库迁移。", "a=b|c~", "x"} {
		all = append(all, strings.Repeat(unit, 2000/len(unit)), "short")
	}
	got, err := o.Embed(t.Context(), embedder.Document, all)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range got {
		if e.Err != nil || math.Abs(norm(e.Vector)-1) > 1e-6 || (i%2 == 1) != (e.Parts == 1) {
			t.Errorf("%.20q: %d parts, error %v, length %v", all[i], e.Parts, e.Err, norm(e.Vector))
		}
	}
}

func TestRealBlankTextsHaveNoVector(t *testing.T) {
	got, err := realServer(t, "").Embed(t.Context(), embedder.Query, []string{"", "a skill", " \n ", "🎉", "\x00"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"blank", "ok", "blank", "blank", "blank"}, outcomes(got)); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}

func TestRealQueryDoesNotWaitForAnIndex(t *testing.T) {
	o := realServer(t, "")
	if _, err := o.Model(t.Context()); err != nil {
		t.Fatal(err)
	}
	indexed := make(chan error, 1)
	go func() {
		_, err := o.Embed(t.Context(), embedder.Document, slices.Repeat(sentences, 20))
		indexed <- err
	}()
	for range 3 {
		if _, err := o.Embed(t.Context(), embedder.Query, []string{"how do I merge two documents"}); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case err := <-indexed:
		t.Errorf("the index was ready (error %v) before three queries", err)
	default:
	}
	if err := <-indexed; err != nil {
		t.Error(err)
	}
}
