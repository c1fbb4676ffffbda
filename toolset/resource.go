package toolset

import (
	"bytes"
	"context"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
)

// scheme is that of a skill's URI.
const scheme = "skill://"

// maxURI bounds a URI, in bytes: a path of 4,096 bytes, percent-encoded, and an
// id before it.
const maxURI = 16 << 10

// skillFile is the name under which a URI knows a skill's own file, whatever it
// is called where it lies.
const skillFile = "SKILL.md"

// URI is the address of a skill, or of a file of its folder where path is not
// "": skill://claude/pdf/references/forms.md, each element percent-encoded.
// The skill itself is its SKILL.md.
func URI(id, path string) string {
	if path == "" {
		path = skillFile
	}
	return scheme + escapePath(id+"/"+path)
}

func escapePath(text string) string {
	elements := strings.Split(text, "/")
	for i, e := range elements {
		elements[i] = url.PathEscape(e)
	}
	return strings.Join(elements, "/")
}

// A Content is what a URI leads to.
type Content struct {
	URI      string
	MIMEType string
	Raw      []byte
	IsText   bool // UTF-8 without NUL
}

// Read reads what a URI of URI's form means. Only what a model may load has
// one: the rest is an error like that for a skill that isn't there.
func (l Library) Read(ctx context.Context, uri string) (Content, error) {
	s, file, err := l.Locate(uri)
	if err != nil {
		return Content{}, err
	}
	var read skill.Reference
	if file == skillFile {
		read, err = s.File()
	} else {
		read, err = s.ReadFile(file)
	}
	if err != nil {
		return Content{}, err
	}
	if file == skillFile {
		l.load(ctx, "resource", s)
	}
	return Content{URI: uri, MIMEType: MIMEType(file, read.Content), Raw: read.Content, IsText: isText(read.Content)}, nil
}

// Locate finds the skill that a URI names, and the path of the file below it,
// SKILL.md for the skill's own, "" for its folder. The path is unchecked.
func (l Library) Locate(uri string) (s *skill.Skill, file string, err error) {
	rest, ok := strings.CutPrefix(uri, scheme)
	if !ok {
		return nil, "", failf(skill.ErrNotFound, "there is no resource %q; the resources begin with %s", skill.Shorten(uri, 200), scheme)
	}
	if len(uri) > maxURI {
		return nil, "", failf(skillsearch.ErrInvalidArgument, "the resource has %d bytes, at most %d are read; take it as a list or a search gives it", len(uri), maxURI)
	}
	elements := strings.Split(rest, "/")
	for i, e := range elements {
		plain, err := url.PathUnescape(e)
		if err != nil || strings.Contains(plain, "/") {
			return nil, "", failf(skillsearch.ErrInvalidArgument, "the resource %q is not percent-encoded as it should be; take it as a list or a search gives it", skill.Shorten(uri, 200))
		}
		elements[i] = plain
	}
	for i := len(elements); i > 0; i-- { // a skill may lie below another
		s, ok := l.Engine.Catalogue().ByID(strings.Join(elements[:i], "/"))
		if ok && l.Readable(s) {
			return s, strings.Join(elements[i:], "/"), nil
		}
	}
	return nil, "", failf(skill.ErrNotFound, "there is no resource %q; a list or a search gives those there are", skill.Shorten(uri, 200))
}

// Readable tells whether a model may load a skill by its id.
func (l Library) Readable(s *skill.Skill) bool { return s.Active && !s.OperatorOnly }

func linkTo(id, name, description string) Link {
	return Link{URI: URI(id, ""), Name: OneLine(name), Description: skill.Shorten(OneLine(description), hitDescription), MIMEType: "text/markdown"}
}

// readText reads a file of a skill that a model can read: UTF-8 without NUL.
func readText(s *skill.Skill, path string) (skill.Reference, error) {
	file, err := s.ReadFile(path)
	if err != nil {
		return file, err
	}
	if !isText(file.Content) {
		return file, invalidf("%q is no UTF-8 text; the skill's own scripts can use it where it lies", OneLine(skill.Shorten(path, 100)))
	}
	return file, nil
}

func isText(content []byte) bool { return utf8.Valid(content) && bytes.IndexByte(content, 0) < 0 }

// types are those of files that no browser runs. The table is ours: the
// system's own differs from machine to machine.
var types = map[string]string{
	".md": "text/markdown", ".csv": "text/csv", ".json": "application/json",
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
}

// MIMEType is the type of a file by its name, where the content is of that
// kind. It never makes active content of a file: HTML, SVG and scripts are plain
// text.
func MIMEType(name string, content []byte) string {
	kind, text := types[strings.ToLower(path.Ext(name))], isText(content)
	switch {
	case kind != "" && text != strings.HasPrefix(kind, "image/"):
		return kind
	case text:
		return "text/plain"
	}
	return "application/octet-stream"
}
