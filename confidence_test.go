package skillsearch_test

import (
	"testing"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/embedder"
)

// TestConfidenceTellsANeedThatFitsFromOneThatDoesNot asks a small catalogue in
// every ranking, with the real model.
func TestConfidenceTellsANeedThatFitsFromOneThatDoesNot(t *testing.T) {
	h := newHarbour(t)
	h.write("pdf-merge", "Merge several PDF files into one document.", "Use qpdf to concatenate the pages of all files.")
	h.write("tide-table", "Tells when the water is high at a harbour.", "Ask for the harbour, then read the tide table.")
	h.write("commit-message", "Writes a git commit message for staged changes.", "Read the diff first.")
	h.write("unit-tests", "Writes unit tests for a Python module.", "Use pytest.")
	engine := h.open(embedder.NewBuiltin())
	h.index(engine)
	for _, ranking := range []skillsearch.Ranking{skillsearch.Cosine, skillsearch.Lexical, skillsearch.Hybrid} {
		for _, c := range []struct{ query, not, first string }{
			{"merge PDF files into one document", "none", "pdf-merge"},
			{"book a flight to Tokyo and reserve a hotel with a view", "high", ""},
		} {
			r, err := engine.Search(t.Context(), skillsearch.Query{Text: c.query, Ranking: ranking})
			if err != nil {
				t.Fatal(err)
			}
			if r.Confidence == c.not || c.first != "" && r.Hits[0].Name != c.first {
				t.Errorf("%s %q: confidence %s, hits %v", ranking, c.query, r.Confidence, names(r))
			}
		}
	}
	r, err := engine.Search(t.Context(), skillsearch.Query{Text: "merge PDF files", Filter: skillsearch.Filter{Category: "none"}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Confidence != "none" || len(r.Hits) != 0 || r.Reason == "" {
		t.Errorf("with a filter that keeps nothing: %+v", r)
	}
}
