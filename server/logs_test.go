package server_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/server"
	"github.com/skillsearch/skillsearch/skill"
)

// A journal keeps everything that is logged, at whatever level.
type journal struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.buf.Write(p)
}

func (j *journal) text() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.buf.String()
}

func (j *journal) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(j, &slog.HandlerOptions{Level: slog.Level(math.MinInt)}))
}

// TestLogsHoldNoSecrets holds HT08: what clients send, and the password in
// OLLAMA_HOST, reach neither the log at any level nor, for the latter, an answer.
func TestLogsHoldNoSecrets(t *testing.T) {
	log := &journal{}
	ollama, err := embedder.NewOllama(embedder.OllamaConfig{Host: "http://captain:rum-9@127.0.0.1:1", Logger: log.logger()})
	if err != nil {
		t.Fatal(err)
	}
	engine, err := skillsearch.Open(t.Context(), skillsearch.Config{
		Roots: skill.NamedRoots(skill.SourceFlag, library(t)), Embedders: []skillsearch.Embedder{ollama}, Logger: log.logger(),
	})
	if err != nil {
		t.Fatal(err)
	}
	site := run(t, engine, server.Config{Index: true, Logger: log.logger()})
	var answers strings.Builder
	for _, line := range []string{
		"GET /v1/search?q=my+key+is+sk-test-5150", `POST /v1/search {"query":"my key is sk-test-5150"}`, `POST /v1/search {"query":"sk-test-5150"`, "GET /v1/skills?q=sk-test-5150", "GET /v1/search?q=sk-test-5150&limit=99",
		"GET /v1/search?q=tide&token=parrot-42", "GET /v1/status?token=parrot-42", "GET /v1/parrot-42", "GET /v1/skills/parrot-42", "GET /v1/skills/chest/files/parrot-42", "PARROT-42 /healthz",
		"GET /v1/search?parrot-42=%zz", "POST /v1/reindex", "GET /v1/status", "GET /readyz",
	} {
		method, target, body := split(line)
		_, answer := site.ask(method, target, body)
		answers.WriteString(answer)
	}
	for _, header := range []string{"Authorization: Bearer parrot-42", "Cookie: parrot-42", "Host: parrot-42", "Origin: http://parrot-42", "X-Request-Id: parrot-42", "User-Agent: parrot-42", "Content-Type: parrot-42", "parrot-42 nonsense"} {
		sendRaw(t, site.url, "GET /v1/search?q=tide HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"+header+"\r\n\r\n")
	}
	if err := site.stop(); err != nil {
		t.Error(err)
	}
	for _, secret := range []string{"sk-test-5150", "my key", "parrot-42", "PARROT-42", "rum-9", "captain"} {
		if strings.Contains(log.text(), secret) {
			t.Errorf("the log has %q:\n%s", secret, log.text())
		}
	}
	for _, secret := range []string{"rum-9", "captain"} {
		if strings.Contains(answers.String(), secret) {
			t.Errorf("an answer has %q:\n%s", secret, answers.String())
		}
	}
	if n := strings.Count(log.text(), "msg=request"); n < 20 {
		t.Errorf("%d requests were logged:\n%s", n, log.text())
	}
}

// sendRaw sends a text as it is and returns all that comes back.
func sendRaw(t *testing.T, url, text string) string {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

// TestTheLogHasOneLineARequest holds what is logged: a route, never a path, and
// of a query its length and by what it is recognised.
func TestTheLogHasOneLineARequest(t *testing.T) {
	log := &journal{}
	h := server.New(indexed(t), server.Config{Logger: log.logger()}).Handler()
	ids := make(map[string]bool)
	for _, line := range []string{"GET /v1/search?q=tide", `POST /v1/search {"query":"tide"}`, "HEAD /v1/skills/chest/files/references/list.md", "GET /nowhere", "BREW /healthz"} {
		method, target, body := split(line)
		ids[ask(h, method, target, body).Header().Get("X-Request-Id")] = true
	}
	if len(ids) != 5 {
		t.Errorf("five requests have the ids %v", ids)
	}
	var got []string
	for _, line := range strings.Split(strings.TrimSpace(log.text()), "\n") {
		for _, volatile := range []string{"time=", "id=", "duration="} {
			value := between(line, volatile, " ")
			line = strings.Replace(line, fmt.Sprintf("%s%s", volatile, value), volatile, 1)
		}
		got = append(got, line)
	}
	want := []string{
		"time= level=INFO msg=request id= method=GET route=/v1/search status=200 duration= query_bytes=4 query_hash=8a28929a",
		"time= level=INFO msg=request id= method=POST route=/v1/search status=200 duration= query_bytes=4 query_hash=8a28929a",
		"time= level=INFO msg=request id= method=HEAD route=/v1/skills/:id/files/*path status=200 duration=",
		"time= level=INFO msg=request id= method=GET route=none status=404 duration=",
		"time= level=INFO msg=request id= method=other route=none status=405 duration=",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}
