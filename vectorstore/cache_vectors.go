package vectorstore

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// chunk is how many vectors are read at a time. No lock and no connection is
// held while they are handed on.
const chunk = 512

// An Entry is the vector of a text.
type Entry struct {
	Hash   [32]byte // SHA-256 of the text
	Vector []float32
}

// A Cursor is a place in the order in which vectors were stored. The zero
// Cursor is before the first. It belongs to the Cache that gave it.
type Cursor struct{ generation, id int64 }

// Vectors calls yield for every vector of a space that was stored after a
// cursor, in the order in which they were stored, and returns the cursor to go
// on from. A vector that fails its checksum is left out; Notices tells how
// many. The slice is valid only until yield returns, yield may use the cache,
// and its error ends the call. A vector may be yielded again when the file was
// replaced.
func (c *Cache) Vectors(
	ctx context.Context, space Space, after Cursor, yield func(hash [32]byte, vector []float32) error,
) (Cursor, error) {
	dimensions := len(space.Probe)
	page := page{hashes: make([][32]byte, 0, chunk), floats: make([]float32, chunk*dimensions)}
	for {
		if err := c.readPage(ctx, space, &after, &page); err != nil {
			return after, err
		}
		for i, hash := range page.hashes {
			if err := yield(hash, page.floats[i*dimensions:][:dimensions]); err != nil {
				return after, err
			}
		}
		if page.last {
			return after, nil
		}
	}
}

// A page is vectors that were read in one go.
type page struct {
	hashes [][32]byte
	floats []float32
	last   bool // there are no more
}

// readPage fills a page with what comes after a cursor, and moves the cursor.
func (c *Cache) readPage(ctx context.Context, space Space, after *Cursor, p *page) error {
	return c.read(ctx, "read vectors from", func(h *handle) error {
		if after.generation != h.generation {
			*after = Cursor{generation: h.generation}
		}
		p.hashes, p.last = p.hashes[:0], true
		here, found, err := locate(ctx, h.db, space.SpaceInfo)
		if err != nil || !found {
			return err
		}
		// The plus keeps SQLite from the index on space, which would read the
		// rows in the order of their hashes: from anywhere in the file.
		rows, err := h.db.QueryContext(ctx,
			"SELECT id, hash, record FROM vector WHERE +space = ? AND id > ? ORDER BY id LIMIT ?", here.ID, after.id, chunk)
		if err != nil {
			return err
		}
		defer rows.Close()
		for n := 1; rows.Next(); n++ {
			var hash, record sql.RawBytes
			if err := rows.Scan(&after.id, &hash, &record); err != nil {
				return err
			}
			if readRecord(p.floats[len(p.hashes)*here.Dimensions:][:here.Dimensions], here.ID, hash, record) {
				p.hashes = append(p.hashes, [32]byte(hash))
			} else {
				c.noteBad(h, after.id)
			}
			p.last = n < chunk
		}
		return rows.Err()
	})
}

// noteBad remembers a row that failed its checksum, to be removed with the
// next change.
func (c *Cache) noteBad(h *handle, id int64) {
	h.mu.Lock()
	known := h.bad[id]
	h.bad[id] = true
	h.mu.Unlock()
	if !known {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.unsound++
	}
}

// Missing returns those hashes that have no vector in a space, in their order.
func (c *Cache) Missing(ctx context.Context, space Space, hashes [][32]byte) ([][32]byte, error) {
	found, err := c.Find(ctx, space, hashes)
	if err != nil {
		return nil, err
	}
	var missing [][32]byte
	for _, hash := range hashes {
		if found[hash] == nil {
			missing = append(missing, hash)
		}
	}
	return missing, nil
}

// Find returns the vectors that a space has of some texts. A vector that fails
// its checksum is left out; Notices tells how many.
func (c *Cache) Find(ctx context.Context, space Space, hashes [][32]byte) (found map[[32]byte][]float32, err error) {
	err = c.read(ctx, "look for vectors in", func(h *handle) error {
		found = make(map[[32]byte][]float32)
		here, known, err := locate(ctx, h.db, space.SpaceInfo)
		if err != nil || !known {
			return err
		}
		query, err := h.db.PrepareContext(ctx, lookUpQuery)
		if err != nil {
			return err
		}
		defer query.Close()
		for _, hash := range hashes {
			vector := make([]float32, here.Dimensions)
			id, ok, err := lookUp(ctx, query, here.ID, hash, vector)
			switch {
			case err != nil:
				return err
			case ok:
				found[hash] = vector
			case id != 0:
				c.noteBad(h, id)
			}
		}
		return nil
	})
	return found, err
}

// lookUpQuery finds a row by the index and reads all of it from the table: with
// one name SQLite would take space and hash from the index, which says nothing
// about what Vectors finds in the table.
const lookUpQuery = `SELECT t.id, ifnull(CAST(t.space AS INTEGER), 0), t.hash, t.record
	FROM vector i JOIN vector t ON t.id = i.id WHERE i.space = ? AND i.hash = ?`

// lookUp reads one vector. The id is 0 when there is none; ok is false when
// there is none, or its row is not the index's or fails its checksum.
func lookUp(ctx context.Context, query *sql.Stmt, space int64, hash [32]byte, vector []float32) (id int64, ok bool, err error) {
	var itsSpace int64
	var itsHash, record []byte
	err = query.QueryRowContext(ctx, space, hash[:]).Scan(&id, &itsSpace, &itsHash, &record)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	ok = err == nil && itsSpace == space && bytes.Equal(itsHash, hash[:]) && readRecord(vector, space, itsHash, record)
	return id, ok, err
}

// Put stores vectors of a space, all or none. One that is there already stays
// as it is. Vectors must have the space's dimensions, be finite and not zero:
// else the error is ErrDimensions or ErrNotFinite. A text's failure is
// forgotten with its vector. Other errors: ErrDiskFull, ErrReadOnly, that of a
// context that ended.
func (c *Cache) Put(ctx context.Context, space Space, entries []Entry) error {
	if err := checkEntries(space, entries); err != nil || len(entries) == 0 {
		return err
	}
	return c.write(ctx, "store vectors in", func(tx *sql.Tx) error {
		here, err := obtain(ctx, tx, space.SpaceInfo)
		if err != nil {
			return err
		}
		w, err := newWriter(ctx, tx, here)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := w.put(ctx, e); err != nil {
				return err
			}
		}
		return nil
	})
}

func checkEntries(space Space, entries []Entry) error {
	for _, e := range entries {
		if len(e.Vector) != len(space.Probe) {
			return fmt.Errorf("store the vector of text %x: %w: it has %d, its space %d", e.Hash[:4], ErrDimensions, len(e.Vector), len(space.Probe))
		}
		if _, err := norm(e.Vector); err != nil {
			return fmt.Errorf("store the vector of text %x: %w", e.Hash[:4], err)
		}
	}
	return nil
}

// removeBad removes the rows that are known to fail their checksums, and
// returns their ids for forgetBad.
func (h *handle) removeBad(ctx context.Context, tx *sql.Tx) ([]int64, error) {
	h.mu.Lock()
	ids := slices.Sorted(maps.Keys(h.bad))
	h.mu.Unlock()
	for _, id := range ids {
		if _, err := tx.ExecContext(ctx, "DELETE FROM vector WHERE id = ?", id); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// forgetBad is told of rows that have been removed.
func (h *handle) forgetBad(ids []int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range ids {
		delete(h.bad, id)
	}
}

// A writer stores vectors of one space in one transaction, which closes its
// statements.
type writer struct {
	space                           Space
	insert, find, remove, forgotten *sql.Stmt
	record                          []byte
	vector                          []float32
}

func newWriter(ctx context.Context, tx *sql.Tx, space Space) (*writer, error) {
	w := &writer{space: space, vector: make([]float32, space.Dimensions)}
	for statement, query := range map[**sql.Stmt]string{
		&w.insert:    "INSERT INTO vector (space, hash, record) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
		&w.find:      lookUpQuery,
		&w.remove:    "DELETE FROM vector WHERE id = ?",
		&w.forgotten: "DELETE FROM failure WHERE space = ? AND hash = ?",
	} {
		var err error
		if *statement, err = tx.PrepareContext(ctx, query); err != nil {
			return nil, err
		}
	}
	return w, nil
}

func (w *writer) put(ctx context.Context, e Entry) error {
	w.record = appendRecord(w.record[:0], w.space.ID, e.Hash, e.Vector)
	added, err := w.add(ctx, e.Hash)
	if err != nil {
		return err
	}
	if !added {
		id, ok, err := lookUp(ctx, w.find, w.space.ID, e.Hash, w.vector)
		if err != nil || ok {
			return err
		}
		if _, err := w.remove.ExecContext(ctx, id); err != nil {
			return err
		}
		if added, err = w.add(ctx, e.Hash); err != nil {
			return err
		}
		if !added {
			return fmt.Errorf("%w: its index names vectors that its table lacks", errDamaged)
		}
	}
	_, err = w.forgotten.ExecContext(ctx, w.space.ID, e.Hash[:])
	return err
}

// add inserts the record unless there is one.
func (w *writer) add(ctx context.Context, hash [32]byte) (bool, error) {
	result, err := w.insert.ExecContext(ctx, w.space.ID, hash[:], w.record)
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}
