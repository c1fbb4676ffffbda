// Package skill answers: what is a skill, and which are there? It parses skill
// files leniently, walks the roots into one immutable Catalogue, keeps a
// Problem for everything it skipped or repaired, cuts passages, and reads the
// files that lie beside a skill.
package skill

import (
	"crypto/sha256"
	"time"
)

// Where a name or a description was taken from.
const (
	FromHeader    = "header"    // the front matter
	FromDirectory = "directory" // the folder's name, for a name
	FromBody      = "body"      // the first paragraph, for a description
)

// A Skill is one skill as its file states it. It is immutable once its
// Catalogue has been built, and safe for concurrent use.
type Skill struct {
	// ID is the root's label and the path below the root, without SKILL.md or
	// .md: "claude/pdf". It is unique in a Catalogue.
	ID string

	Name              string // never empty
	NameSource        string // FromHeader or FromDirectory
	Title             string // front matter title, else the first "# " heading, else Name
	Description       string // whole text; may be empty
	DescriptionSource string // FromHeader, FromBody, or "" when there is none
	Code              string // Telos code; Name when the header has none
	SkillBook         string // the book's code
	Category          string
	Difficulty        string
	Tags              []string

	Active       bool // false when soft-deleted, or in an inactive book
	OperatorOnly bool // disable-model-invocation: no tool of a model loads it

	Tools        []string // tools that a load may promote
	AllowedTools []string
	Model        string
	Requires     Requires

	License       string
	Compatibility string
	Version       string
	AlwaysPresent bool
	Creator       string
	PlanckVersion string
	// Metadata holds every other key of the header as decoded data: string,
	// []any or map[string]any. Nil when there is none.
	Metadata map[string]any

	Body     string // markdown below the header, line ends normalised to "\n"
	BodyLine int    // 1-based line of the file on which Body begins

	Path    string // absolute path of the file, as found below its root
	Dir     string // absolute real folder whose files belong to the skill; "" for a flat file
	Root    string // the root's label
	Source  string // the root's source: bundled, plugin, user, project, config or flag
	Size    int64  // bytes of the file
	ModTime time.Time
	Hash    [sha256.Size]byte // of the file's bytes as read
}

// Requires is what a skill declares that it needs of the machine.
type Requires struct {
	Binaries    []string
	Credentials []string // names of environment variables
	Elevated    bool
}
