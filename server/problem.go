package server

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
)

// problemType is what the type of every problem document begins with; the
// error's kind follows.
const problemType = "urn:skillsearch:problem:"

// A problem is an RFC 9457 problem document.
type problem struct {
	Type     string `json:"type"`
	Title    string `json:"title"`
	Status   int    `json:"status"`
	Detail   string `json:"detail"`
	Field    string `json:"field,omitempty"`    // what of the request is to blame
	Remedy   string `json:"remedy,omitempty"`   // what to do about it
	Incident string `json:"incident,omitempty"` // where the log says more
}

// statuses maps an error's kind to the status and title of its answer: the
// kinds of skillsearch.ErrorKind, then those that only HTTP has.
var statuses = map[string]struct {
	status int
	title  string
}{
	"invalid_argument":      {http.StatusBadRequest, "Invalid argument"},
	"not_found":             {http.StatusNotFound, "Not found"},
	"path_outside_skill":    {http.StatusForbidden, "Path leads out of the skill"},
	"not_regular_file":      {http.StatusNotFound, "Not a regular file"},
	"too_large":             {http.StatusRequestEntityTooLarge, "Too large"},
	"token_required":        {http.StatusUnauthorized, "Token required"},
	"embedding_unavailable": {http.StatusServiceUnavailable, "Embedding server unavailable"},
	"model_missing":         {http.StatusServiceUnavailable, "Embedding model missing"},
	"index_too_new":         {http.StatusServiceUnavailable, "Index written by a newer version"},
	"disk_full":             {http.StatusServiceUnavailable, "Disk full"},
	"read_only":             {http.StatusServiceUnavailable, "Index can't be written"},
	"home_not_set":          {http.StatusServiceUnavailable, "Home folder not set"},
	"invalid_ollama_host":   {http.StatusServiceUnavailable, "Invalid Ollama host"},

	rateLimited:              {http.StatusTooManyRequests, "Too many requests"},
	overloaded:               {http.StatusServiceUnavailable, "Too many open requests"},
	"forbidden":              {http.StatusForbidden, "Forbidden"},
	"method_not_allowed":     {http.StatusMethodNotAllowed, "Method not allowed"},
	"unsupported_media_type": {http.StatusUnsupportedMediaType, "Unsupported media type"},
	"unavailable":            {http.StatusServiceUnavailable, "Unavailable"},
	"cancelled":              {statusCancelled, "Cancelled"},
	"internal":               {http.StatusInternalServerError, "Internal error"},
}

// The kinds of what goes over Limits.
const (
	rateLimited = "rate_limited"
	overloaded  = "overloaded"
)

// statusCancelled is for the log: the client that would read it has gone.
const statusCancelled = 499

// A refusal is an error of the server's own.
type refusal struct {
	kind   string
	status int // 0 is the kind's
	field  string
	detail string
	remedy string
}

func (r refusal) Error() string { return r.detail }

// malformed refuses a field that can't be read.
func malformed(field, detail, remedy string) error {
	return refusal{kind: "invalid_argument", field: field, detail: detail, remedy: remedy}
}

// outOfRange refuses a field that can be read and has a value that is not taken.
func outOfRange(field, detail, remedy string) error {
	return refusal{kind: "invalid_argument", status: http.StatusUnprocessableEntity, field: field, detail: detail, remedy: remedy}
}

// inField says of which field an error of the engine speaks, and what to do
// where the error itself does not know.
func inField(field, remedy string, err error) error {
	var unknown *skill.NotFoundError
	kind := skillsearch.ErrorKind(err)
	if kind == "" || errors.As(err, &unknown) {
		return err
	}
	p := describe(err)
	return refusal{kind: kind, field: field, detail: p.Detail, remedy: cmp.Or(p.Remedy, remedy)}
}

// describe makes a document of an error. What is no error of a known kind is
// internal, and its text stays here.
func describe(err error) problem {
	var own refusal
	var tooLong *http.MaxBytesError
	var unknown *skill.NotFoundError
	switch {
	case errors.As(err, &own):
		p := newProblem(own.kind, own.detail, own.remedy)
		p.Field = own.field
		if own.status != 0 {
			p.Status = own.status
		}
		return p
	case errors.As(err, &tooLong):
		return describe(tooLarge())
	case errors.As(err, &unknown):
		remedy := "GET /v1/skills lists the ids"
		if len(unknown.Close) > 0 {
			remedy = "did you mean " + strings.Join(unknown.Close, ", ") + "?"
		}
		p := newProblem("not_found", (&skill.NotFoundError{What: unknown.What, Ref: unknown.Ref}).Error(), remedy)
		p.Field = "id"
		return p
	case errors.Is(err, context.Canceled):
		return newProblem("cancelled", "the request was cancelled", "")
	}
	kind := skillsearch.ErrorKind(err)
	if kind == "" {
		return newProblem("internal", "the server failed to answer", "look for the incident in the server's log")
	}
	// What follows the first "; " is the remedy, as in the shell.
	detail, remedy, _ := strings.Cut(strings.TrimPrefix(err.Error(), skillsearch.ErrInvalidArgument.Error()+": "), "; ")
	return newProblem(kind, detail, remedy)
}

func newProblem(kind, detail, remedy string) problem {
	s, ok := statuses[kind]
	if !ok {
		s = statuses["internal"]
	}
	return problem{Type: problemType + kind, Title: s.title, Status: s.status, Detail: detail, Remedy: remedy}
}

// refuse answers with the document of an error. The text of an internal one
// goes to the log.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	p := describe(err)
	if p.Status == http.StatusInternalServerError {
		p.Incident = recordOf(r).id
		s.cfg.Logger.LogAttrs(r.Context(), slog.LevelError, "a request failed", slog.String("id", p.Incident), slog.Any("reason", err))
	}
	writeProblem(w, p)
}

func writeProblem(w http.ResponseWriter, p problem) {
	var body bytes.Buffer
	_ = skillsearch.Encode(&body, p) // texts and a number always can be
	write(w, p.Status, "application/problem+json", body.Bytes())
}
