// Package credentials answers: which secrets did the operator give? It keeps
// them in one file that only its owner can read, and tells their names and where
// they come from, never their values.
package credentials

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillsearch/skillsearch/skill"
)

// Where a credential comes from. The environment wins.
const (
	Environment = "environment"
	Stored      = "stored"
)

// maxValue is the length of the longest value, in bytes.
const maxValue = 64 << 10

// Errors of a Store.
var (
	ErrInvalid   = errors.New("invalid credential")
	ErrNotStored = errors.New("not stored")
	ErrExposed   = errors.New("the credentials are exposed")
	ErrBusy      = errors.New("the credentials are being written")
)

// A Store keeps credentials. It reads its file anew for each call, and is safe
// for concurrent use, over processes as well.
type Store struct {
	dir    string // "" when there is no place for one
	getenv func(string) string
}

// New is the store in a folder of its own, which Set makes; nothing is read yet.
// getenv reads the environment.
func New(dir string, getenv func(string) string) *Store { return &Store{dir, getenv} }

// A Credential is a variable and where its value comes from.
type Credential struct {
	Variable string `json:"variable"`
	Source   string `json:"source"`
}

// Check refuses a name that is no variable's. The error wraps ErrInvalid.
func Check(variable string) error {
	if !skill.IsVariable(variable) {
		return fmt.Errorf("%w: %q is no name of a variable; use letters, digits and _, and no digit in front", ErrInvalid, skill.Shorten(variable, 60))
	}
	return nil
}

// Set keeps a value in the place of an earlier one. The error wraps ErrInvalid
// where the value is empty, over 64 KiB, or no text that a variable can hold.
func (s *Store) Set(variable string, value Secret) error {
	if err := Check(variable); err != nil {
		return err
	}
	text := value.reveal()
	switch {
	case text == "":
		return fmt.Errorf("%w: the value of %s is empty; give one, or take the credential away with \"skillsearch auth unset %s\"", ErrInvalid, variable, variable)
	case len(text) > maxValue:
		return fmt.Errorf("%w: the value of %s has more than %d bytes", ErrInvalid, variable, maxValue)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return fmt.Errorf("%w: the value of %s is not UTF-8 text without NUL; encode it, for example as Base64", ErrInvalid, variable)
	}
	return s.change(func(values map[string]string) error {
		values[variable] = text
		return nil
	})
}

// Unset forgets a value. The error wraps ErrNotStored when there is none.
func (s *Store) Unset(variable string) error {
	if err := Check(variable); err != nil {
		return err
	}
	return s.change(func(values map[string]string) error {
		if _, ok := values[variable]; !ok {
			return s.notStored(variable)
		}
		delete(values, variable)
		return nil
	})
}

func (s *Store) notStored(variable string) error {
	if s.getenv(variable) != "" {
		return fmt.Errorf("%s: %w; it comes from the environment, so unset it there", variable, ErrNotStored)
	}
	return fmt.Errorf("%s: %w; \"skillsearch auth list\" shows what is", variable, ErrNotStored)
}

// List are the stored credentials in order of name. One that the environment
// sets as well has that for its source.
func (s *Store) List() ([]Credential, error) {
	values, err := s.read()
	if err != nil {
		return nil, err
	}
	list := make([]Credential, 0, len(values))
	for _, variable := range slices.Sorted(maps.Keys(values)) {
		source := Stored
		if s.getenv(variable) != "" {
			source = Environment
		}
		list = append(list, Credential{variable, source})
	}
	return list, nil
}

// Source tells where the value of a variable comes from, "" when it has none. An
// empty variable of the environment is none.
func (s *Store) Source(variable string) (string, error) {
	if skill.IsVariable(variable) && s.getenv(variable) != "" {
		return Environment, nil
	}
	values, err := s.read()
	if _, ok := values[variable]; !ok || err != nil {
		return "", err
	}
	return Stored, nil
}
