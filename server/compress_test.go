package server_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/skillsearch/skillsearch/server"
)

// TestALongAnswerIsCompressedForWhoTakesIt holds that gzip and plain answers have
// the same content and different tags, that a client which has either is not sent
// it again, and that short answers stay as they are.
func TestALongAnswerIsCompressedForWhoTakesIt(t *testing.T) {
	handler := server.New(indexed(t), server.Config{}).Handler()
	const body = `{"queries":[{"query":"gold"},{"query":"a chest"},{"query":"rope"},{"query":"knots"},{"query":"tides"},{"query":"maps"}]}`
	for _, c := range []struct{ method, path, body string }{
		{"GET", "/openapi.json", ""},
		{"GET", "/v1/toolsets/telos,batbox", ""},
		{"GET", "/assets/app.js", ""},
		{"POST", "/v1/search/batch", body},
	} {
		plain := ask(handler, c.method, c.path, c.body)
		packed := ask(handler, c.method, c.path, c.body, "Accept-Encoding", "br, gzip")
		if plain.Code != http.StatusOK || plain.Body.Len() < server.LeastCompressed || plain.Header().Get("Content-Encoding") != "" {
			t.Fatalf("%s: %d with %d bytes as %q", c.path, plain.Code, plain.Body.Len(), plain.Header().Get("Content-Encoding"))
		}
		if e, v := packed.Header().Get("Content-Encoding"), packed.Header().Get("Vary"); e != "gzip" || v != "Accept-Encoding" || plain.Header().Get("Vary") != v {
			t.Errorf("%s: Content-Encoding %q, Vary %q and %q", c.path, e, v, plain.Header().Get("Vary"))
			continue
		}
		size := packed.Body.Len()
		z, err := gzip.NewReader(packed.Body)
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(z)
		if err != nil || c.method == "GET" && string(content) != plain.Body.String() {
			t.Errorf("%s: unpacked it is another answer: %v", c.path, err)
		}
		if size > plain.Body.Len()/2 {
			t.Errorf("%s: %d bytes of %d", c.path, size, plain.Body.Len())
		}
		if c.method != "GET" {
			continue
		}
		tag, other := packed.Header().Get("ETag"), plain.Header().Get("ETag")
		if tag == "" || tag == other {
			t.Errorf("%s: the tags are %s and %s", c.path, tag, other)
		}
		for accepts, has := range map[string]string{"gzip": tag, "": other} {
			w := ask(handler, "GET", c.path, "", "Accept-Encoding", accepts, "If-None-Match", has)
			if w.Code != http.StatusNotModified || w.Body.Len() > 0 || w.Header().Get("Content-Encoding") != "" {
				t.Errorf("%s: %d with %d bytes for a client that has %s", c.path, w.Code, w.Body.Len(), has)
			}
		}
	}
	if w := ask(handler, "GET", "/healthz", "", "Accept-Encoding", "gzip"); w.Header().Get("Content-Encoding") != "" || !strings.HasPrefix(w.Body.String(), "{") {
		t.Errorf("a short answer is sent as %q", w.Header().Get("Content-Encoding"))
	}
}

func TestWhoTakesGzip(t *testing.T) {
	for accepted, want := range map[string]bool{
		"": false, "identity": false, "br": false, "gzip": true, "GZIP": true, "br, gzip;q=0.5": true, "*": true,
		"gzip;q=0": false, "gzip; q=0.000, *": false, "*;q=0": false, "*, gzip;q=0": false, "gzip;q=x": false, "x-gzip": true,
	} {
		if got := server.TakesGzip([]string{accepted}); got != want {
			t.Errorf("Accept-Encoding: %q: %v, want %v", accepted, got, want)
		}
	}
	if !server.TakesGzip([]string{"br", "gzip"}) {
		t.Error("a second header is not read")
	}
}
