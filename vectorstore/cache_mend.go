package vectorstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// parts are what the names of a database's files end with. They are moved
// together.
func parts() []string { return []string{"", "-wal", "-shm", "-journal"} }

// begin makes a new file. It is made whole under another name first, so that
// under its own it is never empty or half made.
func (c *Cache) begin(ctx context.Context) error { return c.beginFrom(ctx, nil) }

// beginFrom makes a new file and lets fill write to it.
func (c *Cache) beginFrom(ctx context.Context, fill func(db *sql.DB) error) error {
	fresh := c.path + ".new"
	file, err := os.OpenFile(fresh, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	db, err := openFile(fresh, "rw", c.busy)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1) // page_size must reach the connection that makes the tables
	err = create(ctx, db)
	if err == nil && fill != nil {
		err = fill(db)
	}
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	if err := os.Rename(fresh, c.path); err != nil {
		return err
	}
	syncFolder(filepath.Dir(c.path))
	return nil
}

// finish ends what a killed process left half done: a new file that was not
// put in place, an upgrade, a log whose file was moved away.
func (c *Cache) finish(ctx context.Context) error {
	if err := removeAll(c.path + ".new"); err != nil {
		return err
	}
	if old := c.path + ".old"; exists(old) {
		if exists(c.path) {
			return removeAll(old)
		}
		if err := moveAll(c.path, old); err != nil { // its log may not have been moved yet
			return err
		}
		return c.upgradeFrom(ctx, old)
	}
	if !exists(c.path) && exists(c.path+"-wal") {
		return moveAll(c.path, c.asideName())
	}
	return nil
}

// upgrade writes a file of an older format anew in this version's. The old one
// is kept until that is done.
func (c *Cache) upgrade(ctx context.Context) error {
	old := c.path + ".old"
	if err := moveAll(c.path, old); err != nil {
		return err
	}
	return c.upgradeFrom(ctx, old)
}

func (c *Cache) upgradeFrom(ctx context.Context, old string) error {
	read, err := c.rebuild(ctx, old)
	if err != nil {
		return err
	}
	if read.fault == nil {
		return removeAll(old)
	}
	aside := c.asideName()
	if err := moveAll(old, aside); err != nil {
		return err
	}
	c.noteAside(aside, read.fault.Error(), read)
	return nil
}

// setAside keeps a damaged file under another name, and begins a new one with
// what can be read of it.
func (c *Cache) setAside(ctx context.Context, reason string) error {
	aside := c.asideName()
	if err := moveAll(c.path, aside); err != nil {
		return err
	}
	read, err := c.rebuild(ctx, aside)
	if err != nil {
		return err
	}
	c.noteAside(aside, reason, read)
	return nil
}

func (c *Cache) noteAside(aside, reason string, read copied) {
	c.notices = append(c.notices, fmt.Sprintf(
		"index %s was damaged: %s. It is kept as %s; %d vectors were read back from it, the rest is embedded again",
		c.path, reason, aside, read.vectors))
}

// rebuild begins a new file with all that can be read of another.
func (c *Cache) rebuild(ctx context.Context, source string) (copied, error) {
	var read copied
	err := c.beginFrom(ctx, func(fresh *sql.DB) error {
		old, err := openFile(source, "salvage", c.busy)
		if err != nil {
			return err
		}
		defer old.Close() // nothing was written
		read, err = copyFrom(ctx, old, fresh)
		return err
	})
	if err != nil {
		return copied{}, errors.Join(err, removeAll(c.path+".new"))
	}
	return read, removeLeavings(source)
}

// removeLeavings removes what a set-aside file can do without: the index of
// its log, and a log with nothing in it.
func removeLeavings(path string) error {
	if info, err := os.Stat(path + "-wal"); err == nil && info.Size() == 0 {
		if err := os.Remove(path + "-wal"); err != nil {
			return err
		}
	}
	return os.RemoveAll(path + "-shm")
}

// repair replaces the file of a handle that was found damaged, unless somebody
// has done so already, and returns the handle to go on with.
func (c *Cache) repair(ctx context.Context, h *handle, cause error) (*handle, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == h {
		if err := c.replace(ctx, h, cause); err != nil {
			return nil, err
		}
	}
	return c.acquireLocked(ctx)
}

// replace sets the file of a handle aside, unless another process has.
func (c *Cache) replace(ctx context.Context, h *handle, cause error) error {
	unlock, err := c.guard(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if c.replaced(h) {
		return nil
	}
	return c.setAside(ctx, cause.Error())
}

// asideName is the first name for a file set aside that is not taken.
func (c *Cache) asideName() string {
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s.damaged-%d", c.path, n)
		if !exists(name) && !exists(name+"-wal") {
			return name
		}
	}
}

// moveAll renames those files of a database that are there.
func moveAll(from, to string) error {
	for _, part := range parts() {
		if err := os.Rename(from+part, to+part); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	syncFolder(filepath.Dir(from))
	return nil
}

// removeAll removes those files of a database that are there.
func removeAll(path string) error {
	for _, part := range parts() {
		if err := os.Remove(path + part); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// syncFolder makes renames survive a power cut where the system can do that. A
// system that can't says so with an error, which changes nothing.
func syncFolder(path string) {
	if folder, err := os.Open(path); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}
