package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skillsearch/skillsearch/vectorstore"
)

// countingOllama answers as an Ollama does and counts the texts that it is
// given, which a real one does not tell.
type countingOllama struct {
	*httptest.Server
	mu    sync.Mutex
	texts map[string]int
}

func newCountingOllama(t *testing.T) *countingOllama {
	c := &countingOllama{texts: make(map[string]int)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/version", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `{"version":"0.17.4"}`) })
	mux.HandleFunc("GET /api/tags", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"models":[{"name":"all-minilm:latest","model":"all-minilm:latest","digest":"c0ffee"}]}`)
	})
	mux.HandleFunc("POST /api/show", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"capabilities":["embedding"],"details":{"family":"bert"},"model_info":{"bert.context_length":512},"parameters":"num_ctx 256"}`)
	})
	mux.HandleFunc("POST /api/embed", c.embed)
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *countingOllama) embed(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	vectors := make([][]float32, len(request.Input))
	c.mu.Lock()
	for i, text := range request.Input {
		c.texts[text]++
		vectors[i] = hashVector(text)
	}
	c.mu.Unlock()
	_ = json.NewEncoder(w).Encode(map[string]any{"model": request.Model, "embeddings": vectors})
}

func hashVector(text string) []float32 {
	h := fnv.New64a()
	h.Write([]byte(text))
	random := rand.New(rand.NewPCG(h.Sum64(), 0))
	v, norm := make([]float32, 64), 0.0
	for i := range v {
		v[i] = float32(random.NormFloat64())
		norm += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(norm))
	}
	return v
}

func (c *countingOllama) sent() (total int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.texts {
		total += n
	}
	return total
}

// TestKilledIndex kills the command at random while it indexes and holds that
// every start works, that nothing committed is lost, and that no text is
// embedded again but those of the batch in flight. KILLS is how often.
func TestKilledIndex(t *testing.T) {
	kills := 10
	if n, err := strconv.Atoi(os.Getenv("KILLS")); err == nil {
		kills = n
	}
	dir := t.TempDir()
	passages := writeFleet(t, filepath.Join(dir, "fleet"), 40+2*kills)
	ollama := newCountingOllama(t)
	cache := filepath.Join(dir, "cache", "index.db")
	index := func() *exec.Cmd {
		c := exec.Command("skillsearch", "index", "--quiet", "--json", "--root", filepath.Join(dir, "fleet"), "--cache", filepath.Dir(cache), "--embedder", "ollama", "--ollama-host", ollama.URL)
		c.Stderr = os.Stderr
		return c
	}
	random := rand.New(rand.NewPCG(7, 7))
	committed := 0
	for round := range kills {
		c := index()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(random.IntN(120)) * time.Millisecond)
		_ = c.Process.Kill()
		_ = c.Wait()
		now := countVectors(t, cache)
		if now < committed {
			t.Fatalf("round %d: %d vectors were committed, %d are left", round, committed, now)
		}
		committed = now
	}
	out, err := index().Output()
	if err != nil {
		t.Fatalf("the last index: %v", err)
	}
	if got := countVectors(t, cache); got != passages {
		t.Errorf("%d vectors of %d passages: %s", got, passages, out)
	}
	const batch, probes = 8, 1
	if sent, most := ollama.sent(), passages+(kills+1)*(batch+probes); sent > most {
		t.Errorf("%d texts were embedded, at most %d are explained by the batches in flight", sent, most)
	}
	t.Logf("%d kills: %d passages, %d texts sent", kills, passages, ollama.sent())
}

// writeFleet writes skills of six different passages each and returns how many
// passages there are.
func writeFleet(t *testing.T, root string, skills int) (passages int) {
	t.Helper()
	for i := range skills {
		var body strings.Builder
		for p := range 5 {
			fmt.Fprintf(&body, "## Part %d of %d\n\n%s\n\n", p, i, strings.Repeat(fmt.Sprintf("Boat %d hoists sail %d. ", i, p), 22))
		}
		dir := filepath.Join(root, fmt.Sprintf("boat-%04d", i))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("---\nname: boat-%04d\ndescription: Sails boat %d.\n---\n%s", i, i, body.String())
		if err := os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return skills * 6
}

func countVectors(t *testing.T, path string) (n int) {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		return 0
	}
	cache, err := vectorstore.OpenCache(t.Context(), path, vectorstore.CacheOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer cache.Close()
	if notices := cache.Notices(); len(notices) > 0 {
		t.Fatal(notices)
	}
	spaces, err := cache.Spaces(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range spaces {
		n += s.Vectors
	}
	return n
}
