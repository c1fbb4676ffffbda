package skill

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
)

// Load walks the roots, which stand in increasing priority, and reads every
// skill into a Catalogue. A folder of plugins is looked for its roots first. A file that is the one of previous, with its size and time, is
// not read again; previous may be nil. Only a cancelled context is an error:
// whatever is wrong with a root or a file is a Problem.
func Load(ctx context.Context, roots []Root, previous *Catalogue) (*Catalogue, error) {
	roots, places := expand(roots)
	roots = prepare(roots)
	b := newBuilder(roots)
	b.places = places
	for _, root := range roots {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found := walk(ctx, root)
		files, err := readAll(ctx, root, found.candidates, previous)
		if err != nil {
			return nil, err
		}
		b.add(root, found, files)
	}
	return b.build(), nil
}

// A parsed is what one file gave: a skill or nil, and problems.
type parsed struct {
	file     candidate
	skill    *Skill
	problems []Problem
	failed   bool // it could not be read, which may change though the file doesn't
}

// readAll reads the candidates on all processors. The order of the answer is
// that of the candidates.
func readAll(ctx context.Context, root Root, candidates []candidate, previous *Catalogue) ([]parsed, error) {
	files := make([]parsed, len(candidates))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(candidates)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(candidates) && ctx.Err() == nil; i = next.Add(1) - 1 {
				files[i] = readOne(root, candidates[i], previous)
			}
		})
	}
	wg.Wait()
	return files, ctx.Err()
}

func readOne(root Root, c candidate, previous *Catalogue) parsed {
	if old, ok := previous.unchanged(root, c); ok {
		return old
	}
	raw, info, err := readKnown(c.path)
	if err != nil {
		problem := Problem{Kind: Unreadable, Path: c.path, Message: "the file can't be read: " + reason(err), Remedy: "give yourself the right to read it"}
		return parsed{file: c, problems: []Problem{problem}, failed: true}
	}
	c.info = info // the walk may have met another file, which may come back to its place
	s, problems := Parse(raw, File{Path: c.path, Name: c.name(root), Flat: c.flat})
	if s != nil {
		s.Dir, s.Root, s.Source = c.dir(), root.Label, root.Source
		s.Size, s.ModTime = c.info.Size(), c.info.ModTime()
		s.ID = root.Label
		if c.rel != "" {
			s.ID += "/" + c.rel
		}
		for i := range problems {
			problems[i].Skill = s.ID
		}
	}
	return parsed{file: c, skill: s, problems: problems}
}

// name is a skill's name when its header has none.
func (c candidate) name(root Root) string {
	if c.rel == "" {
		return escapeName(filepath.Base(root.Path))
	}
	return path.Base(c.rel)
}

// readFile reads at most MaxFile bytes of a regular file. It asks first what
// the file is, because opening a pipe would wait for a writer.
func readFile(path string) ([]byte, error) {
	raw, _, err := readKnown(path)
	return raw, err
}

// readKnown is readFile, and tells what the file was before it was read.
func readKnown(path string) ([]byte, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // path may lead to another file by now, and to a pipe
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	buf := make([]byte, min(info.Size()+1, MaxFile))
	n, err := io.ReadFull(f, buf)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return buf[:n], info, err
}
