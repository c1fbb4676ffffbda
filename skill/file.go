package skill

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// LoadFile reads one skill file, a SKILL.md with its folder or a flat NAME.md,
// as a Catalogue would whose root is the folder that holds it. path is
// absolute. The problems are those of the file; where it is no skill the error
// says why, and wraps ErrNotFound or ErrNotRegular where it can't be read.
func LoadFile(path string) (*Skill, []Problem, error) {
	path = filepath.Clean(path)
	real, info, err := resolve(path)
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("load %s: %w: %s", path, ErrNotFound, reason(err))
	case !info.Mode().IsRegular():
		return nil, nil, fmt.Errorf("load %s: %w; name a skill's file", path, ErrNotRegular)
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return nil, nil, fmt.Errorf("load %s: %w: %s", path, ErrNotFound, reason(err))
	}
	root := prepare([]Root{{Path: filepath.Dir(path), Label: filepath.Base(filepath.Dir(path))}})[0]
	c := candidate{path: path, real: real, info: info, folder: folderOf(real, folder)}
	if name := filepath.Base(path); !strings.EqualFold(name, skillFile) {
		c.flat, c.rel = true, escapeName(strings.TrimSuffix(name, filepath.Ext(name)))
	}
	p := readOne(root, c, nil)
	if p.skill == nil {
		return nil, p.problems, noSkill(path, p.problems)
	}
	return newShelves().assign(p.skill, root), p.problems, nil
}

// noSkill says why a file is no skill.
func noSkill(path string, problems []Problem) error {
	if len(problems) == 0 {
		return fmt.Errorf("load %s: it is no skill; a flat file needs a header with a name", path)
	}
	p := problems[len(problems)-1]
	return fmt.Errorf("load %s: %s; %s", path, p.Message, p.Remedy)
}

// ReadText is File as text: the skill's own file, header and all. Only bytes that
// are no UTF-8 are converted.
func (s *Skill) ReadText() (string, error) {
	file, err := s.File()
	if err != nil {
		return "", err
	}
	raw := file.Content
	if len(raw) >= MaxFile {
		raw = wholeText(raw)
	}
	if utf8.Valid(raw) {
		return string(raw), nil
	}
	text, _, isBinary := decodeText(raw)
	if isBinary {
		return "", fmt.Errorf("read %s: %w: it holds binary data now; restore its text", s.ID, ErrNotRegular)
	}
	return text, nil
}

// goneError keeps the system's words, which name paths, to the reason.
func (s *Skill) goneError(err error) error {
	sentinel := ErrNotFound
	if info, statErr := os.Stat(s.Path); statErr == nil && !info.Mode().IsRegular() {
		sentinel = ErrNotRegular
	}
	if os.IsPermission(err) {
		return fmt.Errorf("read %s: %w: there is no right to read its file", s.ID, sentinel)
	}
	return fmt.Errorf("read %s: %w: its file is gone, or is no file any more", s.ID, sentinel)
}
