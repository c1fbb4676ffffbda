package benchmarks_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/benchmarks"
	"github.com/skillsearch/skillsearch/data"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/skill"
)

// openGolden opens the library of testdata/library and the bundled skills, as a
// user's own skills, and reads its queries.
func openGolden(t *testing.T, embedders ...skillsearch.Embedder) (*benchmarks.Library, *benchmarks.Collection) {
	t.Helper()
	bundled, library := t.TempDir(), "testdata/library"
	if err := os.CopyFS(bundled, data.Skills()); err != nil {
		t.Fatal(err)
	}
	absolute, err := filepath.Abs(library)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := skillsearch.Open(t.Context(), skillsearch.Config{Embedders: embedders, Roots: []skill.Root{
		{Path: filepath.Join(bundled, "skills"), Label: "bundled", Source: skill.SourceBundled},
		{Path: absolute, Label: "library", Source: skill.SourceFlag},
	}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := benchmarks.Read("testdata/golden")
	if err != nil {
		t.Fatal(err)
	}
	return benchmarks.OpenUser(engine, embedders), c
}

// TestQualityOfTheGoldenCollection holds what each ranking reaches with the
// built-in model, over all queries and by their type.
func TestQualityOfTheGoldenCollection(t *testing.T) {
	library, c := openGolden(t, embedder.NewBuiltin())
	report, err := benchmarks.Evaluate(t.Context(), c, library, benchmarks.Options{
		Rankings: []skillsearch.Ranking{skillsearch.Cosine, skillsearch.Lexical, skillsearch.Hybrid},
		Measures: measures(t, goldenMeasures...), Index: skillsearch.Body, Sampling: benchmarks.Sampling{Draws: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	got, types := make(figures), []string{}
	for _, s := range report.Systems {
		got.add("all", s.Ranking, s.Means)
		for _, kind := range s.Types {
			got.add(kind.Type, s.Ranking, kind.Means)
			types = append(types, kind.Type)
		}
	}
	t.Log("\n" + got.String())
	compareFigures(t, "testdata/golden/quality.golden", got, types...)
}

// TestWordsFindTheGoldenSkills holds what a search by words finds for every
// query: a change of it is read in review, query by query.
func TestWordsFindTheGoldenSkills(t *testing.T) {
	library, c := openGolden(t)
	report, err := benchmarks.Evaluate(t.Context(), c, library, benchmarks.Options{
		Rankings: []skillsearch.Ranking{skillsearch.Lexical}, Sampling: benchmarks.Sampling{Draws: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	out.WriteString("# query\tnDCG@10\trank of the first relevant\tfirst three\ttext\n")
	for _, q := range report.Systems[0].Queries {
		fmt.Fprintf(&out, "%s\t%.4f\t%d\t%s\t%s\n", q.ID, q.Values[0], q.FirstRelevant, strings.Join(q.Top, " "), q.Text)
	}
	compareGolden(t, "testdata/golden/lexical.golden", out.String())
}
