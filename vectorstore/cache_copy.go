package vectorstore

import (
	"context"
	"database/sql"
	"errors"
)

// copied is what copyFrom could read.
type copied struct {
	vectors int
	fault   error // what kept it from the rest; nil when it read everything
}

// copyFrom copies every space, vector, failure and use that can be read of an old
// or damaged file and passes its checksum, with the same ids. The error is
// that of the new file or of a context that ended; what is wrong with the old
// one is in copied.
func copyFrom(ctx context.Context, old, fresh *sql.DB) (copied, error) {
	var read copied
	tx, err := fresh.BeginTx(ctx, nil)
	if err != nil {
		return read, err
	}
	defer tx.Rollback() // after Commit it does nothing
	all, err := spaces(ctx, old)
	if err != nil {
		read.fault = err
	}
	byID := map[int64]Space{}
	for _, s := range all {
		byID[s.ID] = s.Space
		if _, err := tx.ExecContext(ctx,
			"INSERT INTO space (id, fingerprint, model, engine, probe, checksum, used) VALUES (?, ?, ?, ?, ?, ?, ?)",
			s.ID, s.Fingerprint, s.Model, s.Engine, appendFloats(nil, s.Probe), s.checksum(), s.used); err != nil {
			return read, err
		}
	}
	insert, err := tx.PrepareContext(ctx, "INSERT INTO vector (id, space, hash, record) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
	if err != nil {
		return read, err
	}
	// A damaged page ends a scan; the scan from the other end reads what lies
	// beyond it.
	for _, order := range []string{"ASC", "DESC"} {
		fault, err := copyVectors(ctx, old, insert, byID, order, &read.vectors)
		if err != nil {
			return read, err
		}
		if fault == nil {
			break
		}
		read.fault = fault
	}
	if err := copyFailures(ctx, old, tx, byID, &read); err != nil {
		return read, err
	}
	if err := copyUses(ctx, old, tx, &read); err != nil {
		return read, err
	}
	return read, errors.Join(ctx.Err(), tx.Commit())
}

// copyVectors copies vectors in the order of their ids, ASC or DESC, until the
// end or a fault in the old file.
func copyVectors(
	ctx context.Context, old *sql.DB, insert *sql.Stmt, spaces map[int64]Space, order string, n *int,
) (fault, err error) {
	rows, err := old.QueryContext(ctx, "SELECT id, ifnull(CAST(space AS INTEGER), 0), hash, record FROM vector ORDER BY id "+order)
	if err != nil {
		return err, ctx.Err()
	}
	defer rows.Close()
	var vector []float32
	for rows.Next() {
		var id, space int64
		var hash, record []byte
		if err := rows.Scan(&id, &space, &hash, &record); err != nil {
			return err, nil
		}
		vector = resize(vector, spaces[space].Dimensions)
		if len(vector) == 0 || !readRecord(vector, space, hash, record) {
			continue
		}
		result, err := insert.ExecContext(ctx, id, space, hash, record)
		if err != nil {
			return nil, err
		}
		added, err := result.RowsAffected()
		if err != nil {
			return nil, err
		}
		*n += int(added)
	}
	return rows.Err(), ctx.Err()
}

// copyFailures copies what failures it can read.
func copyFailures(ctx context.Context, old *sql.DB, tx *sql.Tx, spaces map[int64]Space, read *copied) error {
	var broken error
	fault := eachFailure(ctx, old, func(space int64, hash [32]byte, f Failure) error {
		if _, ok := spaces[space]; !ok {
			return nil
		}
		_, broken = tx.ExecContext(ctx, "INSERT OR REPLACE INTO failure (space, hash, reason, at, checksum) VALUES (?, ?, ?, ?, ?)",
			space, hash[:], f.Reason, f.At.UnixNano(), failureChecksum(space, hash[:], f))
		return broken
	})
	if broken == nil && fault != nil {
		read.fault = fault
	}
	return broken
}
