package skill

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	ignore "github.com/sabhiram/go-gitignore"
)

const (
	skillFile  = "SKILL.md"
	ignoreFile = ".skillsearchignore"
	maxLevels  = 64 // folders below a root; deeper ones are reported
)

// skipFolder reports folders that hold no skills of their own: version
// control, dependencies, virtual environments and caches.
func skipFolder(name string) bool {
	switch name {
	case ".git", ".hg", ".svn", ".jj", ".bzr", "CVS", "_darcs",
		"node_modules", "bower_components", "site-packages",
		"venv", ".venv", "virtualenv", ".tox", ".nox",
		"__pycache__", ".cache", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".gradle", ".terraform":
		return true
	}
	return false
}

// A candidate is a file that may hold a skill.
type candidate struct {
	path string // below the root, links not resolved
	rel  string // id below the root's label: the folder, or the file without .md
	real string // the file, links resolved
	flat bool
	info fs.FileInfo
	// folder is that of a folder skill, links resolved. Where SKILL.md is a link
	// to another skill's it is that one's; a link to any other file brings nothing
	// with it that lies beside its target.
	folder string
}

// dir is the real folder whose files belong to the skill; "" for a flat file.
func (c candidate) dir() string {
	if c.flat {
		return ""
	}
	return c.folder
}

// folderOf is the folder of the skill whose file, links resolved, is real, where
// the file stands in a folder, links resolved.
func folderOf(real, folder string) string {
	if strings.EqualFold(filepath.Base(real), skillFile) {
		return filepath.Dir(real)
	}
	return folder
}

// A walker finds what lies below one root.
type walker struct {
	root       Root
	real       string // the root's path, links resolved
	ignored    *ignore.GitIgnore
	candidates []candidate
	books      []string // folders with a skillbook.yaml
	links      []folder // behind links, looked at when all real ones are known
	visited    map[string]bool
	places     []Place // whose change is one of the walk
	problems   []Problem
}

// A folder is a place of the walk.
type folder struct {
	path  string // below the root, links not resolved
	real  string // the same place, links resolved
	rel   string // below the root, as in ids
	level int    // how many folders below the root
}

// child is a folder inside f that is no link.
func (f folder) child(name string) folder {
	return folder{path: filepath.Join(f.path, name), real: filepath.Join(f.real, name), rel: joinID(f.rel, name), level: f.level + 1}
}

// walk finds what may be a skill below a root, in order of id. A missing root
// is empty; for one that a person named this is a problem. When ctx ends, what
// was found so far is the answer.
func walk(ctx context.Context, root Root) *walker {
	w := &walker{root: root, visited: make(map[string]bool), places: placesAbove(root.Path)}
	real, info, err := resolve(root.Path)
	switch {
	case err != nil:
		w.rootProblem(err)
		return w
	case !info.IsDir():
		w.report(NotRegularFile, root.Path, "the root is a file, not a folder", "name the folder that holds it")
		return w
	}
	w.real = real
	w.readIgnore(filepath.Join(root.Path, ignoreFile))
	w.folder(ctx, folder{path: root.Path, real: real})
	w.followLinks(ctx)
	distinct(w.candidates)
	slices.SortFunc(w.candidates, func(a, b candidate) int {
		return cmp.Or(strings.Compare(a.rel, b.rel), strings.Compare(a.path, b.path))
	})
	return w
}

// resolve is what a path leads to, and where that lies, links resolved.
func resolve(path string) (real string, info fs.FileInfo, err error) {
	if info, err = os.Stat(path); err != nil {
		return "", nil, err
	}
	real, err = filepath.EvalSymlinks(path)
	return real, info, err
}

func (w *walker) report(kind Kind, path, message, remedy string) {
	w.problems = append(w.problems, Problem{Kind: kind, Path: path, Message: message, Remedy: remedy})
}

func (w *walker) unreadable(what, path string, err error) {
	w.report(Unreadable, path, what+" can't be read: "+reason(err), "give yourself the right to read it")
}

func (w *walker) irregular(path string) {
	w.report(NotRegularFile, path, "this is no regular file", "replace it with a file")
}

func (w *walker) rootProblem(err error) {
	named := w.root.Source == SourceConfig || w.root.Source == SourceFlag
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		w.unreadable("the root", w.root.Path, err)
	case named:
		w.report(Unreadable, w.root.Path, "the root does not exist", "make the folder, or correct its path")
	}
}

// readIgnore reads a .skillsearchignore, which has the form of a .gitignore.
func (w *walker) readIgnore(path string) {
	raw, err := readFile(path)
	switch {
	case err == nil:
		w.ignored = ignore.CompileIgnoreLines(strings.Split(string(raw), "\n")...)
	case !errors.Is(err, fs.ErrNotExist):
		w.unreadable("the ignore file", path, err)
	}
}

func (w *walker) ignores(path string, isDir bool) bool {
	if w.ignored == nil {
		return false
	}
	rel, err := filepath.Rel(w.root.Path, path)
	return err == nil && (w.ignored.MatchesPath(rel) || isDir && w.ignored.MatchesPath(rel+"/"))
}

// folder looks at one folder: it is a skill, or it may hold some.
func (w *walker) folder(ctx context.Context, f folder) {
	if f.level > maxLevels {
		w.report(LimitReached, f.path, fmt.Sprintf("folders deeper than %d levels are not looked at", maxLevels), "move the skills up, or name the folder as a root")
		return
	}
	w.visited[f.real] = true
	entries, ok := w.read(ctx, f)
	if !ok {
		return
	}
	if w.skillFolder(f, entries) {
		w.nested(ctx, f, entries)
		return
	}
	for _, entry := range entries {
		w.entry(ctx, f, entry)
	}
}

// read lists a folder, in order of name. ok is false for a virtual environment
// and when ctx has ended.
func (w *walker) read(ctx context.Context, f folder) (entries []fs.DirEntry, ok bool) {
	if ctx.Err() != nil {
		return nil, false
	}
	w.places = append(w.places, Place{Dir: f.real})
	entries, err := os.ReadDir(f.path)
	switch {
	case err != nil && f.level == 0:
		w.rootProblem(err)
	case err != nil:
		w.unreadable("the folder", f.path, err)
	case f.level > 0 && has(entries, "pyvenv.cfg"):
		return nil, false
	}
	if has(entries, bookFile) {
		w.books = append(w.books, f.path)
	}
	return entries, true
}

// has reports whether sorted entries hold a name.
func has(entries []fs.DirEntry, name string) bool {
	_, ok := slices.BinarySearchFunc(entries, name, func(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) })
	return ok
}

func (w *walker) entry(ctx context.Context, f folder, entry fs.DirEntry) {
	name := entry.Name()
	path := filepath.Join(f.path, name)
	switch {
	case skipFolder(name), w.ignores(path, entry.IsDir()):
	case entry.IsDir():
		w.folder(ctx, f.child(name))
	case strings.EqualFold(name, skillFile): // skillFolder has reported it
	case entry.Type()&fs.ModeSymlink != 0:
		w.link(f, name)
	case f.level == 0 && isFlatName(name):
		w.flat(f.child(name))
	}
}

func isFlatName(name string) bool {
	ext := filepath.Ext(name)
	return strings.EqualFold(ext, ".md") && name != ext && !strings.EqualFold(name, skillFile)
}

// flat adds a flat file; f is the place of the file itself.
func (w *walker) flat(f folder) {
	info, err := os.Stat(f.path)
	switch {
	case err != nil:
		w.unreadable("the file", f.path, err)
		return
	case !info.Mode().IsRegular():
		w.irregular(f.path)
		return
	case !isMarkdown(f.real):
		w.noMarkdown(f.path)
		return
	}
	w.candidates = append(w.candidates, candidate{path: f.path, rel: strings.TrimSuffix(f.rel, filepath.Ext(f.rel)), real: f.real, flat: true, info: info})
}

// skillFolder adds the folder's skill. A SKILL.md of exact spelling is
// preferred to others.
func (w *walker) skillFolder(f folder, entries []fs.DirEntry) bool {
	var files []fs.DirEntry
	for _, entry := range entries {
		if strings.EqualFold(entry.Name(), skillFile) && !w.ignores(filepath.Join(f.path, entry.Name()), false) {
			files = append(files, entry)
		}
	}
	if i := slices.IndexFunc(files, func(e fs.DirEntry) bool { return e.Name() == skillFile }); i > 0 {
		files[0], files[i] = files[i], files[0]
	}
	found := false
	for _, entry := range files {
		if found {
			w.report(NonstandardFilename, filepath.Join(f.path, entry.Name()), "the folder has two skill files; this one is not read", "remove it")
			continue
		}
		found = w.skillAt(f, entry)
	}
	return found
}

// skillAt adds a folder's skill file; it reports what can't be one.
func (w *walker) skillAt(f folder, entry fs.DirEntry) bool {
	path, real := filepath.Join(f.path, entry.Name()), filepath.Join(f.real, entry.Name())
	isLink := entry.Type()&fs.ModeSymlink != 0
	info, err := entry.Info()
	if isLink {
		real, info, err = resolve(path)
		w.places = append(w.places, target(path)...)
	}
	switch {
	case err != nil && isLink:
		w.linkProblem(path, err)
		return false
	case err != nil:
		w.unreadable("the file", path, err)
		return false
	case !info.Mode().IsRegular():
		w.irregular(path)
		return false
	case !isMarkdown(real):
		w.noMarkdown(path)
		return false
	}
	if entry.Name() != skillFile {
		w.report(NonstandardFilename, path, "the file should be called SKILL.md; some agents don't find it under this name", "rename it to SKILL.md")
	}
	w.candidates = append(w.candidates, candidate{path: path, rel: f.rel, real: real, info: info, folder: folderOf(real, f.real)})
	return true
}

// nested reports, or lists where the root says so, the skills inside a skill's
// folder. Links are not followed there.
func (w *walker) nested(ctx context.Context, f folder, entries []fs.DirEntry) {
	for _, entry := range entries {
		inner := f.child(entry.Name())
		if !entry.IsDir() || skipFolder(entry.Name()) || w.ignores(inner.path, true) || inner.level > maxLevels {
			continue
		}
		files, ok := w.read(ctx, inner)
		if !ok {
			continue
		}
		w.nestedFolder(inner, files)
		w.nested(ctx, inner, files)
	}
}

func (w *walker) nestedFolder(f folder, entries []fs.DirEntry) {
	if w.root.Nested {
		w.visited[f.real] = true
		w.skillFolder(f, entries)
		return
	}
	for _, entry := range entries {
		path := filepath.Join(f.path, entry.Name())
		if strings.EqualFold(entry.Name(), skillFile) && !entry.IsDir() && !w.ignores(path, false) {
			w.report(NestedSkill, path, "the skill lies inside another skill's folder and is not listed", "move it out, or set \"nested: true\" on the root")
		}
	}
}

// reason is an error of the file system without the path, which the problem
// names already.
func reason(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err.Error()
	}
	return err.Error()
}
