package embedder_test

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/skillsearch/skillsearch/embedder"
)

// A standIn plays an Ollama server for the faults that a real one can't be made
// to show. It talks HTTP over pipes, so that time in a synctest bubble stands
// still while it works.
type standIn struct {
	http.ServeMux
	show map[string]any // nil: the model is missing
	// embed answers the nth request to /api/embed, counted from 1; nil gives vectors.
	embed func(n int, inputs []string, w http.ResponseWriter)

	mu         sync.Mutex
	serverDown bool             // refuses connections
	requests   []map[string]any // bodies of the requests to /api/embed
	dials      int
	reset      bool // what the client reads next is a reset connection
	accepted   chan net.Conn
}

// bubble runs f with a stand-in and an embedder that asks it.
func bubble(t *testing.T, f func(t *testing.T, s *standIn, o *embedder.Ollama)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := newStandIn(t)
		f(t, s, s.ask(t, embedder.OllamaConfig{Host: "user:secret@ollama.test"}))
	})
}

func newStandIn(t *testing.T) *standIn {
	s := &standIn{accepted: make(chan net.Conn)}
	s.show = map[string]any{
		"capabilities": []string{"embedding"}, "parameters": "num_thread 1\nnum_ctx 256", "details": map[string]any{"family": "bert"},
		"model_info": map[string]any{"general.architecture": "bert", "bert.context_length": 512, "tokenizer.ggml.model": "bert"},
	}
	s.HandleFunc("GET /api/version", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, `{"version":"0.17.4"}`) })
	s.HandleFunc("POST /api/show", func(w http.ResponseWriter, _ *http.Request) {
		if s.show == nil {
			answer(w, 404, `{"error":"model 'all-minilm' not found"}`)
			return
		}
		body, _ := json.Marshal(s.show)
		answer(w, 200, string(body))
	})
	s.HandleFunc("GET /api/tags", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, 200, `{"models":[{"name":"other:latest","digest":"00"},{"name":"All-MiniLM:latest","digest":"a1b2"},{"name":"all-minilm:512","digest":"c3"}]}`)
	})
	s.HandleFunc("POST /api/embed", s.serveEmbed)
	server := &http.Server{Handler: s}
	go server.Serve(s)
	t.Cleanup(func() {
		server.Close()
		time.Sleep(time.Hour) // for handlers that still sleep
	})
	return s
}

func (s *standIn) ask(t *testing.T, cfg embedder.OllamaConfig) *embedder.Ollama {
	t.Helper()
	carrier := &http.Transport{DialContext: s.dial}
	t.Cleanup(carrier.CloseIdleConnections)
	cfg.Transport = carrier
	o, err := embedder.NewOllama(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func (s *standIn) serveEmbed(w http.ResponseWriter, r *http.Request) {
	var request map[string]any
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		answer(w, 400, `{"error":"unexpected EOF"}`)
		return
	}
	inputs := inputsOf(request)
	s.mu.Lock()
	s.requests = append(s.requests, request)
	n, embed := len(s.requests), s.embed
	s.mu.Unlock()
	if embed == nil {
		embed = vectors
	}
	embed(n, inputs, w)
}

// serve changes how the stand-in answers /api/embed while it runs.
func (s *standIn) serve(embed func(n int, inputs []string, w http.ResponseWriter)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.embed = embed
}

// setDown says whether the stand-in refuses connections.
func (s *standIn) setDown(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serverDown = down
}

// vectors answers with a vector for each input that depends on it alone.
func vectors(_ int, inputs []string, w http.ResponseWriter) {
	rows := make([][]float32, len(inputs))
	for i, input := range inputs {
		rows[i] = vectorOf(input)
	}
	body, _ := json.Marshal(map[string]any{"model": "all-minilm", "embeddings": rows})
	answer(w, 200, string(body))
}

func vectorOf(input string) []float32 {
	h := fnv.New64a()
	h.Write([]byte(input))
	sum := h.Sum64()
	return []float32{float32(sum&0xffff) + 1, float32(sum>>16&0xffff) + 1, float32(sum>>32&0xffff) + 1, float32(sum>>48) + 1}
}

func answer(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write([]byte(body))
}

// hangUp closes the connection in the middle of an answer, or before it.
func hangUp(w http.ResponseWriter, halfway string) {
	conn, _, _ := w.(http.Hijacker).Hijack()
	conn.Write([]byte(halfway))
	conn.Close()
}

func inputsOf(request map[string]any) []string {
	var inputs []string
	for _, input := range request["input"].([]any) {
		inputs = append(inputs, input.(string))
	}
	return inputs
}

// sent returns the inputs of every request from the nth on, counted from 1:
// the first is the probe's.
func (s *standIn) sent(from int) [][]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all [][]string
	for _, request := range s.requests[from-1:] {
		all = append(all, inputsOf(request))
	}
	return slices.Clip(all)
}

func (s *standIn) dial(context.Context, string, string) (net.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dials++
	if s.serverDown {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	}
	near, far := net.Pipe()
	s.accepted <- far
	return &resettable{near, s}, nil
}

func (s *standIn) Accept() (net.Conn, error) {
	conn, ok := <-s.accepted
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (s *standIn) Close() error   { close(s.accepted); return nil }
func (s *standIn) Addr() net.Addr { return &net.TCPAddr{} }

// A resettable connection reads a reset where the server asked for one.
type resettable struct {
	net.Conn
	server *standIn
}

func (c *resettable) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	if err != nil && c.server.reset {
		c.server.reset = false
		return n, &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	}
	return n, err
}
