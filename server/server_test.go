package server_test

import (
	"context"
	"flag"
	"hash/fnv"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/server"
	"github.com/skillsearch/skillsearch/skill"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// bag embeds a text as the hashed bag of its words, for the faults and delays
// that no real model shows when it is told to.
type bag struct {
	mu    sync.Mutex
	asked []time.Time // when the model was asked for
	texts []string    // documents that were embedded
	down  error       // when set, there is no model
	// before is called ahead of each embedding; nil does nothing.
	before func(ctx context.Context, role embedder.Role, texts []string) error
}

func (b *bag) Model(context.Context) (embedder.Model, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked = append(b.asked, time.Now())
	return embedder.Model{Name: "words", Engine: "bag", Dimensions: 64, Context: 256, PassageSize: 600, Fingerprint: "bag", Probe: vector("probe")}, b.down
}

func (b *bag) Embed(ctx context.Context, role embedder.Role, texts []string) ([]embedder.Embedding, error) {
	if b.before != nil {
		if err := b.before(ctx, role, texts); err != nil {
			return nil, err
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	out := make([]embedder.Embedding, len(texts))
	for i, text := range texts {
		out[i] = embedder.Embedding{Vector: vector(text), Parts: 1}
		if role == embedder.Document {
			b.texts = append(b.texts, text)
		}
	}
	return out, b.down
}

func (b *bag) set(down error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.down = down
}

func vector(text string) []float32 {
	v := make([]float32, 64)
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
		h := fnv.New32a()
		h.Write([]byte(w))
		v[h.Sum32()%64]++
	}
	v[0] += 0.1
	norm := 0.0
	for _, x := range v {
		norm += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(norm))
	}
	return v
}

// library is the root of the tests' skills.
func library(t testing.TB) string {
	t.Helper()
	path, err := filepath.Abs("testdata/library")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens an engine over a root, with embedders or without.
func open(t testing.TB, root string, embedders ...skillsearch.Embedder) *skillsearch.Engine {
	t.Helper()
	engine, err := skillsearch.Open(t.Context(), skillsearch.Config{Roots: skill.NamedRoots(skill.SourceFlag, root), Embedders: embedders})
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

// indexed is an engine over the library whose skills all have vectors.
func indexed(t testing.TB) *skillsearch.Engine {
	t.Helper()
	engine := open(t, library(t), &bag{})
	if _, err := engine.Index(t.Context(), skillsearch.IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	return engine
}

// writeSkill makes a skill of one sentence below a root.
func writeSkill(t testing.TB, root, name, description string) {
	t.Helper()
	dir := filepath.Join(root, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	text := "---\nname: " + name + "\ndescription: " + description + "\n---\n" + description + "\n"
	if err := os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// ask sends a request to a handler. header holds pairs; Host is one of them.
func ask(h http.Handler, method, target, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if body == "" {
		r.Body, r.ContentLength = http.NoBody, 0
	}
	r.Host = "127.0.0.1"
	if method == http.MethodPost && body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
			continue
		}
		r.Header[header[i]] = []string{header[i+1]}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// golden compares text with testdata/name.golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// A site is a server that runs.
type site struct {
	t      *testing.T
	url    string
	client *http.Client
	end    context.CancelFunc
	ended  chan error
}

// run runs a server at a free port until the test ends or stop is called.
func run(t *testing.T, engine *skillsearch.Engine, cfg server.Config) *site {
	t.Helper()
	listener, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return runOn(t, engine, cfg, listener, &http.Transport{}, "http://"+listener.Addr().String())
}

// runInside is run without the network, for a test with a clock of its own.
func runInside(t *testing.T, engine *skillsearch.Engine, cfg server.Config) (*site, *pipes) {
	t.Helper()
	p := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
	return runOn(t, engine, cfg, p, &http.Transport{DialContext: p.dial}, "http://127.0.0.1"), p
}

func runOn(t *testing.T, engine *skillsearch.Engine, cfg server.Config, listener net.Listener, transport *http.Transport, url string) *site {
	ctx, cancel := context.WithCancel(context.Background())
	s := &site{t: t, url: url, client: &http.Client{Transport: transport}, end: cancel, ended: make(chan error, 1)}
	go func() { s.ended <- server.New(engine, cfg).Run(ctx, listener) }()
	t.Cleanup(transport.CloseIdleConnections)
	t.Cleanup(cancel)
	return s
}

// stop ends the server and returns what Run returned.
func (s *site) stop() error {
	s.client.CloseIdleConnections()
	s.end()
	return <-s.ended
}

// ask sends a request and reads the answer.
func (s *site) ask(method, path, body string) (status int, answer string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	response, err := s.client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, string(raw)
}

// pipes is a listener in memory.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.conns <- far:
		return near, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
