package benchmarks

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// WriteSkills writes each document as a skill, a folder with a SKILL.md, below
// dir, and returns the folders' names in the order of the documents. The folders
// are numbered in that order, whatever the documents are called, so that skills
// with equal scores stand in the order of the documents' IDs.
//
// This is how a collection is searched: by the parser and the engine that users
// have, from files as theirs.
func WriteSkills(dir string, documents []Document) ([]string, error) {
	folders := make([]string, len(documents))
	width := len(strconv.Itoa(len(documents)))
	for i, d := range documents {
		folders[i] = fmt.Sprintf("%0*d", width, i+1)
		folder := filepath.Join(dir, folders[i])
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(folder, "SKILL.md"), []byte(skillFile(d)), 0o600); err != nil {
			return nil, fmt.Errorf("write document %q as a skill: %w", d.ID, err)
		}
	}
	return folders, nil
}

// skillFile is the SKILL.md of a document. The ID is part of it: two documents
// with the same words are two skills, not copies of one file.
func skillFile(d Document) string {
	name := d.Title
	if strings.TrimSpace(name) == "" {
		name = path.Base(d.ID)
	}
	var out strings.Builder
	out.WriteString("---\nname: " + quote(name) + "\n")
	if strings.TrimSpace(d.Description) != "" {
		out.WriteString("description: " + quote(d.Description) + "\n")
	}
	if len(d.Tags) > 0 {
		quoted := make([]string, len(d.Tags))
		for i, tag := range d.Tags {
			quoted[i] = quote(tag)
		}
		out.WriteString("tags: [" + strings.Join(quoted, ", ") + "]\n")
	}
	out.WriteString("document: " + quote(d.ID) + "\n---\n")
	out.WriteString(d.Text)
	return out.String()
}

// quote writes a text as a double-quoted scalar of YAML. A string literal of Go
// is one as long as the text is UTF-8: Go escapes what is not printable, by
// escapes that YAML 1.2 has too (section 5.7), and leaves only characters that
// YAML allows (section 5.1).
func quote(text string) string { return strconv.Quote(strings.ToValidUTF8(text, "\uFFFD")) }
