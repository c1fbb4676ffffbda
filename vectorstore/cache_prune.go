package vectorstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Prune removes the vectors and failures for which keep says false, spaces in
// which nothing is left, and what belongs to no space, and gives the room back
// to the system. It returns how many vectors it removed. keep must not use
// this cache.
func (c *Cache) Prune(ctx context.Context, keep func(space Space, hash [32]byte) bool) (removed int, err error) {
	err = c.write(ctx, "prune", func(tx *sql.Tx) error {
		all, err := spaces(ctx, tx)
		if err != nil {
			return err
		}
		if removed, err = removeUnsound(ctx, tx, all); err != nil {
			return err
		}
		for _, s := range all {
			n, err := pruneTable(ctx, tx, "vector", s.Space, keep)
			if err != nil {
				return err
			}
			removed += n
			if _, err := pruneTable(ctx, tx, "failure", s.Space, keep); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM space WHERE id NOT IN (SELECT space FROM vector UNION SELECT space FROM failure)")
		return err
	})
	if err != nil || removed == 0 {
		return 0, err
	}
	return removed, c.shrink(ctx)
}

// removeUnsound removes spaces that fail their checksums and what belongs to
// none of the sound ones. It returns how many vectors those were.
func removeUnsound(ctx context.Context, tx *sql.Tx, sound []usedSpace) (int, error) {
	ids := make([]string, len(sound))
	for i, s := range sound {
		ids[i] = strconv.FormatInt(s.ID, 10)
	}
	others := " NOT IN (" + strings.Join(ids, ", ") + ")"
	for _, statement := range []string{"DELETE FROM space WHERE id", "DELETE FROM failure WHERE space"} {
		if _, err := tx.ExecContext(ctx, statement+others); err != nil {
			return 0, err
		}
	}
	result, err := tx.ExecContext(ctx, "DELETE FROM vector WHERE space"+others)
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	return int(n), err
}

// pruneTable removes the rows of a space that are not to be kept, and returns
// how many they were.
func pruneTable(
	ctx context.Context, tx *sql.Tx, table string, space Space, keep func(space Space, hash [32]byte) bool,
) (int, error) {
	unwanted, err := unwanted(ctx, tx, table, space, keep)
	if err != nil {
		return 0, err
	}
	for _, hash := range unwanted {
		if _, err := tx.ExecContext(ctx, "DELETE FROM "+table+" WHERE space = ? AND hash = ?", space.ID, hash); err != nil {
			return 0, err
		}
	}
	return len(unwanted), nil
}

func unwanted(
	ctx context.Context, tx *sql.Tx, table string, space Space, keep func(space Space, hash [32]byte) bool,
) ([][]byte, error) {
	rows, err := tx.QueryContext(ctx, "SELECT hash FROM "+table+" WHERE space = ?", space.ID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var hashes [][]byte
	for rows.Next() {
		var hash []byte
		if err := rows.Scan(&hash); err != nil {
			return nil, err
		}
		if len(hash) != 32 || !keep(space, [32]byte(hash)) {
			hashes = append(hashes, hash)
		}
	}
	return hashes, rows.Err()
}

// Clear removes everything but the usage history and gives the room back to the system.
func (c *Cache) Clear(ctx context.Context) error {
	err := c.write(ctx, "clear", func(tx *sql.Tx) error {
		for _, table := range []string{"vector", "failure", "space"} {
			if _, err := tx.ExecContext(ctx, "DELETE FROM "+table); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.shrink(ctx)
}

// shrink gives free pages back to the system, and what the log holds to the
// file. The log keeps its length while another process reads from it.
func (c *Cache) shrink(ctx context.Context) error {
	return c.read(ctx, "shrink", func(h *handle) error {
		for _, statement := range []string{"PRAGMA incremental_vacuum", "PRAGMA wal_checkpoint(TRUNCATE)"} {
			rows, err := h.db.QueryContext(ctx, statement)
			if err != nil {
				return err
			}
			for rows.Next() { // each step frees a page
			}
			if err := errors.Join(rows.Err(), rows.Close()); err != nil {
				return err
			}
		}
		return nil
	})
}

// ClearFile removes a cache's file, whatever is in it: that of a newer version
// and a damaged one too. Files that were set aside stay. A process that has
// the file open begins a new one. No file is no error.
func ClearFile(ctx context.Context, path string) error {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("clear index %s: %w", path, err)
	}
	c := &Cache{path: absolute}
	if _, err := os.Stat(filepath.Dir(absolute)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	unlock, err := c.guard(ctx)
	if err == nil {
		defer unlock()
		err = errors.Join(removeAll(absolute), removeAll(absolute+".new"), removeAll(absolute+".old"))
	}
	if unwritable(err) {
		err = errors.Join(ErrReadOnly, err)
	}
	return c.explain(ctx, "clear index", err)
}
