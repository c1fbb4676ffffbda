// Package ranker answers: in which order? It turns what vectors and words say
// about each skill into one total order.
package ranker

import (
	"cmp"
	"slices"
	"strings"
)

// How a skill got its place.
const (
	ByCosine  = "cosine"
	ByLexical = "lexical"
	ByHybrid  = "hybrid"
)

// An Item is what is known about one skill for one query.
type Item struct {
	ID       string
	Embedded bool    // the head has a vector
	Head     float64 // cosine of the head; 0 when not Embedded
	HasBody  bool    // a body passage has a vector
	Body     float64 // best cosine of a body passage; 0 when not HasBody
	Lexical  float64 // BM25F score; 0 when no word matches
}

// A Ranked is one place of an order.
type Ranked struct {
	Index int // of the Item
	ID    string
	Score float64
	By    string // ByCosine, ByLexical or ByHybrid
}

// Cosine orders the embedded items by the average of the head's cosine and the
// best body passage's; a skill without a body counts its head alone. With
// bodies false all count their heads alone, so that one scale holds for all.
// Ties are broken by ID. docs/benchmarks.md has the measurement behind the form.
func Cosine(items []Item, bodies bool) []Ranked {
	ranked := make([]Ranked, 0, len(items))
	for i, item := range items {
		if item.Embedded {
			ranked = append(ranked, Ranked{Index: i, ID: item.ID, Score: item.Cosine(bodies), By: ByCosine})
		}
	}
	return sorted(ranked)
}

// Cosine is what the vectors say of the item: the average of Head and Body, or
// Head alone where bodies don't count or there is none.
func (item Item) Cosine(bodies bool) float64 {
	if bodies && item.HasBody {
		return (item.Head + item.Body) / 2
	}
	return item.Head
}

// Lexical orders the items that share a word with the query.
func Lexical(items []Item) []Ranked {
	ranked := make([]Ranked, 0, len(items))
	for i, item := range items {
		if item.Lexical > 0 {
			ranked = append(ranked, Ranked{Index: i, ID: item.ID, Score: item.Lexical, By: ByLexical})
		}
	}
	return sorted(ranked)
}

// hybridWeight is the share of the cosine in a hybrid score.
const hybridWeight = 0.5

// Hybrid orders the items by a convex combination of cosine and BM25F, each
// scaled to 0–1 by its smallest and largest value over all items (min-max
// normalisation; Bruch, Gai and Ingber, "An Analysis of Fusion Functions for
// Hybrid Retrieval", 2023). An item without a vector has a scaled cosine of 0.
// Items that neither embeds nor matches are left out.
func Hybrid(items []Item, bodies bool) []Ranked {
	cosine := scale(items, func(i Item) (float64, bool) { return i.Cosine(bodies), i.Embedded })
	lexical := scale(items, func(i Item) (float64, bool) { return i.Lexical, true })
	ranked := make([]Ranked, 0, len(items))
	for i, item := range items {
		if item.Embedded || item.Lexical > 0 {
			score := hybridWeight*cosine[i] + (1-hybridWeight)*lexical[i]
			ranked = append(ranked, Ranked{Index: i, ID: item.ID, Score: score, By: ByHybrid})
		}
	}
	return sorted(ranked)
}

// scale maps the values that count to 0–1, and the others to 0. Where all are
// equal they say nothing and become 0.
func scale(items []Item, value func(Item) (float64, bool)) []float64 {
	scaled := make([]float64, len(items))
	low, high, any := 0.0, 0.0, false
	for _, item := range items {
		if v, ok := value(item); ok {
			if !any {
				low, high, any = v, v, true
			}
			low, high = min(low, v), max(high, v)
		}
	}
	for i, item := range items {
		if v, ok := value(item); ok && high > low {
			scaled[i] = (v - low) / (high - low)
		}
	}
	return scaled
}

// LexicalList orders every item by its words: those without one come last.
func LexicalList(items []Item) []Ranked {
	ranked := make([]Ranked, len(items))
	for i, item := range items {
		ranked[i] = Ranked{Index: i, ID: item.ID, Score: item.Lexical, By: ByLexical}
	}
	return sorted(ranked)
}

// List orders every item for a list: the embedded ones keep the order they
// come in, best first, and each other one takes the place that its lexical rank
// over all items gives it. Of two that claim one place the embedded one comes
// first, then the better lexical rank, then the ID.
func List(items []Item, embedded []Ranked) []Ranked {
	type claim struct {
		Ranked
		place   int
		lexical bool
	}
	claims := make([]claim, 0, len(items))
	seen := make([]bool, len(items))
	for place, r := range embedded {
		claims = append(claims, claim{r, place, false})
		seen[r.Index] = true
	}
	for place, r := range LexicalList(items) {
		if !seen[r.Index] {
			claims = append(claims, claim{r, place, true})
		}
	}
	slices.SortStableFunc(claims, func(a, b claim) int {
		return cmp.Or(cmp.Compare(a.place, b.place), compareBool(a.lexical, b.lexical), strings.Compare(a.ID, b.ID))
	})
	ranked := make([]Ranked, len(claims))
	for i, c := range claims {
		ranked[i] = c.Ranked
	}
	return ranked
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func sorted(ranked []Ranked) []Ranked {
	slices.SortFunc(ranked, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ID, b.ID))
	})
	return ranked
}
