package toolset

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/skillsearch/skillsearch/skill"
)

// maxDescribed is how many characters of a description stand in a prompt: as
// many as the Agent Skills specification allows.
const maxDescribed = 1024

// maxNamed is how many characters of a name stand in a prompt; the
// specification allows 64.
const maxNamed = 100

// named is a skill's name on one line.
func named(s *skill.Skill) string { return skill.Shorten(OneLine(s.Name), maxNamed) }

// describe is a skill's description on one line.
func describe(s *skill.Skill) string { return skill.Shorten(OneLine(s.Description), maxDescribed) }

// pack is the text that shows as many of total things as fit into limit
// characters; 0 is no limit. write gives the text with the first n, which must
// grow with n but for the last, with which a note on the others goes. ok is
// false where not even the text without any fits.
func pack(total, limit int, write func(n int) string) (text string, ok bool) {
	if text = write(total); limit == 0 || runes(text) <= limit {
		return text, true
	}
	tooMany := sort.Search(total, func(n int) bool { return runes(write(n)) > limit })
	if tooMany == 0 {
		return write(0), false
	}
	return write(tooMany - 1), true
}

func runes(text string) int { return utf8.RuneCountInString(text) }

func countSkills(n int) string {
	if n == 1 {
		return "1 skill"
	}
	return fmt.Sprintf("%d skills", n)
}

func moreSkills(n int) string { return strings.Replace(countSkills(n), " ", " more ", 1) }

// inert makes a text that a skill states fit for one line of a prompt that may
// stand between tags: it can't open or close one.
func inert(text string) string { return withoutTags(OneLine(text)) }

func inertPath(path string) string { return withoutTags(linePath(path)) }

// withoutTags escapes each < with which a tag could begin; "x < y" and "<3" are
// none.
func withoutTags(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '<' && i+1 < len(text) && !strings.ContainsRune(" \t0123456789=", rune(text[i+1])) {
			out.WriteString("&lt;")
			continue
		}
		out.WriteByte(text[i])
	}
	return out.String()
}

// linePath keeps a path as it is, but for what would end its line or be
// invisible in it.
func linePath(path string) string {
	return strings.Map(func(r rune) rune {
		if hidden(r) || r == '\u2028' || r == '\u2029' {
			return -1
		}
		return r
	}, path)
}
