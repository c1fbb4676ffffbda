package watch_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/watch"
)

// A yard is a root that is watched. Its catalogue is loaded when a change is told.
type yard struct {
	t       *testing.T
	dir     string
	roots   []skill.Root
	current atomic.Pointer[skill.Catalogue]
}

// watched makes a yard and watches it until the test ends. Nothing is polled.
func watched(t *testing.T) *yard {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	y := &yard{t: t, dir: dir}
	plugins := skill.DefaultRoots(y.path("home"), "", "")[0]
	y.roots = append([]skill.Root{plugins}, skill.NamedRoots(skill.SourceConfig, y.path("root"), y.path("not/yet"))...)
	y.write("root/saw/SKILL.md", "Cuts.")
	y.write("else/glue/SKILL.md", "Sticks.")
	y.write("else/tape/SKILL.md", "Sticks for a while.")
	y.load(t.Context())
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		watch.Run(ctx, watch.Config{
			Places: func() []skill.Place { return y.current.Load().Places() }, Reads: skill.Reads,
			Changed: y.load, Quiet: 20 * time.Millisecond, Poll: time.Hour,
		})
	}()
	t.Cleanup(func() { cancel(); <-done })
	return y
}

func (y *yard) load(ctx context.Context) {
	if c, err := skill.Load(ctx, y.roots, y.current.Load()); err == nil {
		y.current.Store(c)
	}
}

func (y *yard) path(name string) string { return filepath.Join(y.dir, filepath.FromSlash(name)) }

func (y *yard) must(err error) {
	y.t.Helper()
	if err != nil {
		y.t.Fatal(err)
	}
}

func (y *yard) write(name, body string) {
	y.t.Helper()
	y.must(os.MkdirAll(filepath.Dir(y.path(name)), 0o700))
	y.must(os.WriteFile(y.path(name), []byte(body+"\n"), 0o600))
}

func (y *yard) move(from, to string) { y.must(os.Rename(y.path(from), y.path(to))) }

func (y *yard) link(to, name string) {
	y.t.Helper()
	_ = os.Remove(y.path(name))
	if err := os.Symlink(y.path(to), y.path(name)); err != nil {
		y.t.Skip("links can't be made here: ", err)
	}
}

// settle waits until the watched catalogue is that of the disk.
func (y *yard) settle(after string) {
	y.t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		fresh, err := skill.Load(context.Background(), y.roots, nil)
		y.must(err)
		if fresh.Equal(y.current.Load()) {
			return
		}
		if time.Now().After(end) {
			y.t.Fatalf("%s was not seen: %v, want %v", after, ids(y.current.Load()), ids(fresh))
		}
	}
}

func ids(c *skill.Catalogue) (out []string) {
	for _, s := range c.Skills() {
		out = append(out, s.ID+" "+s.Description)
	}
	return out
}

// TestEveryKindOfChangeIsSeen holds, one after the other on the same folders,
// what a person or a program does to skills.
func TestEveryKindOfChangeIsSeen(t *testing.T) {
	y := watched(t)
	y.settle("the start")
	for _, step := range []struct {
		name string
		act  func()
	}{
		{"an edit", func() { y.write("root/saw/SKILL.md", "Cuts wood.") }},
		{"a new skill, deep", func() { y.write("root/a/b/c/rasp/SKILL.md", "Files.") }},
		{"an edit there", func() { y.write("root/a/b/c/rasp/SKILL.md", "Files wood.") }},
		{"a file moved over another", func() { y.write("root/tmp", "Cuts metal."); y.move("root/tmp", "root/saw/SKILL.md") }},
		{"a moved folder", func() { y.move("root/a", "root/z") }},
		{"an edit below it", func() { y.write("root/z/b/c/rasp/SKILL.md", "Files metal.") }},
		{"another in its old place", func() { y.write("root/a/b/c/clamp/SKILL.md", "Holds.") }},
		{"an edit below that", func() { y.write("root/a/b/c/clamp/SKILL.md", "Holds wood.") }},
		{"two swapped", func() { y.move("root/a", "root/t"); y.move("root/z", "root/a"); y.move("root/t", "root/z") }},
		{"an edit in one", func() { y.write("root/a/b/c/rasp/SKILL.md", "Files all.") }},
		{"an edit in the other", func() { y.write("root/z/b/c/clamp/SKILL.md", "Holds all.") }},
		{"a deletion", func() { y.must(os.RemoveAll(y.path("root/a"))) }},
		{"the same made again", func() { y.must(os.RemoveAll(y.path("root/z"))); y.write("root/z/b/c/clamp/SKILL.md", "Again.") }},
		{"an edit in what was made again", func() { y.write("root/z/b/c/clamp/SKILL.md", "Once more.") }},
		{"a book", func() { y.write("root/skillbook.yaml", "code: WOOD") }},
		{"an ignored folder", func() { y.write("root/.skillsearchignore", "z") }},
		{"a link to a skill", func() { y.link("else/glue", "root/linked") }},
		{"an edit behind it", func() { y.write("else/glue/SKILL.md", "Sticks well.") }},
		{"the link to another", func() { y.link("else/tape", "root/linked") }},
		{"the target gone", func() { y.must(os.RemoveAll(y.path("else/tape"))) }},
		{"the target back", func() { y.write("else/tape/SKILL.md", "Sticks again.") }},
		{"a link to a file", func() {
			y.write("else/file.md", "---\nname: one\ndescription: One.\n---\n")
			y.link("else/file.md", "root/flat.md")
		}},
		{"an edit of the file", func() { y.write("else/file.md", "---\nname: one\ndescription: Two.\n---\n") }},
		{"a root that was not there", func() { y.write("not/yet/vise/SKILL.md", "Holds tight.") }},
		{"a new plugin", func() { y.write("home/.claude/plugins/shop/skills/drill/SKILL.md", "Drills.") }},
		{"the root away", func() { y.move("root", "gone") }},
		{"the root back", func() { y.move("gone", "root") }},
		{"an edit in it", func() { y.write("root/saw/SKILL.md", "Cuts at last.") }},
	} {
		step.act()
		y.settle(step.name)
	}
	if n := len(y.current.Load().Skills()); n != 5 { // saw, linked, flat, vise, drill
		t.Errorf("%d skills at the end: %v", n, ids(y.current.Load()))
	}
}

// TestAHalfWrittenFileIsReadWhole holds that what is written in pieces is there
// in the end, however long it takes.
func TestAHalfWrittenFileIsReadWhole(t *testing.T) {
	y := watched(t)
	f, err := os.Create(y.path("root/saw/SKILL.md"))
	y.must(err)
	defer f.Close()
	for i := range 20 {
		_, err := fmt.Fprintf(f, "Line %d.\n\n", i)
		y.must(err)
		time.Sleep(5 * time.Millisecond)
	}
	y.settle("the whole")
}
