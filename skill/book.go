package skill

import (
	"os"
	"path/filepath"
	"strings"
)

const bookFile = "skillbook.yaml"

// A Book is a SkillBook: a folder with a skillbook.yaml. All skills below it
// belong to it unless their header says otherwise.
type Book struct {
	Code        string
	Name        string
	Description string
	Active      bool
}

// books are the SkillBooks of one root by folder; nil for a folder that is none.
type books struct {
	top     string
	folders map[string]*Book
}

// assign is the skill with its book: the one its header names, else the
// nearest above it, else the root's. Parsed skills are shared with older
// Catalogues, so this is a copy.
func (b *books) assign(s *Skill, root Root) *Skill {
	assigned := *s
	if s.SkillBook != "" {
		return &assigned
	}
	assigned.SkillBook = root.SkillBook
	dir := filepath.Dir(s.Path)
	if s.Dir != "" && dir != b.top {
		dir = filepath.Dir(dir) // a skill's own folder is no book
	}
	if book := b.above(dir); book != nil {
		assigned.SkillBook, assigned.Active = book.Code, s.Active && book.Active
	}
	return &assigned
}

// above is the nearest book from dir up to the root's own folder.
func (b *books) above(dir string) *Book {
	if book, ok := b.folders[dir]; ok {
		return book
	}
	book := readBook(filepath.Join(dir, bookFile))
	if parent := filepath.Dir(dir); book == nil && dir != b.top && strings.HasPrefix(parent, b.top) {
		book = b.above(parent)
	}
	b.folders[dir] = book
	return book
}

// readBook reads a skillbook.yaml; nil when there is none. A book without a
// code has its folder's name for one.
func readBook(path string) *Book {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	text, _, _ := decodeText(raw[:min(len(raw), maxHeader)])
	fields, _, _ := decodeHeader(text, 1)
	book := &Book{Code: filepath.Base(filepath.Dir(path)), Active: true}
	for _, f := range fields {
		value, _ := f.scalar()
		switch f.key {
		case "code":
			book.Code = value
		case "name":
			book.Name = value
		case "description":
			book.Description = value
		case "active":
			book.Active = f.yes()
		}
	}
	return book
}
