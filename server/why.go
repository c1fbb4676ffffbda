package server

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
)

// The parameters of GET /v1/why and of GET /v1/skills/{id}/similar.
var (
	whyParameters = []parameter{
		{"q", text, setText, aWordyQuery().needed()},
		{"skill", text, setSkill, described("an id, a name or a code").needed()},
		{"ranking", text, setRanking, aRanking()},
		{"wait", text, setWait, aWait()},
	}
	similarParameters = []parameter{
		{"limit", number, setLimit(skillsearch.MaxLimit), whole("how many; else 10", skillsearch.MaxLimit)},
		{"wait", text, setWait, aWait()},
	}
)

func setSkill(r *request, _ string, v []string) error {
	r.skill = v[0]
	return nil
}

// why explains the place of one skill for a query.
func (s *Server) why(c *gin.Context) error {
	r, err := parseQuery(c.Request.URL.RawQuery, whyParameters)
	if err != nil {
		return err
	}
	if r.skill == "" {
		return malformed("skill", "no skill is named", "add skill with an id, a name or a code")
	}
	s.noteQuery(c.Request, r.Text)
	start := s.cfg.Now()
	why, err := s.engine.Why(c.Request.Context(), r.Query, r.skill)
	if errors.Is(err, skill.ErrNotFound) {
		return err
	}
	if err != nil {
		return inField("q", "", err)
	}
	timed(c, "why", s.cfg.Now().Sub(start))
	return answer(c, http.StatusOK, why)
}

// similar lists what is near one skill.
func (s *Server) similar(c *gin.Context) error {
	id, err := param(c, "id")
	if err != nil {
		return err
	}
	r, err := parseQuery(c.Request.URL.RawQuery, similarParameters)
	if err != nil {
		return err
	}
	near, err := s.engine.Similar(c.Request.Context(), id, r.Limit, r.Wait)
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, near)
}
