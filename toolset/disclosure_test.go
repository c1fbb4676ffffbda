package toolset_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/toolset"
)

func shelf(t *testing.T, name string) toolset.Tool {
	t.Helper()
	lib, _ := library(t, map[string]string{
		"crate/SKILL.md":                                 skillText("crate", "description: Holds things."),
		"crate/references/full.md":                       strings.Repeat("0123456789abcdef", 1<<16),
		"crate/references/over.md":                       strings.Repeat("0123456789abcdef", 1<<16) + "x",
		"crate/references/inner/SKILL.md":                skillText("inner", "description: Is a skill of its own."),
		"crate/references/inner/of-inner.md":             "nobody outside reads this",
		"chest/SKILL.md":                                 skillText("chest", "description: Holds more."),
		"chest/references/b.md":                          "nobody outside reads this",
		"secret.txt":                                     "nobody outside reads this",
		"crate/references/way -> ../../chest/references": "",
	})
	return tool(t, lib, "disclosure", name)
}

func TestAReferenceHasAtMostOneMiB(t *testing.T) {
	read := shelf(t, "read_skill_file")
	result, err := read.Call(t.Context(), []byte(`{"skill":"crate","relative_path":"references/full.md"}`))
	if err != nil || len(result.Text) < 1<<20 {
		t.Errorf("%d bytes, %v", len(result.Text), err)
	}
	_, err = read.Call(t.Context(), []byte(`{"skill":"crate","relative_path":"references/over.md"}`))
	if skillsearch.ErrorKind(err) != "too_large" {
		t.Error(err)
	}
}

// A root with nested: true lists a skill in another one's folder as its own.
func TestAReferenceOfASkillInsideIsThatSkills(t *testing.T) {
	_, err := shelf(t, "read_skill_file").Call(t.Context(), []byte(`{"skill":"crate","relative_path":"references/inner/of-inner.md"}`))
	if skillsearch.ErrorKind(err) != "path_outside_skill" || !strings.Contains(err.Error(), "belongs to the skill library/crate/references/inner") {
		t.Error(err)
	}
	result, err := shelf(t, "read_skill").Call(t.Context(), []byte(`{"name":"crate"}`))
	if err != nil || !strings.HasSuffix(result.Text, `"references":["full.md","over.md"]}`) {
		t.Error(result.Text, err)
	}
}

// TestNoReferenceLeadsOutside tries 2,000 paths put together from the parts
// that such attacks are made of.
func TestNoReferenceLeadsOutside(t *testing.T) {
	read := shelf(t, "read_skill_file")
	parts := []string{
		"references", "references", "..", ".", "", "%2e%2e", "..%2f", "..%c0%af", "secret.txt", "way", "b.md", "chest", "inner", "of-inner.md",
		`..\`, "\x00", "library", "~", "....", "\u2025", "\uff0e\uff0e", "\xc0\xae",
	}
	random := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		path := make([]string, 1+random.IntN(6))
		for i := range path {
			path[i] = parts[random.IntN(len(parts))]
		}
		arguments, err := json.Marshal(map[string]string{"skill": "crate", "relative_path": strings.Join(path, "/")})
		if err != nil {
			t.Fatal(err)
		}
		result, err := read.Call(t.Context(), arguments)
		if answer := fmt.Sprint(result, err); strings.Contains(answer, "nobody outside") {
			t.Errorf("%q reads what lies outside: %.200s", path, answer)
		}
	}
}
