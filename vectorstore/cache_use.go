package vectorstore

import (
	"context"
	"database/sql"
	"encoding/binary"
	"hash/crc32"
	"time"
)

// maxUses is how many rows of usage history are kept, the newest.
const maxUses = 100_000

// A Use is one load of a skill's body.
type Use struct {
	Skill   string   // its id
	Hash    [32]byte // of its file
	Toolset string
	At      time.Time // UTC, to the nanosecond
}

// RecordUse appends a use to the history, and drops the oldest of more than
// 100,000. History is no cache: Clear leaves it alone; see ClearHistory.
func (c *Cache) RecordUse(ctx context.Context, u Use) error {
	return c.write(ctx, "record a use in", func(tx *sql.Tx) error {
		if err := insertUse(ctx, tx, u); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM use WHERE id <= (SELECT max(id) FROM use) - ?", maxUses)
		return err
	})
}

func insertUse(ctx context.Context, tx *sql.Tx, u Use) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO use (skill, hash, toolset, at, checksum) VALUES (?, ?, ?, ?, ?)",
		u.Skill, u.Hash[:], u.Toolset, u.At.UnixNano(), u.checksum())
	return err
}

// LastUsed are the ids of the skills that were used, latest first, each once,
// at most limit; 0 is all.
func (c *Cache) LastUsed(ctx context.Context, limit int) ([]string, error) {
	var ids []string
	err := c.read(ctx, "read the history of", func(h *handle) error {
		ids = nil
		seen := map[string]bool{}
		return eachUse(ctx, h.db, "DESC", func(_ int64, u Use) (bool, error) {
			if !seen[u.Skill] {
				seen[u.Skill] = true
				ids = append(ids, u.Skill)
			}
			return limit == 0 || len(ids) < limit, nil
		})
	})
	return ids, err
}

// ClearHistory removes the usage history.
func (c *Cache) ClearHistory(ctx context.Context) error {
	err := c.write(ctx, "clear the history of", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM use")
		return err
	})
	if err != nil {
		return err
	}
	return c.shrink(ctx)
}

// eachUse calls do for the uses that pass their checksums, in the order of
// their ids, ASC or DESC, as long as it says so.
func eachUse(ctx context.Context, q querier, order string, do func(id int64, u Use) (bool, error)) error {
	rows, err := q.QueryContext(ctx, `SELECT id, ifnull(CAST(skill AS TEXT), ''), CAST(hash AS BLOB), ifnull(CAST(toolset AS TEXT), ''),
		ifnull(CAST(at AS INTEGER), 0), ifnull(CAST(checksum AS INTEGER), 0) FROM use ORDER BY id `+order)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id, at, checksum int64
		var hash []byte
		var u Use
		if err := rows.Scan(&id, &u.Skill, &hash, &u.Toolset, &at, &checksum); err != nil {
			return err
		}
		if len(hash) != len(u.Hash) {
			continue
		}
		u.Hash, u.At = [32]byte(hash), fromNano(at)
		if int64(u.checksum()) != checksum {
			continue // a damaged row is one load less
		}
		if more, err := do(id, u); err != nil || !more {
			return err
		}
	}
	return rows.Err()
}

// checksum covers all that a use says.
func (u Use) checksum() uint32 {
	b := binary.LittleEndian.AppendUint64(nil, uint64(u.At.UnixNano()))
	b = append(b, u.Hash[:]...)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(u.Skill)))
	b = append(b, u.Skill...)
	return crc32.Checksum(append(b, u.Toolset...), castagnoli)
}

// copyUses copies what uses it can read. A file of format 1 has none.
func copyUses(ctx context.Context, old *sql.DB, tx *sql.Tx, read *copied) error {
	var tables int
	if err := old.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name = 'use'").Scan(&tables); err != nil || tables == 0 {
		return ctx.Err() // an unreadable schema is a fault that the vectors have met
	}
	copied := map[int64]bool{}
	for _, order := range []string{"ASC", "DESC"} { // as with vectors, beyond a damaged page
		var broken error
		fault := eachUse(ctx, old, order, func(id int64, u Use) (bool, error) {
			if copied[id] {
				return true, nil
			}
			copied[id] = true
			_, broken = tx.ExecContext(ctx, "INSERT INTO use (id, skill, hash, toolset, at, checksum) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
				id, u.Skill, u.Hash[:], u.Toolset, u.At.UnixNano(), u.checksum())
			return broken == nil, broken
		})
		switch {
		case broken != nil:
			return broken
		case fault == nil:
			return nil
		}
		read.fault = fault
	}
	return ctx.Err()
}
