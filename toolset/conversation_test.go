package toolset_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/toolset"
)

var update = flag.Bool("update", false, "rewrite the golden answers in testdata")

// TestConversations replays testdata/TOOLSET.txtar. The file "conversation" has
// the system's own document in prose, and between it
//
//	> TOOL {json}       a call, in one line
//	? TOOL              what the tool's description says
//	@ DIRECTIVE VALUE   what changes from here on; see (*stage).direct
//
// Below a call stand its golden answer: the text behind "| ", the structured
// part behind "= ", links behind "+ ", or an error behind "! " with its kind.
// The files below "project" are the catalogue; symbolic links are written as
// files "project/PATH -> TARGET".
func TestConversations(t *testing.T) {
	for _, name := range toolset.Names() {
		t.Run(name, func(t *testing.T) { converse(t, name) })
	}
}

func converse(t *testing.T, name string) {
	path := filepath.Join("testdata", name+".txtar")
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "conversation" })
	if i < 0 {
		t.Fatalf("%s has no file \"conversation\"", path)
	}
	s := newStage(t, name, archive)
	var got strings.Builder
	for line := range strings.Lines(string(archive.Files[i].Data)) {
		if strings.IndexAny(line, "|=+!") == 0 { // an old answer
			continue
		}
		got.WriteString(line)
		switch {
		case strings.HasPrefix(line, "> "):
			got.WriteString(s.call(strings.TrimSpace(line[2:])))
		case strings.HasPrefix(line, "? "):
			got.WriteString(s.description(strings.TrimSpace(line[2:])))
		case strings.HasPrefix(line, "@ "):
			s.direct(strings.TrimSpace(line[2:]))
		}
	}
	if *update {
		archive.Files[i].Data = []byte(got.String())
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(archive.Files[i].Data), got.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// A stage is where a conversation takes place.
type stage struct {
	t    *testing.T
	dir  string // the project
	name string
	lib  toolset.Library
	cfg  skillsearch.Config

	binaries    []string
	elevated    bool
	privileged  []string
	credentials map[string]string // variable to source
	history     *history
}

func newStage(t *testing.T, name string, archive *txtar.Archive) *stage {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(dir, "project")
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, "project/") {
			writeFile(t, dir, f)
		}
	}
	s := &stage{t: t, dir: project, name: name, credentials: map[string]string{}, history: &history{}}
	s.cfg = skillsearch.Config{Roots: skill.DefaultRoots("", "", project), Embedders: []skillsearch.Embedder{embedder.NewBuiltin()}}
	s.lib.Project, s.lib.History = project, s.history
	s.lib.Machine = skill.Machine{
		HasBinary:  func(name string) bool { return slices.Contains(s.binaries, name) },
		Elevated:   func() bool { return s.elevated },
		Privileged: func(name string) bool { return slices.Contains(s.privileged, name) },
		Credential: func(variable string) (string, bool) { source, ok := s.credentials[variable]; return source, ok },
	}
	s.open()
	return s
}

func writeFile(t *testing.T, dir string, f txtar.File) {
	t.Helper()
	name, target, isLink := strings.Cut(f.Name, " -> ")
	path := filepath.Join(dir, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil && isLink {
		err = os.Symlink(target, path)
	} else if err == nil {
		err = os.WriteFile(path, f.Data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (s *stage) open() {
	s.t.Helper()
	engine, err := skillsearch.Open(s.t.Context(), s.cfg)
	if err != nil {
		s.t.Fatal(err)
	}
	if len(s.cfg.Embedders) > 0 {
		if _, err := engine.Index(s.t.Context(), skillsearch.IndexOptions{}); err != nil {
			s.t.Fatal(err)
		}
	}
	s.lib.Engine = engine
}

// direct changes the stage:
//
//	tools A,B           the pool of the workflow's tools
//	binaries A,B        the machine has them
//	elevated            the process is
//	privileged A,B      these binaries need no elevated process
//	ask VALUE           a person is there, and gives each credential; "" gives none
//	credential V FROM   the variable is set, by the environment or stored
//	unreadable WORD     no text that holds the word gets a vector
//	no-embedder         words alone
//	remove PATH         a file of the project goes, and the catalogue is read again
//	lose PATH           a file of the project goes, and nobody looks
//	write PATH TEXT N   a file of the project has N times the quoted text
func (s *stage) direct(line string) {
	s.t.Helper()
	word, value, _ := strings.Cut(line, " ")
	switch word {
	case "tools":
		s.lib.AvailableTools = strings.Split(value, ",")
	case "binaries":
		s.binaries = strings.Split(value, ",")
	case "elevated":
		s.elevated = true
	case "privileged":
		s.privileged = strings.Split(value, ",")
	case "ask":
		s.lib.AskCredential = func(_ context.Context, variable string) error {
			if value == "" {
				return errors.New("nothing was entered")
			}
			s.credentials[variable] = value
			return nil
		}
	case "credential":
		variable, source, _ := strings.Cut(value, " ")
		s.credentials[variable] = source
	case "unreadable":
		s.cfg.Embedders = []skillsearch.Embedder{picky{embedder.NewBuiltin(), value}}
		s.open()
	case "no-embedder":
		s.cfg.Embedders, s.cfg.NoEmbedder = nil, skillsearch.ErrNoEmbedder
		s.open()
	case "remove":
		if err := errors.Join(os.Remove(filepath.Join(s.dir, value)), s.lib.Engine.Rescan(s.t.Context())); err != nil {
			s.t.Fatal(err)
		}
	case "lose":
		if err := os.Remove(filepath.Join(s.dir, value)); err != nil {
			s.t.Fatal(err)
		}
	case "write":
		s.write(value)
	default:
		s.t.Fatalf("unknown directive %q", word)
	}
}

func (s *stage) write(value string) {
	s.t.Helper()
	var path, text string
	var times int
	if _, err := fmt.Sscanf(value, "%s %q %d", &path, &text, &times); err != nil {
		s.t.Fatalf("write %s: %v", value, err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, path), []byte(strings.Repeat(text, times)), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// description is what a model is told of a tool.
func (s *stage) description(name string) string {
	s.t.Helper()
	set, err := toolset.Open(s.name, s.lib)
	if err != nil {
		s.t.Fatal(err)
	}
	tool, err := set.Tool(name)
	return strings.ReplaceAll(answer(s.t, toolset.Result{Text: tool.Description}, err), s.dir, "$PROJECT")
}

// call is one call of a model, and what it gets.
func (s *stage) call(line string) string {
	s.t.Helper()
	tool, args, _ := strings.Cut(line, " ")
	set, err := toolset.Open(s.name, s.lib)
	if err != nil {
		s.t.Fatal(err)
	}
	var result toolset.Result
	found, err := set.Tool(tool)
	if err == nil {
		result, err = found.Call(s.t.Context(), []byte(args))
	}
	return strings.ReplaceAll(answer(s.t, result, err), s.dir, "$PROJECT")
}

func answer(t *testing.T, r toolset.Result, err error) string {
	t.Helper()
	if err != nil {
		return fmt.Sprintf("! %s (%s)\n", err, skillsearch.ErrorKind(err))
	}
	var out strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(r.Text, "\n"), "\n") {
		fmt.Fprintf(&out, "|%s\n", strings.TrimRight(" "+line, " "))
	}
	if r.Structured != nil {
		out.WriteString("= ")
		if err := skillsearch.Encode(&out, r.Structured); err != nil {
			t.Fatal(err)
		}
	}
	for _, link := range r.Links {
		fmt.Fprintf(&out, "+ %s %s\n", link.URI, link.Name)
	}
	return out.String()
}

// history is a History in memory.
type history struct{ loads, found []string }

func (h *history) Record(_ context.Context, _ string, s *skill.Skill) error {
	h.loads = append(h.loads, s.ID)
	return nil
}

func (h *history) Found(query string, ids []string) {
	h.found = append(h.found, fmt.Sprint(query, " ", ids))
}

func (h *history) LastUsed(_ context.Context, limit int) ([]string, error) {
	var ids []string
	for _, id := range slices.Backward(h.loads) {
		if !slices.Contains(ids, id) && (limit == 0 || len(ids) < limit) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// TestEveryToolsetHasItsConversation holds that no file of testdata is left
// without a toolset.
func TestEveryToolsetHasItsConversation(t *testing.T) {
	files, err := fs.Glob(os.DirFS("testdata"), "*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name := strings.TrimSuffix(f, ".txtar"); !slices.Contains(toolset.Names(), name) {
			t.Errorf("testdata/%s belongs to no toolset", f)
		}
	}
}
