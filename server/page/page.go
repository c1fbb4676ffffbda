// Package page answers: what does a person see in a browser? It holds the page
// that is served at "/", whole in the binary, and makes safe HTML of markdown.
package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"time"
)

//go:embed assets
var assets embed.FS

// policy lets the page load and ask its own server alone, and run no script but
// its files: markdown that got past the sanitiser could still do nothing.
// Pictures of a skill are fetched with the token and shown as blobs.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; manifest-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types rendered"

// A Page is the files of the page. It is safe for concurrent use.
type Page struct {
	files map[string]file // by path of the URL
}

type file struct {
	content []byte
	kind    string // content type
	tag     string // ETag
}

// types are those of the assets.
var types = map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}

// New reads the page out of the binary.
func New() *Page {
	p := &Page{files: make(map[string]file)}
	err := fs.WalkDir(assets, "assets", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := assets.ReadFile(name)
		sum := sha256.Sum256(content)
		p.files["/"+name] = file{content: content, kind: types[path.Ext(name)], tag: `"` + hex.EncodeToString(sum[:16]) + `"`}
		return err
	})
	if err != nil {
		panic("page: " + err.Error()) // can't be: the files are in the binary
	}
	p.files["/"] = p.files["/assets/index.html"]
	return p
}

// Serve answers a GET or HEAD of one of the page's files; false means that there
// is none at the request's path, and that nothing was written. Browsers keep the
// files, and ask each time whether they are still good.
func (p *Page) Serve(w http.ResponseWriter, r *http.Request) bool {
	f, ok := p.files[r.URL.Path]
	if !ok {
		return false
	}
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Content-Type", f.kind)
	h.Set("ETag", f.tag)
	h.Set("Cache-Control", "no-cache")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	r.Header.Del("Range") // a file is small enough to be sent whole
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.content))
	return true
}
