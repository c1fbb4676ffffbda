package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestALoadIsLoggedWithTheQueryThatFoundIt: the latest query that found the
// skill, once, and no longer than half an hour.
func TestALoadIsLoggedWithTheQueryThatFoundIt(t *testing.T) {
	now := time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "new", "queries.jsonl")
	l := &queryLog{path: path, now: func() time.Time { return now }}
	l.found("old", []string{"a", "c"})
	now = now.Add(queryLife + time.Second)
	l.found("first", []string{"a", "b"})
	l.found("second", []string{"b"})
	for _, id := range []string{"c", "a", "b", "b", "b", "unknown"} {
		if err := l.loaded("telos", id); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"at":"2026-12-01T08:30:01Z","query":"first","skill":"a","toolset":"telos"}
{"at":"2026-12-01T08:30:01Z","query":"second","skill":"b","toolset":"telos"}
{"at":"2026-12-01T08:30:01Z","query":"first","skill":"b","toolset":"telos"}
`
	if string(got) != want {
		t.Errorf("log:\n%swant:\n%s", got, want)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the log has the mode %v (%v), want 0600", info.Mode(), err)
	}
}

// TestAQueryLogKeepsFewQueries holds that memory does not grow with the queries.
func TestAQueryLogKeepsFewQueries(t *testing.T) {
	l := &queryLog{path: filepath.Join(t.TempDir(), "queries.jsonl"), now: time.Now}
	for range queryMost + 5 {
		l.found("q", []string{"a"})
	}
	if len(l.asked) != queryMost {
		t.Errorf("%d queries are kept, want %d", len(l.asked), queryMost)
	}
}

// TestAQueryLogThatCannotBeWrittenIsSaid: once, and the skill is loaded.
func TestAQueryLogThatCannotBeWrittenIsSaid(t *testing.T) {
	dir := t.TempDir()
	l := &queryLog{path: dir, now: time.Now}
	l.found("q", []string{"a"})
	if err := l.loaded("telos", "a"); err == nil || !strings.Contains(err.Error(), "write the query log: open "+dir) {
		t.Errorf("error %v, want one that names the folder", err)
	}
}
