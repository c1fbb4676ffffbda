package skill

import (
	"cmp"
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
	dir  string // real folder of a folder skill; "" for a flat file
	flat bool
	info fs.FileInfo
}

// A walker lists the candidates of one root.
type walker struct {
	root       Root
	real       string // the root's path, links resolved
	ignored    *ignore.GitIgnore
	candidates []candidate
	links      []link // folders behind links, looked at when all real ones are known
	visited    map[string]bool
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

type link struct{ path, rel, target string }

// walk lists what may be a skill below a root, in path order. A missing root
// is empty; for one that a person named this is a problem.
func walk(root Root) ([]candidate, []Problem) {
	w := &walker{root: root, visited: make(map[string]bool)}
	real, err := filepath.EvalSymlinks(root.Path)
	if err == nil {
		var info fs.FileInfo
		if info, err = os.Stat(real); err == nil && !info.IsDir() {
			w.report(NotRegularFile, root.Path, "the root is a file, not a folder", "name the folder that holds it")
			return nil, w.problems
		}
	}
	if err != nil {
		w.rootProblem(err)
		return nil, w.problems
	}
	w.real = real
	if compiled, err := ignore.CompileIgnoreFile(filepath.Join(root.Path, ignoreFile)); err == nil {
		w.ignored = compiled
	} else if !errors.Is(err, fs.ErrNotExist) {
		w.report(Unreadable, filepath.Join(root.Path, ignoreFile), "the ignore file can't be read: "+reason(err), "make it readable")
	}
	w.folder(folder{path: root.Path, real: real})
	w.followLinks()
	slices.SortFunc(w.candidates, func(a, b candidate) int {
		return cmp.Or(strings.Compare(a.rel, b.rel), strings.Compare(a.path, b.path))
	})
	return w.candidates, w.problems
}

func (w *walker) report(kind Kind, path, message, remedy string) {
	w.problems = append(w.problems, Problem{Kind: kind, Path: path, Message: message, Remedy: remedy})
}

func (w *walker) rootProblem(err error) {
	named := w.root.Source == SourceConfig || w.root.Source == SourceFlag
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		w.report(Unreadable, w.root.Path, "the root can't be read: "+reason(err), "give yourself the right to read it")
	case named:
		w.report(Unreadable, w.root.Path, "the root does not exist", "make the folder, or correct its path")
	}
}

// folder looks at one folder: it is a skill, or it may hold some.
func (w *walker) folder(f folder) {
	if f.level > maxLevels {
		w.report(LimitReached, f.path, fmt.Sprintf("folders deeper than %d levels are not looked at", maxLevels), "move the skills up, or name the folder as a root")
		return
	}
	entries, err := os.ReadDir(f.path)
	if err != nil {
		w.folderProblem(f.path, err)
	}
	w.visited[f.real] = true
	if w.skillFolder(f, entries) {
		w.nested(f, entries)
		return
	}
	for _, entry := range entries {
		w.entry(f, entry)
	}
}

func (w *walker) folderProblem(dir string, err error) {
	if dir == w.root.Path {
		w.rootProblem(err)
		return
	}
	w.report(Unreadable, dir, "the folder can't be read: "+reason(err), "give yourself the right to read it")
}

func (w *walker) entry(f folder, entry fs.DirEntry) {
	path, rel := filepath.Join(f.path, entry.Name()), joinID(f.rel, entry.Name())
	switch {
	case skipFolder(entry.Name()), w.ignores(rel, entry.IsDir()):
	case entry.IsDir():
		if _, err := os.Lstat(filepath.Join(path, "pyvenv.cfg")); err != nil {
			w.folder(f.child(entry.Name()))
		}
	case entry.Type()&fs.ModeSymlink != 0:
		w.link(path, rel, f.rel == "")
	case f.rel == "" && isFlatName(entry.Name()):
		w.flat(path, rel)
	}
}

func (w *walker) ignores(rel string, isDir bool) bool {
	if w.ignored == nil {
		return false
	}
	return w.ignored.MatchesPath(rel) || isDir && w.ignored.MatchesPath(rel+"/")
}

func isFlatName(name string) bool {
	return strings.EqualFold(filepath.Ext(name), ".md") && !strings.EqualFold(name, skillFile)
}

func (w *walker) flat(path, rel string) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	w.candidates = append(w.candidates, candidate{path: path, rel: strings.TrimSuffix(rel, filepath.Ext(rel)), flat: true, info: info})
}

// skillFolder adds the folder's skill. A SKILL.md of exact spelling is
// preferred to others.
func (w *walker) skillFolder(f folder, entries []fs.DirEntry) bool {
	var files []fs.DirEntry
	for _, entry := range entries {
		if strings.EqualFold(entry.Name(), skillFile) {
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
	path := filepath.Join(f.path, entry.Name())
	info, dir, err := resolve(f, entry)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.report(SymlinkBroken, path, "the link leads nowhere", "remove the link or restore its target")
		return false
	case err != nil:
		w.report(Unreadable, path, "the file can't be read: "+reason(err), "give yourself the right to read it")
		return false
	case !info.Mode().IsRegular():
		w.report(NotRegularFile, path, "this is no regular file", "replace it with a file")
		return false
	}
	if entry.Name() != skillFile {
		w.report(NonstandardFilename, path, "the file should be called SKILL.md; some agents don't find it under this name", "rename it to SKILL.md")
	}
	w.candidates = append(w.candidates, candidate{path: path, rel: f.rel, dir: dir, info: info})
	return true
}

// resolve is what a file's entry is, and the real folder it lies in.
func resolve(f folder, entry fs.DirEntry) (fs.FileInfo, string, error) {
	if entry.Type()&fs.ModeSymlink == 0 {
		info, err := entry.Info()
		return info, f.real, err
	}
	path := filepath.Join(f.path, entry.Name())
	info, err := os.Stat(path)
	if err != nil {
		return nil, "", err
	}
	real, err := filepath.EvalSymlinks(path)
	return info, filepath.Dir(real), err
}

// nested reports, or lists where the root says so, the skills inside a skill's
// folder. Links are not followed there.
func (w *walker) nested(f folder, entries []fs.DirEntry) {
	for _, entry := range entries {
		inner := f.child(entry.Name())
		if !entry.IsDir() || strings.EqualFold(entry.Name(), skillFile) || skipFolder(entry.Name()) || w.ignores(inner.rel, true) || inner.level > maxLevels {
			continue
		}
		files, err := os.ReadDir(inner.path)
		if err != nil {
			w.folderProblem(inner.path, err)
			continue
		}
		w.nestedFolder(inner, files)
		w.nested(inner, files)
	}
}

func (w *walker) nestedFolder(f folder, entries []fs.DirEntry) {
	if w.root.Nested {
		w.skillFolder(f, entries)
		return
	}
	for _, entry := range entries {
		if strings.EqualFold(entry.Name(), skillFile) && !entry.IsDir() {
			w.report(NestedSkill, filepath.Join(f.path, entry.Name()), "the skill lies inside another skill's folder and is not listed", "move it out, or set \"nested: true\" on the root")
		}
	}
}

// link looks at a symbolic link: to a flat file at the root's top, to a
// folder (kept for later), or to nowhere.
func (w *walker) link(path, rel string, top bool) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		kind, message := SymlinkBroken, "the link leads nowhere"
		if !errors.Is(err, fs.ErrNotExist) {
			kind, message = SymlinkCycle, "the link can't be followed: "+reason(err)
		}
		w.report(kind, path, message, "remove the link or restore its target")
		return
	}
	info, err := os.Stat(target)
	switch {
	case err != nil:
		w.report(Unreadable, path, "the link's target can't be read: "+reason(err), "give yourself the right to read it")
	case info.IsDir():
		w.links = append(w.links, link{path, rel, target})
	case top && isFlatName(filepath.Base(path)):
		w.flat(path, rel)
	}
}

// followLinks enters the folders behind links: one inside the root that was
// not seen, or a skill's folder outside. Nothing leads upwards.
func (w *walker) followLinks() {
	for i := 0; i < len(w.links); i++ { // grows while it is walked
		l := w.links[i]
		switch {
		case l.target == w.real || isBelow(w.real, l.target):
			w.report(SymlinkCycle, l.path, "the link leads to a folder above it", "remove the link")
		case w.visited[l.target]:
		case hasSkillFile(l.target), isBelow(l.target, w.real):
			w.folder(folder{path: l.path, real: l.target, rel: l.rel, level: strings.Count(l.rel, "/") + 1})
		default:
			w.report(SymlinkOutsideRoot, l.path, "the link leads out of the root to a folder that is no skill; it is not followed",
				"name "+l.target+" as a root")
		}
	}
}

func hasSkillFile(dir string) bool {
	entries, _ := os.ReadDir(dir)
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.EqualFold(e.Name(), skillFile) })
}

// isBelow reports whether path lies below dir; both are real paths.
func isBelow(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != "." && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// joinID joins the parts of an id, control characters percent-encoded.
func joinID(rel, name string) string {
	if strings.ContainsFunc(name, isControl) || strings.ToValidUTF8(name, "") != name {
		name = escapeControls(name)
	}
	if rel == "" {
		return name
	}
	return rel + "/" + name
}

func escapeControls(name string) string {
	var out strings.Builder
	for i, r := range name {
		if r == '\uFFFD' && !strings.HasPrefix(name[i:], "\uFFFD") || isControl(r) {
			fmt.Fprintf(&out, "%%%02X", name[i])
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}

// reason is an error of the file system without the path, which the problem
// names already.
func reason(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err.Error()
	}
	return err.Error()
}
