package vectorstore

import (
	"context"
	"database/sql"
	"time"
)

// A Failure is why a text has no vector.
type Failure struct {
	Reason string
	At     time.Time // when it was last tried; UTC, to the nanosecond
}

// PutFailure notes that a text could not be embedded in a space, so that it is
// tried again later and not in every pass. It replaces an earlier note.
func (c *Cache) PutFailure(ctx context.Context, space Space, hash [32]byte, reason string, at time.Time) error {
	return c.write(ctx, "note a failure in", func(tx *sql.Tx) error {
		here, err := obtain(ctx, tx, space.SpaceInfo)
		if err != nil {
			return err
		}
		f := Failure{Reason: reason, At: at}
		_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO failure (space, hash, reason, at, checksum) VALUES (?, ?, ?, ?, ?)",
			here.ID, hash[:], reason, at.UnixNano(), failureChecksum(here.ID, hash[:], f))
		return err
	})
}

// Failures lists the texts of a space that could not be embedded, by hash.
func (c *Cache) Failures(ctx context.Context, space Space) (map[[32]byte]Failure, error) {
	var failures map[[32]byte]Failure
	err := c.read(ctx, "read failures from", func(h *handle) error {
		failures = map[[32]byte]Failure{}
		here, found, err := locate(ctx, h.db, space.SpaceInfo)
		if err != nil || !found {
			return err
		}
		return eachFailure(ctx, h.db, func(space int64, hash [32]byte, f Failure) error {
			if space == here.ID {
				failures[hash] = f
			}
			return nil
		})
	})
	return failures, err
}

// eachFailure calls do for every failure that passes its checksum.
func eachFailure(ctx context.Context, q querier, do func(space int64, hash [32]byte, f Failure) error) error {
	rows, err := q.QueryContext(ctx, `SELECT ifnull(CAST(space AS INTEGER), 0), CAST(hash AS BLOB), ifnull(CAST(reason AS TEXT), ''),
		ifnull(CAST(at AS INTEGER), 0), ifnull(CAST(checksum AS INTEGER), 0) FROM failure`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var space, at, checksum int64
		var hash []byte
		var f Failure
		if err := rows.Scan(&space, &hash, &f.Reason, &at, &checksum); err != nil {
			return err
		}
		f.At = fromNano(at)
		if len(hash) != 32 || int64(failureChecksum(space, hash, f)) != checksum {
			continue // it will be tried again, which is all that a failure prevents
		}
		if err := do(space, [32]byte(hash), f); err != nil {
			return err
		}
	}
	return rows.Err()
}
