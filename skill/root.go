package skill

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Where a root comes from.
const (
	SourceBundled = "bundled"
	SourcePlugin  = "plugin"
	SourceUser    = "user"
	SourceProject = "project"
	SourceConfig  = "config"
	SourceFlag    = "flag"
)

// A Root is a folder of skills. Roots are given in increasing priority.
type Root struct {
	Path      string // absolute
	Label     string // first part of its skills' ids; unique among the roots
	Source    string // one of the Source constants
	SkillBook string // book of the skills that name none; Label when empty
	Nested    bool   // list a SKILL.md inside another skill's folder as well
	Plugins   bool   // not a root itself: each "skills" folder below it is one, when the roots are loaded
}

// ErrHomeNotSet: a path begins with ~ or $HOME and no home folder is known.
var ErrHomeNotSet = errors.New("the home folder is not set")

// agentFolders are the folders in which agents keep skills, in increasing
// priority, with what differs for the user or the project.
var agentFolders = []struct{ label, user, project string }{
	{"claude", ".claude", ".claude"},
	{"codex", ".codex", ".codex"},
	{"gemini", ".gemini", ".gemini"},
	{"opencode", "", ".opencode"}, // the user's lies in the XDG configuration folder
	{"cursor", ".cursor", ".cursor"},
	{"copilot", ".copilot", ".github"},
	{"planck", ".planck", ".planck"},
	{"agents", ".agents", ".agents"},
	{"batbox", ".batbox", ".batbox"},
}

// DefaultRoots are the roots below a home folder and a project, in increasing
// priority, whether they exist or not. home, config (the XDG configuration
// folder) and project may be empty: what lies below them is left out. A label
// stands for the project's folder; the user's has the prefix "user-".
func DefaultRoots(home, config, project string) []Root {
	var roots []Root
	if home != "" {
		roots = append(roots, Root{Path: filepath.Join(home, ".claude", "plugins"), Label: SourcePlugin, Source: SourcePlugin, SkillBook: "plugins", Plugins: true})
	}
	for _, a := range agentFolders {
		user := ""
		switch {
		case a.user == "" && config != "":
			user = filepath.Join(config, a.label)
		case a.user != "" && home != "":
			user = filepath.Join(home, a.user)
		}
		if user != "" {
			roots = append(roots, Root{Path: filepath.Join(user, "skills"), Label: "user-" + a.label, Source: SourceUser, SkillBook: a.label})
		}
		if project != "" && project != home {
			roots = append(roots, Root{Path: filepath.Join(project, a.project, "skills"), Label: a.label, Source: SourceProject})
		}
	}
	return roots
}

// expand puts the skills folders of plugins in the place of the folder that the
// plugins lie in, and tells where a new one would come.
func expand(roots []Root) (expanded []Root, places []Place) {
	for _, root := range roots {
		if !root.Plugins {
			expanded = append(expanded, root)
			continue
		}
		found, looked := pluginRoots(root)
		expanded, places = append(expanded, found...), append(places, looked...)
	}
	return expanded, places
}

// maxPluginDepth is how deep below the plugins folder a skills folder is
// looked for: marketplaces/NAME/plugins/NAME/skills and cache/…/VERSION/skills.
const maxPluginDepth = 6

func pluginRoots(plugins Root) (roots []Root, places []Place) {
	places = placesAbove(plugins.Path)
	_ = filepath.WalkDir(plugins.Path, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil // an unreadable plugin folder is none
		}
		rel, _ := filepath.Rel(plugins.Path, path)
		if d.Name() == "skills" {
			label := plugins.Label + "-" + strings.ReplaceAll(filepath.ToSlash(filepath.Dir(rel)), "/", "-")
			roots = append(roots, Root{Path: path, Label: label, Source: plugins.Source, SkillBook: plugins.SkillBook})
			return filepath.SkipDir
		}
		if skipFolder(d.Name()) || strings.Count(rel, string(filepath.Separator)) >= maxPluginDepth {
			return filepath.SkipDir
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			places = append(places, Place{Dir: real})
		}
		return nil
	})
	return roots, places
}

// ProjectFolder is the nearest folder from dir upwards that holds .git or a
// folder of an agent with skills; "" when there is none. The home folder is
// no project.
func ProjectFolder(dir, home string) string {
	for {
		if dir != home && isProject(dir) {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

func isProject(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
		return true
	}
	for _, a := range agentFolders {
		if info, err := os.Stat(filepath.Join(dir, a.project, "skills")); err == nil && info.IsDir() {
			return true
		}
	}
	return false
}

// ExpandPath makes a path absolute: a leading ~, $HOME or ${HOME} is the home
// folder, a relative path begins at base. It fails with ErrHomeNotSet when home
// is needed and empty, and for the home of another user.
func ExpandPath(path, home, base string) (string, error) {
	for _, prefix := range []string{"~", "$HOME", "${HOME}"} {
		rest, ok := strings.CutPrefix(path, prefix)
		if !ok || rest != "" && rest[0] != '/' && rest[0] != filepath.Separator {
			continue
		}
		if home == "" {
			return "", fmt.Errorf("expand %s: %w; set HOME or write the whole path", path, ErrHomeNotSet)
		}
		return filepath.Join(home, rest), nil
	}
	if strings.HasPrefix(path, "~") {
		return "", fmt.Errorf("expand %s: the home of another user is not looked up; write the whole path", path)
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	return filepath.Join(base, path), nil
}

// NamedRoots are roots that a person named, in increasing priority. A label is
// the folder's name; the second of one name gets "-2".
func NamedRoots(source string, paths ...string) []Root {
	roots := make([]Root, 0, len(paths))
	for _, path := range paths {
		roots = append(roots, Root{Path: path, Label: filepath.Base(path), Source: source})
	}
	return roots
}
