package skillsearch

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/skillsearch/skillsearch/skill"
)

// Limits of a query.
const (
	MaxQuery     = 64 << 10 // bytes
	MaxLimit     = 50
	DefaultLimit = 10
)

// A Ranking is a way to order skills.
type Ranking string

// The rankings.
const (
	Cosine  Ranking = "cosine"  // similarity of vectors
	Lexical Ranking = "lexical" // BM25F over words
	Hybrid  Ranking = "hybrid"  // both fused
)

// A Query asks for skills. Only Text is needed for a search.
type Query struct {
	Text     string
	Limit    int     // 1–50; 0 is DefaultLimit. A list ignores it
	MinScore float64 // hits below it are left out; 0 keeps all
	Ranking  Ranking // "" is the Config's
	Filter   Filter
	// Wait bounds how long a search may wait for the query's vector and embed
	// heads that have none. 0 waits as long as ctx allows and embeds no heads.
	Wait time.Duration
	// Mark tells of each hit which of its words the query has (Hit.Words).
	Mark bool
}

// A Filter keeps skills of some kind. The zero Filter keeps all.
type Filter struct {
	SkillBooks []string // any of them; case is ignored
	Category   string   // case is ignored
	Sources    []string // any of them: bundled, plugin, user, project, config, flag
	Tags       []string // all of them; case is ignored
	ForModels  bool     // leaves out skills that only an operator may load
}

// Keeps reports whether a skill passes the filter.
func (f Filter) Keeps(s *skill.Skill) bool {
	if len(f.SkillBooks) > 0 && !containsFold(f.SkillBooks, s.SkillBook) {
		return false
	}
	if f.Category != "" && !strings.EqualFold(f.Category, s.Category) {
		return false
	}
	if len(f.Sources) > 0 && !containsFold(f.Sources, s.Source) {
		return false
	}
	if f.ForModels && s.OperatorOnly {
		return false
	}
	for _, tag := range f.Tags {
		if !containsFold(s.Tags, tag) {
			return false
		}
	}
	return true
}

func containsFold(items []string, want string) bool {
	return slices.ContainsFunc(items, func(item string) bool { return strings.EqualFold(item, want) })
}

// check fills what the query left open and refuses what can't be answered.
func (q Query) check(ranking Ranking) (Query, error) {
	switch {
	case len(q.Text) > MaxQuery:
		return q, invalid("query has %d bytes; at most %d are read", len(q.Text), MaxQuery)
	case !strings.ContainsFunc(q.Text, visible):
		return q, invalid("query is empty; say in a few words what is needed")
	case q.Wait < 0:
		return q, invalid("wait is %v; it can't be below zero", q.Wait)
	case q.Limit < 0 || q.Limit > MaxLimit:
		return q, invalid("limit is %d; it must lie between 1 and %d", q.Limit, MaxLimit)
	}
	if q.Limit == 0 {
		q.Limit = DefaultLimit
	}
	if q.Ranking == "" {
		q.Ranking = ranking
	}
	if _, err := ParseRanking(string(q.Ranking)); err != nil {
		return q, err
	}
	q.Text = strings.ToValidUTF8(q.Text, "\uFFFD")
	return q, nil
}

// ParseRanking reads the name of a ranking.
func ParseRanking(name string) (Ranking, error) {
	switch r := Ranking(name); r {
	case Cosine, Lexical, Hybrid:
		return r, nil
	}
	return "", invalid("ranking is %q; it must be cosine, lexical or hybrid", name)
}

func visible(r rune) bool {
	return unicode.IsPrint(r) && !unicode.IsSpace(r) || unicode.Is(unicode.Co, r)
}

// hasWord reports whether a text has a letter or a digit.
func hasWord(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}
