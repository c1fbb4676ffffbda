// Package vectorstore answers: which passages are nearest? It holds passages
// with their vectors in a chromem collection over one contiguous slab that is
// scanned with SIMD, and keeps vectors durably in one SQLite file.
package vectorstore

import "errors"

// A Passage is one vector and what it stands for.
type Passage struct {
	Skill  string    // key of one revision of one skill; its passages are scored together
	Index  int       // 0 is the head, 1… the body
	Text   string    // document text kept beside the vector
	Vector []float32 // unit vector; copied, the caller keeps its slice
}

// A Match is one passage near a query.
type Match struct {
	Skill  string
	Index  int
	Cosine float32 // dot product of the unit vectors
}

// A Score is what the vectors say about one skill.
type Score struct {
	Skill    string
	Head     float32 // cosine of passage 0; 0 when HasHead is false
	HasHead  bool
	Body     float32 // highest cosine of a body passage; 0 when Passage is 0
	Passage  int     // index of that passage; 0 when the skill has no body vector. Ties: the lower index
	Passages int     // how many body passages have a vector
}

// Errors that callers branch on.
var (
	// ErrDimensions: a vector has another length than those already stored.
	ErrDimensions = errors.New("vector has the wrong number of dimensions")
	// ErrNotFinite: a vector holds NaN or an infinity, or is zero.
	ErrNotFinite = errors.New("vector is not finite or is zero")
	// ErrTooNew: the cache file was written by a newer version.
	ErrTooNew = errors.New("index was written by a newer version of skillsearch")
)
