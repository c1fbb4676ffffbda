package server_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skillsearch/skillsearch/server"
)

const ours, theirs = "ours-0123456789abcdef0123456789", "theirs-0123456789abcdef01234567"

// TestATokenOpensItsOwnLibraryAlone holds that every route wants a token, and
// that no answer has a byte of a library whose token was not sent.
func TestATokenOpensItsOwnLibraryAlone(t *testing.T) {
	root := t.TempDir()
	writeSkill(t, root, "barnacle", "scrape barnacles off the hull with the tide")
	h, file := twoLibraries(t, root)
	for _, line := range everywhere {
		method, target, body := split(line)
		for _, token := range []string{"", "Bearer", "Bearer wrong-0123456789abcdef012345", "Basic " + ours, ours, "Bearer " + ours + "x"} {
			got := ask(h, method, target, body, "Authorization", token)
			if got.Code != http.StatusUnauthorized || !strings.HasPrefix(got.Header().Get("WWW-Authenticate"), "Bearer") {
				t.Errorf("%s with %q: %d %s", line, token, got.Code, got.Body)
			}
		}
		if got := ask(h, method, target, body, "Authorization", "Bearer "+ours); got.Code == http.StatusUnauthorized || strings.Contains(got.Body.String(), "barnacle") {
			t.Errorf("%s with our token: %d %s", line, got.Code, got.Body)
		}
	}
	if got := ask(h, http.MethodGet, "/", ""); got.Code != http.StatusOK {
		t.Errorf("the page, where a person types the token: %d", got.Code)
	}
	if got := ask(h, http.MethodGet, "/v1/skills/barnacle", "", "Authorization", "Bearer "+theirs); got.Code != http.StatusOK {
		t.Errorf("their skill with their token: %d %s", got.Code, got.Body)
	}
	writeToken(t, file, "rotated-0123456789abcdef0123456")
	for token, want := range map[string]int{ours: http.StatusUnauthorized, "rotated-0123456789abcdef0123456": http.StatusOK} {
		if got := ask(h, http.MethodGet, "/healthz", "", "Authorization", "Bearer "+token); got.Code != want {
			t.Errorf("%s after the rotation: %d, want %d", token, got.Code, want)
		}
	}
}

// twoLibraries are ours, whose token file it tells, and theirs over a root.
func twoLibraries(t *testing.T, root string) (h http.Handler, file string) {
	t.Helper()
	return twoLimited(t, root, server.Config{})
}

func twoLimited(t *testing.T, root string, cfg server.Config) (h http.Handler, file string) {
	t.Helper()
	dir := t.TempDir()
	var libraries []server.Library
	for name, token := range map[string]string{"ours": ours, "theirs": theirs} {
		path := filepath.Join(dir, name)
		writeToken(t, path, token)
		tokens, err := server.OpenTokenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		engine := open(t, root)
		if name == "ours" {
			engine, file = indexed(t), path
		}
		libraries = append(libraries, server.Library{Name: name, Engine: engine, Tokens: tokens})
	}
	l, err := server.NewLibraries(libraries, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return l.Handler(), file
}

func writeToken(t *testing.T, path, token string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(token+"\n# rotated by hand\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestATokenFileIsItsOwnersAndLongEnough(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	for text, want := range map[string]string{"short": "at least 22 characters", "": "has no token", ours: ""} {
		writeToken(t, path, text)
		_, err := server.OpenTokenFile(path)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	writeToken(t, path, ours)
	if _, err := server.OpenTokenFile(path); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("a file that others can read: %v", err)
	}
}
