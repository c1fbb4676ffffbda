package vectorstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math/bits"
)

// formatVersion is what PRAGMA user_version holds. Raise it with every change
// of the schema or of what a column means, and teach copyFrom the old form.
const formatVersion = 2

// maxFormatVersion is the highest number that is taken for a version of ours.
const maxFormatVersion = 9999

// magic is what PRAGMA application_id holds, less the version, which is its
// last byte: "skv".
const magic = 0x736B7600

// changesQuery reads how often a file was changed. Here and in the queries for
// spaces, vectors and failures the casts see to it that a damaged row gives a
// wrong value, which its checksum shows, and not an error for all rows.
const changesQuery = "SELECT ifnull(CAST(changes AS INTEGER), 0) FROM state"

// errOlder: the file has a format that this version can read vectors from, but
// does not write.
var errOlder = errors.New("index has an older format")

// schema is every table and index as SQLite states it. Ids are never used
// twice, so that a reader who has seen some can ask for what came after.
// Checksums are CRC-32C over all that a row says; see cache_record.go.
func schema() map[string]string {
	return map[string]string{
		"state": `CREATE TABLE state (
	changes INTEGER NOT NULL -- how often the file was changed; one row
) STRICT`,
		"space": `CREATE TABLE space (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	fingerprint TEXT NOT NULL,
	model TEXT NOT NULL,
	engine TEXT NOT NULL,
	probe BLOB NOT NULL, -- float32, little-endian
	checksum INTEGER NOT NULL,
	used INTEGER NOT NULL -- the highest was indexed last
) STRICT`,
		"vector": `CREATE TABLE vector (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	space INTEGER NOT NULL,
	hash BLOB NOT NULL, -- SHA-256 of the text
	record BLOB NOT NULL -- float32, little-endian, then the checksum
) STRICT`,
		"vector_key": `CREATE UNIQUE INDEX vector_key ON vector (space, hash)`,
		"failure": `CREATE TABLE failure (
	space INTEGER NOT NULL,
	hash BLOB NOT NULL,
	reason TEXT NOT NULL,
	at INTEGER NOT NULL, -- nanoseconds since 1970
	checksum INTEGER NOT NULL,
	PRIMARY KEY (space, hash)
) STRICT, WITHOUT ROWID`,
		"use": `CREATE TABLE use (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	skill TEXT NOT NULL,
	hash BLOB NOT NULL, -- SHA-256 of the skill's file
	toolset TEXT NOT NULL,
	at INTEGER NOT NULL, -- nanoseconds since 1970
	checksum INTEGER NOT NULL
) STRICT`,
	}
}

// create writes the schema to a new database of one connection. Pages are
// 16 KiB: ten vectors of 384 dimensions fill one, and reading them all takes
// half the time of pages of 4 KiB.
func create(ctx context.Context, db *sql.DB) error {
	statements := []string{"PRAGMA page_size = 16384", "PRAGMA auto_vacuum = INCREMENTAL", "PRAGMA journal_mode = WAL"}
	tables := schema()
	for _, name := range []string{"state", "space", "vector", "vector_key", "failure", "use"} {
		statements = append(statements, tables[name])
	}
	statements = append(statements,
		"INSERT INTO state (changes) VALUES (0)",
		fmt.Sprintf("PRAGMA application_id = %d", magic|formatVersion),
		fmt.Sprintf("PRAGMA user_version = %d", formatVersion))
	for _, statement := range statements {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// check compares a file with what this version writes: nil, errOlder,
// ErrTooNew, errDamaged, or an error of SQLite's.
func check(ctx context.Context, db *sql.DB) error {
	var numbers [2]int32
	for i, pragma := range []string{"PRAGMA application_id", "PRAGMA user_version"} {
		if err := db.QueryRowContext(ctx, pragma).Scan(&numbers[i]); err != nil {
			return err
		}
	}
	application, version := uint32(numbers[0]), uint32(numbers[1])
	switch {
	case newer(application, version):
		return fmt.Errorf("%w: its format is %d and this version reads up to %d; install the newer version again, or run skillsearch clear and index anew",
			ErrTooNew, version, formatVersion)
	case version != formatVersion || application != magic|formatVersion:
		return errOlder
	}
	return checkSchema(ctx, db)
}

// newer reports whether a later version of ours wrote the file. The number is
// there twice. One wrong bit in one of them is damage and no later version.
func newer(application, version uint32) bool {
	if application&^0xff != magic || version <= formatVersion || version > maxFormatVersion {
		return false
	}
	flipped := bits.OnesCount32(application^(magic|formatVersion)) + bits.OnesCount32(version^formatVersion)
	return flipped > 1
}

func checkSchema(ctx context.Context, db *sql.DB) error {
	rows, err := db.QueryContext(ctx, "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~'")
	if err != nil {
		return err
	}
	defer rows.Close()
	have := map[string]string{}
	for rows.Next() {
		var name, statement sql.NullString
		if err := rows.Scan(&name, &statement); err != nil {
			return err
		}
		have[name.String] = statement.String
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if !maps.Equal(have, schema()) {
		return fmt.Errorf("%w: its tables are not as they were made", errDamaged)
	}
	var changes int64
	return db.QueryRowContext(ctx, changesQuery).Scan(&changes)
}
