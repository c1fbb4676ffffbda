package skillsearch

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/ranker"
	"github.com/skillsearch/skillsearch/skill"
)

// A Why says why a skill has its place for a query, even outside the top 10.
type Why struct {
	Query          string `json:"query"`
	Skill          Listed `json:"skill"`
	Ranking        string `json:"ranking"` // the one that was used
	EmbeddingModel string `json:"embedding_model"`
	Degraded       bool   `json:"degraded"`
	Reason         string `json:"reason"`
	Total          int    `json:"total"` // skills that were searched
	// Rank and Score are those of Ranking; 0 for a skill that it does not rank.
	Rank  int     `json:"rank"`
	Score float64 `json:"score"`
	// Places are the skill's in every ranking that can be had.
	Places  []Place    `json:"places"`
	Cosine  *Cosines   `json:"cosine"`  // null without vectors, or for a skill that has none
	Words   []WordHit  `json:"words"`   // of the query that the skill has, those that count most first
	Missing []string   `json:"missing"` // words of the query that it has nowhere
	Passage *Excerpt   `json:"passage"` // the body passage that fits best
	Ahead   []Standing `json:"ahead"`   // the best of those that beat it, at most ten
	Behind  *Standing  `json:"behind"`  // the next one that it beats; null for none
	Advice  []string   `json:"advice"`  // what would change the place, in words
}

// A Place is where a ranking puts a skill.
type Place struct {
	Ranking string  `json:"ranking"`
	Rank    int     `json:"rank"` // from 1; 0 when it does not rank the skill
	Score   float64 `json:"score"`
}

// Cosines are what the vectors say.
type Cosines struct {
	Head float64  `json:"head"` // of name and description
	Body *float64 `json:"body"` // of the best body passage; null when none counts
}

// A WordHit is one word of the query that a skill has.
type WordHit struct {
	Word   string   `json:"word"`
	Fields []string `json:"fields"` // name, title, description, tags, body
	Score  float64  `json:"score"`  // what it adds to the lexical score
}

// A Standing is a skill and its place.
type Standing struct {
	Rank  int     `json:"rank"`
	ID    string  `json:"id"`
	Name  string  `json:"name"`
	Score float64 `json:"score"`
}

// Why explains the place of the skill that ref means for a query, over all
// skills: the query's limit, lowest score and filter are not used. The error
// wraps skill.ErrNotFound or ErrInvalidArgument, or is ctx's.
func (e *Engine) Why(ctx context.Context, q Query, ref string) (*Why, error) {
	q, err := q.check(e.cfg.Ranking)
	if err != nil {
		return nil, err
	}
	if !hasWord(q.Text) {
		return nil, invalid("query has no letter or digit, so it finds no skill; say in a few words what is needed")
	}
	return onSnapshot(e, func(s *snapshot) (*Why, error) { return e.whyIn(ctx, s, q, ref) })
}

func (e *Engine) whyIn(ctx context.Context, snap *snapshot, q Query, ref string) (*Why, error) {
	s, err := snap.catalogue.Resolve(ref)
	if err != nil {
		return nil, err
	}
	w := &Why{Query: q.Text, Skill: newListed(s), Places: []Place{}, Words: []WordHit{}, Missing: []string{}, Ahead: []Standing{}, Advice: []string{}}
	i, ok := snap.byID[s.ID]
	if !ok {
		w.Skill.Hidden, w.Ranking, w.Total = "shadowed", string(q.Ranking), len(snap.skills)
		w.Reason = "a skill of the same name in a higher root hides it from lists and searches; \"skillsearch lint\" names both"
		return w, nil
	}
	// Everything is looked at, whatever the ranking: the places are compared.
	asked := q.Ranking
	if q.Ranking != Lexical {
		q.Ranking = Hybrid
	}
	v, err := e.lookAt(ctx, snap, q)
	if err != nil {
		return nil, err
	}
	if v.reason != "" {
		asked = Lexical
	}
	w.Skill.Embedded = e.embeddedSkills(snap)(i)
	w.compare(v, i, asked)
	w.explain(v, i)
	w.advise(ctx, v, i)
	return w, nil
}

// compare fills in the places.
func (w *Why) compare(v *view, i int, asked Ranking) {
	rankings := []Ranking{Lexical}
	if v.index != nil {
		rankings = []Ranking{Cosine, Lexical, Hybrid}
		w.EmbeddingModel = v.index.model.Name
	}
	w.Ranking, w.Degraded, w.Reason, w.Total = string(asked), v.reason != "", v.reason, len(v.items)
	for _, ranking := range rankings {
		v.ranking = ranking
		order := v.order()
		at := slices.IndexFunc(order, func(r ranker.Ranked) bool { return r.Index == i })
		place := Place{Ranking: string(ranking), Rank: at + 1}
		if at >= 0 {
			place.Score = round(order[at].Score)
		}
		w.Places = append(w.Places, place)
		if ranking == asked {
			w.stand(v, order, at)
		}
	}
	v.ranking = asked
}

// maxAhead is how many of those that beat a skill are named.
const maxAhead = 10

// stand notes the rank and who is around it; at is below 0 for a skill that the
// ranking leaves out.
func (w *Why) stand(v *view, order []ranker.Ranked, at int) {
	standing := func(n int) Standing {
		s := v.snapshot.skills[order[n].Index]
		return Standing{Rank: n + 1, ID: s.ID, Name: s.Name, Score: round(order[n].Score)}
	}
	before := at
	if at < 0 {
		before = len(order)
	} else {
		w.Rank, w.Score = at+1, round(order[at].Score)
	}
	for n := range min(before, maxAhead) {
		w.Ahead = append(w.Ahead, standing(n))
	}
	if at >= 0 && at+1 < len(order) {
		next := standing(at + 1)
		w.Behind = &next
	}
}

// explain fills in what counted.
func (w *Why) explain(v *view, i int) {
	item, id := v.items[i], v.items[i].ID
	if item.Embedded {
		w.Cosine = &Cosines{Head: round(item.Head)}
		if v.bodies && item.HasBody {
			body := round(item.Body)
			w.Cosine.Body = &body
		}
	}
	words := v.snapshot.words()
	explained := words.Explain(w.Query, id)
	for _, c := range explained {
		w.Words = append(w.Words, WordHit{Word: c.Word, Fields: nonNil(c.Fields), Score: round(c.Score)})
	}
	w.Missing = nonNil(words.Missing(w.Query, explained))
	w.Passage = v.excerpt(i, w.Query)
}

// advise says what would change the place. What a better description would do
// to the cosine is tried, not guessed.
func (w *Why) advise(ctx context.Context, v *view, i int) {
	add := func(format string, args ...any) { w.Advice = append(w.Advice, fmt.Sprintf(format, args...)) }
	s := v.snapshot.skills[i]
	if v.index != nil && w.Cosine == nil {
		add("it has no vector yet, so it is found by words alone: run \"skillsearch index\"")
	}
	if s.DescriptionSource != skill.FromHeader {
		add("its header has no description, and most of the ranking comes from there: write one that says what the skill does and when to use it")
	}
	weak := w.bodyOnly()
	if len(w.Missing) > 0 {
		add("it says nowhere: %s", strings.Join(w.Missing, ", "))
	}
	if len(weak) > 0 {
		add("it says in its body alone, where a word counts a tenth: %s", strings.Join(weak, ", "))
	}
	if words := append(slices.Clone(w.Missing), weak...); len(words) > 0 && w.Rank != 1 {
		if tried := tryWords(ctx, v, i, words); tried != "" {
			add("%s", tried)
		}
	}
	if w.Rank == 1 {
		add("nothing beats it for this query")
	}
}

// bodyOnly are the words of the query that stand in the skill's body alone.
func (w *Why) bodyOnly() []string {
	var words []string
	for _, hit := range w.Words {
		if slices.Equal(hit.Fields, []string{"body"}) && !slices.Contains(words, hit.Word) {
			words = append(words, hit.Word)
		}
	}
	return words
}

// tryWords embeds the skill's head with further words in its description, and
// tells which place by cosine it would have; "" when that can't be done.
func tryWords(ctx context.Context, v *view, i int, words []string) string {
	if v.index == nil || !v.items[i].Embedded {
		return ""
	}
	changed := *v.snapshot.skills[i]
	changed.Description = strings.TrimSpace(changed.Description + " " + strings.Join(words, ", ") + ".")
	head := changed.Passages(v.index.model.PassageSize, 1)[0]
	embeddings, err := v.index.embedder.Embed(ctx, embedder.Document, []string{head.Input()})
	if err != nil || len(embeddings) != 1 || embeddings[0].Err != nil {
		return ""
	}
	before := placeOf(ranker.Cosine(v.items, v.bodies), i)
	items := slices.Clone(v.items)
	items[i].Head = dot(v.vector, embeddings[0].Vector)
	after := placeOf(ranker.Cosine(items, v.bodies), i)
	if after == before {
		return fmt.Sprintf("with these words in its description it would stay number %d by cosine (tried)", before)
	}
	return fmt.Sprintf("with these words in its description it would be number %d by cosine, and is number %d now (tried)", after, before)
}

func placeOf(order []ranker.Ranked, i int) int {
	return 1 + slices.IndexFunc(order, func(r ranker.Ranked) bool { return r.Index == i })
}

// dot is the cosine of two unit vectors.
func dot(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
