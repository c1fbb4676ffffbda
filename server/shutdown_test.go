package server_test

import (
	"context"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/server"
)

// slowQueries makes queries, not documents, wait until gate is closed.
func slowQueries(gate <-chan struct{}, entered chan<- struct{}) *bag {
	return &bag{before: func(ctx context.Context, role embedder.Role, _ []string) error {
		if role == embedder.Document {
			return nil
		}
		entered <- struct{}{}
		select {
		case <-gate:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}}
}

// TestRequestsInFlightAreAnswered holds, at a real listener, that the end of a
// server is not the end of what it is answering, that nobody else gets in, and
// that no goroutine is left.
func TestRequestsInFlightAreAnswered(t *testing.T) {
	gate, entered := make(chan struct{}), make(chan struct{}, 1)
	engine := open(t, library(t), slowQueries(gate, entered))
	if _, err := engine.Index(t.Context(), skillsearch.IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	site := run(t, engine, server.Config{Index: true})
	answered := make(chan string, 1)
	go func() {
		_, answer := site.ask("GET", "/v1/search?q=tide&wait=1m", "")
		answered <- answer
	}()
	<-entered
	site.end()
	for { // the listener closes a moment after the end
		conn, err := net.Dial("tcp", strings.TrimPrefix(site.url, "http://"))
		if err != nil {
			break
		}
		conn.Close()
	}
	close(gate)
	if answer := <-answered; !strings.Contains(answer, `"degraded":false`) {
		t.Errorf("the request in flight got %s", answer)
	}
	site.client.CloseIdleConnections()
	if err := <-site.ended; err != nil {
		t.Errorf("Run returned %v", err)
	}
	for strings.Contains(stacks(), "net/http.(*Server)") || strings.Contains(stacks(), "server.(*worker)") {
		runtime.Gosched() // go test's own time-out tells when they never end
	}
}

func stacks() string {
	buf := make([]byte, 1<<20)
	return string(buf[:runtime.Stack(buf, true)])
}

// TestTheEndComesAfterTenSeconds holds that a request which does not end is cut
// off, and that Run says so. The bubble holds that no goroutine is left.
func TestTheEndComesAfterTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate, entered := make(chan struct{}), make(chan struct{}, 1)
		site, _ := runInside(t, open(t, library(t), slowQueries(gate, entered)), server.Config{Index: true})
		synctest.Wait()
		failed := make(chan error, 1)
		go func() {
			r, err := http.NewRequestWithContext(t.Context(), "GET", site.url+"/v1/search?q=tide&wait=1m", nil)
			if err == nil {
				var w *http.Response
				if w, err = site.client.Do(r); err == nil {
					w.Body.Close()
				}
			}
			failed <- err
		}()
		<-entered
		start := time.Now()
		if err := site.stop(); err == nil || !strings.Contains(err.Error(), "10s") {
			t.Errorf("Run returned %v", err)
		}
		if took := time.Since(start); took != 10*time.Second {
			t.Errorf("the end came after %v", took)
		}
		if err := <-failed; err == nil {
			t.Error("the request was answered")
		}
	})
}

// TestIndexingEndsWithTheServer holds that a batch in flight does not hold the
// end up.
func TestIndexingEndsWithTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bag{before: func(ctx context.Context, _ embedder.Role, _ []string) error {
			<-ctx.Done()
			return ctx.Err()
		}}
		site, _ := runInside(t, open(t, library(t), b), server.Config{Index: true})
		synctest.Wait()
		start := time.Now()
		if err := site.stop(); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("the end came after %v", took)
		}
	})
}

// TestRunSaysThatItCantListen holds that a listener which fails is an error.
func TestRunSaysThatItCantListen(t *testing.T) {
	listener, err := server.Listen(":0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	if err := server.New(indexed(t), server.Config{}).Run(t.Context(), listener); err == nil {
		t.Error("Run returned nil")
	}
}
