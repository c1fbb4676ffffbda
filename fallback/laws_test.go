package fallback_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/skillsearch/skillsearch/fallback"
	"github.com/skillsearch/skillsearch/skill"
)

// vocabulary is what random skills and queries are made of.
var vocabulary = strings.Fields(`amber basalt cobalt dolomite ember flint garnet hematite indigo jasper kaolin
	lapis marble nickel opal pumice quartz ruby slate talc umber vanadium wolfram xenon yttrium zircon
	e2e-testing GitHub 会议纪要 끝말잇기 café 38.101`)

// some are up to n random words.
func some(r *rand.Rand, n int) string {
	var picked []string
	for range r.IntN(n + 1) {
		picked = append(picked, vocabulary[r.IntN(len(vocabulary))])
	}
	return strings.Join(picked, " ")
}

// randomSkills are n skills, each with a name of its own.
func randomSkills(r *rand.Rand, n int) []*skill.Skill {
	var skills []*skill.Skill
	for i := range n {
		name := fmt.Sprintf("%s-%s-%d", vocabulary[r.IntN(len(vocabulary))], vocabulary[r.IntN(len(vocabulary))], i)
		skills = append(skills, &skill.Skill{
			ID:          fmt.Sprintf("root/%03d", i),
			Name:        name,
			Title:       name + " " + some(r, 2),
			Description: some(r, 12),
			Tags:        strings.Fields(some(r, 3)),
			Body:        some(r, 60),
		})
	}
	return skills
}

// queries are some random ones, and the names of some skills.
func queries(r *rand.Rand, skills []*skill.Skill) []string {
	var queries []string
	for range 20 {
		queries = append(queries, some(r, 8), skills[r.IntN(len(skills))].Name)
	}
	return queries
}

// searchAll are the matches of all queries, one after the other.
func searchAll(x *fallback.Index, queries []string) [][]fallback.Match {
	var all [][]fallback.Match
	for _, query := range queries {
		all = append(all, x.Search(query))
	}
	return all
}

func TestNeitherOrderOfSkillsNorCoresChangeAMatch(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	skills := randomSkills(r, 300)
	asked := queries(r, skills)
	want := searchAll(fallback.New(skills), asked)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, cores := range []int{1, 2, 3, 8, 20} {
		runtime.GOMAXPROCS(cores)
		r.Shuffle(len(skills), func(i, j int) { skills[i], skills[j] = skills[j], skills[i] })
		if diff := cmp.Diff(want, searchAll(fallback.New(skills), asked)); diff != "" {
			t.Errorf("%d cores (-want +got):\n%s", cores, diff)
		}
	}
}

func TestSearchesAtOnceDoNotDisturbEachOther(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	skills := randomSkills(r, 100)
	asked := queries(r, skills)
	x := fallback.New(skills)
	want := searchAll(x, asked)
	var running sync.WaitGroup
	for range 8 {
		running.Go(func() {
			if diff := cmp.Diff(want, searchAll(x, asked)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	running.Wait()
}

func TestMatchesAreOrderedAndExplained(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	skills := randomSkills(r, 100)
	x := fallback.New(skills)
	for _, query := range queries(r, skills) {
		matches := x.Search(query)
		ordered := slices.IsSortedFunc(matches, func(a, b fallback.Match) int {
			if a.Score > b.Score || a.Score == b.Score && a.ID < b.ID {
				return -1
			}
			return 1
		})
		if !ordered {
			t.Errorf("search %q: %v is not ordered", query, matches)
		}
		for _, m := range matches {
			sum := 0.0
			for _, c := range x.Explain(query, m.ID) {
				sum += c.Score
			}
			if math.IsNaN(m.Score) || m.Score <= 0 || math.Abs(sum-m.Score) > 1e-9 {
				t.Errorf("search %q: %s has score %v, explained as %v", query, m.ID, m.Score, sum)
			}
		}
	}
}

// A name in any spelling ranks its skill first, however often another one says
// its words: those saturate, and the other lacks the whole name.
func TestASkillIsFirstForItsNameInAnySpelling(t *testing.T) {
	spellings := map[string]func(words []string) string{
		"kebab":  func(w []string) string { return strings.Join(w, "-") },
		"snake":  func(w []string) string { return strings.ToUpper(strings.Join(w, "_")) },
		"blanks": func(w []string) string { return strings.Join(w, " ") },
		"glued":  func(w []string) string { return strings.Join(w, "") },
		"camel":  func(w []string) string { return w[0] + titled(w[1:]) },
		"dots":   func(w []string) string { return "(" + strings.Join(w, ".") + ")" },
	}
	r := rand.New(rand.NewPCG(4, 4))
	latin := vocabulary[:26]
	for range 50 {
		name := []string{latin[r.IntN(9)], latin[9+r.IntN(9)], latin[18+r.IntN(8)]}[:1+r.IntN(3)]
		skills := randomSkills(r, 20)
		stuffed := strings.Repeat(strings.Join(name, " ")+" ", 50)
		skills = append(skills, &skill.Skill{ID: "stuffed", Name: "stuffed", Title: "stuffed", Description: stuffed, Tags: name, Body: stuffed})
		for written, write := range spellings {
			skills[0].Name = write(name)
			x := fallback.New(skills)
			for asked, ask := range spellings {
				if got := x.Search(ask(name)); len(got) == 0 || got[0].ID != skills[0].ID {
					t.Errorf("name %q (%s), query %q (%s): got %v", write(name), written, ask(name), asked, got)
				}
			}
		}
	}
}

// titled joins words with a capital each.
func titled(words []string) string {
	joined := ""
	for _, w := range words {
		joined += strings.ToUpper(w[:1]) + w[1:]
	}
	return joined
}

func TestEverySkillOfACorpusIsFirstForItsName(t *testing.T) {
	skills := corpusSkills(t)
	x := fallback.New(skills)
	names := make(map[string]string)
	for _, s := range skills {
		names[s.ID] = bare(s.Name)
	}
	for _, s := range skills {
		spaced := strings.NewReplacer("-", " ", "_", " ").Replace(s.Name)
		for _, query := range []string{s.Name, spaced, strings.ToUpper(spaced), strings.ReplaceAll(spaced, " ", "_"), bare(s.Name)} {
			if got := x.Search(query); len(got) == 0 || names[got[0].ID] != bare(s.Name) {
				t.Errorf("search %q: got %v, want a skill named %s", query, got[:min(1, len(got))], s.Name)
			}
		}
	}
}

// bare is a name without what its spellings differ in.
func bare(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(name))
}

func TestOneMoreOccurrenceNeverLowersAScore(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	skills := randomSkills(r, 50)
	last := 0.0
	for n := 1; n <= 30; n++ {
		// The length of the body stays, so that nothing else changes.
		skills[7].Body = strings.Repeat("granite ", n) + strings.Repeat("sandstone ", 30-n)
		matches := fallback.New(skills).Search("granite")
		if len(matches) != 1 || matches[0].Score <= last {
			t.Errorf("%d occurrences: got %v, want more than %v", n, matches, last)
		}
		last = matches[0].Score
	}
}

// A skill that lacks a term makes it rarer. If it is of average length, that is
// all: every score for the term grows by the same factor.
func TestASkillWithoutATermRaisesAllScoresAlike(t *testing.T) {
	var skills []*skill.Skill
	for i, text := range []string{"onyx onyx onyx slate", "onyx slate slate slate", "slate slate slate slate"} {
		skills = append(skills, &skill.Skill{ID: fmt.Sprint(i), Name: fmt.Sprintf("name%d", i), Description: text, Body: text})
	}
	before := fallback.New(skills).Search("onyx")
	after := fallback.New(append(skills, &skill.Skill{ID: "3", Name: "name3", Description: skills[2].Description, Body: skills[2].Body})).Search("onyx")
	factor := math.Pow(math.Log(1+(4-2+.5)/(2+.5))/math.Log(1+(3-2+.5)/(2+.5)), fallback.DefaultParams().Rarity)
	var want []fallback.Match
	for _, m := range before {
		want = append(want, fallback.Match{ID: m.ID, Score: m.Score * factor})
	}
	if diff := cmp.Diff(want, after, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(want) != 2 {
		t.Errorf("got %d matches, want 2", len(want))
	}
}

func TestSayingAQueryTwiceChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	skills := randomSkills(r, 100)
	x := fallback.New(skills)
	for range 20 {
		query := some(r, 6)
		if diff := cmp.Diff(x.Search(query), x.Search(query+"\n"+query)); diff != "" {
			t.Errorf("search %q (-once +twice):\n%s", query, diff)
		}
	}
}

// Two words count as a phrase where a skill has them one after the other as the
// query has, stop words aside; not over the border of a field, the end of a line
// of the query, or characters of a script without blanks.
func TestWordsThatFollowEachOtherAreAPhrase(t *testing.T) {
	x := fallback.New([]*skill.Skill{
		{ID: "together", Name: "six", Description: "kinds of garnet and a ruby", Body: "opal 会议 onyx"},
		{ID: "apart", Name: "one", Description: "garnet kinds ruby", Body: "onyx opal"},
	})
	if got := ids(x.Search("the garnet, ruby")); !slices.Equal(got, []string{"together", "apart"}) {
		t.Errorf("got %v, want together first", got)
	}
	for query, want := range map[string]bool{
		"the garnet, ruby": true, "GARNETS (rubies)": true, "kinds garnet": true, "garnet ruby garnet ruby": true,
		"ruby garnet": false, "garnet\nruby": false, "garnet 会议 ruby": false, "ruby opal": false, "opal onyx": false, "garnet opal": false,
	} {
		got := slices.ContainsFunc(x.Explain(query, "together"), func(c fallback.Contribution) bool { return strings.Contains(c.Term, " ") })
		if got != want {
			t.Errorf("query %q has a phrase: %v, want %v", query, got, want)
		}
	}
}

// A word of five letters or more that no skill has is read as the one of the
// skills from which it differs by one mistake, but not in the first letter.
func TestAMisspeltWordFindsWhatIsMeant(t *testing.T) {
	x := fallback.New([]*skill.Skill{
		{ID: "a", Name: "one", Description: "obsidian granite"},
		{ID: "b", Name: "two", Description: "granite granites gravel opal"},
		{ID: "c", Name: "six", Description: "grapite"}, // granite, which more skills have, is meant by what is as near to both
	})
	for query, want := range map[string][]string{
		"granite": {"b", "a"}, "granote": {"b", "a"}, "graniet": {"b", "a"}, "granit": {"b", "a"}, "grranite": {"b", "a"}, "grabite": {"b", "a"},
		"obsidian": {"a"}, "obsidain": {"a"}, "obsidians": {"a"}, "grapite": {"c"},
		"obsdain": {}, "bosidian": {}, "ubsidian": {}, "opla": {}, "obsidian2k": {"a"}, "granotegranite": {},
	} {
		if diff := cmp.Diff(want, ids(x.Search(query))); diff != "" {
			t.Errorf("search %q (-want +got):\n%s", query, diff)
		}
	}
	want := []fallback.Contribution{{Term: "obsidian", Word: "obsidain", Fields: []string{"description"}, Score: x.Search("obsidian")[0].Score}}
	if diff := cmp.Diff(want, x.Explain("obsidain", "a"), cmpopts.EquateApprox(0, 1e-6)); diff != "" {
		t.Errorf("explain (-want +got):\n%s", diff)
	}
}

// A skill has a phrase exactly where one of its fields has the two terms one
// after the other.
func TestPhrasesAreThoseOfTheTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	latin := vocabulary[:6]
	text := func(n int) string {
		words := make([]string, r.IntN(n))
		for i := range words {
			words[i] = latin[r.IntN(len(latin))]
		}
		return strings.Join(words, " ")
	}
	skills := make([]*skill.Skill, 30)
	for i := range skills {
		skills[i] = &skill.Skill{ID: fmt.Sprintf("%02d", i), Name: latin[i%6] + " " + latin[i/6], Title: text(3), Description: text(5), Tags: []string{latin[r.IntN(6)]}, Body: text(9)}
	}
	x := fallback.New(skills)
	for _, first := range latin {
		for _, second := range latin {
			for _, s := range skills {
				want := false
				for _, field := range append([]string{s.Name, s.Title, s.Description, s.Body}, s.Tags...) {
					want = want || first != second && strings.Contains(" "+field+" ", " "+first+" "+second+" ")
				}
				phrase := func(c fallback.Contribution) bool { return strings.Contains(c.Term, " ") }
				if got := slices.ContainsFunc(x.Explain(first+" "+second, s.ID), phrase); got != want {
					t.Errorf("%q in %+v: %v, want %v", first+" "+second, s, got, want)
				}
			}
		}
	}
}
