package server

import (
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// maxBody is the largest body of a request, in bytes.
const maxBody = 1 << 20

// guard stands in front of every route. A page that a person opens elsewhere
// can make their browser send requests to a server on their own machine, under
// a name that leads to it (DNS rebinding); it can't choose Host and Origin.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// No answer is ever active content of this origin, or readable by another.
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
		w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
		w.Header().Set("Cache-Control", "no-store")
		if err := s.check(r); err != nil {
			s.refuse(w, r, err)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		next.ServeHTTP(w, r)
	})
}

func (s *Server) check(r *http.Request) error {
	switch {
	case !s.allowsHost(r):
		return refusal{
			kind: "forbidden", field: "Host", detail: "the request names a host that this server does not serve",
			remedy: "use 127.0.0.1 or localhost with the server's own port",
		}
	case !s.allowsOrigin(r):
		return refusal{
			kind: "forbidden", field: "Origin", detail: "the request comes from a page of another origin",
			remedy: "only pages of this machine may ask; a program sends no Origin",
		}
	case r.ContentLength > maxBody:
		return tooLarge()
	case r.Method == http.MethodPost && !isJSON(r):
		return refusal{
			kind: "unsupported_media_type", field: "Content-Type", detail: "the body is not declared as JSON",
			remedy: "send Content-Type: application/json",
		}
	}
	return nil
}

func tooLarge() error {
	return refusal{kind: "too_large", detail: "the body has more than " + strconv.Itoa(maxBody) + " bytes", remedy: "send a smaller one"}
}

// isJSON reports whether a request has a JSON body or none.
func isJSON(r *http.Request) bool {
	declared := r.Header.Get("Content-Type")
	if declared == "" && r.ContentLength == 0 {
		return true
	}
	mediaType, _, err := mime.ParseMediaType(declared)
	return err == nil && mediaType == "application/json"
}

// allowsHost accepts loopback names with this server's port or none, and what
// the configuration allows.
func (s *Server) allowsHost(r *http.Request) bool {
	host, port, ok := splitHost(r.Host)
	if !ok {
		return false
	}
	if isLoopbackName(host) && (port == "" || port == localPort(r)) {
		return true
	}
	return s.isAllowed(host, port)
}

// allowsOrigin accepts requests without an Origin, and loopback or allowed ones
// of any port. A page of another port of this machine gets no further than that:
// no answer has the header with which its script could read it.
func (s *Server) allowsOrigin(r *http.Request) bool {
	origins, sent := r.Header["Origin"]
	if !sent {
		return true
	}
	if len(origins) != 1 {
		return false
	}
	u, err := url.Parse(origins[0])
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Scheme+"://"+u.Host != origins[0] {
		return false
	}
	host, port, ok := splitHost(u.Host)
	return ok && (isLoopbackName(host) || s.isAllowed(host, port))
}

func (s *Server) isAllowed(host, port string) bool {
	for _, allowed := range s.cfg.AllowedHosts {
		name, its, ok := splitHost(allowed)
		if ok && strings.EqualFold(name, host) && (its == "" || its == port) {
			return true
		}
	}
	return false
}

// splitHost reads name, name:port, [address] or [address]:port.
func splitHost(text string) (host, port string, ok bool) {
	if host, port, err := net.SplitHostPort(text); err == nil {
		return host, port, host != ""
	}
	if inner, found := strings.CutPrefix(text, "["); found {
		inner, found = strings.CutSuffix(inner, "]")
		return inner, "", found && inner != ""
	}
	return text, "", text != "" && !strings.Contains(text, ":")
}

func isLoopbackName(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && isLoopback(ip)
}

// localPort is the port at which the request arrived, "" when it is not known.
func localPort(r *http.Request) string {
	addr, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return ""
	}
	_, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return ""
	}
	return port
}
