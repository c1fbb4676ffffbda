package main

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestServeKeepsToTheLimitsOfTheConfiguration holds that what the file says
// reaches the server.
func TestServeKeepsToTheLimitsOfTheConfiguration(t *testing.T) {
	s := &scene{dir: t.TempDir()}
	for name, value := range map[string]string{"HOME": s.dir, "XDG_CONFIG_HOME": "", "XDG_CACHE_HOME": "", "SKILLSEARCH_EMBEDDER": "none"} {
		t.Setenv(name, value)
	}
	if err := os.WriteFile(filepath.Join(s.dir, configName), []byte("server: {rate: 0.001, burst: 2}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.serve(t)
	var got []int
	for range 3 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/v1/skills", nil)
		if err != nil {
			t.Fatal(err)
		}
		w, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		w.Body.Close()
		got = append(got, w.StatusCode)
	}
	if diff := cmp.Diff([]int{200, 200, 429}, got); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
}
