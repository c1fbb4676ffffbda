package server_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A churn changes a root of skills at random, as people, programs and version
// control do. The same seed makes the same changes.
type churn struct {
	t      *testing.T
	random *rand.Rand
	root   string
	shed   string // folders outside the root, for links
	n      int    // changes so far
	half   []*os.File
}

func newChurn(t *testing.T, skills int) *churn {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &churn{t: t, random: rand.New(rand.NewPCG(6, 2)), root: filepath.Join(dir, "fleet"), shed: filepath.Join(dir, "shed")}
	for range skills {
		c.write(c.folder())
	}
	for i := range 5 {
		c.write(filepath.Join(c.shed, fmt.Sprint(i)))
	}
	t.Cleanup(func() { c.finish() })
	return c
}

func (c *churn) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// folder is the place of a skill: one of 60, at the top or in one of three groups.
func (c *churn) folder() string {
	name := fmt.Sprintf("boat-%02d", c.random.IntN(60))
	if group := c.random.IntN(5); group < 3 {
		return filepath.Join(c.root, fmt.Sprintf("group-%d", group), name)
	}
	return filepath.Join(c.root, name)
}

func (c *churn) text() string {
	return fmt.Sprintf("---\nname: boat %d\ndescription: Sails boat %d of kind %c.\n---\nA body of version %d.\n", c.random.IntN(90), c.n, 'a'+rune(c.n%26), c.n)
}

func (c *churn) write(folder string) {
	if _, err := os.Stat(folder); err != nil {
		c.must(os.RemoveAll(folder)) // a link to nowhere
	}
	c.must(os.MkdirAll(folder, 0o700))
	c.must(os.WriteFile(filepath.Join(folder, "SKILL.md"), []byte(c.text()), 0o600))
}

// some is a skill's folder that exists, a link to one included; "" when there is none.
func (c *churn) some() string {
	var all []string
	for _, pattern := range []string{"boat-*", "group-*/boat-*", "link-*"} {
		found, err := filepath.Glob(filepath.Join(c.root, pattern))
		c.must(err)
		all = append(all, found...)
	}
	if len(all) == 0 {
		return ""
	}
	slices.Sort(all)
	return all[c.random.IntN(len(all))]
}

// change makes one change.
func (c *churn) change() {
	c.n++
	folder := c.some()
	kinds := []func(string){
		c.write, c.write, c.replace, c.rename, c.rename, c.remove, c.remove, c.add, c.add, c.add, c.writeHalf, c.link, c.behindLink, c.flat, c.book, c.empty, c.group,
	}
	kind := kinds[c.random.IntN(len(kinds))]
	if _, err := os.Stat(folder); err != nil { // none, or a link to nowhere
		kind = c.add
	}
	kind(folder)
}

func (c *churn) add(string) { c.write(c.folder()) }

// replace writes a file beside and moves it over the old one, as editors do.
func (c *churn) replace(folder string) {
	tmp := filepath.Join(folder, "SKILL.md~")
	c.must(os.WriteFile(tmp, []byte(c.text()), 0o600))
	c.must(os.Rename(tmp, filepath.Join(folder, "SKILL.md")))
}

func (c *churn) rename(folder string) {
	to := c.folder()
	c.must(os.MkdirAll(filepath.Dir(to), 0o700))
	if _, err := os.Lstat(to); err != nil {
		c.must(os.Rename(folder, to))
	}
}

func (c *churn) remove(folder string) { c.must(os.RemoveAll(folder)) }

// writeHalf begins a file that finish ends.
func (c *churn) writeHalf(folder string) {
	f, err := os.Create(filepath.Join(folder, "SKILL.md"))
	c.must(err)
	_, err = f.WriteString("---\nname: half\ndescr")
	c.must(err)
	c.half = append(c.half, f)
}

// finish writes what is missing of half-written files. Some of them lie elsewhere
// by now, or nowhere.
func (c *churn) finish() {
	for _, f := range c.half {
		_, err := fmt.Fprintf(f, "iption: Whole at %d.\n---\n", c.n)
		c.must(err)
		c.must(f.Close())
	}
	c.half = nil
}

// link makes a link, or leads one elsewhere, also to nowhere.
func (c *churn) link(string) {
	link := filepath.Join(c.root, fmt.Sprintf("link-%d", c.random.IntN(4)))
	c.must(os.RemoveAll(link))
	c.must(os.Symlink(filepath.Join(c.shed, fmt.Sprint(c.random.IntN(6))), link))
}

func (c *churn) behindLink(string) {
	folder := filepath.Join(c.shed, fmt.Sprint(c.random.IntN(6)))
	if c.random.IntN(4) == 0 {
		c.remove(folder)
		return
	}
	c.write(folder)
}

func (c *churn) flat(string) {
	path := filepath.Join(c.root, fmt.Sprintf("raft-%d.md", c.random.IntN(4)))
	if c.random.IntN(3) == 0 {
		_ = os.Remove(path) // it may not be there
		return
	}
	c.must(os.WriteFile(path, []byte(c.text()), 0o600))
}

// book puts a group into a book of its own, which may be inactive.
func (c *churn) book(string) {
	dir := filepath.Join(c.root, fmt.Sprintf("group-%d", c.random.IntN(3)))
	c.must(os.MkdirAll(dir, 0o700))
	c.must(os.WriteFile(filepath.Join(dir, "skillbook.yaml"), fmt.Appendf(nil, "code: B%d\nactive: %v\n", c.random.IntN(9), c.random.IntN(3) > 0), 0o600))
}

// empty leaves a folder without its skill.
func (c *churn) empty(folder string) { _ = os.Remove(filepath.Join(folder, "SKILL.md")) }

// group swaps two groups, with all that lies below.
func (c *churn) group(string) {
	a, b := filepath.Join(c.root, "group-0"), filepath.Join(c.root, "group-1")
	c.must(os.MkdirAll(a, 0o700))
	c.must(os.MkdirAll(b, 0o700))
	c.must(os.Rename(a, a+".away"))
	c.must(os.Rename(b, a))
	c.must(os.Rename(a+".away", b))
}
