package skillsearch

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/skillsearch/skillsearch/skill"
)

// Sizes of a page of a Listing.
const (
	DefaultPage = 100
	MaxPage     = 1000
)

// A Page is a part of a Listing. Total counts all skills of the listing; the
// problems are on its first page only.
type Page struct {
	*Listing
	NextCursor string `json:"next_cursor"` // "" on the last page
}

// ListPage is the page of List that begins at a cursor: "", or the NextCursor
// of the page before. q.Limit is how many skills it has, 0 for DefaultPage.
func (e *Engine) ListPage(ctx context.Context, q Query, after string) (*Page, error) {
	size := q.Limit
	if size == 0 {
		size = DefaultPage
	}
	if size < 0 || size > MaxPage {
		return nil, invalid("limit is %d; it must lie between 1 and %d", size, MaxPage)
	}
	from, err := parseCursor(after, q)
	if err != nil {
		return nil, err
	}
	listing, err := e.List(ctx, q)
	if err != nil {
		return nil, err
	}
	return from.cut(listing, size), nil
}

// A cursor says where the next page of a listing begins. It holds the last id
// as well as a count, so that a skill which came or went in the meantime moves
// no other one past the reader.
type cursor struct {
	Asked string `json:"q"`  // hash of what was asked
	Count int    `json:"n"`  // skills before the page
	After string `json:"id"` // the last of them
}

// parseCursor is the place that a cursor means; the start for "".
func parseCursor(text string, q Query) (cursor, error) {
	start := cursor{Asked: q.hash()}
	if text == "" {
		return start, nil
	}
	var c cursor
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(raw, &c)
	}
	switch {
	case err != nil || c.Count < 0:
		return start, fmt.Errorf("%w: it can't be read; send the next_cursor of the page before, as it is", ErrInvalidCursor)
	case c.Asked != start.Asked:
		return start, fmt.Errorf("%w: it belongs to another list; keep the query, the ranking and the filters the same from page to page", ErrInvalidCursor)
	}
	return c, nil
}

// hash is the same for queries that ask for the same list.
func (q Query) hash() string {
	raw, _ := json.Marshal([]any{q.Text, q.Ranking, q.Filter}) // texts alone
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}

func (c cursor) String() string {
	raw, _ := json.Marshal(c) // texts and a number
	return base64.RawURLEncoding.EncodeToString(raw)
}

// cut makes the page that begins at the cursor.
func (c cursor) cut(l *Listing, size int) *Page {
	from := c.place(l)
	to := min(from+size, len(l.Skills))
	p := &Page{Listing: l}
	if to < len(l.Skills) {
		p.NextCursor = cursor{Asked: c.Asked, Count: to, After: l.Skills[to-1].ID}.String()
	}
	l.Skills = l.Skills[from:to]
	if c.After != "" {
		l.Problems = []skill.Problem{}
	}
	return p
}

// place is where in a listing the page begins: behind the cursor's skill, or
// where that would be.
func (c cursor) place(l *Listing) int {
	if c.After == "" {
		return 0
	}
	if l.Ranking == "" { // in order of ID
		i, found := slices.BinarySearchFunc(l.Skills, c.After, func(s Listed, id string) int { return strings.Compare(s.ID, id) })
		if found {
			i++
		}
		return i
	}
	if i := slices.IndexFunc(l.Skills, func(s Listed) bool { return s.ID == c.After }); i >= 0 {
		return i + 1
	}
	return min(c.Count, len(l.Skills))
}
