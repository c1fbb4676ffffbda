package skill_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/skillsearch/skillsearch/skill"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestCases loads the folders of testdata/cases. Each archive begins with what
// it is about; "roots" names the roots in increasing priority ("root" by
// default), and "want" is all that Load makes of them.
func TestCases(t *testing.T) {
	paths, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d cases (%v)", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files, want := takeFile(archive.Files, "want")
			files, names := takeFile(files, "roots")
			dir := folder(t, nil)
			unpack(t, dir, files)
			var roots []skill.Root
			for _, name := range strings.Fields(cmp.Or(names, "root")) {
				roots = append(roots, root(filepath.Join(dir, name)))
			}
			got := describe(load(t, nil, roots...), dir)
			if *update {
				rewrite(t, path, archive, got)
				return
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("%s(-want +got):\n%s", archive.Comment, diff)
			}
		})
	}
}

// takeFile is the files without the one of that name, and its text.
func takeFile(files []txtar.File, name string) (rest []txtar.File, content string) {
	i := slices.IndexFunc(files, func(f txtar.File) bool { return f.Name == name })
	if i < 0 {
		return files, ""
	}
	return slices.Delete(slices.Clone(files), i, i+1), string(files[i].Data)
}

func rewrite(t *testing.T, path string, archive *txtar.Archive, want string) {
	t.Helper()
	files, _ := takeFile(archive.Files, "want")
	archive.Files = append(files, txtar.File{Name: "want", Data: []byte(want)})
	if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// describe states what Load found, for comparison as a whole.
func describe(c *skill.Catalogue, dir string) string {
	var out strings.Builder
	show := func(word string, skills []*skill.Skill) {
		for _, s := range skills {
			fmt.Fprintf(&out, "%s %s\n\tname: %q (%s)\n", word, s.ID, s.Name, s.NameSource)
			fmt.Fprintf(&out, "\tdescription: %q (%s)\n", s.Description, cmp.Or(s.DescriptionSource, "none"))
			fmt.Fprintf(&out, "\tbody: %q from line %d\n", s.Body, s.BodyLine)
		}
	}
	show("skill", c.Skills())
	show("hidden", c.Hidden())
	for _, place := range places(c.Problems(), dir) {
		fmt.Fprintf(&out, "problem %s\n", place)
	}
	return out.String()
}
