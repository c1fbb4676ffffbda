package benchmarks

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Document is what is searched: a skill, a tool, an abstract.
type Document struct {
	ID          string
	Title       string // the skill's name; "" is the last part of the ID
	Description string // "" is the first paragraph of Text, as for any skill without one
	Tags        []string
	Text        string // the body
}

// readCorpus reads documents, a JSON object on each line, and returns them in
// order of ID. Two with one ID are an error.
func readCorpus(path string, parse func(l line) (Document, error)) ([]Document, error) {
	var documents []Document
	at := make(map[string]int)
	err := readLines(path, func(l line) error {
		d, err := parse(l)
		switch {
		case err != nil:
			return err
		case d.ID == "" || strings.ContainsAny(d.ID, "\t\n\r"):
			return l.errorf("the document's ID is %q; it must not be empty or hold tabs and line breaks", d.ID)
		case at[d.ID] > 0:
			return l.errorf("document %q comes a second time; line %d has it already", d.ID, at[d.ID])
		}
		at[d.ID] = l.number
		documents = append(documents, d)
		return nil
	})
	slices.SortFunc(documents, func(a, b Document) int { return strings.Compare(a.ID, b.ID) })
	return documents, err
}

// parseBEIR reads a document in the form of BEIR. Description and tags are
// looked for in its metadata, which BEIR leaves to the collection.
func parseBEIR(l line) (Document, error) {
	var d struct {
		ID       string `json:"_id"`
		Title    string `json:"title"`
		Text     string `json:"text"`
		Metadata struct {
			Description string   `json:"description"`
			Tags        []string `json:"tags"`
		} `json:"metadata"`
	}
	if err := decode(l, &d); err != nil {
		return Document{}, err
	}
	return Document{ID: d.ID, Title: d.Title, Description: d.Metadata.Description, Tags: d.Metadata.Tags, Text: d.Text}, nil
}

// linked is the file that path stands for. Where several collections share one
// corpus, each has a link to it; on a file system without links git and others
// leave a small file that holds the path.
func linked(path string) (string, error) {
	const longest = 4096
	info, err := os.Stat(path)
	if err != nil || info.Size() > longest {
		return path, err
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	target := strings.TrimSpace(string(raw))
	if target == "" || target[0] == '{' || strings.Contains(target, "\n") {
		return path, nil
	}
	target = filepath.Join(filepath.Dir(path), filepath.FromSlash(target))
	if _, err := os.Stat(target); err != nil {
		return "", fmt.Errorf("%s:1: this is neither a JSON object nor the path of a corpus: %w", path, err)
	}
	return target, nil
}

// SameDocuments reports whether two collections have the same documents, and so
// can be answered from one Library.
func SameDocuments(a, b *Collection) bool {
	return slices.EqualFunc(a.Documents, b.Documents, func(x, y Document) bool {
		return x.ID == y.ID && x.Title == y.Title && x.Description == y.Description && x.Text == y.Text && slices.Equal(x.Tags, y.Tags)
	})
}
