package benchmarks_test

import (
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/benchmarks"
)

// measures reads the names of measures.
func measures(t *testing.T, names ...string) []benchmarks.Measure {
	t.Helper()
	list := make([]benchmarks.Measure, len(names))
	for i, name := range names {
		m, err := benchmarks.ParseMeasure(name)
		if err != nil {
			t.Fatal(err)
		}
		list[i] = m
	}
	return list
}

// round4 is a value to the fourth decimal.
func round4(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// TestMeasuresOfASmallRun holds every measure against values worked out by hand
// on testdata/small.run and small.qrels.
//
// q1: judged a 2, b 1, c 1, and n1, n2 not relevant; answered x a n1 b z, c not
// found. The discounts 1/log2(i+1) for ranks 1 to 4: 1, .6309, .5, .4307.
//
//	nDCG@10  (2·.6309 + 1·.4307) / (2·1 + 1·.6309 + 1·.5) = 1.6925/3.1309 = .5406
//	R@10 2/3 = .6667; P@5 2/5; RR 1/2; Success@1 0; Success@5 1; Comp@10 0
//	AP       (1/2 + 2/4 + 0) / 3 = .3333
//	Rprec    of the first 3 one is relevant: 1/3
//	Bpref    a: nothing above that was judged not relevant: 1; b: n1 above:
//	         1 - min(1,3)/min(2,3) = 1/2; c not found: 0; together 1.5/3 = .5
//	Judged@5 a, n1, b: 3/5
//
// q2: judged a 1; b, a and c have equal scores, so that trec_eval's order is c b
// a: rank 3. nDCG .5/1, RR = AP 1/3, P@5 1/5, Rprec 0, Bpref 1 (no document was
// judged not relevant), Judged@5 1/3 of the three that there are. RR@2 has them
// in the order a b c: 1.
//
// q3: judged a 3, b 1, answered a b by score, whatever the ranks say: 1
// everywhere, but P@5 2/5.
//
// q4: nothing is relevant: 0 everywhere, but Judged@5 1. q5: not answered: 0.
// q9 is not judged and does not count.
func TestMeasuresOfASmallRun(t *testing.T) {
	names := []string{"nDCG@10", "nDCG@2", "R@10", "P@5", "RR", "RR@2", "AP", "AP@2", "Success@1", "Success@5", "Comp@10", "Rprec", "Bpref", "Judged@5"}
	want := map[string][]float64{
		"q1": {0.5406, 0.4796, 0.6667, 0.4, 0.5, 0.5, 0.3333, 0.1667, 0, 1, 0, 0.3333, 0.5, 0.6},
		"q2": {0.5, 0, 1, 0.2, 0.3333, 1, 0.3333, 0, 0, 1, 1, 0, 1, 0.3333},
		"q3": {1, 1, 1, 0.4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
		"q4": {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
		"q5": {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
	}
	run, err := benchmarks.ReadRun("testdata/small.run")
	if err != nil {
		t.Fatal(err)
	}
	qrels, err := benchmarks.ReadQrels("testdata/small.qrels")
	if err != nil {
		t.Fatal(err)
	}
	scores := benchmarks.Score(run, qrels, measures(t, names...))
	got := make(map[string][]float64)
	for i, query := range scores.Queries {
		for _, v := range scores.Rows[i] {
			got[query] = append(got[query], round4(v))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%v (-want +got):\n%s", names, diff)
	}
	// (.5406 + .5 + 1 + 0 + 0) / 5: a query without an answer lowers the mean.
	if mean := round4(scores.Means()[0]); mean != 0.4081 {
		t.Errorf("mean nDCG@10 is %v, want 0.4081", mean)
	}
}

func TestMeasuresAtTheEdges(t *testing.T) {
	all := append(measures(t, "Comp@10"), benchmarks.DefaultMeasures()...)
	for _, test := range []struct {
		name   string
		ranked []string
		judged benchmarks.Judgements
		want   map[string]float64 // what is not 0
	}{
		{"nothing judged", []string{"a"}, nil, nil},
		{"nothing answered", nil, benchmarks.Judgements{"a": 1}, nil},
		{"a grade below 0 is not relevant", []string{"a", "b"}, benchmarks.Judgements{"a": -1, "b": -2}, map[string]float64{"Judged@10": 1}},
		{
			"more judged not relevant above than there are relevant",
			[]string{"n1", "n2", "n3", "a"},
			benchmarks.Judgements{"a": 1, "n1": 0, "n2": 0, "n3": 0},
			// rank 4: .4307; Bpref 1 - min(3,1)/min(3,1) = 0
			map[string]float64{"nDCG@10": 0.4307, "nDCG@5": 0.4307, "R@10": 1, "R@100": 1, "RR@10": 0.25, "AP@100": 0.25, "P@5": 0.2, "Success@5": 1, "Success@10": 1, "Comp@10": 1, "Judged@10": 1},
		},
	} {
		var answer []benchmarks.Scored
		for i, document := range test.ranked {
			answer = append(answer, benchmarks.Scored{Document: document, Score: -float64(i)})
		}
		got := map[string]float64{}
		for _, m := range all {
			if v := round4(m.Of(answer, test.judged)); v != 0 {
				got[m.Name] = v
			}
		}
		if test.want == nil {
			test.want = map[string]float64{}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestMeasuresAreReadByName(t *testing.T) {
	for name, want := range map[string]string{
		"nDCG@10": "nDCG@10", "ndcg@5": "nDCG@5", "recall@100": "R@100", "MRR": "RR", "mrr@10": "RR@10", "map": "AP", "ap@100": "AP@100",
		"hit@1": "Success@1", "P@3": "P@3", "rprec": "Rprec", "bpref": "Bpref", "judged@10": "Judged@10", "Comp@10": "Comp@10",
	} {
		m, err := benchmarks.ParseMeasure(name)
		if err != nil || m.Name != want {
			t.Errorf("%s: %q, %v; want %q", name, m.Name, err, want)
		}
	}
	for _, name := range []string{"", "nDCG", "nDCG@", "nDCG@0", "nDCG@-1", "nDCG@x", "Rprec@5", "F1", "nDCG@10@5"} {
		if m, err := benchmarks.ParseMeasure(name); err == nil {
			t.Errorf("%q was read as %s", name, m.Name)
		}
	}
}

// collections is the folder of published and derived collections that the
// variable COLLECTIONS names.
func collections(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("COLLECTIONS")
	if folder == "" {
		t.Skip("COLLECTIONS names no folder of collections, so there is nothing to measure")
	}
	return folder
}

// TestReferenceRunsMeasureAsWithTrecEval holds our measures against those that
// trec_eval found for the same runs.
func TestReferenceRunsMeasureAsWithTrecEval(t *testing.T) {
	runs, err := filepath.Glob(filepath.Join(collections(t), "*", "reference", "*.run.txt"))
	if err != nil || len(runs) == 0 {
		t.Fatalf("no reference runs: %v", err)
	}
	for _, path := range runs {
		folder := filepath.Dir(filepath.Dir(path))
		raw, err := os.ReadFile(filepath.Join(filepath.Dir(path), "expected.json"))
		if err != nil {
			t.Fatal(err)
		}
		var expected map[string]map[string]float64
		if err := json.Unmarshal(raw, &expected); err != nil {
			t.Fatal(err)
		}
		run, err := benchmarks.ReadRun(path)
		if err != nil {
			t.Fatal(err)
		}
		qrels, err := benchmarks.ReadQrels(filepath.Join(folder, "qrels.txt"))
		if err != nil {
			t.Fatal(err)
		}
		names := slices.Sorted(maps.Keys(expected[run.Name]))
		if len(names) == 0 {
			t.Fatalf("%s: nothing is expected of %q", path, run.Name)
		}
		means := benchmarks.Score(run, qrels, measures(t, names...)).Means()
		for i, name := range names {
			if want := expected[run.Name][name]; math.Abs(means[i]-want) > 0.5e-4 {
				t.Errorf("%s: %s is %.6f, trec_eval has %.6f", path, name, means[i], want)
			}
		}
	}
	t.Logf("%d runs", len(runs))
}

// TestMeasuresOfOddRunsAreThoseOfTrecEval holds every query of 25 runs with
// ties, gaps and unjudged queries against the values of trec_eval and
// ir_measures; testdata/treceval/make.py made both.
func TestMeasuresOfOddRunsAreThoseOfTrecEval(t *testing.T) {
	raw, err := os.ReadFile("testdata/treceval/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var expected map[string]map[string]map[string]float64 // run, measure, query
	if err := json.Unmarshal(raw, &expected); err != nil {
		t.Fatal(err)
	}
	qrels, err := benchmarks.ReadQrels("testdata/treceval/qrels")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(expected)) {
		run, err := benchmarks.ReadRun(filepath.Join("testdata/treceval", name))
		if err != nil {
			t.Fatal(err)
		}
		names := slices.Sorted(maps.Keys(expected[name]))
		scores := benchmarks.Score(run, qrels, measures(t, names...))
		for i, query := range scores.Queries {
			for m, measure := range names {
				if want := expected[name][measure][query]; math.Abs(scores.Rows[i][m]-want) > 1e-6 {
					t.Errorf("%s: %s of %s is %.6f, want %.6f", name, measure, query, scores.Rows[i][m], want)
				}
			}
		}
	}
}
