package server

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
)

// A page is a part of a listing. Total counts all skills of the listing; the
// problems are on its first page only.
type page struct {
	*skillsearch.Listing
	NextCursor string `json:"next_cursor"` // "" on the last page
}

func (s *Server) list(c *gin.Context) error {
	r, err := parseQuery(c.Request.URL.RawQuery, listParameters)
	if err != nil {
		return err
	}
	from, err := parseCursor(r)
	if err != nil {
		return err
	}
	recordOf(c.Request).noteQuery(r.Text)
	start := s.cfg.Now()
	listing, err := s.engine.List(c.Request.Context(), r.Query)
	if err != nil {
		return inField("q", "", err)
	}
	timed(c, "list", s.cfg.Now().Sub(start))
	return answer(c, http.StatusOK, from.cut(listing, cmp.Or(r.Limit, defaultPage)))
}

// A cursor says where the next page of a listing begins. It holds the last id
// as well as a count, so that a skill which came or went in the meantime moves
// no other one past the reader.
type cursor struct {
	Asked string `json:"q"`  // hash of what was asked
	Count int    `json:"n"`  // skills before the page
	After string `json:"id"` // the last of them
}

// parseCursor is the request's cursor; the zero place when it has none.
func parseCursor(r request) (cursor, error) {
	start := cursor{Asked: r.hash()}
	if r.cursor == "" {
		return start, nil
	}
	var c cursor
	raw, err := base64.RawURLEncoding.DecodeString(r.cursor)
	if err == nil {
		err = json.Unmarshal(raw, &c)
	}
	switch {
	case err != nil || c.Count < 0:
		return start, malformed("cursor", "the cursor can't be read", "send the next_cursor of the page before, as it is")
	case c.Asked != start.Asked:
		return start, malformed("cursor", "the cursor belongs to another list", "keep q, ranking and the filters the same from page to page")
	}
	return c, nil
}

// hash is the same for requests that ask for the same list.
func (r request) hash() string {
	raw, _ := json.Marshal([]any{r.Text, r.Ranking, r.Filter}) // texts alone
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}

func (c cursor) String() string {
	raw, _ := json.Marshal(c) // texts and a number
	return base64.RawURLEncoding.EncodeToString(raw)
}

// cut makes the page that begins at the cursor.
func (c cursor) cut(l *skillsearch.Listing, size int) page {
	from := c.place(l)
	to := min(from+size, len(l.Skills))
	p := page{Listing: l}
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
func (c cursor) place(l *skillsearch.Listing) int {
	if c.After == "" {
		return 0
	}
	if l.Ranking == "" { // in order of ID
		i, found := slices.BinarySearchFunc(l.Skills, c.After, func(s skillsearch.Listed, id string) int { return strings.Compare(s.ID, id) })
		if found {
			i++
		}
		return i
	}
	if i := slices.IndexFunc(l.Skills, func(s skillsearch.Listed) bool { return s.ID == c.After }); i >= 0 {
		return i + 1
	}
	return min(c.Count, len(l.Skills))
}
