package skill_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/skill"
)

// TestASkillBelongsToTheBookAboveIt: header, nearest folder above, root.
func TestASkillBelongsToTheBookItsHeaderNamesElseTheNearestAboveElseTheRoots(t *testing.T) {
	in := func(book string) string {
		return "---\nname: x\ndescription: X.\nskillbook: " + book + "\n---\nDo it.\n"
	}
	dir := folder(t, map[string]string{
		"shelf/loose/SKILL.md":               text("loose", "In no folder with a book."),
		"shelf/eng/skillbook.yaml":           "code: ENG\nname: Engineering\ndescription: What engineers do\n",
		"shelf/eng/saw/SKILL.md":             text("saw", "Below it."),
		"shelf/eng/deep/er/rasp/SKILL.md":    text("rasp", "Far below it."),
		"shelf/eng/other/SKILL.md":           in("OPS"),
		"shelf/eng/fine/skillbook.yaml":      "code: 007\n",
		"shelf/eng/fine/file/SKILL.md":       text("file", "The nearest counts."),
		"shelf/no-code/skillbook.yaml":       "name: Without a code\n",
		"shelf/no-code/glue/SKILL.md":        text("glue", "Named by the folder."),
		"shelf/own/skillbook.yaml":           "code: OWN\n",
		"shelf/own/SKILL.md":                 text("own", "A skill's own folder is no book."),
		"shelf/odd/skillbook.yaml":           "Code: A: B\nCODE: C\n",
		"shelf/odd/clamp/SKILL.md":           text("clamp", "A book to be repaired."),
		"top/skillbook.yaml":                 "code: TOP\n",
		"top/vice/SKILL.md":                  text("vice", "The root is a book."),
		"top/flat.md":                        text("flat", "The root is a book."),
		"labelled/drill/SKILL.md":            text("drill", "The root is labelled."),
		"store/linked/SKILL.md":              text("linked", "Behind a link."),
		"store/skillbook.yaml":               "code: STORE\n",
		"shelf/eng/node_modules/skillbook.x": "",
	})
	link(t, "../../store/linked", filepath.Join(dir, "shelf/eng/linked"))
	labelled := root(filepath.Join(dir, "labelled"))
	labelled.SkillBook = "LABEL"
	c := load(t, nil, root(filepath.Join(dir, "shelf")), root(filepath.Join(dir, "top")), labelled)
	got := map[string]string{}
	for _, s := range c.Skills() {
		got[s.ID] = s.SkillBook
	}
	want := map[string]string{
		"shelf/loose": "shelf", "shelf/eng/saw": "ENG", "shelf/eng/deep/er/rasp": "ENG", "shelf/eng/other": "OPS", "shelf/eng/fine/file": "007",
		"shelf/no-code/glue": "no-code", "shelf/own": "shelf", "shelf/odd/clamp": "A: B", "shelf/eng/linked": "ENG",
		"top/vice": "TOP", "top/flat": "TOP", "labelled/drill": "LABEL",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("books (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"yaml-repaired:shelf/odd/skillbook.yaml:1", "duplicate-key:shelf/odd/skillbook.yaml:2"}, places(c.Problems(), dir)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestSkillsOfAnInactiveBookAreInactive(t *testing.T) {
	book := func(lines string) string { return "code: ENG\n" + lines }
	in := "---\nname: named\ndescription: X.\nskillbook: ENG\n---\nDo it.\n"
	tests := map[string]struct {
		files map[string]string
		want  []string // ids of the active
	}{
		"inactive":           {map[string]string{"eng/skillbook.yaml": book("active: false\n"), "eng/saw/SKILL.md": text("saw", "Cuts.")}, []string{}},
		"in other words":     {map[string]string{"eng/skillbook.yaml": book("active: off\n"), "eng/saw/SKILL.md": text("saw", "Cuts.")}, []string{}},
		"active":             {map[string]string{"eng/skillbook.yaml": book("active: true\n"), "eng/saw/SKILL.md": text("saw", "Cuts.")}, []string{"low/eng/saw"}},
		"no value":           {map[string]string{"eng/skillbook.yaml": book("active:\n"), "eng/saw/SKILL.md": text("saw", "Cuts.")}, []string{"low/eng/saw"}},
		"named by a header":  {map[string]string{"eng/skillbook.yaml": book("active: no\n"), "elsewhere/SKILL.md": in}, []string{}},
		"an empty shelf":     {map[string]string{"a/b/skillbook.yaml": book("active: no\n"), "elsewhere/SKILL.md": in}, []string{}},
		"of the root":        {map[string]string{"skillbook.yaml": "code: low\nactive: no\n", "saw/SKILL.md": text("saw", "Cuts."), "flat.md": text("flat", "Flat.")}, []string{}},
		"inside an inactive": {map[string]string{"eng/skillbook.yaml": book("active: no\n"), "eng/x/skillbook.yaml": "code: X\n", "eng/x/saw/SKILL.md": text("saw", "Cuts.")}, []string{"low/eng/x/saw"}},
		"left by a header":   {map[string]string{"x/skillbook.yaml": "code: X\nactive: no\n", "x/saw/SKILL.md": in}, []string{"low/x/saw"}},
		"the first of two": {map[string]string{
			"a/skillbook.yaml": book("active: no\n"), "b/skillbook.yaml": book("active: yes\n"), "c/SKILL.md": in, "b/saw/SKILL.md": text("saw", "Cuts."),
		}, []string{"low/b/saw"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, nil)
			for path, content := range tt.files {
				write(t, filepath.Join(dir, "low", path), content)
			}
			c := load(t, nil, root(filepath.Join(dir, "low")))
			if diff := cmp.Diff([]any{tt.want, []string{}}, []any{ids(c.Skills()), places(c.Problems(), dir)}); diff != "" {
				t.Errorf("active skills and problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestABookOfAHigherRootCountsForASkillThatNamesIt(t *testing.T) {
	dir := folder(t, map[string]string{
		"low/saw/SKILL.md": coded("saw", "S1", "skillbook: ENG"), "low/eng/skillbook.yaml": "code: ENG\nactive: true\n",
		"high/eng/skillbook.yaml": "code: ENG\nactive: false\n", "low/eng/rasp/SKILL.md": text("rasp", "Lies in the low one."),
	})
	c := load(t, nil, root(filepath.Join(dir, "low")), root(filepath.Join(dir, "high")))
	if diff := cmp.Diff([]any{[]string{"low/eng/rasp"}, []string{"low/saw"}}, []any{ids(c.Skills()), ids(c.Hidden())}); diff != "" {
		t.Errorf("listed and hidden (-want +got):\n%s", diff)
	}
}

func TestABookThatCannotBeReadIsAProblem(t *testing.T) {
	dir := folder(t, map[string]string{
		"binary/skillbook.yaml": "\x00", "latin1/skillbook.yaml": "code: L1\nname: Fa\xe7ade\n", "words/skillbook.yaml": "just words\n",
		"folder/skillbook.yaml/x": "", "empty/skillbook.yaml": "",
		"binary/a/SKILL.md": text("a", "A."), "latin1/b/SKILL.md": text("b", "B."), "words/c/SKILL.md": text("c", "C."),
		"pipe/d/SKILL.md": text("d", "D."), "folder/e/SKILL.md": text("e", "E."), "empty/f/SKILL.md": text("f", "F."),
	})
	fifo(t, filepath.Join(dir, "pipe/skillbook.yaml"))
	r := root(dir)
	r.Label = "root"
	c := load(t, nil, r)
	books := map[string]string{}
	for _, s := range c.Skills() {
		books[s.Name] = s.SkillBook
	}
	got := []any{books, places(c.Problems(), dir)}
	want := []any{
		map[string]string{"a": "root", "b": "L1", "c": "words", "d": "root", "e": "root", "f": "empty"},
		[]string{
			"binary:binary/skillbook.yaml", "unreadable:folder/skillbook.yaml", "invalid-utf8:latin1/skillbook.yaml:2",
			"unreadable:pipe/skillbook.yaml", "yaml-invalid-fallback:words/skillbook.yaml:1",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("books and problems (-want +got):\n%s", diff)
	}
}

// TestBooksOfACatalogue: a file, an empty shelf, a header and a root make one.
func TestBooksOfACatalogue(t *testing.T) {
	in := func(book, more string) string {
		return "---\nname: in-" + book + more + "\ndescription: X.\nskillbook: " + book + "\n" + more + "---\nDo it.\n"
	}
	dir := folder(t, map[string]string{
		"low/eng/skillbook.yaml":   "code: ENG\nname: Engineering\ndescription: What engineers do\n",
		"low/empty/skillbook.yaml": "code: EMPTY\n",
		"low/old/skillbook.yaml":   "code: OLD\nactive: false\n",
		"low/old/saw/SKILL.md":     text("saw", "Cuts."),
		"low/x/SKILL.md":           in("HEADER", ""),
		"low/y/SKILL.md":           in("GONE", "active: false\n"),
		"low/loose/SKILL.md":       text("loose", "In no folder with a book."),
		"low/a/skillbook.yaml":     "code: TWICE\nactive: false\n",
		"low/b/skillbook.yaml":     "code: TWICE\n",
		"low/b/saw/SKILL.md":       text("rasp", "Rasps."),
	})
	c := load(t, nil, root(filepath.Join(dir, "low")))
	want := []skill.Book{
		{Code: "EMPTY", Active: true},
		{Code: "ENG", Name: "Engineering", Description: "What engineers do", Active: true},
		{Code: "GONE", Active: true},
		{Code: "HEADER", Active: true},
		{Code: "TWICE", Active: true},
		{Code: "low", Active: true},
	}
	if diff := cmp.Diff(want, c.Books()); diff != "" {
		t.Errorf("books (-want +got):\n%s", diff)
	}
	if b, err := c.Book("eng"); err != nil || b.Code != "ENG" {
		t.Errorf("eng: %+v, %v", b, err)
	}
	_, err := c.Book("EMTY")
	if diff := cmp.Diff(&skill.NotFoundError{What: "SkillBook", Ref: "EMTY", Close: []string{"EMPTY"}}, err); diff != "" {
		t.Errorf("EMTY (-want +got):\n%s", diff)
	}
	if _, err := c.Book("OLD"); !errors.Is(err, skill.ErrNotFound) {
		t.Errorf("an inactive book: %v", err)
	}
}
