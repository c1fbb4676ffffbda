package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/skillsearch/skillsearch"
)

const (
	// minToken is the least length of a token: 22 characters of base64 hold 128
	// bits. How they were drawn can't be seen, so the remedy says how to draw them.
	minToken = 22
	// maxTokenFile bounds a token file, in bytes.
	maxTokenFile = 64 << 10
)

const tokenRemedy = "write one with: (umask 077; openssl rand -hex 32 > FILE)"

// A TokenFile holds the tokens of one library, one a line; lines that begin with
// # are comments. It is read again when the file changes, so that tokens are
// rotated without a restart: write the new one beside the old, and later take
// the old one out. A file that has become unreadable admits nobody. It is safe
// for concurrent use.
type TokenFile struct {
	path string

	mu     sync.Mutex
	seen   stamp
	hashes [][sha256.Size]byte // nil when nobody is admitted
	err    error               // why not
}

// stamp is by what a changed file is recognised.
type stamp struct {
	size     int64
	modified time.Time
	mode     fs.FileMode
}

// OpenTokenFile reads the tokens of a file, which only its owner may read. The
// error says what is wrong with it and how to mend it.
func OpenTokenFile(path string) (*TokenFile, error) {
	f := &TokenFile{path: path}
	if _, err := f.current(); err != nil {
		return nil, err
	}
	return f, nil
}

// current are the hashes of the tokens that the file has now.
func (f *TokenFile) current() ([][sha256.Size]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	info, err := os.Stat(f.path)
	if err != nil {
		f.seen = stamp{}
		f.hashes, f.err = nil, fmt.Errorf("token file: %w; %s", err, tokenRemedy)
		return nil, f.err
	}
	now := stamp{info.Size(), info.ModTime(), info.Mode()}
	if now != f.seen {
		f.seen = now
		f.hashes, f.err = readTokens(f.path, info)
	}
	return f.hashes, f.err
}

// has reports whether a token of the file has this hash. It looks at every
// token, so that the time tells nothing of them.
func (f *TokenFile) has(hash [sha256.Size]byte) (bool, error) {
	hashes, err := f.current()
	found := 0
	for _, h := range hashes {
		found |= subtle.ConstantTimeCompare(h[:], hash[:])
	}
	return found == 1, err
}

func readTokens(path string, info fs.FileInfo) ([][sha256.Size]byte, error) {
	invalid := func(what, remedy string) error {
		return fmt.Errorf("%w: token file %s %s; %s", skillsearch.ErrInvalidArgument, path, what, remedy)
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, invalid("is no regular file", tokenRemedy)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0: // Windows has no such bits
		return nil, invalid("can be read by others", "chmod 600 "+path)
	case info.Size() > maxTokenFile:
		return nil, invalid("is too large", tokenRemedy)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("token file: %w; make it readable for the server's user", err)
	}
	var hashes [][sha256.Size]byte
	for n, line := range strings.Split(string(raw), "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			continue
		case len(line) < minToken || strings.ContainsAny(line, " \t"):
			return nil, invalid(fmt.Sprintf("has no token of at least %d characters without blanks in line %d", minToken, n+1), tokenRemedy)
		}
		hashes = append(hashes, sha256.Sum256([]byte(line)))
	}
	if hashes == nil {
		return nil, invalid("has no token", tokenRemedy)
	}
	return hashes, nil
}
