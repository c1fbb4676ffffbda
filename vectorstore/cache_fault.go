package vectorstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"syscall"

	sqlite3 "modernc.org/sqlite/lib"
)

// errDamaged: the file is not what we wrote.
var errDamaged = errors.New("file is damaged")

// resultCode is SQLite's primary result code of an error; 0 when it has none.
func resultCode(err error) int {
	var coded interface{ Code() int }
	if !errors.As(err, &coded) {
		return 0
	}
	return coded.Code() & 0xff
}

// environmental lists the result codes that say something about the machine or
// other processes. All statements are fixed and the schema has been compared,
// so any other failure is the file's.
func environmental(code int) bool {
	switch code {
	case sqlite3.SQLITE_OK, sqlite3.SQLITE_PERM, sqlite3.SQLITE_ABORT, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED,
		sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_IOERR,
		sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_MISUSE:
		return true
	}
	return false
}

// isDamage reports whether an error says that a file is damaged.
func isDamage(err error) bool {
	return errors.Is(err, errDamaged) || errors.Is(err, sql.ErrNoRows) || !environmental(resultCode(err))
}

// damaged reports whether an error says that a handle's file is damaged and
// can be repaired. A file that SQLite will not write, although its mode and
// its folder allow it, has a damaged header.
func (c *Cache) damaged(h *handle, err error) bool {
	if err == nil || h.mode != readWrite {
		return false
	}
	if resultCode(err) == sqlite3.SQLITE_READONLY {
		return h.file.Mode().Perm()&0o200 != 0 && !c.replaced(h)
	}
	return isDamage(err)
}

// explain makes an error that a user can act on.
func (c *Cache) explain(ctx context.Context, operation string, err error) error {
	switch code := resultCode(err); {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%s %s: %w", operation, c.path, ctx.Err())
	case code == sqlite3.SQLITE_FULL || errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%s %s: %w; nothing was stored: free some space, or choose another folder with --cache", operation, c.path, ErrDiskFull)
	case errors.Is(err, ErrReadOnly) || code == sqlite3.SQLITE_READONLY:
		return fmt.Errorf("%s %s: %w: make the file and its folder writable, or choose another folder with --cache", operation, c.path, ErrReadOnly)
	case code == sqlite3.SQLITE_BUSY || code == sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("%s %s: another process has been changing it for %v; wait for it, or end it: %w", operation, c.path, c.busy, err)
	case code == sqlite3.SQLITE_CANTOPEN || code == sqlite3.SQLITE_PERM:
		return fmt.Errorf("%s %s: it can't be opened; check that it is a file that you may read: %w", operation, c.path, err)
	}
	return fmt.Errorf("%s %s: %w", operation, c.path, err)
}
