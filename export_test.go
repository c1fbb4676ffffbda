package skillsearch

import (
	"context"

	"github.com/skillsearch/skillsearch/ranker"
	"github.com/skillsearch/skillsearch/skill"
)

// Evidence is what a search over those skills that keep keeps would say of its
// confidence, with the ids of its first ten.
func (e *Engine) Evidence(ctx context.Context, q Query) (func(keep func(*skill.Skill) bool) (ranker.Evidence, []string), error) {
	q, err := q.check(e.cfg.Ranking)
	if err != nil {
		return nil, err
	}
	v, err := e.look(ctx, q)
	if err != nil {
		return nil, err
	}
	return func(keep func(*skill.Skill) bool) (ranker.Evidence, []string) {
		order := v.orderOf(keep)
		var first []string
		for _, place := range order[:min(len(order), DefaultLimit)] {
			first = append(first, place.ID)
		}
		return v.evidence(order, keep, q.Text), first
	}, nil
}

// orderOf ranks the view as if there were no other skills.
func (v *view) orderOf(keep func(*skill.Skill) bool) []ranker.Ranked {
	var items []ranker.Item
	var at []int
	for i, item := range v.items {
		if keep(v.snapshot.skills[i]) {
			items, at = append(items, item), append(at, i)
		}
	}
	part := *v
	part.items = items
	order := part.order()
	for i := range order {
		order[i].Index = at[order[i].Index]
	}
	return order
}
