package server

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/toolset"
)

// A Library is one engine of a server that has several, seen only with a token
// of its own.
type Library struct {
	Name   string // for the log
	Engine *skillsearch.Engine
	Tokens *TokenFile
	Tools  toolset.Library // instead of Config.Tools
}

// Libraries serves several libraries at one address. The token of a request
// chooses the library, and nothing else does: behind the choice each is a server
// that knows no other. It is safe for concurrent use.
type Libraries struct {
	front   *Server // observes and guards; its engine answers nothing of its own
	members []member
}

type member struct {
	Library
	server *Server
}

// NewLibraries prepares a server of at least one library; it starts nothing.
// Config.Tools is left aside. Two libraries that share a token are refused with
// skillsearch.ErrInvalidArgument.
func NewLibraries(libraries []Library, cfg Config) (*Libraries, error) {
	if len(libraries) == 0 {
		return nil, fmt.Errorf("%w: no library is named; name one under server.libraries", skillsearch.ErrInvalidArgument)
	}
	l := &Libraries{}
	for _, library := range libraries {
		if err := l.shares(library); err != nil {
			return nil, err
		}
		own := cfg
		own.Tools = library.Tools
		l.members = append(l.members, member{library, New(library.Engine, own)})
	}
	l.front = l.members[0].server
	l.front.peers = nil
	for _, m := range l.members {
		l.front.peers = append(l.front.peers, m.server)
	}
	l.front.handler = l.front.observe(l.front.guard(l.front.bound(http.HandlerFunc(l.choose))))
	return l, nil
}

// shares fails when a library before has one of this one's tokens.
func (l *Libraries) shares(library Library) error {
	hashes, err := library.Tokens.current()
	if err != nil {
		return err
	}
	for _, hash := range hashes {
		for _, m := range l.members {
			if found, _ := m.Tokens.has(hash); found {
				return fmt.Errorf("%w: the libraries %s and %s share a token; give each its own", skillsearch.ErrInvalidArgument, m.Name, library.Name)
			}
		}
	}
	return nil
}

// Handler is all of the server's routes behind the guard; see Server.Handler.
func (l *Libraries) Handler() http.Handler { return l.front.handler }

// Run serves all libraries; see Server.Run.
func (l *Libraries) Run(ctx context.Context, listener net.Listener) error {
	servers := make([]*Server, len(l.members))
	for i, m := range l.members {
		servers[i] = m.server
	}
	return serve(ctx, listener, servers)
}

// choose passes a request on to the library that its token opens.
func (l *Libraries) choose(w http.ResponseWriter, r *http.Request) {
	m, hash := l.opened(r)
	key := addressOf(r) // of who guesses tokens too
	if m != nil {
		key = string(hash[:])
		recordOf(r).library, recordOf(r).server = m.Name, m.server
	}
	if !l.front.admits(w, r, key) {
		return
	}
	if isPage(r.URL.Path) { // holds nothing of a library, and is where a person types the token
		l.front.routes.ServeHTTP(w, r)
		return
	}
	if m == nil {
		w.Header().Set("WWW-Authenticate", `Bearer realm="skillsearch"`)
		l.front.refuse(w, r, refusal{
			kind: "token_required", field: "Authorization", detail: "the request has no token that opens a library",
			remedy: "send Authorization: Bearer TOKEN with the library's token",
		})
		return
	}
	m.server.claim(m.server.routes).ServeHTTP(w, r)
}

// opened is the one library that the request's token opens, else nil, and the
// hash of the token. It asks every library, so that the time does not tell which
// one knew the token. A token that has come to be in two files opens neither.
func (l *Libraries) opened(r *http.Request) (chosen *member, hash [sha256.Size]byte) {
	hash, sent := bearer(r.Header)
	count := 0
	for i := range l.members {
		m := &l.members[i]
		found, err := m.Tokens.has(hash)
		if err != nil {
			l.front.cfg.Logger.Warn("a library can't be opened by anybody", slog.String("library", m.Name), slog.Any("reason", err))
		}
		if found {
			chosen = m
			count++
		}
	}
	if !sent || count != 1 {
		return nil, hash
	}
	return chosen, hash
}

// bearer is the hash of the token that a request sends.
func bearer(header http.Header) (hash [sha256.Size]byte, sent bool) {
	given := header["Authorization"]
	if len(given) != 1 {
		return hash, false
	}
	scheme, token, _ := strings.Cut(given[0], " ")
	return sha256.Sum256([]byte(strings.TrimSpace(token))), strings.EqualFold(scheme, "Bearer")
}
