package fallback_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/skillsearch/skillsearch/fallback"
	"github.com/skillsearch/skillsearch/skill"
)

// corpusSkills reads the skills below the folder CORPUS, in a way that is enough
// for their words: a header of lines, then the body.
func corpusSkills(tb testing.TB) []*skill.Skill {
	tb.Helper()
	root := os.Getenv("CORPUS")
	if root == "" {
		tb.Skip("CORPUS names no folder of skills, so there is nothing to read")
	}
	var skills []*skill.Skill
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "SKILL.md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		id, err := filepath.Rel(root, filepath.Dir(path))
		skills = append(skills, readSkill(id, string(text)))
		return err
	})
	if err != nil || len(skills) == 0 {
		tb.Fatalf("read %s: %d skills, %v", root, len(skills), err)
	}
	return skills
}

func readSkill(id, text string) *skill.Skill {
	s := &skill.Skill{ID: id, Name: filepath.Base(id), Body: text}
	header, body, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---")
	if !ok {
		return s
	}
	s.Body = body
	for line := range strings.Lines(header) {
		key, value, _ := strings.Cut(line, ":")
		switch value = strings.TrimSpace(value); key {
		case "name":
			s.Name = strings.Trim(value, `"'`)
		case "description":
			s.Description = value
		case "tags":
			s.Tags = strings.Split(strings.Trim(value, "[]"), ",")
		}
	}
	s.Title = s.Name
	if m := heading.FindStringSubmatch(body); m != nil {
		s.Title = m[1]
	}
	return s
}

// BenchmarkNew builds the index of all skills. MB/s are those of their bodies;
// index-MB is what the index holds on to, built-MB what is allocated to build it.
func BenchmarkNew(b *testing.B) {
	skills := corpusSkills(b)
	size := int64(0)
	for _, s := range skills {
		size += int64(len(s.Body))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	before := heapBytes()
	var x *fallback.Index
	for b.Loop() {
		x = fallback.New(skills)
	}
	b.ReportMetric(float64(heapBytes()-before)/1e6, "index-MB")
	runtime.KeepAlive(x)
	runtime.KeepAlive(skills)
}

func heapBytes() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func BenchmarkSearch(b *testing.B) {
	x := fallback.New(corpusSkills(b))
	queries := map[string]string{
		"name":   "pdf-processing",
		"words":  "review a pull request for security problems",
		"prompt": strings.Repeat("Our Python service's Docker image has ballooned past a gigabyte. Get the size down without breaking the dependencies. ", 3),
		"page":   strings.Repeat("every skill that can test, build, deploy or review code in the cloud ", 1000)[:64<<10],
	}
	for name, query := range queries {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x.Search(query)
			}
		})
	}
}
