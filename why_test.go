package skillsearch_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/skill"
)

// explained is a harbour of boats for the query "sails a wooden boat".
func explained(t *testing.T) (*harbour, *skillsearch.Engine) {
	h := newHarbour(t)
	h.write("dinghy", "sails a wooden boat", "Row when there is no wind.")
	h.write("yacht", "sails a boat", "The hull is wooden.")
	h.write("crane", "lifts crates", "Grease the chain.")
	for i := range 12 {
		h.write("ship-"+string(rune('a'+i)), "sails a boat of wood and steel", "")
	}
	engine := h.open(h.bag)
	h.index(engine)
	return h, engine
}

func TestWhyAgreesWithTheSearch(t *testing.T) {
	_, engine := explained(t)
	for _, ranking := range []skillsearch.Ranking{skillsearch.Cosine, skillsearch.Lexical, skillsearch.Hybrid} {
		q := skillsearch.Query{Text: "sails a wooden boat", Limit: 50, Ranking: ranking}
		result, err := engine.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, hit := range result.Hits {
			w, err := engine.Why(t.Context(), q, hit.ID)
			if err != nil {
				t.Fatal(err)
			}
			if w.Rank != hit.Rank || w.Score != hit.Score || w.Ranking != string(ranking) || w.Total != 15 {
				t.Errorf("%s: %s is number %d (%v) of %d, and in the search %d (%v)", w.Ranking, hit.ID, w.Rank, w.Score, w.Total, hit.Rank, hit.Score)
			}
			var ahead []string
			for _, s := range w.Ahead {
				ahead = append(ahead, s.Name)
			}
			if diff := cmp.Diff(names(result)[:min(hit.Rank-1, 10)], ahead, cmp.Transformer("empty", func(s []string) []string { return append([]string{}, s...) })); diff != "" {
				t.Errorf("%s: ahead of %s: %s", ranking, hit.ID, diff)
			}
			if !slices.Contains(w.Places, skillsearch.Place{Ranking: string(ranking), Rank: hit.Rank, Score: hit.Score}) {
				t.Errorf("%s: the places are %v", ranking, w.Places)
			}
		}
	}
}

func TestWhySaysWhatCountedAndWhatWouldHelp(t *testing.T) {
	_, engine := explained(t)
	w, err := engine.Why(t.Context(), skillsearch.Query{Text: "sails a wooden boat quickly"}, "yacht")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"quickly"}, w.Missing); diff != "" {
		t.Error("missing:", diff)
	}
	fields := make(map[string][]string)
	for _, word := range w.Words {
		fields[word.Word] = word.Fields
	}
	if diff := cmp.Diff(map[string][]string{"sails": {"description"}, "boat": {"description"}, "wooden": {"body"}}, fields); diff != "" {
		t.Error("words:", diff)
	}
	if w.Cosine == nil || w.Cosine.Body == nil || w.Passage == nil || w.Passage.Text != "The hull is wooden." {
		t.Errorf("cosines %v, passage %v", w.Cosine, w.Passage)
	}
	advice := strings.Join(w.Advice, "\n")
	for _, want := range []string{"says nowhere: quickly", "in its body alone, where a word counts a tenth: wooden", "with these words in its description it would be number 3 by cosine, and is number 13 now (tried)"} {
		if !strings.Contains(advice, want) {
			t.Errorf("no %q in the advice:\n%s", want, advice)
		}
	}
}

func TestWhyOfASkillThatIsNotRanked(t *testing.T) {
	h, engine := explained(t)
	w, err := engine.Why(t.Context(), skillsearch.Query{Text: "wooden", Ranking: skillsearch.Lexical}, "crane")
	if err != nil {
		t.Fatal(err)
	}
	if w.Rank != 0 || len(w.Ahead) != 2 || w.Behind != nil {
		t.Errorf("number %d, ahead %v, behind %v", w.Rank, w.Ahead, w.Behind)
	}
	h.write("late", "sails a wooden boat", "")
	if err := engine.Rescan(t.Context()); err != nil {
		t.Fatal(err)
	}
	w, err = engine.Why(t.Context(), skillsearch.Query{Text: "sails a wooden boat"}, "late")
	if err != nil {
		t.Fatal(err)
	}
	if w.Rank != 0 || w.Cosine != nil || !slices.ContainsFunc(w.Advice, func(a string) bool { return strings.Contains(a, "no vector yet") }) {
		t.Errorf("an unembedded skill is number %d, cosines %v, advice %q", w.Rank, w.Cosine, w.Advice)
	}
}

func TestWhyWithoutVectorsSpeaksOfWords(t *testing.T) {
	h, _ := explained(t)
	h.bag.down = embedder.ErrUnavailable
	engine := h.open(h.bag)
	w, err := engine.Why(t.Context(), skillsearch.Query{Text: "sails a wooden boat"}, "dinghy")
	if err != nil {
		t.Fatal(err)
	}
	if !w.Degraded || w.Reason == "" || w.Ranking != "lexical" || w.Rank != 1 || len(w.Places) != 1 || w.Cosine != nil {
		t.Errorf("%+v", w)
	}
}

func TestWhyRefusesWhatItCantExplain(t *testing.T) {
	_, engine := explained(t)
	for _, c := range []struct {
		query, skill string
		want         error
	}{
		{"", "yacht", skillsearch.ErrInvalidArgument},
		{"!!", "yacht", skillsearch.ErrInvalidArgument},
		{"boat", "submarine", skill.ErrNotFound},
	} {
		if _, err := engine.Why(t.Context(), skillsearch.Query{Text: c.query}, c.skill); !errors.Is(err, c.want) {
			t.Errorf("%q of %q: %v, want %v", c.query, c.skill, err, c.want)
		}
	}
}
