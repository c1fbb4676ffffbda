package benchmarks_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/benchmarks"
)

func readRun(t *testing.T, text string) (benchmarks.Run, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.run")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return benchmarks.ReadRun(path)
}

func TestRunsAreOrderedByScoreNotByRank(t *testing.T) {
	got, err := readRun(t, "q1 Q0 b 1 1.5e-3 sys\nq1  Q0 a 2 2E-3 sys\nq1 Q0 c 3 1.5e-3 sys\nq1 Q0 d 4 -1e-300 sys\n")
	if err != nil {
		t.Fatal(err)
	}
	want := benchmarks.Run{Name: "sys", Answers: map[string][]benchmarks.Scored{"q1": {{"a", 2e-3}, {"c", 1.5e-3}, {"b", 1.5e-3}, {"d", -1e-300}}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestBadRunsAreErrorsWithTheirPlace(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"empty", "\n", "x.run is empty"},
		{"five columns", "q1 Q0 a 1 0.5\n", "x.run:1: 5 columns separated by blanks, want 6: query, Q0, document, rank, score, name"},
		{"NaN", "q1 Q0 a 1 0.5 s\nq1 Q0 b 2 NaN s\n", `x.run:2: the score is "NaN"; it must be a finite number`},
		{"infinite", "q1 Q0 a 1 -inf s\n", `x.run:1: the score is "-inf"`},
		{"beyond 32 bits", "q1 Q0 a 1 1e39 s\n", `x.run:1: the score is "1e39"; it must be a finite number`},
		{"beyond 64 bits", "q1 Q0 a 1 1e400 s\n", `x.run:1: the score is "1e400"; it must be a finite number`},
		{"letters", "q1 Q0 a 1 high s\n", `x.run:1: the score is "high"; it must be a number`},
		{"twice", "q1 Q0 a 1 2 s\nq2 Q0 a 1 2 s\nq1 Q0 a 2 1 s\n", `x.run:3: document "a" comes a second time for query "q1"; line 1 has it already`},
		{"mixed", "q1\tQ0\ta\t1\t2\ts\nq1 Q0 b 2 1 s\n", "x.run:2: separators are mixed: line 1 has tabs"},
	} {
		if _, err := readRun(t, test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: the error is %v, want %q in it", test.name, err, test.want)
		}
	}
}

func TestAWrittenRunReadsBack(t *testing.T) {
	run := benchmarks.Run{Name: "sys", Answers: map[string][]benchmarks.Scored{
		"q2": {{"x/y", 1}, {"z", float64(math.Nextafter32(1, 0))}, {"ä", -0.25}},
		"q1": {{"a document with blanks", float64(float32(0.1))}},
		"q3": nil,
	}}
	var out strings.Builder
	if err := benchmarks.WriteRun(&out, run); err != nil {
		t.Fatal(err)
	}
	if want := "q1\tQ0\ta document with blanks\t1\t0.1\tsys\n"; !strings.HasPrefix(out.String(), want) {
		t.Errorf("the run begins with %.60q, want %q", out.String(), want)
	}
	got, err := readRun(t, out.String())
	if err != nil {
		t.Fatal(err)
	}
	delete(run.Answers, "q3") // a query without documents has no line
	same := cmp.Comparer(func(a, b float64) bool { return float32(a) == float32(b) })
	if diff := cmp.Diff(run, got, same); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, bad := range []benchmarks.Run{
		{Name: "two words"},
		{Answers: map[string][]benchmarks.Scored{}},
		{Name: "s", Answers: map[string][]benchmarks.Scored{"q": {{"a\tb", 1}}}},
		{Name: "s", Answers: map[string][]benchmarks.Scored{"": {{"a", 1}}}},
	} {
		if err := benchmarks.WriteRun(&strings.Builder{}, bad); err == nil {
			t.Errorf("%v was written", bad)
		}
	}
}

// FuzzReadRun holds that a run that can be read can be written, and reads back
// in the same order.
func FuzzReadRun(f *testing.F) {
	f.Add("q1 Q0 a 1 1.5 s\nq1 Q0 b 2 1.5 s\n")
	f.Add("q1\tQ0\ta b\t1\t-2e-3\ts\n")
	f.Add("q1 Q0 a 1 NaN s")
	f.Add("\xef\xbb\xbfq 0 d 0 0 n\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		run, err := readRun(t, text)
		if err != nil || strings.ContainsAny(run.Name, " \t\r\n") {
			return
		}
		var out strings.Builder
		if err := benchmarks.WriteRun(&out, run); err != nil {
			t.Skip(err) // an ID with a carriage return
		}
		again, err := readRun(t, out.String())
		if err != nil {
			t.Fatalf("%q was written as %q: %v", text, out.String(), err)
		}
		same := cmp.Comparer(func(a, b float64) bool { return float32(a) == float32(b) })
		if diff := cmp.Diff(run, again, same); diff != "" {
			t.Errorf("-read +read again:\n%s", diff)
		}
	})
}
