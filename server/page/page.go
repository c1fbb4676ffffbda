// Package page answers: what does a person see in a browser? It holds the page
// that is served at "/", whole in the binary, and makes safe HTML of markdown.
package page

import (
	"embed"
	"io/fs"
	"net/http"
	"path"
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
	files map[string]File // by path of the URL
}

// A File is one of the page's files.
type File struct {
	Content []byte
	Type    string // content type
}

// types are those of the assets.
var types = map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}

// New reads the page out of the binary.
func New() *Page {
	p := &Page{files: make(map[string]File)}
	err := fs.WalkDir(assets, "assets", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := assets.ReadFile(name)
		p.files["/"+name] = File{Content: content, Type: types[path.Ext(name)]}
		return err
	})
	if err != nil {
		panic("page: " + err.Error()) // can't be: the files are in the binary
	}
	p.files["/"] = p.files["/assets/index.html"]
	return p
}

// File is the one at a path of the URL; false means that there is none.
func (p *Page) File(path string) (File, bool) {
	f, ok := p.files[path]
	return f, ok
}

// SetHeader sets what goes along with a file of the page. Browsers keep the
// files, and ask each time whether they are still good.
func SetHeader(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("Cache-Control", "no-cache")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
}
