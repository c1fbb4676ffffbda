package server_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/server"
)

func record(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestNothingOutsideASkillIsReached holds HT02: neither a name nor a path, in
// whatever way it is written, leads out of the roots.
func TestNothingOutsideASkillIsReached(t *testing.T) {
	h := server.New(indexed(t), server.Config{}).Handler()
	outside, err := filepath.Abs("testdata/outside")
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, name := range []string{outside, "../outside", "chest/../../outside", "..", ".", "library/../outside"} {
		paths = append(paths, "/v1/skills/"+name, "/v1/skills/"+url.PathEscape(name), "/v1/skills/"+url.PathEscape(name)+"/files/secret.txt")
	}
	for _, name := range []string{
		"../../outside/secret.txt", "/etc/passwd", "references/../../../outside/secret.txt", "..%2f..%2foutside%2fsecret.txt", "%2e%2e/%2e%2e/outside/secret.txt", `..\..\outside\secret.txt`,
		"references/list.md\x00.png", "//etc/passwd", "references", "", ".", "../crate/references/list.md", filepath.Join(outside, "secret.txt"), strings.Repeat("a/", 3000),
		"./../chest/../../outside/secret.txt", "\xff\xfe", "SKILL.md/../../crate/SKILL.md",
	} {
		paths = append(paths, "/v1/skills/chest/files/"+url.PathEscape(name), "/v1/skills/chest/files/"+strings.ReplaceAll(url.PathEscape(name), "%2F", "/"))
		if url.PathEscape(name) != name && utf8.ValidString(name) && !strings.ContainsAny(name, "\x00\\") {
			paths = append(paths, "/v1/skills/chest/files/"+name)
		}
	}
	for _, path := range paths {
		w := ask(h, "GET", path, "")
		if w.Code < 400 || w.Code >= 500 || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%.200s: %d %.300s", path, w.Code, w.Body)
		}
		if strings.Contains(w.Body.String(), "BURIED-7731") || strings.Contains(w.Body.String(), "second") {
			t.Errorf("%.200s: the answer shows what lies outside: %s", path, w.Body)
		}
	}
}

// TestPathsAreDecodedOnce holds that a plus is a plus, and a percent sign in a
// file's name can be asked for.
func TestPathsAreDecodedOnce(t *testing.T) {
	root := filepath.Join(t.TempDir(), "sails")
	writeSkill(t, root, "jib+main", "Set jib and main.")
	for name, content := range map[string]string{"a+b.md": "plus", "50%2f.md": "percent", "ä b.md": "blank", "deep/x.md": "deep"} {
		path := filepath.Join(root, "jib+main", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h := server.New(open(t, root), server.Config{}).Handler()
	for path, want := range map[string]string{
		"jib+main/files/a+b.md": "plus", "jib%2Bmain/files/a%2Bb.md": "plus", "sails%2Fjib+main/files/50%252f.md": "percent", "jib+main/files/%C3%A4%20b.md": "blank",
		"jib+main/files/deep/x.md": "deep", "jib+main/files/deep%2Fx.md": "deep", "jib+main/files/./deep//x.md": "deep",
	} {
		if w := ask(h, "GET", "/v1/skills/"+path, ""); w.Code != http.StatusOK || w.Body.String() != want {
			t.Errorf("%s: %d %q, want %q", path, w.Code, w.Body, want)
		}
	}
}

// TestLinksOutOfASkillAreRefused holds that a link in a skill's folder opens
// nothing else.
func TestLinksOutOfASkillAreRefused(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "sails")
	writeSkill(t, root, "jib", "Set the jib.")
	if err := os.WriteFile(filepath.Join(dir, "secret.txt"), []byte("BURIED-7731"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../../secret.txt", filepath.Join(root, "jib", "link.txt")); err != nil {
		t.Skip("this system makes no links: ", err)
	}
	w := ask(server.New(open(t, root), server.Config{}).Handler(), "GET", "/v1/skills/jib/files/link.txt", "")
	if w.Code != http.StatusForbidden || strings.Contains(w.Body.String(), "BURIED") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestFilesAreNeverActive holds the content types.
func TestFilesAreNeverActive(t *testing.T) {
	root := filepath.Join(t.TempDir(), "sails")
	writeSkill(t, root, "jib", "Set the jib.")
	want := map[string]string{
		"a.md": "text/markdown; charset=utf-8", "a.JSON": "application/json", "a.csv": "text/csv; charset=utf-8", "a.txt": "text/plain; charset=utf-8", "a": "text/plain; charset=utf-8",
		"a.html": "text/plain; charset=utf-8", "a.svg": "text/plain; charset=utf-8", "a.js": "text/plain; charset=utf-8", "a.xhtml": "text/plain; charset=utf-8", "a.pdf": "text/plain; charset=utf-8",
		"b.html": "application/octet-stream", "b.png": "image/png", "b.md": "application/octet-stream", "b.svg": "application/octet-stream", "b": "application/octet-stream",
	}
	for name := range want {
		content := "<script>1</script>"
		if strings.HasPrefix(name, "b") {
			content = "\x89\x00<script>"
		}
		if err := os.WriteFile(filepath.Join(root, "jib", name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h := server.New(open(t, root), server.Config{}).Handler()
	got := make(map[string]string)
	for name := range want {
		got[name] = ask(h, "GET", "/v1/skills/jib/files/"+name, "").Header().Get("Content-Type")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("content types (-want +got):\n%s", diff)
	}
}

// TestAnUnchangedFileIsNotSentAgain holds ETag and Last-Modified: both are the
// file's, and the ETag the content's alone.
func TestAnUnchangedFileIsNotSentAgain(t *testing.T) {
	root := filepath.Join(t.TempDir(), "sails")
	writeSkill(t, root, "jib", "Set the jib.")
	path := filepath.Join(root, "jib", "steps.md")
	write := func(content string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	h := server.New(open(t, root), server.Config{}).Handler()
	get := func(header ...string) *httptest.ResponseRecorder {
		return ask(h, "GET", "/v1/skills/jib/files/steps.md", "", header...)
	}
	day := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	write("one", day)
	first := get()
	etag := first.Header().Get("Etag")
	if first.Code != 200 || len(etag) < 18 || etag[0] != '"' || first.Header().Get("Last-Modified") != "Mon, 06 May 2024 07:08:09 GMT" {
		t.Fatalf("%d, ETag %s, Last-Modified %s", first.Code, etag, first.Header().Get("Last-Modified"))
	}
	for _, test := range []struct {
		header []string
		want   int
	}{
		{[]string{"If-None-Match", etag}, 304},
		{[]string{"If-None-Match", `"x", W/` + etag}, 304},
		{[]string{"If-None-Match", "*"}, 304},
		{[]string{"If-None-Match", `"x"`}, 200},
		{[]string{"If-Modified-Since", "Mon, 06 May 2024 07:08:09 GMT"}, 304},
		{[]string{"If-Modified-Since", "Mon, 06 May 2024 07:08:08 GMT"}, 200},
		{[]string{"Range", "bytes=900-"}, 200},
	} {
		if w := get(test.header...); w.Code != test.want || test.want == 304 && w.Body.Len() > 0 {
			t.Errorf("%s: %d %q, want %d", test.header, w.Code, w.Body, test.want)
		}
	}
	write("two", day)
	if w := get("If-None-Match", etag); w.Code != 200 || w.Body.String() != "two" || w.Header().Get("Etag") == etag {
		t.Errorf("after a change of content: %d %s %s", w.Code, w.Header().Get("Etag"), w.Body)
	}
	write("one", day.Add(time.Hour))
	if w := get("If-None-Match", etag); w.Code != 304 {
		t.Errorf("the same content at another time: %d", w.Code)
	}
}
