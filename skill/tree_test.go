package skill_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/skillsearch/skillsearch/skill"
)

// write makes a file and the folders above it.
func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// link makes a symbolic link and the folders above it.
func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.FromSlash(target), path); err != nil {
		t.Fatal(err)
	}
}

// folder is a new folder with the given files, links resolved, so that real
// paths can be compared.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		write(t, filepath.Join(dir, name), content)
	}
	return dir
}

// text is a plain skill file.
func text(name, description string) string {
	return "---\nname: " + name + "\ndescription: " + description + "\n---\nDo it.\n"
}

// root is a folder as a root that a person named, labelled with its name.
func root(path string) skill.Root {
	return skill.Root{Path: path, Label: filepath.Base(path), Source: skill.SourceFlag}
}

func load(t *testing.T, previous *skill.Catalogue, roots ...skill.Root) *skill.Catalogue {
	t.Helper()
	c, err := skill.Load(t.Context(), roots, previous)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// loadFiles loads the files of one root, labelled "root".
func loadFiles(t *testing.T, files map[string]string) (c *skill.Catalogue, dir string) {
	t.Helper()
	dir = filepath.Join(folder(t, nil), "root")
	for name, content := range files {
		write(t, filepath.Join(dir, name), content)
	}
	return load(t, nil, root(dir)), dir
}

// ids are the ids of skills, in their order.
func ids(skills []*skill.Skill) []string {
	out := []string{}
	for _, s := range skills {
		out = append(out, s.ID)
	}
	return out
}

// places are problems as kind:path:line, paths below dir.
func places(problems []skill.Problem, dir string) []string {
	out := []string{}
	for _, p := range problems {
		path := filepath.ToSlash(strings.TrimPrefix(p.Path, dir+string(filepath.Separator)))
		if q := strconv.Quote(path); q != `"`+path+`"` {
			path = q
		}
		place := string(p.Kind) + ":" + path
		if p.Line > 0 {
			place += ":" + strconv.Itoa(p.Line)
		}
		out = append(out, place)
	}
	return out
}

// unpack makes the files of an archive below dir. A file's name may say more:
// "a -> b" is a link to b, "a (fifo)" a pipe, and the lines of "a (quoted)" are
// Go strings that are joined. A name with odd characters is a Go string itself.
func unpack(t *testing.T, dir string, files []txtar.File) {
	t.Helper()
	for _, f := range files {
		name, target, isLink := strings.Cut(f.Name, " -> ")
		name, isPipe := strings.CutSuffix(name, " (fifo)")
		name, isQuoted := strings.CutSuffix(name, " (quoted)")
		path := filepath.Join(dir, filepath.FromSlash(unquote(t, name)))
		switch {
		case isLink:
			link(t, target, path)
		case isPipe:
			fifo(t, path)
		case isQuoted:
			content := ""
			for line := range strings.Lines(string(f.Data)) {
				content += unquote(t, strings.TrimSpace(line))
			}
			write(t, path, content)
		default:
			write(t, path, string(f.Data))
		}
	}
}

// unquote is s, or what it quotes.
func unquote(t *testing.T, s string) string {
	t.Helper()
	if !strings.HasPrefix(s, `"`) {
		return s
	}
	plain, err := strconv.Unquote(s)
	if err != nil {
		t.Fatalf("unquote %s: %v", s, err)
	}
	return plain
}
