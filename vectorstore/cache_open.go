package vectorstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
	_ "modernc.org/sqlite" // the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// connections is how many of one process read at the same time.
const connections = 4

// reopen makes the current handle one on the file that is there now. c.mu is
// held.
func (c *Cache) reopen(ctx context.Context) error {
	h, err := c.open(ctx)
	if err != nil {
		return err
	}
	c.generation++
	h.generation = c.generation
	h.bad = map[int64]bool{}
	old := c.current
	c.current = h
	c.closeUnused(old)
	return nil
}

// open finds out what is there, and mends it while no other process opens it.
func (c *Cache) open(ctx context.Context) (*handle, error) {
	h, err := c.openGuarded(ctx)
	if code := resultCode(err); unwritable(err) || code == sqlite3.SQLITE_READONLY || code == sqlite3.SQLITE_CANTOPEN {
		return c.openReadOnly(ctx)
	}
	return h, err
}

func (c *Cache) openGuarded(ctx context.Context) (*handle, error) {
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		return nil, err
	}
	unlock, err := c.guard(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return c.openWritable(ctx)
}

// guard keeps other processes from opening, mending or replacing the file.
func (c *Cache) guard(ctx context.Context) (unlock func(), err error) {
	return lockFile(ctx, c.path+".opening", 10*time.Millisecond)
}

// lockFile waits for a lock that the system takes back when the process ends.
func lockFile(ctx context.Context, path string, poll time.Duration) (unlock func(), err error) {
	lock := flock.New(path)
	if _, err := lock.TryLockContext(ctx, poll); err != nil {
		return nil, err
	}
	return func() { _ = lock.Unlock() }, nil // closing a descriptor of our own: nothing to be done about a failure
}

// openWritable opens the file for reading and writing, mended or begun where
// need be. The guard is held.
func (c *Cache) openWritable(ctx context.Context) (*handle, error) {
	if err := c.finish(ctx); err != nil {
		return nil, err
	}
	switch info, err := os.Stat(c.path); {
	case errors.Is(err, fs.ErrNotExist):
		if err := c.begin(ctx); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, err
	case info.Mode().IsRegular() && info.Size() == 0:
		if err := c.setAside(ctx, "it was empty"); err != nil {
			return nil, err
		}
	}
	h, err := c.connect(ctx, readWrite, "rw")
	switch {
	case errors.Is(err, errOlder):
		err = c.upgrade(ctx)
	case errors.Is(err, ErrTooNew), err == nil, !isDamage(err):
		return h, err
	default:
		err = c.setAside(ctx, err.Error())
	}
	if err != nil {
		return nil, err
	}
	return c.connect(ctx, readWrite, "rw")
}

// openReadOnly opens what is there without writing anything, or keeps vectors
// in memory.
func (c *Cache) openReadOnly(ctx context.Context) (*handle, error) {
	if _, err := os.Stat(c.path); errors.Is(err, fs.ErrNotExist) || unwritable(err) {
		return c.openMemory(ctx, "its folder can't be written")
	}
	h, err := c.connect(ctx, readOnly, "ro")
	if err != nil && environmental(resultCode(err)) && !errors.Is(err, ErrTooNew) && !errors.Is(err, errOlder) {
		// SQLite wants its -shm file even to read, unless it is told that
		// nobody changes the file.
		h, err = c.connect(ctx, readOnly, "immutable")
	}
	switch {
	case errors.Is(err, errOlder):
		return c.openMemory(ctx, "its format is older and its folder can't be written")
	case err != nil && isDamage(err) && !errors.Is(err, ErrTooNew):
		return c.openMemory(ctx, "it is damaged ("+err.Error()+") and its folder can't be written")
	}
	return h, err
}

// openMemory begins an empty cache that ends with the process.
func (c *Cache) openMemory(ctx context.Context, why string) (*handle, error) {
	db, err := sql.Open("sqlite", ":memory:?_txlock=immediate")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	if err := create(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	c.notices = append(c.notices, fmt.Sprintf(
		"index %s: %s; vectors are kept in memory and are lost at the end. Make the folder writable, or choose another with --cache", c.path, why))
	return &handle{db: db, mode: inMemory}, nil
}

// connect opens the file and compares it with what this version writes. access
// is "rw", "ro", or "immutable".
func (c *Cache) connect(ctx context.Context, m mode, access string) (*handle, error) {
	file, err := os.Stat(c.path)
	if err != nil {
		return nil, err
	}
	db, err := openFile(c.path, access, c.busy)
	if err != nil {
		return nil, err
	}
	if err := check(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &handle{db: db, mode: m, file: file}, nil
}

// openFile opens a database that exists; access is "rw", "ro", "immutable" or
// "salvage". No code of ours opens the file
// itself: to close such a descriptor would drop the locks that SQLite holds on
// it in this process.
func openFile(path, access string, busy time.Duration) (*sql.DB, error) {
	values := url.Values{
		"_txlock":       {"immediate"},
		"_busy_timeout": {strconv.FormatInt(busy.Milliseconds(), 10)},
		"_synchronous":  {"FULL"},
		"mode":          {access},
	}
	switch access {
	case "immutable":
		values.Set("mode", "ro")
		values.Set("immutable", "1")
	case "salvage": // what is left of a file that was cut off is read too
		values.Set("mode", "ro")
		values.Set("_pragma", "writable_schema(1)")
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive letter
	}
	name := url.URL{Scheme: "file", Path: slashed, RawQuery: values.Encode()}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}
