package benchmarks_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/skillsearch/skillsearch/benchmarks"
)

// folder writes files, given by their paths, and returns where they are.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "mine")
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[name]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// unread leaves out what a Collection remembers of its files.
var unread = cmpopts.IgnoreUnexported(benchmarks.Collection{})

func TestCollectionsAreRead(t *testing.T) {
	want := benchmarks.Collection{
		Name: "mine",
		Documents: []benchmarks.Document{
			{ID: "a/pdf", Title: "pdf", Description: "Fills forms.", Tags: []string{"x"}, Text: "# Forms"},
			{ID: "b", Title: "b two", Text: "plain"},
		},
		Queries: []benchmarks.Query{{ID: "t-1", Text: "fill in a form", Type: "t"}, {ID: "u-1", Text: "what else", Type: "u"}},
		Qrels:   benchmarks.Qrels{"t-1": {"a/pdf": 2, "b": 0}, "u-1": {"b": 1}},
	}
	corpus := `{"_id": "b", "title": "b two", "text": "plain"}
{"_id": "a/pdf", "title": "pdf", "text": "# Forms", "metadata": {"description": "Fills forms.", "tags": ["x"], "stars": 3}}
`
	left := want
	left.Notes = []string{"1 of 3 queries have no judgement and are left out"}
	for name, test := range map[string]struct {
		files map[string]string
		want  benchmarks.Collection
	}{
		"our own": {map[string]string{
			"corpus.jsonl": corpus,
			"queries.tsv":  "\ufefft-1\tfill in a form\r\nu-1\twhat else\r\n\r\n",
			"qrels.txt":    "t-1 0 a/pdf 2\nt-1 0 b 0\nu-1   0  b   1\n",
		}, want},
		"BEIR": {map[string]string{
			"corpus.jsonl":   corpus,
			"queries.jsonl":  `{"_id": "t-1", "text": "fill in a form", "metadata": {}}` + "\n" + `{"_id": "train-1", "text": "not in the test split"}` + "\n" + `{"_id": "u-1", "text": "what else"}` + "\n",
			"qrels/test.tsv": "query-id\tcorpus-id\tscore\nt-1\ta/pdf\t2\nt-1\tb\t0\nu-1\tb\t1\n",
		}, left},
		"a link that became a file": {map[string]string{
			"corpus.jsonl":         "../mine/pool/corpus.jsonl\n",
			"pool/corpus.jsonl":    corpus,
			"queries.tsv":          "t-1\tfill in a form\t t \nu-1\twhat else\tu\n",
			"qrels.txt":            "t-1\t0\ta/pdf\t2\nt-1\t0\tb\t0\nu-1\t0\tb\t1\n",
			"qrels/unused-dev.tsv": "",
		}, want},
	} {
		got, err := benchmarks.Read(folder(t, test.files))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(&test.want, got, unread); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestSkillRetIsReadAsPublished(t *testing.T) {
	dir := folder(t, map[string]string{
		"data/skills/test.jsonl":  `{"id": "s1", "name": "pdf", "namespace": "x/y", "description": "Fills forms.", "stars": 3, "major": "docs", "body": "# Forms", "skill_md": "---\nname: pdf\n---\n# Forms"}` + "\n",
		"data/queries/test.jsonl": `{"id": "q1", "original_id": "o", "query": "fill in a form", "skill_ids": ["s1"], "skill_names": ["pdf"], "k": 1, "generator_model": "m"}` + "\n",
		"data/qrels/test.jsonl":   `{"query_id": "q1", "skill_id": "s1", "relevance": 1}` + "\n",
	})
	got, err := benchmarks.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := &benchmarks.Collection{
		Name:      "mine",
		Documents: []benchmarks.Document{{ID: "s1", Title: "pdf", Description: "Fills forms.", Text: "# Forms"}},
		Queries:   []benchmarks.Query{{ID: "q1", Text: "fill in a form", Type: "1 skills"}},
		Qrels:     benchmarks.Qrels{"q1": {"s1": 1}},
	}
	if diff := cmp.Diff(want, got, unread); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTriggersOfASkillAreACollection(t *testing.T) {
	dir := folder(t, map[string]string{"pdf/evals/eval_queries.json": `[
	{"query": "fill in a form", "should_trigger": true, "comment": "others are passed over"},
	{"query": "fill up my glass", "should_trigger": false}]`})
	path := filepath.Join(dir, "pdf", "evals", "eval_queries.json")
	read, err := benchmarks.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := benchmarks.TriggersFolder(path); got != filepath.Join(dir, "pdf") {
		t.Errorf("the skill's folder is %s", got)
	}
	got, err := read.Bind(func(ref string) (string, error) {
		return "claude/" + strings.Replace(ref, benchmarks.OwnSkill, "pdf", 1), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := &benchmarks.Collection{
		Name:      "pdf",
		Queries:   []benchmarks.Query{{ID: "q001", Text: "fill in a form"}},
		Qrels:     benchmarks.Qrels{"q001": {"claude/pdf": 1}},
		Negatives: []benchmarks.Query{{ID: "q002", Text: "fill up my glass"}},
		Rejected:  benchmarks.Qrels{"q002": {"claude/pdf": 0}},
	}
	if diff := cmp.Diff(want, got, unread); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestBadCollectionsAreErrorsWithTheirPlace changes one file of a good
// collection at a time.
func TestBadCollectionsAreErrorsWithTheirPlace(t *testing.T) {
	good := map[string]string{
		"corpus.jsonl": `{"_id": "a", "title": "a", "text": "x"}` + "\n" + `{"_id": "b", "title": "b", "text": "y"}` + "\n",
		"queries.tsv":  "q1\tone\nq2\ttwo\n",
		"qrels.txt":    "q1 0 a 1\nq2 0 b 1\n",
	}
	for _, test := range []struct{ name, file, text, want string }{
		{"unknown document", "qrels.txt", "q1 0 a 1\nq2 0 c 1\n", `qrels.txt:2: document "c" is judged and is not in the corpus`},
		{"unknown query", "qrels.txt", "q1 0 a 1\n\nq3 0 a 1\n", `qrels.txt:3: query "q3" is judged and is not among the queries`},
		{"judged twice", "qrels.txt", "q1 0 a 1\nq1 0 b 1\nq1 1 a 0\n", `qrels.txt:3: document "a" is judged a second time for query "q1"; line 1 has it already`},
		{"no grade", "qrels.txt", "q1 0 a 1\nq2 0 b\n", `qrels.txt:2: 3 columns separated by blanks, want 4: query, iteration, document, grade`},
		{"a grade of letters", "qrels.txt", "q1 0 a yes\n", `qrels.txt:1: the grade is "yes"; it must be a whole number`},
		{"tabs, then blanks", "qrels.txt", "q1\t0\ta\t1\nq2 0 b 1\n", `qrels.txt:2: separators are mixed: line 1 has tabs, by which this one has 1 columns`},
		{"tabs and blanks in a line", "qrels.txt", "q1\t0 a\t1\n", `qrels.txt:1: separators are mixed`},
		{"an empty column", "qrels.txt", "q1\t0\t\t1\n", `qrels.txt:1: column 3 (document) is empty`},
		{"no judgements", "qrels.txt", "\n \n", "qrels.txt is empty"},
		{"only a header", "qrels.txt", "query-id\tcorpus-id\tscore\n", "qrels.txt:1: there is a header and no judgement below it"},
		{"not UTF-8", "qrels.txt", "q1 0 a\xff 1\n", "qrels.txt:1: the line is not UTF-8"},
		{"a query without text", "queries.tsv", "q1\tone\nq2\t \n", `queries.tsv:2: query "q2" has no text`},
		{"blanks for a tab", "queries.tsv", "q1 one\n", "queries.tsv:1: 1 columns separated by tabs, want 2 or 3: ID, text, type"},
		{"four columns", "queries.tsv", "q1\tone\tx\ty\n", "queries.tsv:1: 4 columns"},
		{"a query twice", "queries.tsv", "q1\tone\nq2\ttwo\nq1\tthree\n", `queries.tsv:3: query "q1" comes a second time; line 1 has it already`},
		{"no query ID", "queries.tsv", "\tone\n", "queries.tsv:1: the query has no ID"},
		{"no queries", "queries.tsv", "", "queries.tsv is empty"},
		{"a document twice", "corpus.jsonl", good["corpus.jsonl"] + `{"_id": "a"}`, `corpus.jsonl:3: document "a" comes a second time; line 1 has it already`},
		{"a document without ID", "corpus.jsonl", `{"title": "a"}`, `corpus.jsonl:1: the document's ID is ""`},
		{"broken JSON", "corpus.jsonl", `{"_id": "a"` + "\n", "corpus.jsonl:1: this is no JSON object of the form that is expected: unexpected end of JSON input"},
		{"a number for an ID", "corpus.jsonl", `{"_id": 1}`, "corpus.jsonl:1: this is no JSON object"},
		{"a link to nothing", "corpus.jsonl", "../pool/corpus.jsonl", "corpus.jsonl:1: this is neither a JSON object nor the path of a corpus"},
		{"no documents", "corpus.jsonl", "", "corpus.jsonl is empty"},
		{"a negative that is judged", "negatives.tsv", "q1\tone\n", `query "q1" is among the negatives and is judged; take it out of one of them`},
	} {
		files := maps.Clone(good)
		files[test.file] = test.text
		_, err := benchmarks.Read(folder(t, files))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: the error is %v, want %q in it", test.name, err, test.want)
		}
	}
	for _, missing := range []string{"queries.tsv", "qrels.txt"} {
		files := maps.Clone(good)
		delete(files, missing)
		if _, err := benchmarks.Read(folder(t, files)); err == nil || !strings.Contains(err.Error(), missing) {
			t.Errorf("without %s the error is %v", missing, err)
		}
	}
	if _, err := benchmarks.Read(filepath.Join(t.TempDir(), "nothing")); err == nil {
		t.Error("a folder that is not there was read")
	}
}

func TestBadTriggersAreErrors(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                         "has no query",
		`{"query": "x"}`:             `eval_queries.json:1: this is no list of {"query", "should_trigger"}`,
		"[\n{\"query\": \"x\",\n}]":  "eval_queries.json:3: ",
		`[{"query": "x"}]`:           "entry 1 needs a query and should_trigger, true or false",
		`[{"should_trigger": true}]`: "entry 1 needs a query",
		`[{"query": "x", "should_trigger": "yes"}]`: "eval_queries.json:1: this is no list",
	} {
		path := filepath.Join(folder(t, map[string]string{"eval_queries.json": text}), "eval_queries.json")
		if _, err := benchmarks.Read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %q in it", text, err, want)
		}
	}
}

func TestJudgementsOfUserSkillsNameTheirPlace(t *testing.T) {
	_, c := openGolden(t)
	bad, err := benchmarks.Read(folder(t, map[string]string{"queries.tsv": "q1\tone\n", "qrels.txt": "q1 0 pdf-forms 2\nq1 0 pdf-froms 1\n"}))
	if err != nil {
		t.Fatal(err)
	}
	library, _ := openGolden(t)
	if _, err := library.Bind(bad); err == nil || !strings.Contains(err.Error(), `qrels.txt:2: skill "pdf-froms" was not found; did you mean pdf-forms`) {
		t.Errorf("the error is %v", err)
	}
	bound, err := library.Bind(c)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(benchmarks.Judgements{"library/pdf-forms": 2, "library/invoice-extraction": 1}, bound.Qrels["need-002"]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
