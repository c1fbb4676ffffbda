package credentials

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// fileName is the file's name in the store's folder.
const fileName = "credentials.json"

// maxFile bounds what is read, in bytes.
const maxFile = 4 << 20

// File is the path of the file, "" when there is no place for one.
func (s *Store) File() string {
	if s.dir == "" {
		return ""
	}
	return filepath.Join(s.dir, fileName)
}

// read is what the file holds; empty when there is none.
func (s *Store) read() (map[string]string, error) {
	values := make(map[string]string)
	if s.dir == "" {
		return values, nil
	}
	f, err := open(s.File())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return values, nil
	case err != nil:
		return nil, err
	}
	defer f.Close()
	if err := s.private(f); err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, fmt.Errorf("read the credentials: %w", err)
	}
	if err := json.Unmarshal(raw, &values); err != nil {
		// The parser's own words could hold a part of a value.
		return nil, fmt.Errorf("%s is damaged; remove it, and set the credentials again with \"skillsearch auth set\"", s.File())
	}
	return values, nil
}

// open never waits for a pipe that somebody put in the file's place.
func open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: %s is no regular file; remove it", ErrExposed, path)
	}
	return os.Open(path)
}

// private refuses a file or a folder that others than the owner may read. On
// Windows the mode tells nothing; there the access list of the user's profile,
// which the folder inherits, keeps others out.
func (s *Store) private(f *os.File) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("read the credentials: %w", err)
	}
	folder, err := os.Stat(s.dir)
	if err != nil {
		return fmt.Errorf("read the credentials: %w", err)
	}
	switch {
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%w: others can read %s (mode %04o); run: chmod 600 '%s', and change the secrets in it if others use this machine", ErrExposed, s.File(), info.Mode().Perm(), s.File())
	case folder.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%w: others can enter %s (mode %04o); run: chmod 700 '%s'", ErrExposed, s.dir, folder.Mode().Perm(), s.dir)
	}
	return nil
}

// change writes the file anew. The new file is the lock as well: who makes it
// first writes, and the rename, which is atomic, gives the lock back.
func (s *Store) change(edit func(values map[string]string) error) error {
	if s.dir == "" {
		return errors.New("there is no folder for credentials; set HOME")
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("make the folder of the credentials: %w", err)
	}
	next := s.File() + ".new"
	f, err := os.OpenFile(next, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w by another process; try again, and if none is, remove %s", ErrBusy, next)
	}
	if err != nil {
		return fmt.Errorf("write the credentials: %w", err)
	}
	if err := s.rewrite(f, edit); err != nil {
		return errors.Join(err, f.Close(), os.Remove(next))
	}
	if err := f.Close(); err != nil {
		return errors.Join(fmt.Errorf("write the credentials: %w", err), os.Remove(next))
	}
	if err := os.Rename(next, s.File()); err != nil {
		return errors.Join(fmt.Errorf("write the credentials: %w", err), os.Remove(next))
	}
	return nil
}

// rewrite puts the edited values into f, and onto the disk.
func (s *Store) rewrite(f *os.File, edit func(values map[string]string) error) error {
	values, err := s.read()
	if err == nil {
		err = edit(values)
	}
	if err != nil {
		return err
	}
	raw, err := json.Marshal(values)
	if err == nil {
		_, err = f.Write(append(raw, '\n'))
	}
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return fmt.Errorf("write the credentials: %w", err)
	}
	return nil
}
