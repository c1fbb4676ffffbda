package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
)

func (a *app) tuneCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tune FOLDER",
		Short: "Write what a model of your own is trained on",
		Long: `Write the skills, and which of them was loaded after which query, into FOLDER: skills.jsonl and pairs.jsonl,
as the folder training/ of skillsearch's source reads them. The training itself is in Python; its README has the
commands, and one that needs nothing but a container. What comes out is a file for --model.

Queries are only known when a person lets them be kept: "query_log: FILE" in the configuration, or
SKILLSEARCH_QUERY_LOG. Without them a model is trained on what the skills say of themselves.`,
		Example: "  skillsearch tune training-data",
		Args:    oneArgument("the folder to write to"),
		RunE:    func(c *cobra.Command, args []string) error { return a.tune(c, args[0]) },
	}
}

func (a *app) tune(c *cobra.Command, folder string) error {
	s, err := a.settings()
	if err != nil {
		return err
	}
	catalogue, err := skill.Load(c.Context(), s.roots, nil)
	if err != nil {
		return err
	}
	if len(catalogue.Skills()) == 0 {
		return fmt.Errorf("%w: there are no skills; name a folder with --root", skill.ErrNotFound)
	}
	logged, err := readQueryLog(s.queryLog)
	if err != nil {
		return err
	}
	var skills, pairs bytes.Buffer
	for _, s := range catalogue.Skills() {
		if err := skillsearch.Encode(&skills, trainedSkill{s.ID, s.Name, s.Description, skill.Shorten(s.Body, trainedBody)}); err != nil {
			return err
		}
	}
	known, gone := 0, 0
	for _, q := range logged {
		s, ok := catalogue.ByID(q.Skill)
		if !ok {
			gone++
			continue
		}
		known++
		if err := skillsearch.Encode(&pairs, trainedPair{q.Query, s.ID}); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("make the folder: %w; name one that can be written", err)
	}
	for name, content := range map[string]*bytes.Buffer{"skills.jsonl": &skills, "pairs.jsonl": &pairs} {
		if err := os.WriteFile(filepath.Join(folder, name), content.Bytes(), 0o600); err != nil {
			return fmt.Errorf("write training data: %w; name a folder that can be written", err)
		}
	}
	if gone > 0 {
		a.warn("%d queries of the log were left out: their skills are no longer there", gone)
	}
	if s.queryLog == "" {
		a.warn("no queries are kept, so that there are none to learn from; \"query_log: FILE\" in the configuration keeps them")
	}
	if a.flags.json {
		return skillsearch.Encode(a.env.stdout, map[string]any{"folder": folder, "skills": len(catalogue.Skills()), "queries": known, "gone": gone})
	}
	_, err = fmt.Fprintf(a.env.stdout, "%d skills and %d queries are in %s; training/README.md tells how a model is made of them\n", len(catalogue.Skills()), known, printable(folder))
	return err
}

// trainedBody is how many characters of a body are trained on.
const trainedBody = 1200

// A trainedSkill is a line of skills.jsonl.
type trainedSkill struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Body        string `json:"body"`
}

// A trainedPair is a line of pairs.jsonl.
type trainedPair struct {
	Query string `json:"query"`
	ID    string `json:"id"`
}

// readQueryLog reads the file; none if it is not there. A line that is damaged,
// by a full disk perhaps, is an error that names it.
func readQueryLog(path string) ([]loggedQuery, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the query log: %w; correct query_log", err)
	}
	defer f.Close()
	var logged []loggedQuery
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var q loggedQuery
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil || q.Query == "" || q.Skill == "" {
			return nil, fmt.Errorf("%w: %s:%d: this is no line of a query log; delete it", skillsearch.ErrInvalidArgument, path, n)
		}
		logged = append(logged, q)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read the query log: %w; correct query_log", err)
	}
	return logged, nil
}
