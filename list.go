package skillsearch

import (
	"context"

	"github.com/skillsearch/skillsearch/ranker"
	"github.com/skillsearch/skillsearch/skill"
)

// A Listing is every skill, ranked when there was a query.
type Listing struct {
	Skills   []Listed        `json:"skills"`
	Problems []skill.Problem `json:"problems"`
	Total    int             `json:"total"`
	// How the query was answered; without one only Ranking "" and false.
	Ranking  string `json:"ranking,omitempty"`
	Degraded bool   `json:"degraded,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

// A Listed is one skill of a Listing.
type Listed struct {
	ID           string   `json:"id"`
	Name         string   `json:"name"`
	NameSource   string   `json:"name_source"`
	Code         string   `json:"code"`
	SkillBook    string   `json:"skillbook"`
	Description  string   `json:"description"`
	Category     string   `json:"category,omitempty"`
	Tags         []string `json:"tags,omitempty"`
	OperatorOnly bool     `json:"operator_only,omitempty"`
	Score        *float64 `json:"score,omitempty"`
	RankedBy     string   `json:"ranked_by,omitempty"`
	Source       string   `json:"source"`
	Path         string   `json:"path"`
	Embedded     bool     `json:"embedded"`
	Hidden       string   `json:"hidden,omitempty"` // shadowed or inactive; only where hidden skills were asked for
	// MissingBinaries are required and not on this machine; only from Show.
	MissingBinaries []string `json:"missing_binaries,omitempty"`
}

// List gives every skill that passes the filter: in order of ID, or ranked when
// q has a text. Filters apply after ranking.
func (e *Engine) List(ctx context.Context, q Query) (*Listing, error) {
	if q.Text == "" {
		return e.listByID(q.Filter), nil
	}
	q.Limit = 0
	q, err := q.check(e.cfg.Ranking)
	if err != nil {
		return nil, err
	}
	v, err := e.look(ctx, q)
	if err != nil {
		return nil, err
	}
	if v.ranking == Cosine && v.unembedded > 0 {
		v.lookAtWords(q.Text)
	}
	l := &Listing{Skills: []Listed{}, Ranking: string(v.ranking), Degraded: v.reason != "", Reason: v.reason}
	for _, place := range v.orderAll() {
		if s := v.snapshot.skills[place.Index]; q.Filter.Keeps(s) {
			l.Skills = append(l.Skills, v.listed(s, place))
		}
	}
	e.finish(l, v.snapshot)
	return l, nil
}

func (v *view) listed(s *skill.Skill, place ranker.Ranked) Listed {
	score := round(place.Score)
	out := newListed(s)
	out.Score, out.RankedBy, out.Embedded = &score, place.By, v.items[place.Index].Embedded
	return out
}

func (e *Engine) listByID(f Filter) *Listing {
	s := e.current.Load()
	l := &Listing{Skills: []Listed{}}
	has := e.embeddedSkills(s)
	for i, sk := range s.skills {
		if f.Keeps(sk) {
			listed := newListed(sk)
			listed.Embedded = has(i)
			l.Skills = append(l.Skills, listed)
		}
	}
	e.finish(l, s)
	return l
}

func (e *Engine) finish(l *Listing, s *snapshot) {
	l.Total = len(l.Skills)
	l.Problems = e.problemsOf(s)
}

// Hidden lists the skills that List leaves out: shadowed, folded and inactive
// ones, in order of ID.
func (e *Engine) Hidden(f Filter) []Listed {
	var out []Listed
	for _, s := range e.Catalogue().Hidden() {
		if !f.Keeps(s) {
			continue
		}
		listed := newListed(s)
		listed.Hidden = "shadowed"
		if !s.Active {
			listed.Hidden = "inactive"
		}
		out = append(out, listed)
	}
	return out
}

func newListed(s *skill.Skill) Listed {
	return Listed{
		ID: s.ID, Name: s.Name, NameSource: s.NameSource, Code: s.Code, SkillBook: s.SkillBook, Description: s.Description,
		Category: s.Category, Tags: s.Tags, OperatorOnly: s.OperatorOnly, Source: s.Source, Path: s.Path,
	}
}
