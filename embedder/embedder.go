// Package embedder answers: which vector does a text have? Ollama is one way
// to ask, a model inside the binary another.
package embedder

import "errors"

// A Role says on which side of a search a text stands; models may want a
// different prefix for each.
type Role int

// The roles of a text.
const (
	Document Role = iota
	Query
)

// A Model describes the embedding model that is in use, as found at its server.
type Model struct {
	Name        string // as the user names it, without ":latest": "all-minilm"
	Engine      string // who computes: "ollama 0.17.4" or "built-in"
	Digest      string // hex digest of the weights and parameters
	Dimensions  int
	Context     int // tokens of one text that the model sees
	PassageSize int // characters to cut body passages to: 600 below 512 tokens, 1200 from there

	// Fingerprint is the hex SHA-256 of all that makes two vectors comparable
	// except Probe: digest, dimensions, prefix scheme, normaliser version and
	// passage version.
	Fingerprint string
	// Probe is the vector of one fixed text. The same fingerprint with a Probe
	// below cosine 0.999 of the stored one is another model (a server upgrade).
	Probe []float32
}

// An Embedding is the answer for one text: a unit vector, or the reason why
// there is none.
type Embedding struct {
	Vector []float32
	Parts  int   // into how many pieces an over-long text was halved; 1 when it was accepted whole
	Err    error // the text can't be embedded; the batch goes on. Vector is nil.
}

// Errors that callers branch on. What is wrapped around them names the remedy.
var (
	// ErrUnavailable: no server answers, or not in time.
	ErrUnavailable = errors.New("embedding server unavailable")
	// ErrModelMissing: the server has no such model; the text names the ollama pull that mends it.
	ErrModelMissing = errors.New("embedding model missing")
	// ErrNotEmbedding: the model generates text and its vectors are useless.
	ErrNotEmbedding = errors.New("not an embedding model")
	// ErrModelChanged: the server was replaced by one that gives other vectors
	// than those of the Model that was reported; asking for the Model again accepts it.
	ErrModelChanged = errors.New("embedding model changed")
	// ErrBlank: a text has nothing in it that a model could read.
	ErrBlank = errors.New("text is blank")
	// ErrInvalidHost: OLLAMA_HOST or --ollama-host can't be used.
	ErrInvalidHost = errors.New("invalid Ollama host")
)
