package skillsearch

import (
	"cmp"
	"context"
	"math"
	"os"

	"github.com/skillsearch/skillsearch/fallback"
	"github.com/skillsearch/skillsearch/ranker"
	"github.com/skillsearch/skillsearch/skill"
)

// A Result answers a search. Its JSON form is the same in the shell, over HTTP
// and in MCP; the same index and query give the same bytes.
type Result struct {
	Query          string `json:"query"`
	Ranking        string `json:"ranking"` // the one that was used
	EmbeddingModel string `json:"embedding_model"`
	Degraded       bool   `json:"degraded"`   // vectors were asked for and not used
	Reason         string `json:"reason"`     // why Degraded, or why there are no hits
	Confidence     string `json:"confidence"` // high, low or none: whether a hit fits at all
	Total          int    `json:"total"`      // skills that were searched
	Unembedded     int    `json:"unembedded"`
	Hits           []Hit  `json:"hits"`
}

// A Hit is one skill of a Result.
type Hit struct {
	Rank        int      `json:"rank"` // from 1
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Code        string   `json:"code"`
	SkillBook   string   `json:"skillbook"`
	Description string   `json:"description"`
	Score       float64  `json:"score"` // rounded to four decimals
	RankedBy    string   `json:"ranked_by"`
	Source      string   `json:"source"`
	Path        string   `json:"path"`
	Passage     *Excerpt `json:"passage"` // the body passage that fits best; null when there is none
	Stale       bool     `json:"stale"`   // the score is that of an older content than the file has
	// No tool of a model loads it.
	OperatorOnly bool `json:"operator_only,omitempty"`
	// MissingBinaries are required and not on this machine.
	MissingBinaries []string `json:"missing_binaries,omitempty"`
	// Words of name, description and passage that the query has, as written
	// there; only with Query.Mark.
	Words []string `json:"words,omitempty"`
}

// An Excerpt is a passage of a skill's body.
type Excerpt struct {
	Heading   string `json:"heading"`
	Text      string `json:"text"`
	StartLine int    `json:"start_line"`
}

// Search finds the skills that fit the query best. An embedding server that is
// away, a missing model and the like are no errors: the Result is then ranked
// by words, and says why. The error wraps ErrInvalidArgument or is ctx's.
func (e *Engine) Search(ctx context.Context, q Query) (*Result, error) {
	q, err := q.check(e.cfg.Ranking)
	if err != nil {
		return nil, err
	}
	r := &Result{Query: q.Text, Ranking: string(q.Ranking), Confidence: ranker.None, Hits: []Hit{}}
	if !hasWord(q.Text) {
		r.Reason = "the query has no letter or digit"
		r.Total = len(e.current.Load().skills)
		return r, nil
	}
	v, err := e.look(ctx, q)
	if err != nil {
		return nil, err
	}
	r.describe(v)
	order := v.order()
	r.Confidence = v.evidence(order, q.Filter.Keeps, q.Text).Confidence()
	for _, place := range order {
		if len(r.Hits) == q.Limit {
			break
		}
		hit, ok := v.hit(place, q)
		if ok {
			hit.Rank = len(r.Hits) + 1
			hit.MissingBinaries = e.missingBinaries(v.snapshot.skills[place.Index])
			if q.Mark {
				hit.mark(q.Text)
			}
			r.Hits = append(r.Hits, hit)
		}
	}
	if len(r.Hits) == 0 {
		r.Confidence = ranker.None
		r.Reason = cmp.Or(r.Reason, v.whyNothing(q))
	}
	return r, nil
}

// describe notes how the view was made.
func (r *Result) describe(v *view) {
	r.Ranking, r.Degraded, r.Reason = string(v.ranking), v.reason != "", v.reason
	r.Total, r.Unembedded = len(v.items), v.unembedded
	if v.index != nil {
		r.EmbeddingModel = v.index.model.Name
	}
}

func (v *view) whyNothing(q Query) string {
	switch {
	case len(v.items) == 0:
		return "there are no skills in the roots; name a folder that has some with --root, or see \"skillsearch doctor\""
	case len(q.Filter.SkillBooks) > 0 || len(q.Filter.Sources) > 0 || q.Filter.Category != "" || len(q.Filter.Tags) > 0:
		return "no skill passes the filters and fits the query"
	case q.MinScore > 0:
		return "no skill reaches the lowest score that was asked for"
	}
	return "no skill shares a word with the query"
}

// hit is the entry for one place. ok is false for a skill that the query leaves
// out or whose file is gone.
func (v *view) hit(place ranker.Ranked, q Query) (hit Hit, ok bool) {
	s := v.snapshot.skills[place.Index]
	if q.MinScore != 0 && place.Score < q.MinScore || !q.Filter.Keeps(s) {
		return Hit{}, false
	}
	info, err := os.Stat(s.Path)
	if err != nil {
		return Hit{}, false
	}
	hit = newHit(s)
	hit.Score, hit.RankedBy = round(place.Score), place.By
	hit.Stale = v.stale[place.Index] || info.Size() != s.Size || !info.ModTime().Equal(s.ModTime)
	hit.Passage = v.excerpt(place.Index, q.Text)
	return hit, true
}

func newHit(s *skill.Skill) Hit {
	return Hit{ID: s.ID, Name: s.Name, Code: s.Code, SkillBook: s.SkillBook, Description: s.Description, Source: s.Source, Path: s.Path, OperatorOnly: s.OperatorOnly}
}

// mark notes the words that a reader sees and the query has.
func (h *Hit) mark(query string) {
	text := h.Name + "\n" + h.Description
	if h.Passage != nil {
		text += "\n" + h.Passage.Heading + "\n" + h.Passage.Text
	}
	h.Words = fallback.Shared(query, text)
}

// missingBinaries are those that a skill requires and this machine lacks; nil
// where nobody can tell.
func (e *Engine) missingBinaries(s *skill.Skill) []string {
	if e.cfg.Machine.HasBinary == nil {
		return nil
	}
	return s.Requires.Check(e.cfg.Machine).MissingBinaries
}

// excerpt is the passage of a skill's body that fits the query best: by cosine
// where there is one, else the first that shares most words with it.
func (v *view) excerpt(i int, query string) *Excerpt {
	if v.index != nil && v.passage[i] > 0 {
		return newExcerpt(v.index.passage(i, v.passage[i]))
	}
	wanted := termSet(query)
	var best *skill.Passage
	most := 0
	passages := v.snapshot.skills[i].Passages(600, 0)
	for n := range passages[1:] {
		p := &passages[n+1]
		if count := countTerms(p.Input(), wanted); count > most {
			best, most = p, count
		}
	}
	if best == nil {
		return nil
	}
	return newExcerpt(*best)
}

func newExcerpt(p skill.Passage) *Excerpt {
	text, line := p.Excerpt()
	return &Excerpt{Heading: p.Heading, Text: text, StartLine: line}
}

func (x *index) passage(i, n int) skill.Passage {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.passages[i][n]
}

// termSet are the different terms of a query.
func termSet(query string) map[string]bool {
	terms := make(map[string]bool)
	for _, t := range fallback.Terms(query) {
		terms[t] = true
	}
	return terms
}

// countTerms is how many of the wanted terms a text has.
func countTerms(text string, wanted map[string]bool) int {
	seen := make(map[string]bool)
	for _, t := range fallback.Terms(text) {
		if wanted[t] {
			seen[t] = true
		}
	}
	return len(seen)
}

func round(score float64) float64 { return math.Round(score*1e4) / 1e4 }
