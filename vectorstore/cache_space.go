package vectorstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
)

// sameProbe is the cosine from which two vectors of the probe text are of one
// model: a server upgrade that changes no weights stays above 0.9999.
const sameProbe = 0.999

// A SpaceInfo says what makes vectors comparable.
type SpaceInfo struct {
	Fingerprint string    // of the model and of how it is used; never empty
	Model       string    // for people: "all-minilm"
	Engine      string    // for people: "ollama 0.17.4"
	Probe       []float32 // vector of one fixed text; says the dimensions too
}

// A Space is the vectors of one model. Vectors of two spaces never meet.
type Space struct {
	ID int64 // in order of creation; never used twice in one file
	SpaceInfo
	Dimensions int // of all its vectors: len(Probe)
}

// A SpaceUse is a space and how much is in it.
type SpaceUse struct {
	Space
	Vectors int
}

// Space finds the space of a model, or creates it, for an index pass: it is
// from then on the one that was indexed last, with these names. A model with
// the same fingerprint and a probe of at least cosine 0.999 to the stored one
// has the same space.
func (c *Cache) Space(ctx context.Context, m SpaceInfo) (Space, error) {
	if err := checkSpace(m); err != nil {
		return Space{}, err
	}
	var space Space
	err := c.write(ctx, "find the model's vectors in", func(tx *sql.Tx) error {
		var err error
		space, err = obtain(ctx, tx, m)
		return err
	})
	return space, err
}

// FindSpace finds the space of a model for a search, and creates nothing.
func (c *Cache) FindSpace(ctx context.Context, m SpaceInfo) (space Space, found bool, err error) {
	if err := checkSpace(m); err != nil {
		return Space{}, false, err
	}
	err = c.read(ctx, "find the model's vectors in", func(h *handle) error {
		space, found, err = locate(ctx, h.db, m)
		return err
	})
	return space, found, err
}

// Spaces lists what the cache holds, the space that was indexed last first.
func (c *Cache) Spaces(ctx context.Context) ([]SpaceUse, error) {
	var uses []SpaceUse
	err := c.read(ctx, "list the models in", func(h *handle) error {
		spaces, err := spaces(ctx, h.db)
		if err != nil {
			return err
		}
		uses = make([]SpaceUse, len(spaces))
		for i, s := range spaces {
			uses[i].Space = s.Space
			row := h.db.QueryRowContext(ctx, "SELECT count(*) FROM vector WHERE space = ?", s.ID)
			if err := row.Scan(&uses[i].Vectors); err != nil {
				return err
			}
		}
		return nil
	})
	return uses, err
}

func checkSpace(m SpaceInfo) error {
	if m.Fingerprint == "" {
		return errors.New("find the space of a model: it has no fingerprint")
	}
	if _, err := norm(m.Probe); err != nil {
		return fmt.Errorf("find the space of model %s: its probe: %w", m.Model, err)
	}
	return nil
}

// A querier is a database or a transaction of one.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// A usedSpace is a space and when it was used, as a number that only grows.
type usedSpace struct {
	Space
	used int64
}

// spaces reads all spaces that pass their checksums, the last used first.
func spaces(ctx context.Context, q querier) ([]usedSpace, error) {
	rows, err := q.QueryContext(ctx, `SELECT id, ifnull(CAST(fingerprint AS TEXT), ''), ifnull(CAST(model AS TEXT), ''), ifnull(CAST(engine AS TEXT), ''),
		CAST(probe AS BLOB), ifnull(CAST(checksum AS INTEGER), 0), ifnull(CAST(used AS INTEGER), 0) FROM space`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []usedSpace
	for rows.Next() {
		var s usedSpace
		var probe []byte
		var checksum int64
		if err := rows.Scan(&s.ID, &s.Fingerprint, &s.Model, &s.Engine, &probe, &checksum, &s.used); err != nil {
			return nil, err
		}
		s.Dimensions = len(probe) / 4
		s.Probe = make([]float32, s.Dimensions)
		readFloats(s.Probe, probe)
		if int64(s.checksum()) == checksum {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b usedSpace) int { return cmp.Or(cmp.Compare(b.used, a.used), cmp.Compare(b.ID, a.ID)) })
	return all, rows.Err()
}

// locate finds the space of a model in this file. A space that was made in a
// file that is gone is so found again by what it is of, not by its id. Of
// several the one with the nearest probe counts.
func locate(ctx context.Context, q querier, wanted SpaceInfo) (Space, bool, error) {
	all, err := spaces(ctx, q)
	if err != nil {
		return Space{}, false, err
	}
	var found Space
	best := -1.0
	for _, s := range all {
		if s.Fingerprint != wanted.Fingerprint || s.Dimensions != len(wanted.Probe) {
			continue
		}
		if alike := cosine(s.Probe, wanted.Probe); alike > best {
			found, best = s.Space, alike
		}
	}
	return found, best >= sameProbe, nil
}

// obtain locates a space or creates it, and makes it the last used one.
func obtain(ctx context.Context, tx *sql.Tx, wanted SpaceInfo) (Space, error) {
	space, found, err := locate(ctx, tx, wanted)
	if err != nil {
		return Space{}, err
	}
	if !found {
		space = Space{SpaceInfo: wanted, Dimensions: len(wanted.Probe)}
		space.Probe = slices.Clone(wanted.Probe)
		result, err := tx.ExecContext(ctx,
			"INSERT INTO space (fingerprint, model, engine, probe, checksum, used) VALUES (?, ?, ?, ?, 0, 0)",
			space.Fingerprint, space.Model, space.Engine, appendFloats(nil, space.Probe))
		if err != nil {
			return Space{}, err
		}
		if space.ID, err = result.LastInsertId(); err != nil {
			return Space{}, err
		}
	}
	space.Model, space.Engine = wanted.Model, wanted.Engine
	_, err = tx.ExecContext(ctx, `UPDATE space SET model = ?, engine = ?, checksum = ?,
		used = (SELECT max(used) FROM space) + (used < (SELECT max(used) FROM space) OR used = 0) WHERE id = ?`,
		space.Model, space.Engine, space.checksum(), space.ID)
	return space, err
}

// cosine of two vectors of one length, of which neither is zero.
func cosine(a, b []float32) float64 {
	lengthA, errA := norm(a)
	lengthB, errB := norm(b)
	if errA != nil || errB != nil {
		return -1
	}
	var dot float64
	for i, x := range a {
		dot += float64(x) * float64(b[i])
	}
	return dot / (lengthA * lengthB)
}
