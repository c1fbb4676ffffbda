package skill_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/skill"
)

// coded is a skill file with a code and more lines of header.
func coded(name, code string, more ...string) string {
	return "---\nname: " + name + "\ncode: " + code + "\n" + strings.Join(more, "\n") + "\n---\nDo " + code + ".\n"
}

// workshop is a catalogue of two roots, low and high.
func workshop(t *testing.T) *skill.Catalogue {
	t.Helper()
	dir := folder(t, map[string]string{
		"low/saw/SKILL.md":     coded("saw", "LOW1"),
		"low/rasp/SKILL.md":    coded("rasp", "R1"),
		"low/gone/SKILL.md":    coded("gone", "GONE", "active: false"),
		"low/Plane/SKILL.md":   coded("Plane", "P1"),
		"low/only-low.md":      coded("chisel", "rasp"), // its code is another's name
		"high/saw/SKILL.md":    coded("saw", "HIGH1"),
		"high/glue-1/SKILL.md": coded("glue", "G1"),
		"high/glue-2/SKILL.md": coded("glue", "G2"),
		"high/plane/SKILL.md":  coded("plane", "P2"),
		"high/fine/SKILL.md":   coded("fine file", "r1"), // a code that differs in case alone
	})
	return load(t, nil, root(filepath.Join(dir, "low")), root(filepath.Join(dir, "high")))
}

func TestAReferenceMeansAnIDElseANameOrCodeOfTheHighestRoot(t *testing.T) {
	c := workshop(t)
	tests := []struct{ what, ref, want string }{
		{"an id", "low/rasp", "low/rasp"},
		{"a name", "chisel", "low/only-low"},
		{"a name that is a code, first by path", "rasp", "low/only-low"},
		{"a code", "R1", "low/rasp"},
		{"a code in the case of another's", "r1", "high/fine"},
		{"a name of two roots", "saw", "high/saw"},
		{"an id in another case", "HIGH/SAW", "high/saw"},
		{"a name in another case", "SAW", "high/saw"},
		{"a code in another case", "high1", "high/saw"},
		{"a name in two cases, exactly", "Plane", "low/Plane"},
		{"a name in two cases, exactly", "plane", "high/plane"},
		{"a name in two cases, neither", "PLANE", "high/plane"},
		{"a name twice in one root", "glue", "high/glue-1"},
		{"the second one's code", "G2", "high/glue-2"},
		{"the second one's id", "high/glue-2", "high/glue-2"},
		{"a shadowed one's id", "low/saw", "low/saw"},
		{"a shadowed one's code", "LOW1", ""},
		{"a shadowed one's id in another case", "LOW/SAW", ""},
		{"an inactive one's id", "low/gone", ""},
		{"an inactive one's name", "gone", ""},
		{"an inactive one's code", "GONE", ""},
		{"a path", "../low/rasp", ""},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.what+" "+tt.ref, func(t *testing.T) {
			got := ""
			s, err := c.Resolve(tt.ref)
			if err == nil {
				got = s.ID
			}
			if got != tt.want || (err != nil) != errors.Is(err, skill.ErrNotFound) {
				t.Errorf("%q means %q (%v), want %q", tt.ref, got, err, tt.want)
			}
		})
	}
}

func TestNotFoundNamesUpToThreeCloseNames(t *testing.T) {
	c := workshop(t)
	tests := map[string]struct {
		close []string
		text  string
	}{
		"sew":         {[]string{"saw"}, `skill "sew" was not found; did you mean saw?`},
		"plan":        {[]string{"Plane", "plane"}, `skill "plan" was not found; did you mean Plane, plane?`},
		"lathe":       {[]string{}, `skill "lathe" was not found`},
		"fine-file":   {[]string{"fine file"}, `skill "fine-file" was not found; did you mean fine file?`},
		"gon":         {[]string{}, `skill "gon" was not found`}, // never an inactive one
		"two\nlines":  {[]string{}, `skill "two\nlines" was not found`},
		"chisell":     {[]string{"chisel"}, `skill "chisell" was not found; did you mean chisel?`},
		"abcdefghijk": {[]string{}, `skill "abcdefghijk" was not found`},
	}
	for ref, tt := range tests {
		t.Run(ref, func(t *testing.T) {
			_, err := c.Resolve(ref)
			var notFound *skill.NotFoundError
			if !errors.As(err, &notFound) {
				t.Fatalf("error %v", err)
			}
			if diff := cmp.Diff([]any{ref, tt.close, tt.text}, []any{notFound.Ref, notFound.Close, err.Error()}); diff != "" {
				t.Errorf("reference, close names, text (-want +got):\n%s", diff)
			}
		})
	}
	_, err := c.Resolve(strings.Repeat("glue", 10_000))
	if err == nil || len(err.Error()) > 200 {
		t.Errorf("an error of %d bytes for a long name", len(err.Error()))
	}
}

func TestTheThreeClosestNamesComeInOrder(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{"saws", "sawn", "sew", "sows", "saw-horse", "awl"} {
		files[name+"/SKILL.md"] = text(name, "A skill.")
	}
	c, _ := loadFiles(t, files)
	_, err := c.Resolve("sawx")
	var notFound *skill.NotFoundError
	if !errors.As(err, &notFound) {
		t.Fatalf("error %v", err)
	}
	if diff := cmp.Diff([]string{"sawn", "saws"}, notFound.Close); diff != "" {
		t.Errorf("close names (-want +got):\n%s", diff)
	}
	_, err = c.Resolve("saw")
	if !errors.As(err, &notFound) {
		t.Fatalf("error %v", err)
	}
	if diff := cmp.Diff([]string{"sawn", "saws", "sew"}, notFound.Close); diff != "" {
		t.Errorf("close names (-want +got):\n%s", diff)
	}
}

func TestHiddenSkillsAreFoundByTheirIDAlone(t *testing.T) {
	c := workshop(t)
	if diff := cmp.Diff([]string{"low/gone", "low/saw"}, ids(c.Hidden())); diff != "" {
		t.Errorf("hidden (-want +got):\n%s", diff)
	}
	for _, s := range append(c.Skills(), c.Hidden()...) {
		if got, ok := c.ByID(s.ID); !ok || got != s {
			t.Errorf("ByID(%s) is %v, %v", s.ID, got, ok)
		}
	}
	if s, ok := c.ByID("LOW/RASP"); ok {
		t.Errorf("an id in another case is that of %s", s.ID)
	}
}

func TestADuplicateNameIsAProblemThatNamesBoth(t *testing.T) {
	c := workshop(t)
	var got []string
	for _, p := range c.Problems() {
		if p.Kind == skill.DuplicateName {
			got = append(got, p.Skill+" < "+p.Message)
			winner := "high/glue-1"
			if p.Skill == "low/saw" {
				winner = "high/saw"
			}
			if w, _ := c.ByID(winner); !strings.Contains(p.Message, w.Path) || p.Remedy == "" {
				t.Errorf("%s: %s; %s: want the path %s and a remedy", p.Skill, p.Message, p.Remedy, w.Path)
			}
		}
	}
	if len(got) != 2 {
		t.Errorf("duplicates: %v, want two", got)
	}
}

// Inactive skills are as if they were not there: one in a higher root takes no
// name.
func TestAnInactiveSkillShadowsNothing(t *testing.T) {
	dir := folder(t, map[string]string{"low/saw/SKILL.md": coded("saw", "LOW"), "high/saw/SKILL.md": coded("saw", "HIGH", "status: deleted")})
	c := load(t, nil, root(filepath.Join(dir, "low")), root(filepath.Join(dir, "high")))
	s, err := c.Resolve("saw")
	if err != nil || s.ID != "low/saw" {
		t.Errorf("saw means %v (%v), want low/saw", s, err)
	}
}

func TestAllSkillsShareTheFormOfASkill(t *testing.T) {
	dir := folder(t, map[string]string{"root/saw/SKILL.md": text("saw", "Cuts."), "root/flat.md": text("flat", "Flat.")})
	r := root(filepath.Join(dir, "root"))
	r.Source = skill.SourceProject
	c := load(t, nil, r)
	type place struct{ ID, Path, Dir, Root, Source, Book string }
	var got []place
	for _, s := range c.Skills() {
		got = append(got, place{s.ID, s.Path, s.Dir, s.Root, s.Source, s.SkillBook})
		if s.ModTime.IsZero() || s.Size == 0 || s.Hash == [32]byte{} {
			t.Errorf("%s: time %v, size %d, hash %x", s.ID, s.ModTime, s.Size, s.Hash)
		}
	}
	want := []place{
		{"root/flat", filepath.Join(dir, "root/flat.md"), "", "root", "project", "root"},
		{"root/saw", filepath.Join(dir, "root/saw/SKILL.md"), filepath.Join(dir, "root/saw"), "root", "project", "root"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("skills (-want +got):\n%s", diff)
	}
}
