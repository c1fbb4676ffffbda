package skill_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/skill"
)

const secret = "nobody outside reads this"

// crate is a skill with files beside it, and things around it that must stay
// out of reach.
func crate(t *testing.T) *skill.Skill {
	t.Helper()
	dir := folder(t, map[string]string{
		"root/crate/SKILL.md":               text("crate", "Holds things."),
		"root/crate/references/list.md":     "a list\n",
		"root/crate/references/deep/a.md":   "deep\n",
		"root/crate/[Odd] a:b?.txt":         "odd\n",
		"root/crate/big.txt":                strings.Repeat("x", skill.MaxReference+1),
		"root/crate/node_modules/x/file.md": "a dependency\n",
		"root/chest/SKILL.md":               text("chest", "Holds more."),
		"root/chest/references/b.md":        secret,
		"secret.txt":                        secret,
	})
	link(t, "references/list.md", filepath.Join(dir, "root/crate/inside.md"))
	link(t, "../../secret.txt", filepath.Join(dir, "root/crate/outside.md"))
	link(t, "../chest", filepath.Join(dir, "root/crate/neighbour"))
	s, err := load(t, nil, skill.NamedRoots(skill.SourceFlag, filepath.Join(dir, "root"))...).Resolve("crate")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFilesBesideASkillAreRead(t *testing.T) {
	s := crate(t)
	for name, want := range map[string]string{
		"references/list.md": "a list\n", "references/deep/a.md": "deep\n", "[Odd] a:b?.txt": "odd\n",
		"inside.md": "a list\n", "./references/list.md": "a list\n",
	} {
		got, err := s.ReadFile(name)
		if err != nil || string(got.Content) != want {
			t.Errorf("%s: %q, %v", name, got.Content, err)
		}
	}
	if diff := cmp.Diff([]string{"[Odd] a:b?.txt", "big.txt", "inside.md", "references/deep/a.md", "references/list.md"}, s.References("")); diff != "" {
		t.Error("all files:", diff)
	}
	if diff := cmp.Diff([]string{"references/deep/a.md", "references/list.md"}, s.References("references/")); diff != "" {
		t.Error("references:", diff)
	}
}

func TestFilesThatAreRefusedSayWhy(t *testing.T) {
	s := crate(t)
	for name, want := range map[string]error{
		"": skill.ErrInvalidPath, "a\x00.md": skill.ErrInvalidPath, `..\..\secret.txt`: skill.ErrInvalidPath, strings.Repeat("a/", 3000): skill.ErrInvalidPath,
		"/etc/passwd": skill.ErrOutside, "//etc/passwd": skill.ErrOutside, "../../secret.txt": skill.ErrOutside, "references/../../../secret.txt": skill.ErrOutside,
		"outside.md": skill.ErrOutside, "neighbour/references/b.md": skill.ErrOutside,
		"references": skill.ErrNotRegular, ".": skill.ErrNotRegular,
		"big.txt": skill.ErrTooLarge, "nowhere.md": skill.ErrNotFound, "..%2f..%2fsecret.txt": skill.ErrNotFound,
	} {
		if got, err := s.ReadFile(name); !errors.Is(err, want) || len(got.Content) > 0 {
			t.Errorf("%.60q: %v with %d bytes, want %v", name, err, len(got.Content), want)
		}
	}
}

// TestNoPathLeadsOutside tries 2,000 paths put together from the parts that
// such attacks are made of.
func TestNoPathLeadsOutside(t *testing.T) {
	s := crate(t)
	parts := []string{"..", ".", "", "references", "%2e%2e", "..%2f", "..%c0%af", "secret.txt", "neighbour", "outside.md", "chest", "b.md", `..\`, "\x00", "root", "~", "list.md", "....", "..;", "\u2025", "\uff0e\uff0e"}
	random := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		n := 1 + random.IntN(7)
		path := make([]string, n)
		for i := range path {
			path[i] = parts[random.IntN(len(parts))]
		}
		name := strings.Join(path, "/")
		if got, err := s.ReadFile(name); strings.Contains(string(got.Content), secret) || err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%q reads what lies outside", name)
		}
	}
}

func FuzzReadFile(f *testing.F) {
	for _, seed := range []string{"../../secret.txt", "references/list.md", "outside.md", "/etc/passwd", "a\\b"} {
		f.Add(seed)
	}
	var s *skill.Skill
	f.Fuzz(func(t *testing.T, name string) {
		if s == nil {
			s = crate(t)
		}
		if got, err := s.ReadFile(name); err == nil && strings.Contains(string(got.Content), secret) {
			t.Error(fmt.Sprintf("%q", name), "reads what lies outside")
		}
	})
}
