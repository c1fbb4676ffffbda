package server_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/server"
)

// A dial is a clock that stands until it is turned.
type dial struct {
	mu  sync.Mutex
	now time.Time
}

func (d *dial) Now() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

func (d *dial) turn(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = d.now.Add(by)
}

// TestWhoAsksTooOftenIsToldWhenToAskAgain holds, over real HTTP, the rate, the
// burst and what is said, and that probes are always answered.
func TestWhoAsksTooOftenIsToldWhenToAskAgain(t *testing.T) {
	clock := &dial{now: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}
	site := run(t, indexed(t), server.Config{Now: clock.Now, Limits: server.Limits{Rate: 0.4, Burst: 2}})
	get := func(path string) (status int, retry string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, site.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		w, err := site.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		w.Body.Close()
		return w.StatusCode, w.Header.Get("Retry-After")
	}
	for i, step := range []struct {
		turn  time.Duration
		path  string
		code  int
		retry string
	}{
		{0, "/v1/search?q=tide", 200, ""},
		{0, "/v1/skills", 200, ""},
		{0, "/v1/search?q=tide", 429, "3"}, // 2.5 s
		{0, "/metrics", 429, "3"},
		{0, "/healthz", 200, ""},
		{2 * time.Second, "/", 429, "1"}, // and a refused request costs nothing
		{500 * time.Millisecond, "/v1/skills", 200, ""},
		{0, "/v1/skills", 429, "3"},
		{time.Hour, "/v1/skills", 200, ""},
		{0, "/metrics", 200, ""},
		{0, "/nowhere", 429, "3"},
	} {
		clock.turn(step.turn)
		if code, retry := get(step.path); code != step.code || retry != step.retry {
			t.Errorf("step %d, %s: %d with Retry-After %q, want %d with %q", i, step.path, code, retry, step.code, step.retry)
		}
	}
	_, answer := site.ask(http.MethodGet, "/v1/skills", "")
	want := `{"type":"urn:skillsearch:problem:rate_limited","title":"Too many requests","status":429,"detail":"more requests came than the 0.4 a second that one client may send","remedy":"ask again after 3 s; the limits are server.rate and server.burst in the server's configuration"}` + "\n"
	if answer != want {
		t.Errorf("the problem document is %s", answer)
	}
	clock.turn(time.Hour)
	if _, got := site.ask(http.MethodGet, "/metrics", ""); !strings.Contains(got, "skillsearch_rate_limited_requests_total 6\n") {
		t.Error("/metrics does not count 6 requests that were refused")
	}
	if err := site.stop(); err != nil {
		t.Error(err)
	}
}

// TestEachTokenHasItsOwnRate holds that one library's client takes nothing from
// another's, and that guessed tokens are counted by address.
func TestEachTokenHasItsOwnRate(t *testing.T) {
	clock := &dial{now: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}
	root := t.TempDir()
	writeSkill(t, root, "barnacle", "scrape barnacles off the hull with the tide")
	h, _ := twoLimited(t, root, server.Config{Now: clock.Now, Limits: server.Limits{Rate: 1, Burst: 1}})
	for i, step := range []struct {
		token string
		code  int
	}{
		{ours, 200},
		{ours, 429},
		{theirs, 200},
		{theirs, 429},
		{"guessed-0123456789abcdef012345", 401},
		{"another-0123456789abcdef012345", 429},
	} {
		if got := ask(h, "GET", "/v1/status", "", "Authorization", "Bearer "+step.token); got.Code != step.code {
			t.Errorf("step %d with %s: %d, want %d", i, step.token, got.Code, step.code)
		}
	}
}

// TestClientsAreKnownByAddress holds that ports and the low half of an IPv6
// address make no new client, and that the longest silent one is forgotten.
func TestClientsAreKnownByAddress(t *testing.T) {
	clock := &dial{now: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}
	h := server.New(open(t, library(t)), server.Config{Now: clock.Now, Limits: server.Limits{Rate: 1, Burst: 1}}).Handler()
	from := func(address string) int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1/nowhere", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.RemoteAddr = address
		return record(h, r).Code
	}
	for i, step := range []struct {
		address string
		code    int
	}{
		{"10.0.0.1:1", 404},
		{"10.0.0.1:2", 429},
		{"[::ffff:10.0.0.1]:3", 429},
		{"10.0.0.2:1", 404},
		{"[2001:db8::1]:1", 404},
		{"[2001:db8::ffff:2]:1", 429},
		{"[2001:db8:0:1::1]:1", 404},
	} {
		if got := from(step.address); got != step.code {
			t.Errorf("step %d from %s: %d, want %d", i, step.address, got, step.code)
		}
	}
	for i := range 9_999 {
		from(fmt.Sprintf("10.1.%d.%d:1", i/256, i%256))
	}
	if got := from("[2001:db8:0:1::1]:1"); got != 429 {
		t.Errorf("one of the most recent 10,000 clients was forgotten: %d", got)
	}
	if got := from("10.0.0.1:1"); got != 404 {
		t.Errorf("the client that was silent longest is remembered: %d", got)
	}
}

// TestOpenRequestsAreBounded holds that what comes beside too many others is
// refused at once, while probes are answered.
func TestOpenRequestsAreBounded(t *testing.T) {
	began, release := make(chan struct{}), make(chan struct{})
	model := &bag{before: func(_ context.Context, role embedder.Role, texts []string) error {
		if role == embedder.Query && texts[0] == "slow" {
			close(began)
			<-release
		}
		return nil
	}}
	h := server.New(open(t, library(t), model), server.Config{Limits: server.Limits{Open: 1}}).Handler()
	if code := ask(h, "GET", "/v1/search?q=tide&wait=10s", "").Code; code != http.StatusOK {
		t.Fatal(code)
	}
	done := make(chan int)
	go func() { done <- ask(h, "GET", "/v1/search?q=slow&wait=10s", "").Code }()
	<-began
	got := ask(h, "GET", "/v1/skills", "")
	want := `{"type":"urn:skillsearch:problem:overloaded","title":"Too many open requests","status":503,"detail":"as many requests are being answered as the server takes at once (1)","remedy":"ask again after Retry-After seconds; the limit is server.open in the server's configuration"}` + "\n"
	if got.Code != http.StatusServiceUnavailable || got.Header().Get("Retry-After") != "1" || got.Body.String() != want {
		t.Errorf("beside an open request: %d %v %s", got.Code, got.Header(), got.Body)
	}
	if code := ask(h, "GET", "/healthz", "").Code; code != http.StatusOK {
		t.Errorf("a probe beside an open request: %d", code)
	}
	close(release)
	if code := <-done; code != http.StatusOK {
		t.Errorf("the open request: %d", code)
	}
	if got := ask(h, "GET", "/metrics", ""); !strings.Contains(got.Body.String(), "skillsearch_overloaded_requests_total 1\n") {
		t.Errorf("afterwards: %d, or the refusal is not counted", got.Code)
	}
}
