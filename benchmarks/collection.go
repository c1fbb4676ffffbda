package benchmarks

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// A Collection is queries with judged documents. It is immutable.
type Collection struct {
	Name string // the folder's
	// Documents in order of ID; none where the skills of the user's own roots
	// are what is searched.
	Documents []Document
	// Queries that were judged, in the order of their file.
	Queries []Query
	// Qrels of all Queries and of no others.
	Qrels Qrels
	// Negatives are queries that nothing answers, in the order of their file.
	Negatives []Query
	// Rejected are documents that a negative must not find, by query; a
	// negative may have none.
	Rejected Qrels
	// Notes tell what was left out of the files that were read.
	Notes []string

	places map[string]string // of each judged document: where it is judged first
}

// Read reads the collection in a folder, in the form of BEIR, of SkillRet, or
// that of this project, or the file eval_queries.json of a skill. What stands in
// a folder:
//
//	corpus.jsonl                    BEIR: _id, title, text, metadata; absent: the user's skills
//	queries.jsonl or queries.tsv    BEIR, or ID, text and, if wanted, type
//	qrels.txt or qrels/test.tsv     TREC, or BEIR's test split
//	negatives.tsv                   optional: queries that nothing answers
//
//	data/skills/test.jsonl, data/queries/test.jsonl, data/qrels/test.jsonl      SkillRet
//
// Whatever is wrong is an error with file and line: judgements of documents or
// queries that are not there, too, since they would lower the measures in
// silence.
func Read(path string) (*Collection, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read collection: %w", err)
	case !info.IsDir():
		return readTriggers(path)
	case isSkillRet(path):
		return readSkillRet(path)
	}
	return readFolder(path)
}

// readFolder reads BEIR's form and this project's.
func readFolder(dir string) (*Collection, error) {
	queries, err := oneOf(dir, "queries.tsv", "queries.jsonl")
	if err != nil {
		return nil, err
	}
	qrels, err := oneOf(dir, "qrels.txt", "qrels/test.tsv")
	if err != nil {
		return nil, err
	}
	b := builder{}
	if err := b.readDocuments(filepath.Join(dir, "corpus.jsonl")); err != nil {
		return nil, err
	}
	if b.queries, err = readQueries(queries); err != nil {
		return nil, err
	}
	if b.judgements, err = readJudgements(qrels); err != nil {
		return nil, err
	}
	negatives := filepath.Join(dir, "negatives.tsv")
	if exists(negatives) {
		if b.negatives, err = readQueries(negatives); err != nil {
			return nil, err
		}
	}
	return b.build(nameOf(dir))
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// oneOf is the first of the names that is in a folder.
func oneOf(dir string, names ...string) (string, error) {
	for _, name := range names {
		if path := filepath.Join(dir, filepath.FromSlash(name)); exists(path) {
			return path, nil
		}
	}
	return "", fmt.Errorf("read collection %s: it has neither %s nor %s; \"skillsearch eval --help\" tells what a collection is", dir, names[0], names[1])
}

// nameOf is the name of a folder, however it was written.
func nameOf(dir string) string {
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	return filepath.Base(dir)
}

// A builder puts a collection together and looks whether its parts fit.
type builder struct {
	documents  []Document
	queries    []Query
	judgements []judgement
	negatives  []Query
}

func (b *builder) readDocuments(path string) error {
	if !exists(path) {
		return nil
	}
	path, err := linked(path)
	if err != nil {
		return err
	}
	b.documents, err = readCorpus(path, parseBEIR)
	return err
}

// build keeps the queries that were judged.
func (b *builder) build(name string) (*Collection, error) {
	if err := b.checkJudgements(); err != nil {
		return nil, err
	}
	qrels, err := collect(b.judgements)
	if err != nil {
		return nil, err
	}
	c := &Collection{Name: name, Documents: b.documents, Qrels: qrels, Negatives: b.negatives, places: b.places()}
	for _, q := range b.queries {
		if qrels[q.ID] != nil {
			c.Queries = append(c.Queries, q)
		}
	}
	for _, q := range b.negatives {
		if qrels[q.ID] != nil {
			return nil, fmt.Errorf("read collection %s: query %q is among the negatives and is judged; take it out of one of them", name, q.ID)
		}
	}
	if n := len(b.queries) - len(c.Queries); n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d of %d queries have no judgement and are left out", n, len(b.queries)))
	}
	return c, c.check()
}

func (b *builder) places() map[string]string {
	places := make(map[string]string)
	for _, j := range b.judgements {
		if places[j.document] == "" {
			places[j.document] = fmt.Sprintf("%s:%d", j.path, j.number)
		}
	}
	return places
}

// checkJudgements refuses judgements of what is not there.
func (b *builder) checkJudgements() error {
	queries, documents := make(map[string]bool), make(map[string]bool)
	for _, q := range b.queries {
		queries[q.ID] = true
	}
	for _, d := range b.documents {
		documents[d.ID] = true
	}
	for _, j := range b.judgements {
		switch {
		case !queries[j.query]:
			return j.errorf("query %q is judged and is not among the queries", j.query)
		case len(documents) > 0 && !documents[j.document]:
			return j.errorf("document %q is judged and is not in the corpus", j.document)
		}
	}
	return nil
}

// check finishes a collection: it must have a query, and a relevant document.
func (c *Collection) check() error {
	if len(c.Queries)+len(c.Negatives) == 0 {
		return fmt.Errorf("read collection %s: %w", c.Name, errors.New("no query has a judgement"))
	}
	barren := 0
	for _, q := range c.Queries {
		if c.Qrels[q.ID].relevant() == 0 {
			barren++
		}
	}
	if barren > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("queries without a relevant document: %d; each counts 0 in every mean, as in trec_eval", barren))
	}
	return nil
}

// Bind puts other IDs into the judgements: those of the skills of a library for
// what stands in the files. The error of resolve gets the place of the
// judgement; two documents of a query that are one skill are an error too.
func (c *Collection) Bind(resolve func(document string) (string, error)) (*Collection, error) {
	bound := *c
	var err error
	if bound.Qrels, err = c.bind(c.Qrels, resolve); err == nil {
		bound.Rejected, err = c.bind(c.Rejected, resolve)
	}
	return &bound, err
}

func (c *Collection) bind(qrels Qrels, resolve func(document string) (string, error)) (Qrels, error) {
	bound := make(Qrels, len(qrels))
	for _, query := range slices.Sorted(maps.Keys(qrels)) {
		bound[query] = make(Judgements, len(qrels[query]))
		for _, document := range slices.Sorted(maps.Keys(qrels[query])) {
			id, err := resolve(document)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.places[document], err)
			}
			if _, twice := bound[query][id]; twice {
				return nil, fmt.Errorf("%s: %q is skill %s, which is judged for query %q under another name too", c.places[document], document, id, query)
			}
			bound[query][id] = qrels[query][document]
		}
	}
	return bound, nil
}
