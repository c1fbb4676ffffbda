package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/skillsearch/skillsearch"
)

// How long, and behind how many other queries, a load is still the answer to one.
const (
	queryLife = 30 * time.Minute
	queryMost = 32
)

// A queryLog is the file in which a person lets this process write which skill
// was loaded after which query, one JSON object a line. It is safe for
// concurrent use; several processes may write to one file.
type queryLog struct {
	path string
	now  func() time.Time

	mu    sync.Mutex
	asked []askedQuery // latest last
}

// An askedQuery is one that a tool answered.
type askedQuery struct {
	text string
	ids  []string
	at   time.Time
}

// A loggedQuery is a line of the file.
type loggedQuery struct {
	At      time.Time `json:"at"`
	Query   string    `json:"query"`
	Skill   string    `json:"skill"` // the id of the one that was loaded
	Toolset string    `json:"toolset"`
}

func (l *queryLog) found(query string, ids []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = append(l.asked, askedQuery{query, ids, l.now()})
	l.asked = l.asked[max(0, len(l.asked)-queryMost):]
}

// loaded writes the latest query that found the skill, if there is one. Each
// query is written once for a skill.
func (l *queryLog) loaded(toolset, id string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	for i, q := range slices.Backward(l.asked) {
		at := slices.Index(q.ids, id)
		if at < 0 || now.Sub(q.at) > queryLife {
			continue
		}
		l.asked[i].ids = slices.Delete(slices.Clone(q.ids), at, at+1)
		return l.append(loggedQuery{At: now.UTC().Truncate(time.Second), Query: q.text, Skill: id, Toolset: toolset})
	}
	return nil
}

// append writes a line in one piece, so that those of two processes don't mix.
func (l *queryLog) append(q loggedQuery) error {
	var line bytes.Buffer
	if err := skillsearch.Encode(&line, q); err != nil {
		return fmt.Errorf("write the query log: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return fmt.Errorf("write the query log: %w", err)
	}
	f, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write the query log: %w", err)
	}
	if _, err := f.Write(line.Bytes()); err != nil {
		f.Close()
		return fmt.Errorf("write the query log: %w", err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("write the query log: %w", err)
	}
	return nil
}
