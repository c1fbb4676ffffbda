package skill

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
)

// Load walks the roots, which stand in increasing priority, and reads every
// skill into a Catalogue. A file whose size and time are those of previous is
// not read again; previous may be nil. Only a cancelled context is an error:
// whatever is wrong with a root or a file is a Problem.
func Load(ctx context.Context, roots []Root, previous *Catalogue) (*Catalogue, error) {
	roots = uniqueLabels(roots)
	b := newBuilder(roots)
	for _, root := range roots {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		candidates, problems := walk(root)
		b.problems = append(b.problems, problems...)
		files, err := readAll(ctx, root, candidates, previous)
		if err != nil {
			return nil, err
		}
		b.add(root, files)
	}
	return b.build(), nil
}

// A parsed is what one file gave: a skill or nil, and problems.
type parsed struct {
	file     candidate
	skill    *Skill
	problems []Problem
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
	if old, ok := previous.unchanged(c); ok {
		return old
	}
	raw, err := readFile(c.path)
	if err != nil {
		return parsed{file: c, problems: []Problem{{Kind: Unreadable, Path: c.path, Message: "the file can't be read: " + reason(err), Remedy: "give yourself the right to read it"}}}
	}
	name := filepath.Base(c.rel)
	if c.rel == "" {
		name = filepath.Base(root.Path)
	}
	s, problems := Parse(raw, File{Path: c.path, Name: name, Flat: c.flat})
	if s != nil {
		s.Dir, s.Root, s.Source = c.dir, root.Label, root.Source
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

// readFile reads at most MaxFile bytes of a regular file.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("open %s: %w", path, ErrNotRegular)
	}
	buf := make([]byte, min(info.Size()+1, MaxFile))
	n, err := io.ReadFull(f, buf)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return buf[:n], err
}
