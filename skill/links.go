package skill

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// link looks at a symbolic link: to a flat file at the root's top, to a
// folder (kept for later), or to nowhere.
func (w *walker) link(f folder, name string) {
	l := f.child(name)
	real, info, err := resolve(l.path)
	w.places = append(w.places, target(l.path)...)
	switch {
	case err != nil:
		w.linkProblem(l.path, err)
	case info.IsDir() && (real == f.real || isBelow(f.real, real)):
		w.report(SymlinkCycle, l.path, "the link leads to a folder above it", "remove the link")
	case info.IsDir():
		l.real = real
		w.links = append(w.links, l)
	case f.level == 0 && isFlatName(name):
		l.real = real
		w.flat(l)
	}
}

func (w *walker) linkProblem(path string, err error) {
	switch {
	case errors.Is(err, fs.ErrPermission):
		w.unreadable("what the link leads to", path, err)
	case errors.Is(err, syscall.ELOOP):
		w.report(SymlinkCycle, path, "the link leads in a circle", "remove the link")
	default:
		w.report(SymlinkBroken, path, "the link leads nowhere: "+reason(err), "remove the link or restore its target")
	}
}

// isMarkdown reports whether a file that a skill's link leads to may be one: a
// skill is not the way to read a key or a configuration file of the machine.
func isMarkdown(real string) bool { return strings.EqualFold(filepath.Ext(real), ".md") }

func (w *walker) noMarkdown(path string) {
	w.report(SymlinkOutsideRoot, path, "the link leads to a file that is no markdown; it is not followed", "link to a file whose name ends in .md, or put the file itself there")
}

// followLinks enters the folders behind links: one inside the root that was
// not seen, or a skill's folder outside.
func (w *walker) followLinks(ctx context.Context) {
	for i := 0; i < len(w.links); i++ { // grows while it is walked
		switch l := w.links[i]; {
		case w.visited[l.real]:
		case isBelow(l.real, w.real):
			w.folder(ctx, l)
		default:
			w.outside(ctx, l)
		}
	}
}

// outside looks at a folder outside the root to which a link leads. It is never
// entered in search of skills.
func (w *walker) outside(ctx context.Context, f folder) {
	w.visited[f.real] = true
	entries, ok := w.read(ctx, f)
	if !ok {
		return
	}
	isSkillFile := func(e fs.DirEntry) bool { return strings.EqualFold(e.Name(), skillFile) }
	switch {
	case w.skillFolder(f, entries):
		w.nested(ctx, f, entries)
	case !slices.ContainsFunc(entries, isSkillFile): // else that file is reported
		w.report(SymlinkOutsideRoot, f.path, "the link leads out of the root to a folder that is no skill; it is not followed",
			"name "+f.real+" as a root")
	}
}

// isBelow reports whether path lies below dir; both are real paths.
func isBelow(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != "." && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
