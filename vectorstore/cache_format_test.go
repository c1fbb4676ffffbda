package vectorstore_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/vectorstore"
)

// written makes a closed file with 40 vectors of model 1 and 10 of model 2.
func written(tb testing.TB) (path string) {
	tb.Helper()
	path = cachePath(tb)
	cache := open(tb, path)
	store(tb, cache, space(tb, cache, model(2, 16)), entries("other", 0, 10, 16))
	store(tb, cache, space(tb, cache, model(1, 32)), entries("text", 0, 40, 32))
	if err := cache.Close(); err != nil {
		tb.Fatal(err)
	}
	return path
}

// execute runs statements on a file that is not open.
func execute(tb testing.TB, path string, statements ...string) {
	tb.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			tb.Fatalf("%s: %v", s, err)
		}
	}
}

// names lists the folder of a file.
func names(tb testing.TB, path string) []string {
	tb.Helper()
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		tb.Fatal(err)
	}
	var all []string
	for _, f := range files {
		all = append(all, f.Name())
	}
	return all
}

func foundSpace(tb testing.TB, cache *vectorstore.Cache, m vectorstore.SpaceInfo) vectorstore.Space {
	tb.Helper()
	s, ok, err := cache.FindSpace(tb.Context(), m)
	if err != nil || !ok {
		tb.Fatalf("the space of %s is not there: %v", m.Model, err)
	}
	return s
}

// Ids of rows and spaces are kept, and so is the order in which models were
// indexed.
func TestOlderFormatsAreUpgradedWithTheirVectors(t *testing.T) {
	for name, statements := range map[string][]string{
		"version 1":          {"DROP TABLE use", "PRAGMA application_id = 1936422401", "PRAGMA user_version = 1"},
		"version 0":          {"PRAGMA user_version = 0"},
		"no version at all":  {"PRAGMA user_version = 0", "PRAGMA application_id = 0"},
		"garbage magic":      {"PRAGMA application_id = 1936745264"},
		"garbage version":    {"PRAGMA user_version = 123456789"},
		"negative version":   {"PRAGMA user_version = -1"},
		"one bit of version": {"PRAGMA user_version = 18"},
		"one bit of magic":   {"PRAGMA application_id = 1936422403"},
	} {
		t.Run(name, func(t *testing.T) {
			path := written(t)
			execute(t, path, statements...)
			cache := open(t, path)
			noNotices(t, cache)
			uses, err := cache.Spaces(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintln(len(uses), uses[0].Model, uses[0].Vectors, uses[1].Model, uses[1].Vectors)
			if got != "2 model-1 40 model-2 10\n" {
				t.Errorf("spaces: %q", got)
			}
			holds(t, cache, foundSpace(t, cache, model(1, 32)), entries("text", 0, 40, 32))
			holds(t, cache, foundSpace(t, cache, model(2, 16)), entries("other", 0, 10, 16))
			if err := cache.Close(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"vectors.db", "vectors.db.opening"}, names(t, path)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

func TestANewerFormatIsRefusedAndNotTouched(t *testing.T) {
	for _, version := range []int{4, 5, 99, 9999} {
		path := written(t)
		execute(t, path, fmt.Sprintf("PRAGMA user_version = %d", version))
		if version == 4 { // as that version would write it: else one bit is wrong
			execute(t, path, "PRAGMA application_id = 1936422404")
		}
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = vectorstore.OpenCache(t.Context(), path, vectorstore.CacheOptions{})
		if !errors.Is(err, vectorstore.ErrTooNew) {
			t.Fatalf("version %d: error %v", version, err)
		}
		for _, words := range []string{fmt.Sprintf("format is %d", version), "reads up to 2", "clear", path} {
			if !strings.Contains(err.Error(), words) {
				t.Errorf("%q does not say %q", err, words)
			}
		}
		after, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(before, after) {
			t.Errorf("version %d: the file was changed", version)
		}
		if diff := cmp.Diff([]string{"vectors.db", "vectors.db.opening"}, names(t, path)); diff != "" {
			t.Errorf("files (-want +got):\n%s", diff)
		}

		// What an upgrade to that version left behind is no reason to undo it.
		copyFile(t, written(t), path+".old")
		if _, err := vectorstore.OpenCache(t.Context(), path, vectorstore.CacheOptions{}); !errors.Is(err, vectorstore.ErrTooNew) {
			t.Errorf("version %d beside an older file: error %v", version, err)
		}

		if err := vectorstore.ClearFile(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		cache := open(t, path)
		noNotices(t, cache)
		store(t, cache, space(t, cache, model(1, 32)), entries("text", 0, 40, 32))
	}
}

// An upgrade that was killed at any of its steps goes on at the next opening.
func TestAnInterruptedUpgradeIsFinished(t *testing.T) {
	rename := func(from, to string) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			if err := os.Rename(path+from, path+to); err != nil {
				t.Fatal(err)
			}
		}
	}
	half := func(t *testing.T, path string) {
		rename("", ".old")(t, path)
		if err := os.WriteFile(path+".new", []byte("SQLite format 3\x00half"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+".new-wal", nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, interrupt := range map[string]func(t *testing.T, path string){
		"moved":     rename("", ".old"),
		"half made": half,
		"replaced": func(t *testing.T, path string) {
			half(t, path)
			cache := open(t, path)
			if err := cache.Close(); err != nil {
				t.Fatal(err)
			}
			old, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path+".old", old, 0o600); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := written(t)
			execute(t, path, "PRAGMA user_version = 0")
			interrupt(t, path)
			cache := open(t, path)
			noNotices(t, cache)
			holds(t, cache, foundSpace(t, cache, model(1, 32)), entries("text", 0, 40, 32))
			if err := cache.Close(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"vectors.db", "vectors.db.opening"}, names(t, path)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

// The log of a file is moved in a second step; a kill between the two must not
// lose what only the log holds.
func TestAnUpgradeKilledBetweenFileAndLogLosesNothing(t *testing.T) {
	path := cachePath(t)
	cache := open(t, path)
	s := space(t, cache, model(1, 512))
	all := entries("text", 0, 400, 512)
	store(t, cache, s, all[:300])
	if err := cache.Close(); err != nil {
		t.Fatal(err)
	}
	execute(t, path, "DELETE FROM vector WHERE id % 7 != 0") // pages that a new file lays out otherwise
	cache = open(t, path)
	left, _ := vectors(t, cache, s, vectorstore.Cursor{})
	store(t, cache, s, all[300:])
	copied := cachePath(t)
	copyFile(t, path, copied+".old")
	copyFile(t, path+"-wal", copied+"-wal")

	cache = open(t, copied)
	holds(t, cache, foundSpace(t, cache, model(1, 512)), append(left, all[300:]...))
	noNotices(t, cache)
}

func copyFile(tb testing.TB, from, to string) {
	tb.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		tb.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o600); err != nil {
		tb.Fatal(err)
	}
}

// What is no index of ours is kept, said, and replaced.
func TestForeignFilesAreSetAside(t *testing.T) {
	foreign := cachePath(t)
	if err := os.MkdirAll(filepath.Dir(foreign), 0o700); err != nil {
		t.Fatal(err)
	}
	execute(t, foreign, "CREATE TABLE space (id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO space VALUES (1, 'Mir')")
	database, err := os.ReadFile(foreign)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"nothing": {}, "one byte": {0}, "text": []byte("#!/bin/sh\necho not a database\n"),
		"zeros": make([]byte, 65536), "another database": database,
	} {
		t.Run(name, func(t *testing.T) {
			path := cachePath(t)
			for n := 1; n <= 2; n++ {
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, content, 0o600); err != nil {
					t.Fatal(err)
				}
				cache := open(t, path)
				aside := fmt.Sprintf("%s.damaged-%d", path, n)
				if notices := cache.Notices(); len(notices) != 1 || !strings.Contains(notices[0], aside) {
					t.Errorf("notices: %q", notices)
				}
				store(t, cache, space(t, cache, model(1, 32)), entries("text", 0, 40, 32))
				if err := cache.Close(); err != nil {
					t.Fatal(err)
				}
				kept, err := os.ReadFile(aside)
				if err != nil || !slices.Equal(kept, content) {
					t.Errorf("%d bytes were kept of %d, error %v", len(kept), len(content), err)
				}
			}
			want := []string{"vectors.db", "vectors.db.damaged-1", "vectors.db.damaged-2", "vectors.db.opening"}
			if diff := cmp.Diff(want, names(t, path)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAFolderInTheFilesPlaceIsAnError(t *testing.T) {
	path := cachePath(t)
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := vectorstore.OpenCache(t.Context(), path, vectorstore.CacheOptions{})
	if err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}
