package skillsearch_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
)

func (h *harbour) rescan(engine *skillsearch.Engine) {
	h.t.Helper()
	if err := engine.Rescan(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
}

// find is the hit for a skill.
func find(r *skillsearch.Result, name string) (skillsearch.Hit, bool) {
	i := slices.IndexFunc(r.Hits, func(hit skillsearch.Hit) bool { return hit.Name == name })
	if i < 0 {
		return skillsearch.Hit{}, false
	}
	return r.Hits[i], true
}

// TestAnEditedSkillAnswersAsStaleUntilItIsEmbedded holds that the vectors of the
// content before stand in, over several edits, and that what is shown is the new
// content.
func TestAnEditedSkillAnswersAsStaleUntilItIsEmbedded(t *testing.T) {
	h := newHarbour(t)
	h.write("curlew", "Counts curlews on the shore.", "Wade.")
	h.write("plover", "Counts plovers on the shore.", "Walk.")
	engine := h.open()
	h.index(engine)
	fresh, _ := find(h.search(engine, "curlews"), "curlew")
	for _, now := range []string{"Counts sanderlings.", "Counts sanderlings and knots."} {
		h.write("curlew", now, "Fly off. "+now)
		h.rescan(engine)
		r := h.search(engine, "curlews")
		hit, _ := find(r, "curlew")
		want := fresh
		want.Description, want.Stale, want.Passage = now, true, nil
		hit.Passage = nil // chosen by its words
		if diff := cmp.Diff(want, hit); diff != "" || r.Unembedded != 0 || r.Hits[0].Name != "curlew" {
			t.Errorf("after the edit, %d unembedded (-want +got):\n%s", r.Unembedded, diff)
		}
		if other, _ := find(r, "plover"); other.Stale {
			t.Error("a skill that nobody touched is stale")
		}
		if s := engine.Status(); s.Stale != 1 || s.Embedded != 2 {
			t.Errorf("status: %d stale, %d embedded; want 1 and 2", s.Stale, s.Embedded)
		}
		if r, err := engine.Similar(t.Context(), "curlew", 0, 0); err != nil || len(r.Hits) != 1 {
			t.Errorf("similar: %+v, %v", r, err)
		}
	}
	h.index(engine)
	r := h.search(engine, "sanderlings and knots")
	if hit, _ := find(r, "curlew"); hit.Stale || r.Hits[0].Name != "curlew" || engine.Status().Stale != 0 {
		t.Errorf("after Index: %v, stale %v, %d stale", names(r), hit.Stale, engine.Status().Stale)
	}
}

// TestOnlyWhatChangedIsEmbedded holds that a passage with a vector keeps it, with
// a cache and without, whatever else changes in the skill.
func TestOnlyWhatChangedIsEmbedded(t *testing.T) {
	h := newHarbour(t)
	h.write("curlew", "Counts curlews.", paragraphs('c', 100))
	engine := h.open()
	h.index(engine)
	before := len(h.bag.texts)
	h.write("curlew", "Counts curlews.", paragraphs('c', 100)+"\n## New\n\nA last paragraph.")
	h.rescan(engine)
	if r := h.search(engine, "curlews"); r.Hits[0].Stale {
		t.Error("a skill whose first passages have vectors is stale")
	}
	h.index(engine)
	if n := len(h.bag.texts) - before; n == 0 || n > 2 {
		t.Errorf("%d texts were embedded for one more paragraph; want 1 or 2", n)
	}
}

// TestBodiesCountWhileOneSkillWaits holds that the ranking of all does not turn
// to heads for one skill's sake: a new one joins with its body.
func TestBodiesCountWhileOneSkillWaits(t *testing.T) {
	h := newHarbour(t)
	h.write("curlew", "Counts curlews.", "Wade.")
	h.write("plover", "Counts plovers.", "Walk.")
	engine := h.open()
	h.index(engine)
	h.write("dunlin", "Counts dunlins.", "A body that can't be embedded yet.")
	h.rescan(engine)
	h.bag.after = func(n int) error {
		if n > 2 { // the heads and first passages of the beginning; then the new head
			r, err := engine.Status(), error(nil)
			if !r.Bodies || r.Embedded != 2 {
				err = fmt.Errorf("bodies %v, %d embedded; want true and 2", r.Bodies, r.Embedded)
			}
			return err
		}
		return nil
	}
	h.index(engine)
	h.bag.after = nil
	if s := engine.Status(); !s.Bodies || s.Embedded != 3 {
		t.Errorf("bodies %v, %d embedded; want true and 3", s.Bodies, s.Embedded)
	}
}

// TestAnIndexGoesOnWithTheNewCatalogue holds that a rescan while an Index runs
// loses no vector, and that the same Index embeds what the rescan found.
func TestAnIndexGoesOnWithTheNewCatalogue(t *testing.T) {
	for _, cached := range []bool{true, false} {
		h := newHarbour(t)
		for i := range 20 {
			h.write(fmt.Sprintf("boat-%02d", i), fmt.Sprintf("Sails boat %c.", 'a'+i), "Go.")
		}
		engine := h.open()
		if !cached {
			engine = open(t, skillsearch.Config{Roots: skill.NamedRoots(skill.SourceFlag, h.root), Embedders: []skillsearch.Embedder{h.bag}})
		}
		h.bag.after = func(n int) error {
			if n == 2 { // this batch belongs to the catalogue before
				h.write("kayak", "Paddles a kayak.", "Go by hand.")
				return engine.Rescan(context.Background())
			}
			return nil
		}
		report := h.index(engine)
		if r := h.search(engine, "kayak"); r.Unembedded != 0 || r.Hits[0].Name != "kayak" || report.Skills != 21 {
			t.Errorf("cached %v: %d unembedded, hits %v, %d skills", cached, r.Unembedded, names(r), report.Skills)
		}
		slices.Sort(h.bag.texts)
		if once := slices.Compact(slices.Clone(h.bag.texts)); len(once) != len(h.bag.texts) {
			t.Errorf("cached %v: %d texts were embedded, %d of them different", cached, len(h.bag.texts), len(once))
		}
	}
}

func open(t *testing.T, cfg skillsearch.Config) *skillsearch.Engine {
	t.Helper()
	engine, err := skillsearch.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

// TestNoAnswerMixesTwoCatalogues asks while every skill is rewritten, one is
// added and all are embedded anew: an answer has the skills and texts of one version.
func TestNoAnswerMixesTwoCatalogues(t *testing.T) {
	h := newHarbour(t)
	const first, versions = 12, 10
	ready := t.TempDir()
	version := func(v int) {
		for i := range first + v {
			h.write(fmt.Sprintf("boat-%02d", i), fmt.Sprintf("Sails boat %c in version %d.", 'a'+i, v), fmt.Sprintf("Body of %d.", v))
		}
		if err := os.Rename(h.root, filepath.Join(ready, fmt.Sprint(v))); err != nil {
			t.Fatal(err)
		}
	}
	for v := range versions {
		version(v)
	}
	use := func(v int) { // all at once, so that a rescan sees no half
		if err := os.Symlink(filepath.Join(ready, fmt.Sprint(v)), h.root+".new"); err != nil {
			t.Skip("links can't be made here: ", err)
		}
		if err := os.Rename(h.root+".new", h.root); err != nil {
			t.Fatal(err)
		}
	}
	use(0)
	engine := h.open()
	h.index(engine)
	var done atomic.Bool
	var wg sync.WaitGroup
	for _, ranking := range []skillsearch.Ranking{skillsearch.Cosine, skillsearch.Hybrid, skillsearch.Lexical} {
		wg.Go(func() {
			for !done.Load() {
				r, err := engine.Search(t.Context(), skillsearch.Query{Text: "sails boat version", Ranking: ranking, Limit: 50})
				if err != nil {
					t.Error(err)
					return
				}
				checkVersion(t, r, first)
				time.Sleep(time.Millisecond) // else the log of tests, which every look at a file locks, starves the rescans
			}
		})
	}
	for v := 1; v < versions; v++ {
		use(v)
		h.rescan(engine)
		h.index(engine)
	}
	done.Store(true)
	wg.Wait()
}

// checkVersion holds that an answer is that of one version v, which has first+v
// skills.
func checkVersion(t *testing.T, r *skillsearch.Result, first int) {
	t.Helper()
	want := fmt.Sprintf("in version %d.", r.Total-first)
	for _, hit := range r.Hits {
		if !strings.HasSuffix(hit.Description, want) {
			t.Errorf("%s: of %d skills %s says %q", r.Ranking, r.Total, hit.ID, hit.Description)
		}
	}
	if len(r.Hits)+r.Unembedded != r.Total && r.Ranking == string(skillsearch.Cosine) {
		t.Errorf("%s: %d hits and %d unembedded of %d skills", r.Ranking, len(r.Hits), r.Unembedded, r.Total)
	}
}
