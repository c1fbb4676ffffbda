package skillsearch

import (
	"context"
	"errors"
	"strconv"
)

// A Map is the library on a plane: skills that are near each other do alike.
type Map struct {
	EmbeddingModel string `json:"embedding_model"`
	Reason         string `json:"reason"` // why there are no points, or no links; else ""
	Total          int    `json:"total"`  // skills; those without a vector have no point
	// Explained is the share of the vectors' variance that each axis shows.
	Explained [2]float64 `json:"explained"`
	Points    []Point    `json:"points"` // in order of ID
	Links     []Link     `json:"links"`  // skills that take each other's queries, the nearest first
}

// A Point is where a skill stands. Both coordinates lie between -1 and 1.
type Point struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	SkillBook string  `json:"skillbook"`
	X         float64 `json:"x"`
	Y         float64 `json:"y"`
}

// A Link joins two points whose heads have a cosine of at least 0.85.
type Link struct {
	A      int     `json:"a"` // index into Points, below B
	B      int     `json:"b"`
	Cosine float64 `json:"cosine"`
}

// maxLinked is the most skills of which all are compared with all.
const maxLinked = 20_000

// A drawn map is good until its index or the number of heads changes.
type drawnMap struct {
	index *index
	heads int
	it    *Map
}

// Map projects the heads of the present skills onto the two directions in which
// they differ most (principal components). The same vectors give the same map;
// it is shared by callers, who must not change it. Only a cancelled context is
// an error: where there are no vectors, Reason says why.
func (e *Engine) Map(ctx context.Context) (*Map, error) {
	return onSnapshot(e, func(s *snapshot) (*Map, error) { return e.mapOf(ctx, s) })
}

func (e *Engine) mapOf(ctx context.Context, snap *snapshot) (*Map, error) {
	m := &Map{Total: len(snap.skills), Points: []Point{}, Links: []Link{}}
	x, err := e.indexFor(ctx, snap)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, errMoved):
		return nil, err
	case err != nil:
		m.Reason = err.Error()
		return m, nil
	}
	heads := x.embeddedHeads()
	if d := e.drawn.Load(); d != nil && d.index == x && d.heads == heads {
		return d.it, nil
	}
	store, ok := x.store.(Comparer)
	if !ok {
		m.Reason = errNoComparer.Error()
		return m, nil
	}
	m.EmbeddingModel = x.model.Name
	at, err := m.place(ctx, snap, store)
	if err == nil {
		err = m.link(ctx, snap, store, at)
	}
	if err != nil {
		return nil, err
	}
	e.drawn.Store(&drawnMap{index: x, heads: heads, it: m})
	return m, nil
}

// place fills in the points, and returns each one's index by the skill's index
// in the snapshot.
func (m *Map) place(ctx context.Context, snap *snapshot, store Comparer) (map[int]int, error) {
	at := make(map[int]int, len(snap.skills))
	var vectors [][]float32
	for i, s := range snap.skills {
		vector, ok := store.Vector(snap.keys[i], 0)
		if !ok {
			continue
		}
		at[i] = len(vectors)
		vectors = append(vectors, vector)
		m.Points = append(m.Points, Point{ID: s.ID, Name: s.Name, SkillBook: s.SkillBook})
	}
	if len(vectors) == 0 && m.Total > 0 {
		m.Reason = "no skill has a vector yet; run \"skillsearch index\", or wait for the one that runs"
	}
	places, explained, err := project(ctx, vectors)
	if err != nil {
		return nil, err
	}
	for i, p := range places {
		m.Points[i].X, m.Points[i].Y = round(p[0]), round(p[1])
	}
	m.Explained = [2]float64{round(explained[0]), round(explained[1])}
	return at, nil
}

// link joins what is confusable.
func (m *Map) link(ctx context.Context, snap *snapshot, store Comparer, at map[int]int) error {
	if len(m.Points) > maxLinked {
		m.Reason = "of more than " + strconv.Itoa(maxLinked) + " skills the near-duplicates are not linked; \"skillsearch lint\" lists them"
		return nil
	}
	pairs, err := snap.confusable(ctx, store)
	if err != nil {
		return err
	}
	for _, p := range pairs {
		m.Links = append(m.Links, Link{A: at[p.a], B: at[p.b], Cosine: round(p.cosine)})
	}
	return nil
}
