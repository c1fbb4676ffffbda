package skillsearch_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/skill"
)

func indexedHarbour(t *testing.T) (*harbour, *skillsearch.Engine) {
	h := newHarbour(t)
	h.write("tug", "pulls ships into the harbour", "Use the thick rope.")
	h.write("tug-boat", "pulls ships into the harbour", "Use the thin rope.")
	h.write("crane", "lifts containers from the deck", "")
	h.write("baker", "bakes bread and cake in an oven", "")
	engine := h.open()
	if _, err := engine.Index(t.Context(), skillsearch.IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	return h, engine
}

func TestAMapPutsLikeSkillsTogether(t *testing.T) {
	h, engine := indexedHarbour(t)
	m, err := engine.Map(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, p := range m.Points {
		at[p.Name] = i
		if math.Abs(p.X) > 1 || math.Abs(p.Y) > 1 {
			t.Errorf("%+v lies outside", p)
		}
	}
	apart := func(a, b string) float64 {
		p, q := m.Points[at[a]], m.Points[at[b]]
		return math.Hypot(p.X-q.X, p.Y-q.Y)
	}
	if near, far := apart("tug", "tug-boat"), apart("tug", "baker"); len(m.Points) != 4 || near >= far {
		t.Errorf("tug is %v from tug-boat and %v from baker: %+v", near, far, m)
	}
	if len(m.Links) != 1 || m.Links[0].A != at["tug"] || m.Links[0].B != at["tug-boat"] {
		t.Errorf("links %+v, want tug and tug-boat alone", m.Links)
	}
	if m.Explained[0] < m.Explained[1] || m.Explained[0]+m.Explained[1] > 1 || m.Explained[1] <= 0 {
		t.Errorf("explained %v", m.Explained)
	}
	again, err := h.open().Map(t.Context()) // as another process
	if diff := cmp.Diff(m, again); err != nil || diff != "" {
		t.Errorf("%v (-first +second):\n%s", err, diff)
	}
}

func TestAMapIsDrawnAnewWhenSkillsCome(t *testing.T) {
	h, engine := indexedHarbour(t)
	if _, err := engine.Map(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.write("late", "sails a wooden boat", "")
	if err := engine.Rescan(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m, err := engine.Map(t.Context()); err != nil || m.Total != 5 || len(m.Points) != 4 {
		t.Fatalf("%+v, %v; want 5 skills, of which 4 are placed", m, err)
	}
	if _, err := engine.Index(t.Context(), skillsearch.IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	if m, err := engine.Map(t.Context()); err != nil || len(m.Points) != 5 {
		t.Errorf("%+v, %v; want 5 points", m, err)
	}
}

func TestAMapWithoutVectorsSaysWhy(t *testing.T) {
	h := newHarbour(t)
	h.write("tug", "pulls ships", "")
	m, err := h.open(&bag{model: "a", down: embedder.ErrUnavailable}).Map(t.Context())
	if err != nil || m.Reason == "" || len(m.Points) != 0 {
		t.Errorf("%+v, %v", m, err)
	}
	m, err = h.open().Map(t.Context())
	if err != nil || m.Reason == "" || len(m.Points) != 0 {
		t.Errorf("with nothing indexed: %+v, %v", m, err)
	}
}

func TestFacetsCountSkillsWhateverTheCase(t *testing.T) {
	h := newHarbour(t)
	h.write("a", "x\ncategory: Boats\ntags: [sea, Sea, rope]\nskillbook: PORT", "")
	h.write("b", "y\ncategory: boats\ntags: [SEA]", "")
	want := &skillsearch.Facets{
		SkillBooks: []skillsearch.Facet{{Value: "PORT", Skills: 1}, {Value: "harbour", Skills: 1}}, Categories: []skillsearch.Facet{{Value: "Boats", Skills: 2}},
		Tags: []skillsearch.Facet{{Value: "sea", Skills: 2}, {Value: "rope", Skills: 1}}, Sources: []skillsearch.Facet{{Value: "flag", Skills: 2}},
	}
	if diff := cmp.Diff(want, h.open().Facets()); diff != "" {
		t.Errorf("facets (-want +got):\n%s", diff)
	}
}

func TestAFilterBySourceKeepsAnyOfThem(t *testing.T) {
	_, engine := indexedHarbour(t)
	for source, want := range map[string]int{"Flag": 4, "bundled": 0} {
		r, err := engine.Search(t.Context(), skillsearch.Query{Text: "ships", Filter: skillsearch.Filter{Sources: []string{"plugin", source}}})
		if err != nil || len(r.Hits) != want {
			t.Errorf("%s: %d hits, %v; want %d", source, len(r.Hits), err, want)
		}
	}
}

func TestHitsNameMissingBinariesAndMarkedWords(t *testing.T) {
	h := newHarbour(t)
	h.write("tug", "pulls ships\nrequires: {bins: [rope, winch]}", "Tie the ship well.")
	engine, err := skillsearch.Open(t.Context(), skillsearch.Config{
		Roots: skill.NamedRoots(skill.SourceFlag, h.root), NoEmbedder: errors.New("words do"),
		Machine: skill.Machine{HasBinary: func(name string) bool { return name == "rope" }},
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.Search(t.Context(), skillsearch.Query{Text: "pull a ship", Mark: true})
	if err != nil || len(r.Hits) != 1 {
		t.Fatal(r, err)
	}
	if diff := cmp.Diff([]string{"pulls", "ships", "ship"}, r.Hits[0].Words); diff != "" {
		t.Error(diff)
	}
	shown, err := engine.Show("tug")
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range [][]string{r.Hits[0].MissingBinaries, shown.MissingBinaries} {
		if diff := cmp.Diff([]string{"winch"}, got); diff != "" {
			t.Error(diff)
		}
	}
}
