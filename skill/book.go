package skill

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

const bookFile = "skillbook.yaml"

// A Book is a SkillBook: a folder with a skillbook.yaml. All skills below it
// belong to it unless their header says otherwise. One that only headers or a
// root name has nothing but its code.
type Book struct {
	Code        string
	Name        string
	Description string
	Active      bool
}

// shelves are the SkillBooks of all roots.
type shelves struct {
	byFolder map[shelf]*Book
	byCode   map[string]*Book // of several with one code that of the highest root, there the first
}

// A shelf is a folder of a root.
type shelf struct{ root, dir string }

func newShelves() shelves {
	return shelves{byFolder: make(map[shelf]*Book), byCode: make(map[string]*Book)}
}

// add reads the books in folders of a root. Roots come in increasing priority.
func (b shelves) add(root Root, folders []string) []Problem {
	var problems []Problem
	for _, dir := range slices.Backward(folders) {
		book, found := readBook(filepath.Join(dir, bookFile))
		problems = append(problems, found...)
		if book != nil {
			b.byFolder[shelf{root.Label, dir}] = book
			b.byCode[book.Code] = book
		}
	}
	return problems
}

// assign is the skill with its book: the one its header names, else the nearest
// above its folder, else the root's. In an inactive book it is inactive. Parsed
// skills are shared with older Catalogues, so this is a copy.
func (b shelves) assign(s *Skill, root Root) *Skill {
	assigned := *s
	book := b.above(s, root)
	switch {
	case s.SkillBook != "" && (book == nil || book.Code != s.SkillBook):
		book = b.byCode[s.SkillBook]
	case s.SkillBook == "" && book == nil:
		assigned.SkillBook = root.SkillBook
		book = b.byCode[root.SkillBook]
	}
	if book != nil {
		assigned.SkillBook, assigned.Active = book.Code, s.Active && book.Active
	}
	return &assigned
}

// above is the nearest book in the folders that the skill lies in, up to the
// root's own; its own folder counts only where that is the root's.
func (b shelves) above(s *Skill, root Root) *Book {
	dir := filepath.Dir(s.Path)
	if s.Dir != "" && dir != root.Path {
		dir = filepath.Dir(dir)
	}
	for {
		if book := b.byFolder[shelf{root.Label, dir}]; book != nil || dir == root.Path {
			return book
		}
		dir = filepath.Dir(dir)
	}
}

// list is every SkillBook that has a place in a catalogue, in order of code: the
// active ones with a file, without skills too, and those that a skill belongs to,
// be it a hidden one. An inactive book is there only while a visible skill lies
// in another one of its code.
func (b shelves) list(c *Catalogue) []Book {
	found := make(map[string]Book)
	add := func(code string, visible bool) {
		book := Book{Code: code, Active: true}
		if stated := b.byCode[code]; stated != nil && stated.Active {
			book = *stated
		} else if stated != nil && !visible {
			return
		}
		found[code] = book
	}
	for code := range b.byCode {
		add(code, false)
	}
	for _, s := range c.hidden {
		add(s.SkillBook, false)
	}
	for _, s := range c.skills {
		add(s.SkillBook, true)
	}
	return slices.SortedFunc(maps.Values(found), func(x, y Book) int { return strings.Compare(x.Code, y.Code) })
}

// Books are the active SkillBooks, in order of code. The slice is the
// Catalogue's own: don't change it.
func (c *Catalogue) Books() []Book { return c.books }

// Book finds an active SkillBook by its code, exactly, then ignoring case. The
// error wraps ErrNotFound and names up to three close codes.
func (c *Catalogue) Book(code string) (Book, error) {
	codes := make([]string, len(c.books))
	for i, b := range c.books {
		codes[i] = b.Code
	}
	i := slices.Index(codes, code)
	if i < 0 {
		i = slices.IndexFunc(codes, func(c string) bool { return strings.EqualFold(c, code) })
	}
	if i < 0 {
		return Book{}, &NotFoundError{What: "SkillBook", Ref: code, Close: closeTo(code, codes)}
	}
	return c.books[i], nil
}

// readBook reads a skillbook.yaml; nil when it can't be read. A book without a
// code has its folder's name for one.
func readBook(path string) (*Book, []Problem) {
	p := parser{file: File{Path: path}}
	raw, err := readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist): // it has just gone
		return nil, nil
	case err != nil:
		p.report(Unreadable, 0, "the SkillBook can't be read: "+reason(err), "make it a file that you have the right to read")
		return nil, p.problems
	}
	text, badLine, isBinary := decodeText(raw)
	switch {
	case isBinary:
		p.report(Binary, 0, "the file holds binary data, not text", "replace it with a text file, or move it away")
		return nil, p.problems
	case badLine > 0:
		p.report(InvalidUTF8, badLine, "bytes that are not UTF-8 were replaced by U+FFFD", "save the file as UTF-8")
	}
	book := &Book{Code: filepath.Base(filepath.Dir(path)), Active: true}
	book.assign(p.unique(p.decode(text, 1)))
	return book, p.problems
}

func (b *Book) assign(fields []field) {
	for _, f := range fields {
		value, _ := f.scalar()
		switch {
		case value == "":
		case f.key == "code":
			b.Code = value
		case f.key == "name":
			b.Name = value
		case f.key == "description":
			b.Description = value
		case f.key == "active":
			b.Active = f.yes()
		}
	}
}
