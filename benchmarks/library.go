package benchmarks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/skill"
)

// A Library is the skills that queries are answered from, with their engine. It
// is safe for concurrent use once Index is done.
type Library struct {
	engine    *skillsearch.Engine
	embedders []skillsearch.Embedder
	document  map[string]string // by skill ID; nil where the two are the same
	depth     skillsearch.Depth
	indexed   bool
}

// label is that of a collection's root.
const label = "collection"

// Open writes documents as skills below dir, an empty folder that must outlive
// the Library, and opens an engine over them. Of the embedders the first that
// works is used; see Remember for how vectors are kept. Every document becomes
// one skill; one that would not is an error that says why.
func Open(ctx context.Context, documents []Document, dir string, embedders ...skillsearch.Embedder) (*Library, error) {
	folders, err := WriteSkills(dir, documents)
	if err != nil {
		return nil, err
	}
	roots := []skill.Root{{Path: dir, Label: label, Source: skill.SourceFlag}}
	engine, err := skillsearch.Open(ctx, skillsearch.Config{Roots: roots, Embedders: embedders})
	if err != nil {
		return nil, err
	}
	l := &Library{engine: engine, embedders: embedders, document: make(map[string]string, len(documents))}
	for i, d := range documents {
		l.document[label+"/"+folders[i]] = d.ID
	}
	return l, l.check(documents)
}

// check looks whether each document is a skill.
func (l *Library) check(documents []Document) error {
	found := make(map[string]bool, len(documents))
	for _, s := range l.engine.Catalogue().Skills() {
		found[l.document[s.ID]] = true
	}
	for _, d := range documents {
		if !found[d.ID] {
			return fmt.Errorf("document %q can't be read as a skill: %s", d.ID, l.problem(d.ID))
		}
	}
	return nil
}

func (l *Library) problem(document string) string {
	for _, p := range l.engine.Catalogue().Problems() {
		if l.document[label+"/"+filepath.Base(filepath.Dir(p.Path))] == document {
			return p.Message
		}
	}
	return "the reason is not known"
}

// OpenUser is the library of an engine over the user's own skills. embedders are
// those of its Config. Documents are skills, by their IDs.
func OpenUser(engine *skillsearch.Engine, embedders []skillsearch.Embedder) *Library {
	return &Library{engine: engine, embedders: embedders}
}

// Skills is how many skills are searched.
func (l *Library) Skills() int { return len(l.engine.Catalogue().Skills()) }

// Bind makes the judgements of a collection those of the library's skills, where
// these are the user's: by ID, name or code.
func (l *Library) Bind(c *Collection) (*Collection, error) {
	if l.document != nil {
		return c, nil
	}
	return c.Bind(func(ref string) (string, error) {
		s, err := l.engine.Catalogue().Resolve(ref)
		if err != nil {
			return "", err
		}
		return s.ID, nil
	})
}

// Index embeds the skills to a depth, as "skillsearch index" does. The rankings
// cosine and hybrid need it. What is embedded deeper stays: measure heads first.
func (l *Library) Index(ctx context.Context, depth skillsearch.Depth, progress func(skillsearch.Progress)) error {
	if l.indexed && reach(depth) < reach(l.depth) {
		return fmt.Errorf("embed the skills: they are embedded to the depth %s already, which is deeper than %s; open the library anew", depthName(l.depth), depthName(depth))
	}
	_, err := l.engine.Index(ctx, skillsearch.IndexOptions{Depth: depth, Progress: progress})
	switch {
	case errors.Is(err, skillsearch.ErrNoEmbedder):
		return fmt.Errorf("embed the skills: %w; measure the ranking lexical, which needs none", err)
	case err != nil:
		return fmt.Errorf("embed the skills: %w", err)
	}
	l.depth, l.indexed = depth, true
	return nil
}

// reach orders depths.
func reach(d skillsearch.Depth) int {
	return slices.Index([]skillsearch.Depth{skillsearch.Heads, skillsearch.Body, skillsearch.Full}, d)
}

// model is the model of the index; the zero Model when there is none.
func (l *Library) model(ctx context.Context) (embedder.Model, error) {
	status := l.engine.Status()
	for _, e := range l.embedders {
		m, err := e.Model(ctx)
		if err == nil && m.Name == status.Model && m.Engine == status.Engine {
			return m, nil
		}
	}
	return embedder.Model{}, errors.New("the model of the index is no longer there; run it again")
}

// hash is of the skills' IDs and contents.
func (l *Library) hash() string {
	h := sha256.New()
	for _, s := range l.engine.Catalogue().Skills() {
		fmt.Fprintf(h, "%q %x\n", s.ID, s.Hash)
	}
	return hex.EncodeToString(h.Sum(nil))
}
