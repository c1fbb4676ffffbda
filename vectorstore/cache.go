package vectorstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"
)

// Errors of a Cache that callers branch on. What is wrapped around them names
// the remedy.
var (
	// ErrDiskFull: there is no room for what was to be written; nothing of it was.
	ErrDiskFull = errors.New("disk is full")
	// ErrReadOnly: the file or its folder can't be written by this user.
	ErrReadOnly = errors.New("index can't be written")
)

// CacheOptions are the settings of a Cache. The zero value is right for most.
type CacheOptions struct {
	// BusyTimeout is how long a change waits for one that another process is
	// making; 0 means 10 seconds.
	BusyTimeout time.Duration
}

// A Cache keeps vectors durably in one SQLite file: by the vector space of a
// model and the SHA-256 of the text. What a method has stored when it returns
// is there after a kill or a power cut. Every vector carries a checksum, and
// one that fails it is treated as absent.
//
// Any number of processes may use one file. When the file is replaced under a
// Cache (cleared, repaired or upgraded by another process), it goes on with
// the new one. All methods are safe for concurrent use.
//
// Beside FILE lie FILE-wal and FILE-shm, which are part of it, FILE.lock,
// which the one process that embeds holds, and FILE.opening, which a process
// holds while it opens the file. FILE.damaged-1 and so on are files that were
// set aside.
type Cache struct {
	path string
	busy time.Duration

	mu         sync.Mutex // guards what follows
	current    *handle
	generation int64 // how many handles there have been
	notices    []string
	unsound    int // vectors that failed their checksum
}

// A handle is one file that is open.
type handle struct {
	db         *sql.DB
	generation int64
	mode       mode
	file       fs.FileInfo // which file it is; nil in memory
	users      int         // how many acquired it; guarded by the cache's mu

	mu  sync.Mutex
	bad map[int64]bool // ids of vectors that failed their checksum, until they are removed
}

// A mode is what can be done with a handle.
type mode int

const (
	readWrite mode = iota
	readOnly
	inMemory // all, but not durably
)

// OpenCache opens the file at path, or begins one. Missing folders are made,
// for this user only.
//
// A file of an older format is upgraded, with its vectors. One that a newer
// version wrote is left untouched: the error is ErrTooNew and names both
// formats. A damaged file is set aside, and what can be read of it goes into a
// new one; Notices says so. Where nothing can be written, what is there is
// opened for reading; if there is nothing, vectors are kept in memory, and
// Notices says so.
func OpenCache(ctx context.Context, path string, opts CacheOptions) (*Cache, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open index %s: %w", path, err)
	}
	c := &Cache{path: absolute, busy: opts.BusyTimeout}
	if c.busy == 0 {
		c.busy = 10 * time.Second
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.reopen(ctx); err != nil {
		return nil, c.explain(ctx, "open index", err)
	}
	return c, nil
}

// Close releases the file. The cache can't be used afterwards; a second Close
// does nothing.
func (c *Cache) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == nil {
		return nil
	}
	err := c.current.db.Close()
	c.current = nil
	return c.explain(context.Background(), "close index", err)
}

// Path is the absolute path of the file.
func (c *Cache) Path() string { return c.path }

// Notices are sentences for the user about what was found damaged, set aside,
// or can't be written, in the order in which it was found.
func (c *Cache) Notices() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	notices := slices.Clone(c.notices)
	if c.unsound > 0 {
		notices = append(notices, fmt.Sprintf(
			"index %s: %d vectors do not match their checksums and are embedded again", c.path, c.unsound))
	}
	return notices
}

// Version changes whenever any process has changed the file, or has replaced
// it. Values are to be compared for equality only, and with those of the same
// Cache only. It costs some microseconds.
func (c *Cache) Version(ctx context.Context) (int64, error) {
	var version int64
	err := c.read(ctx, "look for changes", func(h *handle) error {
		err := h.db.QueryRowContext(ctx, changesQuery).Scan(&version)
		version += h.generation << 40
		return err
	})
	return version, err
}

// read runs do on the current file; where that is damaged, it is repaired and
// do is run once more.
func (c *Cache) read(ctx context.Context, operation string, do func(h *handle) error) error {
	h, err := c.acquire(ctx)
	if err == nil {
		err = do(h)
		c.done(h)
	}
	if h != nil && c.damaged(h, err) && ctx.Err() == nil {
		if h, err = c.repair(ctx, h, err); err == nil {
			err = do(h)
			c.done(h)
		}
	}
	return c.explain(ctx, operation, err)
}

// write runs do in a transaction of its own. It is run again when the file was
// replaced meanwhile: the transaction is then part of a file that nobody reads.
func (c *Cache) write(ctx context.Context, operation string, do func(tx *sql.Tx) error) error {
	for again := true; again; {
		err := c.read(ctx, operation, func(h *handle) error {
			err := h.change(ctx, do)
			again = c.replaced(h)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// change runs do in a transaction that counts as one change. Rows that are
// known to fail their checksums go with it.
func (h *handle) change(ctx context.Context, do func(tx *sql.Tx) error) error {
	if h.mode == readOnly {
		return ErrReadOnly
	}
	tx, err := h.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after Commit it does nothing
	bad, err := h.removeBad(ctx, tx)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE state SET changes = changes + 1"); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	h.forgetBad(bad)
	return nil
}

// acquire returns a handle on the file that is there now. done gives it back.
func (c *Cache) acquire(ctx context.Context) (*handle, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.acquireLocked(ctx)
}

func (c *Cache) acquireLocked(ctx context.Context) (*handle, error) {
	if c.current == nil {
		return nil, errors.New("it is closed")
	}
	if c.replaced(c.current) {
		if err := c.reopen(ctx); err != nil {
			return nil, err
		}
	}
	c.current.users++
	return c.current, nil
}

// done gives a handle back.
func (c *Cache) done(h *handle) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h.users--
	c.closeUnused(h)
}

// closeUnused closes a handle whose file was replaced, once nobody uses it.
// Nothing in it could still be lost, so an error says nothing. SQLite leaves a
// log alone whose file has another name by now, or none.
func (c *Cache) closeUnused(h *handle) {
	if h != nil && h.users == 0 && h != c.current {
		_ = h.db.Close()
	}
}

// replaced reports whether the path now names another file than the handle's.
func (c *Cache) replaced(h *handle) bool {
	if h.mode == inMemory {
		return false
	}
	now, err := os.Stat(c.path)
	return err != nil || !os.SameFile(h.file, now)
}

// unwritable reports whether an error means that this user can't write there.
func unwritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}
