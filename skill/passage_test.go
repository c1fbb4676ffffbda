package skill_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/skill"
)

// parsed is the skill of a file with this body.
func parsed(t testing.TB, body string) *skill.Skill {
	t.Helper()
	s, _ := skill.Parse([]byte("---\nname: net-mender\ndescription: Mends nets.\n---\n"+body), skill.File{Path: "net-mender/SKILL.md", Name: "net-mender"})
	if s == nil {
		t.Fatal("the file is no skill")
	}
	return s
}

func TestABodyIsCutWhereLinesEnd(t *testing.T) {
	long := strings.Repeat("Tie the twine twice around.\n", 12) // 336 characters
	s := parsed(t, "# Nets\n\nIntro.\n\n## Tools\n\n"+long+"\n```\n# no heading\n\ncode\n```\n\n## Knots\n### Reef\n\n"+strings.Repeat("round and round ", 30)+"\n")
	type passage struct {
		Heading, First, Last string
		Line                 int
	}
	var got []passage
	for _, p := range s.Passages(400, 0)[1:] {
		lines := strings.Split(p.Text, "\n")
		got = append(got, passage{p.Heading, skill.Shorten(lines[0], 20), skill.Shorten(lines[len(lines)-1], 20), p.Line})
	}
	want := []passage{
		{"Nets", "# Nets", "```", 5},                                // ends at a blank line
		{"Nets > Knots > Reef", "## Knots", "round and round…", 30}, // ends within a line, for want of an end
		{"Nets > Knots > Reef", "round round and…", "round round and…", 33},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnExcerptLeavesOutTheHeadingsThatItBeginsWith(t *testing.T) {
	for body, want := range map[string]string{
		"# Nets\n\n## Tools\nTwine.\n\n# Knots\n": "Nets > Tools 8 Twine.\n\n# Knots",
		"# Nets\n\n## Tools\n":                    "Nets > Tools 5 # Nets\n\n## Tools",
		"Twine.\n# Nets\n":                        " 5 Twine.\n# Nets",
	} {
		p := parsed(t, body).Passages(600, 0)[1]
		text, line := p.Excerpt()
		if got := fmt.Sprintf("%s %d %s", p.Heading, line, text); got != want {
			t.Errorf("body %q: got %q, want %q", body, got, want)
		}
	}
}

func TestTheHeadIsNameDescriptionAndTags(t *testing.T) {
	s, _ := skill.Parse([]byte("---\nname: net-mender\ndescription: Mends nets.\ntags: [sea, rope]\n---\n# How to mend\n\nTie.\n"), skill.File{Name: "x"})
	if diff := cmp.Diff("net-mender. Mends nets. sea, rope", s.Passages(600, 1)[0].Input()); diff != "" {
		t.Error(diff)
	}
}

// checkPassages holds what is true of every body at every size.
func checkPassages(t *testing.T, body string, size int) {
	s := parsed(t, body)
	passages := s.Passages(size, 0)
	lines := strings.Split("---\nname: net-mender\ndescription: Mends nets.\n---\n"+body, "\n")
	for i, p := range passages[1:] {
		switch n := utf8.RuneCountInString(p.Input()); {
		case !utf8.ValidString(p.Input()):
			t.Fatalf("passage %d is no UTF-8: %q", i+1, p.Input())
		case n > max(size, 40)+40: // a joined emoji is not torn for a few characters
			t.Fatalf("passage %d has %d characters of %d: %q", i+1, n, size, p.Input())
		case p.Index != i+1 || strings.TrimSpace(p.Text) == "":
			t.Fatalf("passage %d: index %d, text %q", i+1, p.Index, p.Text)
		}
		first, _, _ := strings.Cut(p.Text, "\n")
		if p.Line < 1 || p.Line > len(lines) || !strings.Contains(lines[p.Line-1], first) {
			t.Fatalf("passage %d begins %q, which line %d does not hold", i+1, first, p.Line)
		}
	}
	if limited := s.Passages(size, 3); !cmp.Equal(limited, passages[:min(3, len(passages))]) {
		t.Fatalf("the first 3 passages differ from the first 3 of all %d", len(passages))
	}
}

func TestPassagesOfOddBodies(t *testing.T) {
	for name, body := range map[string]string{
		"empty": "", "blank": "\n\n \n", "headings only": "# A\n## B\n### C\n", "no headings": "one\n\ntwo\n",
		"one long word": strings.Repeat("x", 5000), "no blanks": strings.Repeat("渔网修补", 900), "open fence": "```\ncode\n\nmore\n",
		"emoji": strings.Repeat("👩‍👩‍👧‍👦", 300), "long heading": "# " + strings.Repeat("word ", 300) + "\n\ntext\n", "many lines": strings.Repeat("a line of text\n", 400),
	} {
		t.Run(name, func(t *testing.T) {
			for _, size := range []int{1, 60, 600, 1200} {
				checkPassages(t, body, size)
			}
		})
	}
}

// TestNothingOfABodyIsLost holds that every word of a body is in a passage.
func TestNothingOfABodyIsLost(t *testing.T) {
	var body strings.Builder
	for i := range 300 {
		body.WriteString(strings.Repeat("#", i%4))
		if i%4 > 0 {
			body.WriteString(" ")
		}
		body.WriteString(strings.Repeat("word"+string(rune('a'+i%26)), 1) + " and text\n\n")
	}
	var all strings.Builder
	for _, p := range parsed(t, body.String()).Passages(200, 0)[1:] {
		all.WriteString(p.Text + " ")
	}
	for _, word := range strings.Fields(body.String()) {
		if word = strings.Trim(word, "#"); !strings.Contains(all.String(), word) {
			t.Errorf("%q is in no passage", word)
		}
	}
}

func TestShortenCountsCharactersAndKeepsThemWhole(t *testing.T) {
	for _, test := range []struct {
		text string
		n    int
		want string
	}{
		{"short", 10, "short"},
		{"exactly", 7, "exactly"},
		{"a few words of text", 12, "a few words…"},
		{"潮汐记录与整理", 4, "潮汐记…"},
		{"👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 8, "👩‍👩‍👧‍👦…"},
		{"anything", 0, ""},
	} {
		if got := skill.Shorten(test.text, test.n); got != test.want {
			t.Errorf("Shorten(%q, %d) = %q, want %q", test.text, test.n, got, test.want)
		}
	}
}

func FuzzPassages(f *testing.F) {
	f.Add("# A\n\ntext\n\n```\ncode\n```\n", uint16(60))
	f.Add(strings.Repeat("渔", 200)+"\n\n👩‍👩‍👧‍👦", uint16(41))
	f.Fuzz(func(t *testing.T, body string, size uint16) {
		if !utf8.ValidString(body) || strings.ContainsAny(body, "\r\x00") || len(body) > 1<<16 {
			return // Parse makes it so, and lines then differ from the raw ones
		}
		checkPassages(t, body, int(size%2000))
	})
}

// FuzzParse holds that no header loses its skill: a name that stands on a line
// of its own is always found.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"description: a: b: c", "tags: [a, b", "x: &a [*a]", "description: >-\n  text", "\tname: x", "- a\n- b", "description: @x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		s, problems := skill.Parse([]byte("---\nname: buoy\n"+header+"\n---\nBody.\n"), skill.File{Path: "buoy/SKILL.md", Name: "folder"})
		if s == nil {
			if len(problems) == 0 {
				t.Fatal("the skill vanished without a word")
			}
			return
		}
		for _, text := range []string{s.Name, s.Description, s.Title, s.Body} {
			if !utf8.ValidString(text) {
				t.Fatalf("%q is no UTF-8", text)
			}
		}
		if s.Name == "" {
			t.Fatal("the skill has no name")
		}
	})
}
