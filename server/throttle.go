package server

import (
	"container/list"
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limits keep one client from taking what others need. A limit that is 0 is
// none, and so the zero Limits let everything through.
type Limits struct {
	// Rate is how many requests a second a token, or without one an address, may
	// send in the long run, and Burst how many at once; with a Rate it is at least 1.
	Rate  float64
	Burst int
	// Open is how many requests are answered at the same time. Streams of MCP,
	// which wait for what there is to tell, are none of them.
	Open int
}

// DefaultLimits are wide enough for a search at every keystroke beside agents
// on the same machine.
func DefaultLimits() Limits { return Limits{Rate: 50, Burst: 100, Open: 64} }

// maxClients bounds the table of clients; a forgotten one begins anew.
const maxClients = 10_000

// A throttle holds requests to Limits.
type throttle struct {
	limits Limits
	open   chan struct{} // holds one for each open request; nil for no bound

	mu      sync.Mutex
	clients map[string]*list.Element // of recent
	recent  *list.List               // of client, the latest in front
}

type client struct {
	key    string
	bucket *rate.Limiter
}

func newThrottle(l Limits) *throttle {
	t := &throttle{limits: l, clients: make(map[string]*list.Element), recent: list.New()}
	if l.Open > 0 {
		t.open = make(chan struct{}, l.Open)
	}
	return t
}

// wait is how long a client has to wait before its next request; 0 takes this one.
func (t *throttle) wait(key string, now time.Time) time.Duration {
	if t.limits.Rate <= 0 {
		return 0
	}
	reserved := t.bucket(key).ReserveN(now, 1)
	wait := reserved.DelayFrom(now)
	if wait > 0 {
		reserved.CancelAt(now)
	}
	return wait
}

func (t *throttle) bucket(key string) *rate.Limiter {
	t.mu.Lock()
	defer t.mu.Unlock()
	if known, ok := t.clients[key]; ok {
		t.recent.MoveToFront(known)
		return known.Value.(client).bucket
	}
	if t.recent.Len() == maxClients {
		delete(t.clients, t.recent.Remove(t.recent.Back()).(client).key)
	}
	c := client{key, rate.NewLimiter(rate.Limit(t.limits.Rate), max(t.limits.Burst, 1))}
	t.clients[key] = t.recent.PushFront(c)
	return c.bucket
}

// bound refuses what comes while too many requests are open.
func (s *Server) bound(next http.Handler) http.Handler {
	open := s.throttle.open
	if open == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isProbe(r) || r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/mcp/") {
			next.ServeHTTP(w, r)
			return
		}
		select {
		case open <- struct{}{}:
			defer func() { <-open }()
			next.ServeHTTP(w, r)
		default:
			recordOf(r).refused = overloaded
			w.Header().Set("Retry-After", "1")
			s.refuse(w, r, refusal{
				kind: overloaded, detail: fmt.Sprintf("as many requests are being answered as the server takes at once (%d)", cap(open)),
				remedy: "ask again after Retry-After seconds; the limit is server.open in the server's configuration",
			})
		}
	})
}

// limited is next for the clients that do not ask too often.
func (s *Server) limited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.admits(w, r, addressOf(r)) {
			next.ServeHTTP(w, r)
		}
	})
}

// admits reports whether a client may ask now, and refuses the request when not.
func (s *Server) admits(w http.ResponseWriter, r *http.Request, key string) bool {
	if isProbe(r) {
		return true
	}
	wait := s.throttle.wait(key, recordOf(r).start)
	if wait <= 0 {
		return true
	}
	recordOf(r).refused = rateLimited
	seconds := strconv.Itoa(int(math.Ceil(wait.Seconds())))
	w.Header().Set("Retry-After", seconds)
	s.refuse(w, r, refusal{
		kind: rateLimited, detail: "more requests came than the " + strconv.FormatFloat(s.throttle.limits.Rate, 'g', -1, 64) + " a second that one client may send",
		remedy: "ask again after " + seconds + " s; the limits are server.rate and server.burst in the server's configuration",
	})
	return false
}

// isProbe reports whether a request asks whether the server lives: who looks
// after a busy server must not be told that it is dead.
func isProbe(r *http.Request) bool { return r.URL.Path == "/healthz" || r.URL.Path == "/readyz" }

// addressOf is by which a client without a token is known: its address, of
// IPv6 the 64 bits that its owner can't choose.
func addressOf(r *http.Request) string {
	remote, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return "" // not from a network
	}
	ip := remote.Addr().Unmap().WithZone("")
	if prefix, err := ip.Prefix(64); err == nil && ip.Is6() {
		return prefix.String()
	}
	return ip.String()
}
