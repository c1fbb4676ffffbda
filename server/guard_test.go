package server_test

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/skillsearch/skillsearch/server"
)

// everywhere is every route, and places that are none: the guard stands in
// front of them all.
var everywhere = []string{
	"GET /v1/search?q=tide", `POST /v1/search {"query":"tide"}`, "GET /v1/skills", "GET /v1/skills/chest", "GET /v1/skills/chest/files/references/list.md",
	`POST /v1/search/batch {"queries":[{"query":"tide"}]}`, "GET /v1/status", "GET /openapi.json", "POST /v1/reindex",
	"GET /v1/why?q=tide&skill=chest", "GET /v1/skills/chest/similar", "GET /v1/skills/chest/html", "GET /v1/prompt", "GET /v1/map", "GET /v1/facets",
	"GET /v1/toolsets", "GET /v1/toolsets/telos", `POST /v1/toolsets/batbox/tools/Skill {"operation":"list"}`, `POST /mcp/skillsearch {"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
	"GET /healthz", "GET /readyz", "GET /metrics", "GET /nowhere", "DELETE /v1/search", "OPTIONS /v1/search", "OPTIONS *",
}

func split(line string) (method, target, body string) {
	method, rest, _ := strings.Cut(line, " ")
	target, body, _ = strings.Cut(rest, " ")
	return method, target, body
}

// TestForeignHostsAndOriginsAreRefused holds HT01: a page elsewhere that makes a
// browser ask, under a name that leads to this machine, gets nothing.
func TestForeignHostsAndOriginsAreRefused(t *testing.T) {
	h := server.New(indexed(t), server.Config{}).Handler()
	for _, header := range [][]string{
		{"Host", "harbour.example"},
		{"Host", "localhost.harbour.example"},
		{"Host", "127.0.0.1.harbour.example"},
		{"Host", "127.0.0.1.harbour.example:80"},
		{"Host", ""},
		{"Host", ":7440"},
		{"Host", "192.168.1.7"},
		{"Host", "0.0.0.0"},
		{"Host", "127.0.0.1:1"},
		{"Host", "127.0.0.1:80:80"},
		{"Host", "me@127.0.0.1"},
		{"Host", "127.1"},
		{"Host", "2130706433"},
		{"Host", "0177.0.0.1"},
		{"Host", "::1"},
		{"Host", "[::1"},
		{"Host", "[::1%25eth0]"},
		{"Host", "[fe80::1]"},
		{"Host", "localhost."},
		{"Host", "localhost\x00"},
		{"Origin", "https://harbour.example"},
		{"Origin", "null"},
		{"Origin", ""},
		{"Origin", "http://localhost.harbour.example"},
		{"Origin", "http://127.0.0.1.harbour.example:7440"},
		{"Origin", "file://localhost"},
		{"Origin", "localhost"},
		{"Origin", "http://me@localhost"},
		{"Origin", "http://localhost/path"},
		{"Origin", "http://localhost http://harbour.example"},
		{"Origin", "http://harbour.example#localhost"},
	} {
		for _, line := range everywhere {
			method, target, body := split(line)
			w := ask(h, method, target, body, header...)
			if w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), `"urn:skillsearch:problem:forbidden"`) {
				t.Errorf("%s with %s: %d %s", line, header, w.Code, w.Body)
			}
		}
	}
}

// TestTwoOriginsAreRefused holds that one good Origin does not cover another.
func TestTwoOriginsAreRefused(t *testing.T) {
	h := server.New(indexed(t), server.Config{}).Handler()
	for _, origins := range [][]string{{"http://localhost", "http://harbour.example"}, {}} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", "http://127.0.0.1/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header["Origin"] = origins
		w := record(h, r)
		if w.Code != http.StatusForbidden {
			t.Errorf("origins %q: %d", origins, w.Code)
		}
	}
}

// TestLoopbackIsServed holds what the guard lets through, and that no answer
// allows another origin to read it.
func TestLoopbackIsServed(t *testing.T) {
	h := server.New(indexed(t), server.Config{AllowedHosts: []string{"skills.lan", "gate.lan:8443", "not:a:host"}}).Handler()
	for _, header := range [][]string{
		{"Host", "localhost"},
		{"Host", "LocalHost"},
		{"Host", "127.0.0.1"},
		{"Host", "127.8.9.10"},
		{"Host", "[::1]"},
		{"Host", "[::ffff:127.0.0.1]"},
		{"Host", "localhost:"},
		{"Host", "skills.lan"},
		{"Host", "Skills.LAN:99"},
		{"Host", "gate.lan:8443"},
		{"Origin", "http://127.0.0.1"},
		{"Origin", "http://localhost:3000"},
		{"Origin", "https://[::1]:7440"},
		{"Origin", "https://skills.lan"},
		{"Origin", "https://gate.lan:8443"},
	} {
		w := ask(h, "GET", "/v1/search?q=tide", "", header...)
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", header, w.Code, w.Body)
		}
		for name := range w.Header() {
			if strings.HasPrefix(strings.ToLower(name), "access-control-") {
				t.Errorf("%s: the answer has %s", header, name)
			}
		}
	}
	for _, host := range []string{"gate.lan", "gate.lan:80", "not:a:host"} {
		if w := ask(h, "GET", "/healthz", "", "Host", host); w.Code != http.StatusForbidden {
			t.Errorf("%s: %d", host, w.Code)
		}
	}
}

// TestHostNeedsTheServersPort holds, at a real listener, that another port in
// Host is another server.
func TestHostNeedsTheServersPort(t *testing.T) {
	site := run(t, indexed(t), server.Config{})
	_, port, err := net.SplitHostPort(strings.TrimPrefix(site.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]int{
		"localhost:" + port: 200, "127.0.0.1:" + port: 200, "[::1]:" + port: 200, "localhost": 200,
		"localhost:1": 403, "evil.example:" + port: 403,
	} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", site.url+"/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		w, err := site.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		w.Body.Close()
		if w.StatusCode != want {
			t.Errorf("Host %s: %d, want %d", host, w.StatusCode, want)
		}
	}
	if err := site.stop(); err != nil {
		t.Error(err)
	}
}

// TestNetHTTPAnswersNothingItself holds, at a real listener, that the guard is
// also in front of what net/http would answer on its own.
func TestNetHTTPAnswersNothingItself(t *testing.T) {
	site := run(t, indexed(t), server.Config{})
	for _, text := range []string{
		"OPTIONS * HTTP/1.1\r\nHost: harbour.example\r\n", "CONNECT harbour.example:80 HTTP/1.1\r\nHost: harbour.example\r\n", "GET /healthz HTTP/1.0\r\n",
		"GET http://harbour.example/healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n", "PRI * HTTP/1.1\r\nHost: harbour.example\r\n",
	} {
		if answer := sendRaw(t, site.url, text+"Connection: close\r\n\r\n"); !strings.Contains(answer, " 403 Forbidden\r\n") {
			t.Errorf("%q: %s", text, answer)
		}
	}
	if answer := sendRaw(t, site.url, "OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"); !strings.Contains(answer, " 404 Not Found\r\n") {
		t.Errorf("OPTIONS *: %s", answer)
	}
	if err := site.stop(); err != nil {
		t.Error(err)
	}
}

// TestEveryAnswerIsInert holds the headers that keep a browser from running or
// embedding what a skill says.
func TestEveryAnswerIsInert(t *testing.T) {
	h := server.New(indexed(t), server.Config{}).Handler()
	for _, line := range everywhere {
		method, target, body := split(line)
		got := ask(h, method, target, body).Header()
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
		} {
			if got.Get(name) != want {
				t.Errorf("%s: %s is %q, want %q", line, name, got.Get(name), want)
			}
		}
		if got.Get("X-Request-Id") == "" {
			t.Errorf("%s: the answer has no X-Request-Id", line)
		}
	}
}

// FuzzHost holds that whatever Host is taken is a loopback name or address.
func FuzzHost(f *testing.F) {
	for _, host := range []string{"localhost", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "127.0.0.1.example", "localhost:80", "[localhost]", ""} {
		f.Add(host)
	}
	h := server.New(open(f, library(f)), server.Config{}).Handler()
	f.Fuzz(func(t *testing.T, host string) {
		w := ask(h, "GET", "/healthz", "", "Host", host)
		name := strings.ToLower(strings.Trim(strings.TrimSuffix(host, ":"), "[]"))
		ip := net.ParseIP(name)
		good := name == "localhost" || ip != nil && ip.IsLoopback()
		if taken := w.Code == http.StatusOK; taken && !good || !taken && w.Code != http.StatusForbidden {
			t.Errorf("Host %q: %d", host, w.Code)
		}
	})
}
