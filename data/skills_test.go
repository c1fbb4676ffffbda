package data_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/data"
	"github.com/skillsearch/skillsearch/skill"
)

// bundled loads the skills that the binary carries, by folder.
func bundled(t *testing.T) map[string]*skill.Skill {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, data.Skills()); err != nil {
		t.Fatal(err)
	}
	root := skill.Root{Path: filepath.Join(dir, "skills"), Label: "bundled", Source: skill.SourceBundled}
	catalogue, err := skill.Load(t.Context(), []skill.Root{root}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if problems := catalogue.Problems(); len(problems) > 0 {
		t.Errorf("the bundled skills have problems: %+v", problems)
	}
	skills := map[string]*skill.Skill{}
	for _, s := range catalogue.Skills() {
		skills[path.Base(s.ID)] = s
	}
	return skills
}

func TestEveryBundledFolderIsASkill(t *testing.T) {
	folders, err := fs.Glob(data.Skills(), "skills/*/SKILL.md")
	if err != nil || len(folders) < 12 {
		t.Fatalf("%d bundled skills, want a dozen at least (%v)", len(folders), err)
	}
	want, got := map[string]string{}, map[string]string{}
	for _, file := range folders {
		folder := path.Base(path.Dir(file))
		want[folder] = folder
	}
	for folder, s := range bundled(t) {
		got[folder] = s.Name
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names by folder (-want +got):\n%s", diff)
	}
}

func TestBundledSkillsKeepTheirOwnRules(t *testing.T) {
	code := regexp.MustCompile(`^SKS\d{3}$`)
	owners := map[string]string{}
	for folder, s := range bundled(t) {
		if s.SkillBook != "SKS" || !code.MatchString(s.Code) || owners[s.Code] != "" {
			t.Errorf("%s: book %q, code %q (also of %q): want SKS and three digits of its own", folder, s.SkillBook, s.Code, owners[s.Code])
		}
		owners[s.Code] = folder
		if s.DescriptionSource != skill.FromHeader || !strings.Contains(s.Description, "Use ") {
			t.Errorf("%s: the description does not say when to use the skill: %q", folder, s.Description)
		}
		if s.Category == "" || len(s.Tags) < 3 || s.License != "Apache-2.0" {
			t.Errorf("%s: category %q, tags %q, license %q: want one, three at least and Apache-2.0", folder, s.Category, s.Tags, s.License)
		}
		if lines := s.BodyLine + strings.Count(s.Body, "\n"); lines > 150 {
			t.Errorf("%s: the file has %d lines, want at most 150: move what is rarely needed to references/", folder, lines)
		}
	}
}

func TestBundledSkillsNameEachOtherRightly(t *testing.T) {
	skills := bundled(t)
	mention := regexp.MustCompile("`([a-z-]+)`\\s+\\((SKS\\d+)\\)")
	mentions := 0
	for folder, s := range skills {
		for _, m := range mention.FindAllStringSubmatch(s.Body, -1) {
			mentions++
			if other := skills[m[1]]; other == nil || other.Code != m[2] {
				t.Errorf("%s: %s is no bundled skill with the code %s", folder, m[1], m[2])
			}
		}
	}
	if mentions == 0 {
		t.Error("no skill names another: there is nothing to look at")
	}
}

func TestBundledSkillsNameTheirReferences(t *testing.T) {
	skills := bundled(t)
	files, err := fs.Glob(data.Skills(), "skills/*/references/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no references are bundled: %v", err)
	}
	for _, file := range files {
		folder, ref, _ := strings.Cut(strings.TrimPrefix(file, "skills/"), "/")
		if s := skills[folder]; s == nil || !strings.Contains(s.Body, "`"+ref+"`") {
			t.Errorf("%s is not named in its skill", file)
		}
	}
}
