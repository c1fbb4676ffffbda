package vectorstore_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/vectorstore"
)

func TestSpacesAreToldApartByFingerprintAndProbe(t *testing.T) {
	cache := open(t, cachePath(t))
	first := model(1, 64)
	a := space(t, cache, first)

	near := first
	near.Probe = jitter(rand.New(rand.NewPCG(1, 1)), first.Probe, .01)
	if b := space(t, cache, near); b.ID != a.ID {
		t.Error("a probe at cosine 0.9999 made another space")
	}
	renamed := first
	renamed.Model, renamed.Engine = "other name", "ollama 0.18.0"
	if b := space(t, cache, renamed); b.ID != a.ID || b.Model != "other name" || b.Engine != "ollama 0.18.0" {
		t.Errorf("another name and engine made space %+v", b)
	}

	ids := map[int64]string{a.ID: "the first"}
	far, longer, other := first, first, first
	far.Probe = jitter(rand.New(rand.NewPCG(2, 2)), first.Probe, .1)
	longer.Probe = append(slices.Clone(first.Probe), 0)
	other.Fingerprint = "another"
	for name, m := range map[string]vectorstore.SpaceInfo{"a far probe": far, "more dimensions": longer, "another fingerprint": other} {
		if found, ok, err := cache.FindSpace(t.Context(), m); ok || err != nil {
			t.Errorf("%s was found: %+v, %v", name, found, err)
		}
		s := space(t, cache, m)
		if same, ok := ids[s.ID]; ok {
			t.Errorf("%s has the space of %s", name, same)
		}
		ids[s.ID] = name
		found, ok, err := cache.FindSpace(t.Context(), m)
		if err != nil || !ok {
			t.Fatalf("%s was not found: %v", name, err)
		}
		if diff := cmp.Diff(s, found); diff != "" {
			t.Errorf("%s (-made +found):\n%s", name, diff)
		}
	}
}

func TestVectorsOfTwoModelsNeverMeet(t *testing.T) {
	cache := open(t, cachePath(t))
	a, b := space(t, cache, model(1, 16)), space(t, cache, model(2, 8))
	for i := range 50 {
		store(t, cache, a, entries("text", i, i+1, 16))
		store(t, cache, b, entries("text", 2*i, 2*i+2, 8))
	}
	holds(t, cache, a, entries("text", 0, 50, 16))
	holds(t, cache, b, entries("text", 0, 100, 8))
}

func TestSpacesAreListedTheLastIndexedFirst(t *testing.T) {
	cache := open(t, cachePath(t))
	var models []vectorstore.Space
	for i := range 3 {
		models = append(models, space(t, cache, model(i, 4)))
	}
	store(t, cache, models[1], entries("text", 0, 5, 4))
	store(t, cache, models[0], entries("text", 0, 2, 4))
	uses := func(order ...int) []vectorstore.SpaceUse {
		var all []vectorstore.SpaceUse
		for _, i := range order {
			all = append(all, vectorstore.SpaceUse{Space: models[i], Vectors: []int{2, 5, 0}[i]})
		}
		return all
	}
	lists := func(want []vectorstore.SpaceUse) {
		t.Helper()
		got, err := cache.Spaces(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("spaces (-want +got):\n%s", diff)
		}
	}
	lists(uses(0, 1, 2))
	space(t, cache, model(2, 4))
	lists(uses(2, 0, 1))
	if _, _, err := cache.FindSpace(t.Context(), model(1, 4)); err != nil {
		t.Fatal(err)
	}
	lists(uses(2, 0, 1)) // a search changes nothing
}

func TestASpaceNeedsAFingerprintAndAProbe(t *testing.T) {
	cache := open(t, cachePath(t))
	for _, m := range []vectorstore.SpaceInfo{
		{Probe: []float32{1}},
		{Fingerprint: "f"},
		{Fingerprint: "f", Probe: []float32{0, 0}},
		{Fingerprint: "f", Probe: []float32{float32(math.NaN())}},
	} {
		if s, err := cache.Space(t.Context(), m); err == nil {
			t.Errorf("%+v has space %d", m, s.ID)
		}
		if _, _, err := cache.FindSpace(t.Context(), m); err == nil {
			t.Errorf("%+v was looked for", m)
		}
	}
}
