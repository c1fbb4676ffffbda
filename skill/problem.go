package skill

// A Kind names one sort of Problem; the words are part of the interface.
type Kind string

// The kinds of problems.
const (
	YAMLRepaired             Kind = "yaml-repaired"
	YAMLInvalidFallback      Kind = "yaml-invalid-fallback"
	YAMLCommentInDescription Kind = "yaml-comment-in-description"
	FrontmatterMissing       Kind = "frontmatter-missing"
	FrontmatterUnterminated  Kind = "frontmatter-unterminated"
	FrontmatterNotFirst      Kind = "frontmatter-not-first"
	NameMissing              Kind = "name-missing"
	NameInvalid              Kind = "name-invalid"
	DescriptionMissing       Kind = "description-missing"
	DescriptionTooLong       Kind = "description-too-long"
	DuplicateKey             Kind = "duplicate-key"
	DuplicateName            Kind = "duplicate-name"
	NestedSkill              Kind = "nested-skill"
	NonstandardFilename      Kind = "nonstandard-filename"
	SymlinkBroken            Kind = "symlink-broken"
	SymlinkCycle             Kind = "symlink-cycle"
	SymlinkOutsideRoot       Kind = "symlink-outside-root"
	LimitReached             Kind = "limit-reached"
	Unreadable               Kind = "unreadable"
	NotRegularFile           Kind = "not-regular-file"
	EmptyFile                Kind = "empty-file"
	Binary                   Kind = "binary"
	InvalidUTF8              Kind = "invalid-utf8"
	InvisibleCharacters      Kind = "invisible-characters"
	EmbeddingFailed          Kind = "embedding-failed"
	BodyEmpty                Kind = "body-empty"
	Confusable               Kind = "confusable"
	EqualBody                Kind = "equal-body"
	ValueInvalid             Kind = "value-invalid"
)

// A Problem is one thing that was skipped, repaired or found odd.
type Problem struct {
	Kind    Kind   `json:"kind"`
	Path    string `json:"path"`    // absolute path of the file or folder
	Line    int    `json:"line"`    // 1-based; 0 when no line is to blame
	Skill   string `json:"skill"`   // the skill's id; "" when none came of the file
	Message string `json:"message"` // what was found
	Remedy  string `json:"remedy"`  // what mends it
}
