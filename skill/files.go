package skill

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"
)

const (
	// MaxReference is the largest file beside a skill that is read, in bytes.
	MaxReference = 1 << 20
	maxPath      = 4096
	maxListed    = 10_000 // files that References looks at
)

// A Reference is the content of a file beside a skill.
type Reference struct {
	Path    string // relative to the skill's folder, with slashes
	Content []byte
	ModTime time.Time
}

// ReadFile reads a file of the skill's folder. name is relative, with slashes;
// nothing outside the folder is reached, by name or by link. The error wraps
// ErrInvalidPath, ErrOutside, ErrNotFound, ErrNotRegular or ErrTooLarge.
func (s *Skill) ReadFile(name string) (Reference, error) {
	if err := CheckPath(name); err != nil {
		return Reference{}, err
	}
	if s.Dir == "" {
		return Reference{}, fmt.Errorf("read %s: %w: %s is a single file and has none beside it", name, ErrNotFound, s.ID)
	}
	root, err := s.openDir()
	if err != nil {
		return Reference{}, fmt.Errorf("read %s: %w: the folder of %s is gone", name, ErrNotFound, s.ID)
	}
	defer root.Close()
	return readBelow(root, path.Clean(name))
}

// openDir opens the skill's folder if that is still where the Catalogue found
// it: a link that took its place, or that of a folder above, is not followed.
func (s *Skill) openDir() (*os.Root, error) {
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return nil, err
	}
	opened, err := root.Stat(".")
	if err == nil {
		var real string
		var there fs.FileInfo
		if real, there, err = resolve(s.Dir); err == nil && (real != s.Dir || !os.SameFile(opened, there)) {
			err = ErrOutside
		}
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

// File reads the skill's own file, as it was when the Catalogue was loaded: one
// that has changed since then may not be for whoever asks, or lead elsewhere. The
// error wraps ErrNotFound or ErrNotRegular.
func (s *Skill) File() (Reference, error) {
	content, err := readFile(s.Path)
	if err != nil {
		return Reference{}, s.goneError(err)
	}
	if sha256.Sum256(content) != s.Hash {
		return Reference{}, fmt.Errorf("read %s: %w: its file has just changed; ask again in a few seconds", s.ID, ErrNotFound)
	}
	return Reference{Path: skillFile, Content: content, ModTime: s.ModTime}, nil
}

// CheckPath refuses, each with its own reason, the names that ReadFile reads
// nothing by: it looks at the name alone. The error wraps ErrInvalidPath or
// ErrOutside.
func CheckPath(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("%w: it is empty; name a file relative to the skill's folder", ErrInvalidPath)
	case len(name) > maxPath:
		return fmt.Errorf("%w: it has more than %d bytes", ErrInvalidPath, maxPath)
	case strings.Contains(name, "\x00"):
		return fmt.Errorf("%w: %q holds a NUL; leave it out", ErrInvalidPath, Shorten(name, 100))
	case strings.Contains(name, `\`):
		return fmt.Errorf("%w: %q holds a backslash; use slashes", ErrInvalidPath, Shorten(name, 100))
	case !utf8.ValidString(name):
		return fmt.Errorf("%w: it is not UTF-8", ErrInvalidPath)
	case strings.HasPrefix(name, "/"):
		return fmt.Errorf("%w: %q is absolute; name a file relative to the skill's folder", ErrOutside, Shorten(name, 100))
	case slices.Contains(strings.Split(name, "/"), ".."):
		return fmt.Errorf("%w: %q holds \"..\"", ErrOutside, Shorten(name, 100))
	}
	return nil
}

func readBelow(root *os.Root, name string) (Reference, error) {
	info, err := root.Stat(name)
	if err != nil {
		return Reference{}, fileError(name, err)
	}
	switch {
	case !info.Mode().IsRegular():
		return Reference{}, fmt.Errorf("read %s: %w", name, ErrNotRegular)
	case info.Size() > MaxReference:
		return Reference{}, fmt.Errorf("read %s: %w: it has %d bytes, at most %d are read", name, ErrTooLarge, info.Size(), MaxReference)
	}
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe that took its place by now must not be waited for
	if err != nil {
		return Reference{}, fileError(name, err)
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil || !info.Mode().IsRegular() {
		return Reference{}, fmt.Errorf("read %s: %w", name, ErrNotRegular)
	}
	content, err := io.ReadAll(io.LimitReader(f, MaxReference+1))
	if err != nil {
		return Reference{}, fileError(name, err)
	}
	if len(content) > MaxReference {
		return Reference{}, fmt.Errorf("read %s: %w: it has more than %d bytes", name, ErrTooLarge, MaxReference)
	}
	return Reference{Path: name, Content: content, ModTime: info.ModTime()}, nil
}

// fileError keeps the words of the system's error from leaking a path outside
// the skill.
func fileError(name string, err error) error {
	name = Shorten(name, 200)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("read %s: %w", name, ErrNotFound)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("read %s: %w: there is no right to read it", name, ErrNotFound)
	case strings.Contains(err.Error(), "escapes"):
		return fmt.Errorf("read %s: %w: it is a link, or lies behind one", name, ErrOutside)
	}
	return fmt.Errorf("read %s: %w: %s", name, ErrNotFound, reason(err))
}

// References are the regular files below a folder of the skill ("" is all of
// them but the skill file), relative to the skill's folder, sorted. Links to
// files count where ReadFile follows them; of more than 10,000 entries the rest
// is left out.
func (s *Skill) References(below string) []string {
	if s.Dir == "" {
		return nil
	}
	root, err := s.openDir()
	if err != nil {
		return nil
	}
	defer root.Close()
	start := path.Clean(strings.TrimSuffix(below, "/"))
	var names []string
	seen := 0
	_ = fs.WalkDir(root.FS(), start, func(name string, d fs.DirEntry, err error) error {
		switch seen++; {
		case seen > maxListed:
			return fs.SkipAll
		case err != nil: // a folder that can't be read holds nothing
		case d.IsDir() && skipFolder(d.Name()):
			return fs.SkipDir
		case !strings.EqualFold(name, skillFile) && isFile(root, name, d):
			names = append(names, name)
		}
		return nil
	})
	slices.Sort(names)
	return names
}

// isFile reports a regular file, or a link to one within root.
func isFile(root *os.Root, name string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return d.Type().IsRegular()
	}
	info, err := root.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
