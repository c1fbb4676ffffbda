package embedder

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// parseHost reads OLLAMA_HOST as Ollama's own programs do, but as a client: an
// address to listen at on all interfaces becomes the loopback one, and what
// can't be right is an error instead of a default.
func parseHost(s string) (*url.URL, error) {
	s = strings.Trim(s, " \t\r\n\"'")
	scheme, port, rest, err := splitScheme(s)
	if err != nil {
		return nil, invalidHost(s, err)
	}
	authority, path, _ := strings.Cut(rest, "/")
	user, hostport, err := splitUser(authority)
	if err != nil || strings.ContainsAny(path, "?#@") {
		return nil, invalidHost(s, errors.New("it has a query, or characters that a URL must write as %XX"))
	}
	host, err := joinHost(hostport, port)
	if err != nil {
		return nil, invalidHost(s, err)
	}
	u := &url.URL{Scheme: scheme, User: user, Host: host}
	if path = strings.Trim(path, "/"); path != "" {
		u.Path = "/" + path
	}
	return u, nil
}

// splitScheme also gives the port that goes with the scheme: Ollama's own
// where none is named.
func splitScheme(s string) (scheme, port, rest string, err error) {
	scheme, rest, named := strings.Cut(s, "://")
	scheme = strings.ToLower(scheme)
	switch {
	case s == "ollama.com":
		return "https", "443", s, nil
	case !named:
		return "http", "11434", s, nil
	case scheme == "https":
		return "https", "443", rest, nil
	case scheme == "http":
		return "http", "80", rest, nil
	}
	return "", "", "", errors.New("its scheme is neither http nor https")
}

func splitUser(authority string) (user *url.Userinfo, hostport string, err error) {
	at := strings.LastIndexByte(authority, '@')
	if at < 0 {
		return nil, authority, nil
	}
	u, err := url.Parse("http://" + authority[:at+1] + "host")
	if err != nil {
		return nil, "", err
	}
	return u.User, authority[at+1:], nil
}

// joinHost completes host, host:port, :port, an IPv6 address with or without
// brackets, or nothing.
func joinHost(hostport, port string) (string, error) {
	host := hostport
	if inner, ok := strings.CutPrefix(hostport, "["); ok && strings.HasSuffix(inner, "]") {
		host = strings.TrimSuffix(inner, "]")
	}
	if _, err := netip.ParseAddr(host); err != nil && strings.Contains(hostport, ":") {
		if host, port, err = net.SplitHostPort(hostport); err != nil {
			return "", errors.New("it is neither host nor host:port")
		}
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return "", errors.New("its port is not a number from 1 to 65535")
	}
	host, ok := reachable(host)
	if !ok {
		return "", errors.New("its host is neither a name nor an address")
	}
	return net.JoinHostPort(host, port), nil
}

// reachable turns an address that only a server can use into one to call, and
// says whether host is an address or may be a name.
func reachable(host string) (string, bool) {
	addr, err := netip.ParseAddr(host)
	switch {
	case host == "", err == nil && addr == netip.IPv4Unspecified():
		return "127.0.0.1", true
	case err == nil && addr.IsUnspecified():
		return "::1", true
	case err == nil:
		return host, true
	}
	return host, !strings.ContainsFunc(host, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-._", r)
	})
}

func invalidHost(s string, why error) error {
	return fmt.Errorf("%w %q: %w; set --ollama-host or OLLAMA_HOST to host:port or http(s)://host[:port][/path]", ErrInvalidHost, redact(s), why)
}

// redact hides what may be a user and a password: all that stands before the
// last @, but for a scheme that has no part in them.
func redact(s string) string {
	at := strings.LastIndexByte(s, '@')
	if at < 0 {
		return s
	}
	for _, scheme := range []string{"http://", "https://"} {
		if strings.HasPrefix(strings.ToLower(s), scheme) {
			return scheme + "***" + s[at:]
		}
	}
	return "***" + s[at:]
}
