package embedder_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/skillsearch/skillsearch/embedder"
)

func TestOllamaHostIsReadAsOllamaReadsIt(t *testing.T) {
	tests := map[string]string{
		"":                                    "http://127.0.0.1:11434",
		"0.0.0.0":                             "http://127.0.0.1:11434",
		"0.0.0.0:8080":                        "http://127.0.0.1:8080",
		"[::]":                                "http://[::1]:11434",
		"[::]:8080":                           "http://[::1]:8080",
		"::":                                  "http://[::1]:11434",
		":8080":                               "http://127.0.0.1:8080",
		"::1":                                 "http://[::1]:11434",
		"[::1]":                               "http://[::1]:11434",
		"[fe80::1]:80":                        "http://[fe80::1]:80",
		"gpu":                                 "http://gpu:11434",
		"gpu_1.lan":                           "http://gpu_1.lan:11434",
		"gpu/":                                "http://gpu:11434",
		"gpu:8080":                            "http://gpu:8080",
		"10.0.0.7":                            "http://10.0.0.7:11434",
		"  'gpu:8080' ":                       "http://gpu:8080",
		`"gpu"`:                               "http://gpu:11434",
		"http://gpu":                          "http://gpu:80",
		"HTTP://gpu":                          "http://gpu:80",
		"https://gpu":                         "https://gpu:443",
		"https://gpu:8443/ollama":             "https://gpu:8443/ollama",
		"gpu:8080/a/b/":                       "http://gpu:8080/a/b",
		"http://0.0.0.0:1234":                 "http://127.0.0.1:1234",
		"http://":                             "http://127.0.0.1:80",
		"ollama.com":                          "https://ollama.com:443",
		"user:pass@gpu":                       "http://gpu:11434",
		"https://us%40er:p@ss@gpu:8443/proxy": "https://gpu:8443/proxy",
		"user@[::1]:8080":                     "http://[::1]:8080",
	}
	for host, want := range tests {
		o, err := embedder.NewOllama(embedder.OllamaConfig{Host: host})
		if err != nil {
			t.Errorf("%q: %v", host, err)
		} else if o.Host() != want {
			t.Errorf("%q: got %s, want %s", host, o.Host(), want)
		}
	}
}

func TestUnusableOllamaHostIsAnError(t *testing.T) {
	for _, host := range []string{
		"gpu:0", "gpu:65536", "gpu:-1", "gpu:http", "gpu:", "http://gpu:99999", "a:b:c", "gpu name", "gpu|x", "[::1", "::1]:80x",
		"unix:///run/ollama.sock", "ftp://gpu", "tcp://127.0.0.1:11434", "gpu?x=1", "http://gpu/a?b", "gpu#x",
		"user:secret@gpu:port", "http://user:secret@gpu:0", "http://user:sec/ret@gpu", "user:sec://ret@gpu", "user:secret %@gpu", "ssh://user:secret@gpu",
	} {
		o, err := embedder.NewOllama(embedder.OllamaConfig{Host: host})
		if !errors.Is(err, embedder.ErrInvalidHost) {
			t.Errorf("%q: got %v, error %v, want invalid host", host, o, err)
			continue
		}
		for _, secret := range []string{"user", "sec", "ret@"} {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%q: error %q shows %q", host, err, secret)
			}
		}
		if !strings.Contains(err.Error(), "OLLAMA_HOST to host:port") {
			t.Errorf("%q: error %q has no remedy", host, err)
		}
	}
}

func TestCredentialsAndHeadersGoWithEveryRequestAndNowhereElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStandIn(t)
		basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("us@er:secret"))
		s.HandleFunc("/proxy/", func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != basic || r.Header.Get("X-Key") != "token" || r.Host != "inner.test" {
				t.Errorf("%s: host %s, headers %v", r.URL.Path, r.Host, r.Header)
			}
			http.StripPrefix("/proxy", &s.ServeMux).ServeHTTP(w, r)
		})
		s.embed = func(n int, inputs []string, w http.ResponseWriter) {
			if n == 2 {
				hangUp(w, "")
				return
			}
			vectors(n, inputs, w)
		}
		var log bytes.Buffer
		cfg := embedder.OllamaConfig{
			Host:    "http://us%40er:secret@ollama.test/proxy",
			Model:   "all-minilm",
			Headers: http.Header{"x-key": {"token"}, "Host": {"inner.test"}},
			Logger:  slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		}
		o := s.ask(t, cfg)
		if _, err := o.Embed(t.Context(), embedder.Document, texts(2)); err != nil {
			t.Fatal(err)
		}
		if log.Len() == 0 {
			t.Error("the retry is not in the log")
		}
		for _, shown := range []string{log.String(), fmt.Sprintf("%v %+v %#v", o, o, o), fmt.Sprintf("%v %+v", cfg, cfg)} {
			if strings.Contains(shown, "secret") || strings.Contains(shown, "us@er") || strings.Contains(shown, "us%40er") || strings.Contains(shown, "token") {
				t.Errorf("%s shows a secret", shown)
			}
		}
	})
}
