package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// A record is what the log and the metrics say about one request: nothing that a
// client sent but a method of HTTP's own.
type record struct {
	id         string
	start      time.Time
	route      string  // the pattern; "none" when no route fits
	queryBytes int     // length of the query, 0 for none
	queryHash  string  // by which equal queries are recognised
	library    string  // its name, where there are several
	query      string  // only where the log is to have queries
	ranking    string  // that a search used
	degraded   int     // searches that had to do without vectors
	refused    string  // the limit that it went over, rateLimited or overloaded
	server     *Server // that it was passed on to, for the metrics
}

type recordKey struct{}

// recordOf is the record of a request that came through observe.
func recordOf(r *http.Request) *record { return r.Context().Value(recordKey{}).(*record) }

// noteQuery keeps of a query what may be logged.
func (s *Server) noteQuery(r *http.Request, text string) {
	if text == "" {
		return
	}
	sum, rec := sha256.Sum256([]byte(text)), recordOf(r)
	rec.queryBytes, rec.queryHash = len(text), hex.EncodeToString(sum[:4])
	if s.cfg.LogQueries {
		rec.query = text
	}
}

// noteResult keeps how a search was answered.
func noteResult(r *http.Request, ranking string, degraded bool) {
	rec := recordOf(r)
	rec.ranking = ranking
	if degraded {
		rec.degraded++
	}
}

// idOf is the id of a request: the caller's where it is a UUID or a trace id,
// which can hold nothing but hexadecimal digits, else one of the server's own.
func (s *Server) idOf(r *http.Request) string {
	if id := r.Header.Get("X-Request-Id"); isTraceID(id) {
		return id
	}
	return s.cfg.NewID()
}

// isTraceID accepts 16 to 64 hexadecimal digits and the dashes between them.
func isTraceID(id string) bool {
	return len(id) >= 16 && len(id) <= 64 && strings.Trim(id, "0123456789abcdefABCDEF-") == ""
}

// observe gives each request an id and a line in the log, and makes a panic one
// failed request.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &record{id: s.idOf(r), start: s.cfg.Now(), route: "none"}
		out := &response{ResponseWriter: w}
		r = r.WithContext(context.WithValue(r.Context(), recordKey{}, rec))
		out.Header().Set("X-Request-Id", rec.id)
		defer s.count(r, out)
		defer s.logRequest(r, out)
		defer s.recoverPanic(r, out)
		next.ServeHTTP(out, r)
	})
}

func (s *Server) logRequest(r *http.Request, out *response) {
	rec := recordOf(r)
	attrs := []slog.Attr{
		slog.String("id", rec.id), slog.String("method", method(r)), slog.String("route", rec.route),
		slog.Int("status", out.status), slog.Duration("duration", s.cfg.Now().Sub(rec.start)),
	}
	if rec.library != "" {
		attrs = append(attrs, slog.String("library", rec.library))
	}
	if rec.queryBytes > 0 {
		attrs = append(attrs, slog.Int("query_bytes", rec.queryBytes), slog.String("query_hash", rec.queryHash))
	}
	if rec.query != "" {
		attrs = append(attrs, slog.String("query", rec.query))
	}
	s.cfg.Logger.LogAttrs(r.Context(), slog.LevelInfo, "request", attrs...)
}

// method is the request's method if it is a common one: a client may write
// anything there.
func method(r *http.Request) string {
	common := []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions}
	if slices.Contains(common, r.Method) {
		return r.Method
	}
	return "other"
}

// recoverPanic is deferred around a handler.
func (s *Server) recoverPanic(r *http.Request, out *response) {
	cause := recover()
	if cause == nil {
		return
	}
	if cause == http.ErrAbortHandler {
		panic(cause) // net/http cuts the connection and says nothing
	}
	id := recordOf(r).id
	s.cfg.Logger.LogAttrs(r.Context(), slog.LevelError, "a handler panicked",
		slog.String("id", id), slog.String("panic", describePanic(cause)), slog.String("stack", string(debug.Stack())))
	if out.status != 0 {
		panic(http.ErrAbortHandler) // half an answer must not look like a whole one
	}
	p := newProblem("internal", "the server failed to answer", "look for the incident in the server's log")
	p.Incident = id
	writeProblem(out, p)
}

// describePanic is the text of a runtime error; of other causes, which may hold
// what a client sent, the type.
func describePanic(cause any) string {
	if err, ok := cause.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("%T", cause)
}

// A response remembers the status that was sent, 0 for none yet.
type response struct {
	http.ResponseWriter
	status int
}

// Unwrap is for http.ResponseController.
func (r *response) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// Flush sends what has been written; gin and streams ask for it.
func (r *response) Flush() { _ = http.NewResponseController(r.ResponseWriter).Flush() }

func (r *response) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *response) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	return r.ResponseWriter.Write(p)
}
