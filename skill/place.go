package skill

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Place is where a change may change the catalogue: a folder, or one name in
// a folder.
type Place struct {
	Dir  string // absolute, links resolved
	Name string // "" is everything in the folder
}

// Reads reports whether the walk reads files of this name. Of others it matters
// only that they come, go and change their kind or rights.
func Reads(name string) bool {
	return strings.EqualFold(filepath.Ext(name), ".md") || name == bookFile || name == ignoreFile
}

// placesAbove are the places where path, or a folder that leads to it, comes and goes.
// A folder that does not exist yet comes in one that does.
func placesAbove(path string) []Place {
	var places []Place
	for parent := filepath.Dir(path); parent != path; path, parent = parent, filepath.Dir(parent) {
		if real, err := filepath.EvalSymlinks(parent); err == nil {
			places = append(places, Place{Dir: real, Name: filepath.Base(path)})
		}
	}
	return places
}

// target are the places of what a link leads to.
func target(link string) []Place {
	to, err := os.Readlink(link)
	if err != nil {
		return nil
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(link), to)
	}
	return placesAbove(filepath.Clean(to))
}

// sortPlaces orders places and drops those that another one covers.
func sortPlaces(places []Place) []Place {
	slices.SortFunc(places, func(a, b Place) int {
		return cmp.Or(strings.Compare(a.Dir, b.Dir), strings.Compare(a.Name, b.Name))
	})
	whole := "" // the folder that counts as a whole, whose place stands first
	return slices.DeleteFunc(slices.Compact(places), func(p Place) bool {
		if p.Name == "" {
			whole = p.Dir
		}
		return p.Name != "" && p.Dir == whole
	})
}
