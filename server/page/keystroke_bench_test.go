package page_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/vectorstore"
)

// BenchmarkKeystrokeToHits types queries into the page, over the skills below
// CORPUS with the vectors in the file CORPUS_INDEX (as skillsearch index makes
// one with the built-in model; without, the rest is embedded first). It reports
// the time from a keystroke to the hits in the page, as the browser measures it.
func BenchmarkKeystrokeToHits(b *testing.B) {
	chromium(b)
	root := os.Getenv("CORPUS")
	if root == "" {
		b.Skip("CORPUS names no folder of skills, so there is nothing to search")
	}
	cfg := skillsearch.Config{Roots: skill.NamedRoots(skill.SourceFlag, root), Embedders: []skillsearch.Embedder{embedder.NewBuiltin()}}
	if path := os.Getenv("CORPUS_INDEX"); path != "" {
		cache, err := vectorstore.OpenCache(b.Context(), path, vectorstore.CacheOptions{})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = cache.Close() })
		cfg.Cache = cache
	}
	engine, err := skillsearch.Open(b.Context(), cfg)
	if err == nil && (engine.Attach(b.Context()) != nil || engine.Ready() != nil) {
		_, err = engine.Index(b.Context(), skillsearch.IndexOptions{Depth: skillsearch.Heads})
	}
	if err != nil {
		b.Fatal(err)
	}
	for _, ranking := range []string{"cosine", "lexical", "hybrid"} {
		b.Run(ranking, func(b *testing.B) {
			page := browse(b, serve(b, engine, nil), "#/?ranking="+ranking)
			page.until(`document.querySelector(".books li")`)
			b.ResetTimer()
			for b.Loop() {
				for _, query := range []string{"merge several pdf files", "review a pull request", "deploy to kubernetes"} {
					page.typeSlowly(query)
				}
			}
			took := value[[]float64](page, `performance.getEntriesByName("keystroke-to-hits").map(e => e.duration)`)
			slices.Sort(took)
			b.ReportMetric(took[len(took)/2], "p50-ms")
			b.ReportMetric(took[len(took)*95/100], "p95-ms")
			b.ReportMetric(float64(len(took)), "answers")
			b.ReportMetric(float64(len(engine.Catalogue().Skills())), "skills")
		})
	}
}

// typeSlowly types a query, each letter when the one before was answered, and
// takes it out again.
func (b *tab) typeSlowly(query string) {
	for _, letter := range query {
		b.press(string(letter))
		b.settled("true")
		time.Sleep(20 * time.Millisecond)
	}
	value[bool](b, `(f => { f.value = ""; return f.dispatchEvent(new Event("input", {bubbles: true})) })(document.querySelector("#q"))`)
	b.settled(`document.querySelector(".books li")`)
}
