package benchmarks_test

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/benchmarks"
)

// smallCollection has types, a query that is not found, one that a careless page
// would run, and a negative.
func smallCollection() *benchmarks.Collection {
	c := &benchmarks.Collection{
		Name: "harbour", Documents: harbour, Qrels: benchmarks.Qrels{}, Rejected: benchmarks.Qrels{"n-1": {"boats/a": 0}},
		Negatives: []benchmarks.Query{{ID: "n-1", Text: "boat insurance"}, {ID: "n-2", Text: "zzz"}},
		Notes:     []string{"1 of 7 queries have no judgement and are left out"},
	}
	for _, q := range []struct{ id, text, document string }{
		{"row-1", "pull the oars", "boats/a"},
		{"row-2", "tide", "copy 2"},
		{"row-3", "<script>alert('rowing')</script> & co", "boats/a"},
		{"sail-1", "hoist", "boats/a/b"},
		{"sail-2", "quiz", "node_modules"},
		{"sail-3", "日本語の帆", "ÄÖ/日本"},
	} {
		kind, _, _ := strings.Cut(q.id, "-")
		c.Queries = append(c.Queries, benchmarks.Query{ID: q.id, Text: q.text, Type: kind})
		c.Qrels[q.id] = benchmarks.Judgements{"copy 1": 0, q.document: 2}
	}
	return c
}

func evaluateSmall(t *testing.T) *benchmarks.Results {
	t.Helper()
	c := smallCollection()
	library, err := benchmarks.Open(t.Context(), c.Documents, t.TempDir(), &letters{})
	if err != nil {
		t.Fatal(err)
	}
	opts := benchmarks.Options{
		Rankings: []skillsearch.Ranking{skillsearch.Cosine, skillsearch.Lexical, skillsearch.Hybrid}, Version: "v1.2.3",
		Measures: measures(t, "nDCG@10", "Success@1", "Judged@10"), Sampling: benchmarks.Sampling{Draws: 1000},
	}
	first, err := benchmarks.Evaluate(t.Context(), c, library, opts)
	if err != nil {
		t.Fatal(err)
	}
	c.Name = "the same again"
	second, err := benchmarks.Evaluate(t.Context(), c, library, opts)
	if err != nil {
		t.Fatal(err)
	}
	results, err := benchmarks.Summarise([]*benchmarks.Report{first, second}, opts.Sampling)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// forms are the results in every form.
func forms(t *testing.T, r *benchmarks.Results) map[string]string {
	t.Helper()
	var text, object, page strings.Builder
	for _, err := range []error{r.WriteText(&text), r.WriteJSON(&object), r.WriteHTML(&page)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return map[string]string{"report.txt": text.String(), "report.json": object.String(), "report.html": page.String()}
}

// TestReportsHaveTheirForm holds every form of a report against golden files,
// without the fingerprints, which change with every parameter of a ranking.
func TestReportsHaveTheirForm(t *testing.T) {
	hash := regexp.MustCompile(`\b[0-9a-f]{16,64}\b`)
	for name, text := range forms(t, evaluateSmall(t)) {
		compareGolden(t, "testdata/report/"+name, hash.ReplaceAllString(text, "HASH"))
	}
}

// TestTheSameEvaluationGivesTheSameBytes evaluates twice, from other folders.
func TestTheSameEvaluationGivesTheSameBytes(t *testing.T) {
	if diff := cmp.Diff(forms(t, evaluateSmall(t)), forms(t, evaluateSmall(t))); diff != "" {
		t.Errorf("first and second:\n%s", diff)
	}
}

// TestAPageNeedsNothingElse holds that a browser asks no host for anything, and
// that nothing a collection says is run.
func TestAPageNeedsNothingElse(t *testing.T) {
	page := forms(t, evaluateSmall(t))["report.html"]
	outside := regexp.MustCompile(`(?i)https?:|//[a-z]|\bsrc=|\bhref=|url\(|@import|<script|<link|<img|<iframe|\son[a-z]+=`)
	if found := outside.FindAllString(page, -1); found != nil {
		t.Errorf("the page has %q", found)
	}
	for _, want := range []string{"&lt;script&gt;alert(&#39;rowing&#39;)&lt;/script&gt; &amp; co", "prefers-color-scheme: dark", "default-src 'none'", "<svg role=\"img\""} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// TestReportsCompareRankings checks a report against its own rows.
func TestReportsCompareRankings(t *testing.T) {
	results := evaluateSmall(t)
	var decoded struct {
		Reports []struct {
			Systems []struct {
				Ranking string
				Means   []struct{ Mean, Low, High float64 }
				Queries []struct{ Values []float64 }
			}
			Pairs []struct {
				A, B       string
				Difference float64
				P          float64
			}
		}
		Summary struct{ Means []struct{ Mean float64 } }
	}
	if err := json.Unmarshal([]byte(forms(t, results)["report.json"]), &decoded); err != nil {
		t.Fatal(err)
	}
	report := decoded.Reports[0]
	means := map[string]float64{}
	for i, s := range report.Systems {
		sum := 0.0
		for _, q := range s.Queries {
			sum += q.Values[0]
		}
		m := s.Means[0]
		means[s.Ranking] = m.Mean
		if round4(sum/6) != round4(m.Mean) || m.Low > m.Mean || m.High < m.Mean {
			t.Errorf("%s: the rows have a mean of %v, the report says %v", s.Ranking, sum/6, m)
		}
		if got := decoded.Summary.Means[i].Mean; round4(got) != round4(m.Mean) {
			t.Errorf("%s: the mean over the same collection twice is %v, want %v", s.Ranking, got, m.Mean)
		}
	}
	named := []string{}
	for _, p := range report.Pairs {
		named = append(named, p.B+" over "+p.A)
		if round4(p.Difference) != round4(means[p.B]-means[p.A]) || p.P <= 0 || p.P > 1 {
			t.Errorf("%s over %s: difference %v, p %v; the means are %v", p.B, p.A, p.Difference, p.P, means)
		}
	}
	if diff := cmp.Diff([]string{"lexical over cosine", "hybrid over cosine", "hybrid over lexical"}, named); diff != "" {
		t.Errorf("pairs (-want +got):\n%s", diff)
	}
}

// TestFingerprintsTellWhatDiffers changes one thing at a time.
func TestFingerprintsTellWhatDiffers(t *testing.T) {
	print := func(change func(c *benchmarks.Collection, o *benchmarks.Options)) benchmarks.Fingerprint {
		t.Helper()
		c := smallCollection()
		opts := benchmarks.Options{Rankings: []skillsearch.Ranking{skillsearch.Cosine}, Sampling: benchmarks.Sampling{Draws: 10}, Index: skillsearch.Body}
		change(c, &opts)
		library, err := benchmarks.Open(t.Context(), c.Documents, t.TempDir(), &letters{})
		if err != nil {
			t.Fatal(err)
		}
		report, err := benchmarks.Evaluate(t.Context(), c, library, opts)
		if err != nil {
			t.Fatal(err)
		}
		return report.Systems[0].Fingerprint
	}
	nothing := func(*benchmarks.Collection, *benchmarks.Options) {}
	base := print(nothing)
	if again := print(nothing); again != base {
		t.Errorf("the same evaluation has the fingerprints %v and %v", base, again)
	}
	for name, change := range map[string]func(c *benchmarks.Collection, o *benchmarks.Options){
		"a query": func(c *benchmarks.Collection, _ *benchmarks.Options) { c.Queries[0].Text = "row" },
		"a grade": func(c *benchmarks.Collection, _ *benchmarks.Options) { c.Qrels["row-1"]["boats/a"] = 1 },
		"a document": func(c *benchmarks.Collection, _ *benchmarks.Options) {
			c.Documents = c.Documents[:6]
			delete(c.Qrels, "sail-3")
			c.Queries = c.Queries[:5]
		},
		"the ranking": func(_ *benchmarks.Collection, o *benchmarks.Options) { o.Rankings[0] = skillsearch.Lexical },
		"the depth":   func(_ *benchmarks.Collection, o *benchmarks.Options) { o.Index = skillsearch.Heads },
		"the seed":    func(_ *benchmarks.Collection, o *benchmarks.Options) { o.Sampling.Seed = 1 },
		"the version": func(_ *benchmarks.Collection, o *benchmarks.Options) { o.Version = "v2" },
	} {
		if print(change).ID == base.ID {
			t.Errorf("%s makes no difference", name)
		}
	}
}

// TestScoresSeparateNegatives counts from the run, by words, what the report
// says: n-2 finds nothing, as sail-2, and n-1 finds boats/a first, which it must
// not.
func TestScoresSeparateNegatives(t *testing.T) {
	report := evaluateSmall(t).Reports[0]
	s := report.Systems[1]
	best := func(query string) float64 {
		if answer := s.Run.Answers[query]; len(answer) > 0 {
			return answer[0].Score
		}
		return 0
	}
	won := 0.0
	for _, q := range []string{"row-1", "row-2", "row-3", "sail-1", "sail-2", "sail-3"} {
		for _, n := range []string{"n-1", "n-2"} {
			switch {
			case best(q) > best(n):
				won++
			case best(q) == best(n):
				won += 0.5
			}
		}
	}
	want := &benchmarks.Separation{Negatives: 2, AUC: math.Round(won/12*1e6) / 1e6, RejectedFirst: 1}
	if diff := cmp.Diff(want, s.Separation); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if best("n-2") != 0 || best("n-1") == 0 || want.AUC == 0.5 {
		t.Errorf("the run is not what this test is about: %v", s.Run.Answers)
	}
}

func TestBoundsAreHeld(t *testing.T) {
	results := evaluateSmall(t)
	bound := func(text string) benchmarks.Bound {
		t.Helper()
		b, err := benchmarks.ParseBound(text)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if missed := results.Below([]benchmarks.Bound{bound("nDCG@10=0"), bound("success@1 = 0.0")}); missed != nil {
		t.Errorf("bounds of 0 are missed: %v", missed)
	}
	missed := results.Below([]benchmarks.Bound{bound("nDCG@10=1")})
	if len(missed) != 6 || !strings.HasPrefix(missed[0], "harbour by cosine: nDCG@10 is 0.") || !strings.HasSuffix(missed[0], ", below 1") {
		t.Errorf("a bound of 1 is missed by %q, want all six", missed)
	}
	if missed := results.Below([]benchmarks.Bound{bound("MRR=0")}); len(missed) != 6 {
		t.Errorf("a measure that is not there is missed by %q", missed)
	}
	names := []string{}
	for _, m := range benchmarks.WithBounds(measures(t, "nDCG@10"), []benchmarks.Bound{bound("ndcg@10=0.5"), bound("MRR=0.5")}) {
		names = append(names, m.Name)
	}
	if diff := cmp.Diff([]string{"nDCG@10", "RR"}, names); diff != "" {
		t.Errorf("measures (-want +got):\n%s", diff)
	}
	for _, text := range []string{"", "nDCG@10", "nDCG@10=", "nDCG@10=2", "nDCG@10=-1", "nDCG@10=NaN", "nDCG=0.5", "=0.5"} {
		if b, err := benchmarks.ParseBound(text); err == nil {
			t.Errorf("%q was read as %v", text, b)
		}
	}
}

func TestComparisonOfRuns(t *testing.T) {
	qrels := benchmarks.Qrels{}
	a := benchmarks.Run{Name: "a", Answers: map[string][]benchmarks.Scored{}}
	b := benchmarks.Run{Name: "b", Answers: map[string][]benchmarks.Scored{}}
	for i := range 12 {
		q := fmt.Sprintf("q%02d", i)
		qrels[q] = benchmarks.Judgements{"right": 1}
		wrong, right := benchmarks.Scored{Document: "wrong", Score: 2}, benchmarks.Scored{Document: "right", Score: 1}
		a.Answers[q] = []benchmarks.Scored{wrong, right}
		switch {
		case i < 8: // better
			right.Score = 3
			b.Answers[q] = []benchmarks.Scored{right, wrong}
		case i < 10: // the same
			b.Answers[q] = []benchmarks.Scored{wrong, right}
		case i == 10: // worse
			b.Answers[q] = []benchmarks.Scored{wrong}
		} // q11 is not answered: worse
	}
	c, err := benchmarks.Compare(a, b, qrels, measures(t, "RR", "R@10"), benchmarks.Sampling{Draws: 2000})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := c.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	compareGolden(t, "testdata/report/compare.txt", out.String())
	// RR: 8 times +1/2, 2 times -1/2, 2 times 0; R@10: 2 times -1.
	type row struct {
		Measure       string
		A, B, D       float64
		Better, Worse int
	}
	got := []row{}
	for _, r := range c.Rows {
		got = append(got, row{r.Measure, round4(r.A), round4(r.B), round4(r.Difference), r.Better, r.Worse})
	}
	if diff := cmp.Diff([]row{{"RR", 0.5, 0.75, 0.25, 8, 2}, {"R@10", 1, 0.8333, -0.1667, 0, 2}}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"b does not answer 1 of 12 queries, which count 0 for it, the first being q11"}, c.Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	if _, err := benchmarks.Compare(a, benchmarks.Run{Name: "other"}, qrels, measures(t, "RR"), benchmarks.Sampling{}); err == nil {
		t.Error("a run of another collection was compared")
	}
}
