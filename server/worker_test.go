package server_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/server"
	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/vectorstore"
)

// fleet makes a root of n skills.
func fleet(t *testing.T, n int) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "fleet")
	for i := range n {
		name := fmt.Sprintf("boat-%02d", i)
		writeSkill(t, root, name, "Sail the boat "+strings.Repeat("a", i+1)+".")
	}
	return root
}

// expect compares an answer's status and a part of its text.
func (s *site) expect(method, path, body string, status int, part string) {
	s.t.Helper()
	if got, answer := s.ask(method, path, body); got != status || !strings.Contains(answer, part) {
		s.t.Errorf("%s %s: %d %s, want %d and %s", method, path, got, answer, status, part)
	}
}

// TestTheIndexFillsOnceTheServerIsBack holds the retries: after 5 s, then each
// time twice as long up to 5 minutes, with searches answered all the while.
func TestTheIndexFillsOnceTheServerIsBack(t *testing.T) {
	root := fleet(t, 3)
	synctest.Test(t, func(t *testing.T) {
		b := &bag{down: fmt.Errorf("%w: nobody answers", embedder.ErrUnavailable)}
		log := &journal{}
		site, _ := runInside(t, open(t, root, b), server.Config{Index: true, Logger: log.logger()})
		start := time.Now()
		synctest.Wait()
		site.expect("GET", "/readyz", "", 200, `{"status":"lexical"}`)
		site.expect("GET", "/v1/status", "", 200, `"indexing":{"state":"retrying","stage":"","done":0,"total":0,"failed":0,"reason":"embedding server unavailable: nobody answers","next_try":"2000-01-01T00:00:05Z"}`)
		time.Sleep(15 * time.Minute)
		synctest.Wait()
		if diff := cmp.Diff([]time.Duration{0, 5, 15, 35, 75, 155, 315, 615}, tries(b, start)); diff != "" {
			t.Errorf("seconds at which it was tried (-want +got):\n%s", diff)
		}
		site.expect("GET", "/v1/search?q=boat", "", 200, `"degraded":true`)

		b.set(nil)
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		site.expect("GET", "/readyz", "", 200, `{"status":"ready"}`)
		site.expect("GET", "/v1/status", "", 200, `"indexing":{"state":"idle"`)
		site.expect("GET", "/v1/search?q=boat", "", 200, `"ranking":"cosine","embedding_model":"words","degraded":false,"reason":"","confidence":"high","total":3,"unembedded":0`)
		if n := strings.Count(log.text(), "level=WARN"); n != 1 {
			t.Errorf("%d warnings, want one for the same reason:\n%s", n, log.text())
		}
		if err := site.stop(); err != nil {
			t.Error(err)
		}
	})
}

// tries are the times at which the model was asked for, in seconds.
func tries(b *bag, start time.Time) []time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []time.Duration
	for _, at := range b.asked {
		out = append(out, at.Sub(start)/time.Second)
	}
	return slices.Compact(out)
}

// TestReadyzFollowsTheFirstAttach holds its three answers at the start.
func TestReadyzFollowsTheFirstAttach(t *testing.T) {
	root := fleet(t, 3)
	synctest.Test(t, func(t *testing.T) {
		log := &journal{}
		site, _ := runInside(t, open(t, root), server.Config{Index: true, Logger: log.logger()})
		synctest.Wait()
		if strings.Contains(log.text(), "level=WARN") { // that was chosen
			t.Errorf("the log warns:\n%s", log.text())
		}
		site.expect("GET", "/readyz", "", 200, `{"status":"lexical"}`)
		site.expect("GET", "/v1/status", "", 200, `"indexing":{"state":"idle","stage":"","done":0,"total":0,"failed":0,"reason":"no embedder is configured"}`)
		if err := site.stop(); err != nil {
			t.Error(err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		site, _ := runInside(t, open(t, root, loading{&bag{}, time.Minute}), server.Config{})
		synctest.Wait()
		site.expect("GET", "/readyz", "", 503, `{"status":"starting"}`)
		site.expect("GET", "/healthz", "", 200, `{"status":"ok"}`)
		time.Sleep(time.Minute)
		synctest.Wait()
		site.expect("GET", "/readyz", "", 200, `{"status":"lexical"}`) // nothing is embedded yet
		site.expect("GET", "/v1/search?q=boat", "", 200, `"ranking":"cosine"`)
		site.expect("GET", "/readyz", "", 200, `{"status":"ready"}`) // the search embedded the heads
		if err := site.stop(); err != nil {
			t.Error(err)
		}
	})
}

// loading is an embedder whose model needs a while.
type loading struct {
	*bag
	time time.Duration
}

func (l loading) Model(ctx context.Context) (embedder.Model, error) {
	select {
	case <-time.After(l.time):
		return l.bag.Model(ctx)
	case <-ctx.Done():
		return embedder.Model{}, ctx.Err()
	}
}

// TestAnswersComeWhileTheModelLoads holds that a search waits no longer than it
// says for a model that the background has asked for, and that the status does
// not wait at all.
func TestAnswersComeWhileTheModelLoads(t *testing.T) {
	root := fleet(t, 3)
	synctest.Test(t, func(t *testing.T) {
		site, _ := runInside(t, open(t, root, loading{&bag{}, time.Minute}), server.Config{Index: true})
		synctest.Wait()
		start := time.Now()
		site.expect("GET", "/v1/status", "", 200, `"state":"starting"`)
		if took := time.Since(start); took != 0 {
			t.Errorf("the status came after %v", took)
		}
		done := make(chan struct{}, 3)
		for range cap(done) {
			go func() {
				site.expect("GET", "/v1/search?q=boat", "", 200, `"degraded":true`)
				done <- struct{}{}
			}()
		}
		for range cap(done) {
			<-done
		}
		if took := time.Since(start); took != 2*time.Second {
			t.Errorf("three searches, which wait 2s unless told otherwise, came after %v", took)
		}
		if err := site.stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestReindexFindsWhatIsNew holds that a reindex reads the roots again, embeds
// in the background whatever Index says, and can be watched.
func TestReindexFindsWhatIsNew(t *testing.T) {
	for _, index := range []bool{true, false} {
		root := fleet(t, 3)
		synctest.Test(t, func(t *testing.T) {
			site, _ := runInside(t, open(t, root, &bag{}), server.Config{Index: index})
			synctest.Wait()
			writeSkill(t, root, "kayak", "Paddle a kayak.")
			site.expect("GET", "/v1/skills/kayak", "", 404, "")
			site.expect("POST", "/v1/reindex", "", 202, `"indexing":{"state":"`)
			synctest.Wait()
			site.expect("GET", "/v1/skills/kayak", "", 200, `"embedded":true`)
			site.expect("GET", "/v1/search?q=kayak", "", 200, `"total":4,"unembedded":0,"hits":[{"rank":1,"id":"fleet/kayak"`)
			site.expect("GET", "/v1/status", "", 200, `"skills":4`)
			if err := site.stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestReindexesNeverRunTogether holds that one which is asked for while another
// works begins after the batch in flight, that several are one, and that no
// text is embedded twice for it.
func TestReindexesNeverRunTogether(t *testing.T) {
	root := fleet(t, 20)
	synctest.Test(t, func(t *testing.T) {
		together, most := 0, 0
		b := &bag{}
		b.before = func(ctx context.Context, role embedder.Role, _ []string) error {
			if role == embedder.Query {
				return nil
			}
			together++
			most = max(most, together)
			defer func() { together-- }()
			select {
			case <-time.After(time.Hour):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		site, _ := runInside(t, open(t, root, b), server.Config{Index: true})
		time.Sleep(90 * time.Minute) // in the second batch
		writeSkill(t, root, "kayak", "Paddle a kayak.")
		for range 3 {
			site.expect("POST", "/v1/reindex", "", 202, `"indexing":{"state":"running","stage":"heads","done":8,"total":20,"failed":0,"reason":""}`)
		}
		site.expect("GET", "/v1/skills/kayak", "", 404, "")
		time.Sleep(time.Hour) // the second batch is in
		site.expect("GET", "/v1/skills/kayak", "", 200, `"embedded":false`)
		time.Sleep(24 * time.Hour)
		site.expect("GET", "/v1/status", "", 200, `"indexing":{"state":"idle"`)
		site.expect("GET", "/v1/status", "", 200, `"skills":21`)
		if most != 1 {
			t.Errorf("%d batches were embedded together", most)
		}
		slices.Sort(b.texts)
		if once := slices.Compact(slices.Clone(b.texts)); len(once) != len(b.texts) || len(once) != 2*21 {
			t.Errorf("%d texts were embedded, %d of them different; want 42", len(b.texts), len(once))
		}
		if err := site.stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestReindexEndsARetryAtOnce holds that nobody waits for the next try, and that
// the delays begin anew.
func TestReindexEndsARetryAtOnce(t *testing.T) {
	root := fleet(t, 3)
	synctest.Test(t, func(t *testing.T) {
		b := &bag{down: embedder.ErrUnavailable}
		site, _ := runInside(t, open(t, root, b), server.Config{Index: true})
		time.Sleep(10 * time.Minute)
		asked := time.Now()
		site.expect("POST", "/v1/reindex", "", 202, "")
		time.Sleep(10 * time.Second)
		if got := tries(b, asked); !slices.Equal(got[len(got)-2:], []time.Duration{0, 5}) {
			t.Errorf("seconds at which it was tried: %v, want 0 and 5 at the end", got)
		}
		b.set(nil)
		site.expect("POST", "/v1/reindex", "", 202, "")
		synctest.Wait()
		site.expect("GET", "/readyz", "", 200, `{"status":"ready"}`)
		if err := site.stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestAPanicWhileIndexingIsRetried holds that it ends neither the server nor
// the work in the background.
func TestAPanicWhileIndexingIsRetried(t *testing.T) {
	root := fleet(t, 3)
	synctest.Test(t, func(t *testing.T) {
		var calm atomic.Bool
		b := &bag{before: func(context.Context, embedder.Role, []string) error {
			if !calm.Load() {
				panic("a wave")
			}
			return nil
		}}
		log := &journal{}
		site, _ := runInside(t, open(t, root, b), server.Config{Index: true, Logger: log.logger()})
		synctest.Wait()
		site.expect("GET", "/v1/status", "", 200, `"indexing":{"state":"retrying"`)
		if !strings.Contains(log.text(), "worker_test.go") {
			t.Errorf("the log has no stack:\n%s", log.text())
		}
		calm.Store(true)
		time.Sleep(5 * time.Second)
		synctest.Wait()
		site.expect("GET", "/v1/status", "", 200, `"embedded":3`)
		if err := site.stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestAnotherProcessIsWaitedFor holds that a server leaves the embedding to a
// process that is at it, reads the roots again meanwhile if it is asked to, and
// takes over what that process made.
func TestAnotherProcessIsWaitedFor(t *testing.T) {
	root, path := fleet(t, 3), filepath.Join(t.TempDir(), "index.db")
	synctest.Test(t, func(t *testing.T) {
		others, b := openCache(t, path), &bag{}
		engineOf := func(cache *vectorstore.Cache) *skillsearch.Engine {
			engine, err := skillsearch.Open(t.Context(), skillsearch.Config{
				Roots: skill.NamedRoots(skill.SourceFlag, root), Embedders: []skillsearch.Embedder{b}, Cache: cache,
			})
			if err != nil {
				t.Fatal(err)
			}
			return engine
		}
		if _, err := engineOf(others).Index(t.Context(), skillsearch.IndexOptions{}); err != nil {
			t.Fatal(err)
		}
		unlock, err := others.Lock(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		writeSkill(t, root, "kayak", "Paddle a kayak.")
		site, _ := runInside(t, engineOf(openCache(t, path)), server.Config{Index: true})
		time.Sleep(time.Second)
		site.expect("GET", "/v1/status", "", 200, `"indexing":{"state":"waiting"`)
		site.expect("GET", "/readyz", "", 200, `{"status":"ready"}`)
		writeSkill(t, root, "raft", "Build a raft.")
		site.expect("GET", "/v1/skills/raft", "", 404, "")
		site.expect("POST", "/v1/reindex", "", 202, "")
		time.Sleep(time.Second)
		site.expect("GET", "/v1/skills/raft", "", 200, `"embedded":false`)
		site.expect("GET", "/v1/status", "", 200, `"indexing":{"state":"waiting"`)
		unlock()
		time.Sleep(time.Second)
		site.expect("GET", "/v1/status", "", 200, `"indexing":{"state":"idle"`)
		site.expect("GET", "/v1/status", "", 200, `"skills":5,"hidden":0,"problems":0,"embedding_model":"words","engine":"bag","embedded":5`)
		if len(b.texts) != 2*5 {
			t.Errorf("%d texts were embedded, want each of 10 once", len(b.texts))
		}
		if err := site.stop(); err != nil {
			t.Error(err)
		}
	})
}

func openCache(t *testing.T, path string) *vectorstore.Cache {
	t.Helper()
	cache, err := vectorstore.OpenCache(t.Context(), path, vectorstore.CacheOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cache.Close() })
	return cache
}
