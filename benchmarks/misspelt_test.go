package benchmarks_test

import (
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/benchmarks"
)

// A typist misspells words, a query always in the same way.
type typist struct{ dice uint64 }

func newTypist(id string) *typist {
	h := fnv.New64a()
	h.Write([]byte(id))
	return &typist{h.Sum64()}
}

// roll is below n.
func (t *typist) roll(n int) int {
	t.dice = t.dice*6364136223846793005 + 1442695040888963407 // Knuth's MMIX
	return int(t.dice >> 33 % uint64(n))
}

// misspell changes one or two of the words of five letters or more: two letters
// are swapped, one is left out, doubled, or another is hit.
func (t *typist) misspell(text string) string {
	words := strings.Fields(text)
	var long []int
	for i, w := range words {
		if len(w) >= 5 && !strings.ContainsFunc(w, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) }) {
			long = append(long, i)
		}
	}
	for n := 1 + t.roll(2); n > 0 && len(long) > 0; n-- {
		pick := t.roll(len(long))
		words[long[pick]] = t.mistype(words[long[pick]])
		long[pick] = long[len(long)-1]
		long = long[:len(long)-1]
	}
	return strings.Join(words, " ")
}

// mistype makes a mistake behind the first letter.
func (t *typist) mistype(word string) string {
	i := 1 + t.roll(len(word)-2)
	switch before, letter, behind := word[:i], word[i:i+1], word[i+1:]; t.roll(4) {
	case 0:
		return before + behind[:1] + letter + behind[1:]
	case 1:
		return before + behind
	case 2:
		return before + letter + letter + behind
	default:
		return before + string(rune('a'+t.roll(26))) + behind
	}
}

// TestQualityOfMisspeltQueries holds what is found of the five collections when
// their queries are misspelt. The vectors of these queries are remembered too.
func TestQualityOfMisspeltQueries(t *testing.T) {
	depth, variants := skillsearch.Heads, byWords
	if os.Getenv("VECTORS") != "" {
		depth, variants = skillsearch.Body, append(byWords, byBodies...)
	}
	m, got := memory(t, builtin()), make(figures)
	libraries := make(map[int]*benchmarks.Library) // by number of documents
	for _, name := range macro5 {
		c, err := benchmarks.Read(filepath.Join(collections(t), name))
		if err != nil {
			t.Fatal(err)
		}
		if libraries[len(c.Documents)] == nil {
			if libraries[len(c.Documents)], err = benchmarks.Open(t.Context(), c.Documents, t.TempDir(), m); err != nil {
				t.Fatal(err)
			}
		}
		for i, q := range c.Queries {
			c.Queries[i].Text = newTypist(q.ID).misspell(q.Text)
		}
		opts := benchmarks.Options{Index: depth, Measures: measures(t, goldenMeasures...), Sampling: benchmarks.Sampling{Draws: 1}}
		for _, v := range variants {
			opts.Rankings = append(opts.Rankings, v.ranking)
		}
		report, err := benchmarks.Evaluate(t.Context(), c, libraries[len(c.Documents)], opts)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range variants {
			got.add(c.Name, v.name, report.Systems[i].Means)
		}
	}
	got.addMacro5()
	t.Log("\n" + got.String())
	compareFigures(t, "testdata/misspelt.golden", got)
}
