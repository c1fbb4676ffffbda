package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/server"
	"github.com/skillsearch/skillsearch/skill"
)

// TestTheServerFollowsTheDisk makes changes at random while searches and lists
// run: after every batch the server's list is that of the disk, no answer mixes
// two catalogues, and in the end everything is embedded. CHURN=10000 makes more.
func TestTheServerFollowsTheDisk(t *testing.T) {
	changes, batch := 400, 50
	if text := os.Getenv("CHURN"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal("CHURN is no number: ", err)
		}
		changes = n
	}
	c := newChurn(t, 40)
	if err := os.Symlink(c.shed, c.root+".probe"); err != nil {
		t.Skip("links can't be made here: ", err)
	}
	cache := openCache(t, filepath.Join(t.TempDir(), "index.db"))
	roots := skill.NamedRoots(skill.SourceFlag, c.root)
	engine, err := skillsearch.Open(t.Context(), skillsearch.Config{Roots: roots, Embedders: []skillsearch.Embedder{&bag{}}, Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	w := witness{t: t, engine: engine}
	site := run(t, engine, server.Config{Index: true, Watch: true, Logger: slog.New(noting{slog.DiscardHandler, w.note})})
	w.site = site
	w.settle(roots)
	stop := w.start()

	var seen []time.Duration
	first := measure()
	for c.n < changes {
		for range min(batch, changes-c.n) {
			c.change()
		}
		time.Sleep(time.Duration(c.random.IntN(100)) * time.Millisecond) // the halves may be read as they are
		c.finish()
		seen = append(seen, w.settle(roots))
		w.check()
	}
	stop()
	last := measure()
	w.settleIndex()
	slices.Sort(seen)
	t.Logf("%d changes: a batch of %d was seen after %v (median), %v (most); %d answers", changes, batch, seen[len(seen)/2], seen[len(seen)-1], w.answers)
	t.Logf("after the first and the last batch: %v, %v", first, last)
	if last.goroutines > first.goroutines+10 {
		t.Errorf("%d goroutines, %d at the beginning", last.goroutines, first.goroutines)
	}
	if err := site.stop(); err != nil {
		t.Error(err)
	}
}

type memory struct {
	heap       uint64 // bytes in use
	goroutines int
}

func (m memory) String() string {
	return fmt.Sprintf("heap %.1f MB, %d goroutines", float64(m.heap)/1e6, m.goroutines)
}

func measure() memory {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return memory{m.HeapAlloc, runtime.NumGoroutine()}
}

// An answered is what a list and a search have in common.
type answered struct {
	Total      int
	Unembedded int
	Skills     []answeredSkill
	Hits       []answeredSkill
}

type answeredSkill struct{ ID, Description string }

// A witness asks a server and holds its answers against the catalogues that it
// had meanwhile.
type witness struct {
	t      *testing.T
	engine *skillsearch.Engine
	site   *site

	mu         sync.Mutex
	catalogues []*skill.Catalogue // since the check before the last: an answer may have begun before a check
	old        int                // of these, how many the last check knew already
	pending    []answered
	answers    int
}

// start asks until stop is called.
func (w *witness) start() (stop func()) {
	ctx, cancel := context.WithCancel(w.t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		for ; ctx.Err() == nil; time.Sleep(time.Millisecond) {
			w.note()
		}
	})
	for _, path := range []string{
		"/v1/skills?limit=1000", "/v1/search?q=sails+boat&limit=50", "/v1/search?q=sails+boat&limit=50&ranking=lexical", "/v1/search?q=sails+boat&limit=50&ranking=hybrid", "/v1/skills?limit=1000&q=boat",
	} {
		all.Go(func() {
			for ; ctx.Err() == nil; time.Sleep(30 * time.Millisecond) {
				if a, ok := w.ask(path); ok {
					w.mu.Lock()
					w.pending = append(w.pending, a)
					w.mu.Unlock()
				}
			}
		})
	}
	return func() { cancel(); all.Wait(); w.check() }
}

// noting is a log in which every line makes a witness look: the server writes
// one for every new catalogue.
type noting struct {
	slog.Handler
	note func()
}

func (n noting) Enabled(context.Context, slog.Level) bool { return true }

func (n noting) Handle(context.Context, slog.Record) error {
	n.note()
	return nil
}

// note keeps the present catalogue.
func (w *witness) note() {
	now := w.engine.Catalogue()
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := len(w.catalogues); n == 0 || w.catalogues[n-1] != now {
		w.catalogues = append(w.catalogues, now)
	}
}

func (w *witness) ask(path string) (a answered, ok bool) {
	response, err := w.site.client.Get(w.site.url + path)
	if err != nil {
		w.t.Error(err)
		return a, false
	}
	defer response.Body.Close()
	err = json.NewDecoder(response.Body).Decode(&a)
	if err != nil || response.StatusCode != http.StatusOK {
		w.t.Errorf("GET %s: %s, %v", path, response.Status, err)
		return a, false
	}
	return a, true
}

// check holds that each answer is one of one catalogue.
func (w *witness) check() {
	w.t.Helper()
	w.note()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, a := range w.pending {
		if !slices.ContainsFunc(w.catalogues, func(c *skill.Catalogue) bool { return a.isOf(c) }) {
			w.t.Errorf("an answer of %d skills with %d hits is of none of %d catalogues", a.Total, len(a.Skills)+len(a.Hits), len(w.catalogues))
		}
	}
	w.answers += len(w.pending)
	w.pending = nil
	w.catalogues = w.catalogues[w.old:]
	w.old = len(w.catalogues) - 1
}

func (a answered) isOf(c *skill.Catalogue) bool {
	if a.Total != len(c.Skills()) || len(a.Skills) > 0 && len(a.Skills) != a.Total {
		return false
	}
	for _, s := range slices.Concat(a.Skills, a.Hits) {
		if own, ok := c.ByID(s.ID); !ok || own.Description != s.Description {
			return false
		}
	}
	return true
}

// settle waits until the server's list is that of the disk, and tells how long
// that took.
func (w *witness) settle(roots []skill.Root) time.Duration {
	w.t.Helper()
	start := time.Now()
	fresh, err := skill.Load(w.t.Context(), roots, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	var want []answeredSkill
	for _, s := range fresh.Skills() {
		want = append(want, answeredSkill{s.ID, s.Description})
	}
	for ; ; time.Sleep(10 * time.Millisecond) {
		a, _ := w.ask("/v1/skills?limit=1000")
		diff := cmp.Diff(want, a.Skills)
		if diff == "" && w.engine.Catalogue().Equal(fresh) {
			return time.Since(start)
		}
		if time.Since(start) > 20*time.Second { // the 30 s of the poll would hide what was missed
			w.t.Fatalf("the server's list is not that of the disk (-want +got):\n%s", diff)
		}
	}
}

// settleIndex waits until every skill has vectors of its own.
func (w *witness) settleIndex() {
	w.t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		s := w.engine.Status()
		if s.Embedded == s.Skills && s.Stale == 0 && s.Vectors == s.Passages {
			return
		}
		if time.Now().After(end) {
			w.t.Fatalf("not all is embedded: %+v", s)
		}
	}
}
