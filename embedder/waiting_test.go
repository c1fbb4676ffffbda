package embedder_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/skillsearch/skillsearch/embedder"
)

func TestDocumentsSurviveAColdLoad(t *testing.T) {
	bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
		s.serve(func(n int, inputs []string, w http.ResponseWriter) {
			if n == 1 {
				time.Sleep(4 * time.Minute)
			}
			vectors(n, inputs, w)
		})
		got, err := o.Embed(t.Context(), embedder.Document, texts(3))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(s.sent(1)); n != 2 || outcome(got[2]) != "ok" {
			t.Errorf("%d requests, last text %s, want a probe, a batch, ok", n, outcome(got[2]))
		}
	})
}

func TestAQueryEndsWithItsContext(t *testing.T) {
	bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
		s.serve(func(n int, inputs []string, w http.ResponseWriter) {
			time.Sleep(9 * time.Second)
			vectors(n, inputs, w)
		})
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		start := time.Now()
		_, err := o.Embed(ctx, embedder.Query, texts(1))
		if !errors.Is(err, embedder.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("error %v, want unavailable for want of time", err)
		}
		mentions(t, err, "loading all-minilm")
		if waited := time.Since(start); waited != 2*time.Second {
			t.Errorf("waited %v, want 2s", waited)
		}
	})
}

func TestAServerThatNeverAnswersIsGivenUp(t *testing.T) {
	bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
		s.serve(func(_ int, _ []string, w http.ResponseWriter) { time.Sleep(time.Hour) })
		_, err := o.Embed(context.Background(), embedder.Document, texts(1))
		if !errors.Is(err, embedder.ErrUnavailable) {
			t.Fatalf("error %v, want unavailable", err)
		}
		mentions(t, err, "restart it")
	})
}

func TestCancelledContextIsAnError(t *testing.T) {
	bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
		if _, err := o.Model(t.Context()); err != nil {
			t.Fatal(err)
		}
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := o.Embed(cancelled, embedder.Query, texts(1)); !errors.Is(err, context.Canceled) {
			t.Errorf("before: error %v, want canceled", err)
		}
		for _, pause := range []time.Duration{time.Second, 5 * time.Second} { // in a request, in a wait before another try
			s.serve(func(_ int, _ []string, w http.ResponseWriter) {
				time.Sleep(4 * time.Second)
				answer(w, 503, `{"error":"server busy"}`)
			})
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(pause, cancel)
			start := time.Now()
			_, err := o.Embed(ctx, embedder.Document, texts(20))
			if !errors.Is(err, context.Canceled) || errors.Is(err, embedder.ErrUnavailable) || time.Since(start) != pause {
				t.Errorf("after %v: error %v after %v, want canceled at once", pause, err, time.Since(start))
			}
			time.Sleep(10 * time.Second) // until the stand-in is idle
		}
	})
}

func TestDocumentsGoOneBatchAtATimeAndQueriesGoBetween(t *testing.T) {
	bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
		if _, err := o.Model(t.Context()); err != nil {
			t.Fatal(err)
		}
		documents, most := 0, 0
		s.serve(func(n int, inputs []string, w http.ResponseWriter) {
			if inputs[0] != "query" {
				s.mu.Lock()
				documents++
				most = max(most, documents)
				s.mu.Unlock()
				time.Sleep(time.Second)
				s.mu.Lock()
				documents--
				s.mu.Unlock()
			}
			vectors(n, inputs, w)
		})
		done := make(chan error)
		for range 3 {
			go func() {
				_, err := o.Embed(t.Context(), embedder.Document, texts(20))
				done <- err
			}()
		}
		time.Sleep(500 * time.Millisecond)
		start := time.Now()
		if _, err := o.Embed(t.Context(), embedder.Query, []string{"query"}); err != nil || time.Since(start) > 0 {
			t.Errorf("a query waits %v, error %v", time.Since(start), err)
		}
		for range 3 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if most != 1 {
			t.Errorf("%d document requests at once, want 1", most)
		}
	})
}
