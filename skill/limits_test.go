package skill_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/skill"
)

const (
	maxHeader = 64 << 10 // bytes of a header
	maxDepth  = 100      // levels of a header
)

func TestOnlyTwoMiBOfAFileAreRead(t *testing.T) {
	start := "---\nname: saw\ndescription: Cuts.\n---\n"
	for name, tail := range map[string]string{
		"ASCII": "x", "two bytes": "é", "three bytes": "漆", "four bytes": "🪚",
	} {
		t.Run(name, func(t *testing.T) {
			// However the cut falls, it does not make a character invalid.
			for shift := range 4 {
				content := start + strings.Repeat("y", shift) + strings.Repeat(tail, skill.MaxFile/len(tail))
				c, _ := loadFiles(t, map[string]string{"saw/SKILL.md": content})
				s := c.Skills()[0]
				if !utf8.ValidString(s.Body) || strings.Contains(s.Body, "\uFFFD") || len(start)+len(s.Body) > skill.MaxFile || len(start)+len(s.Body) < skill.MaxFile-3 {
					t.Errorf("shift %d: a body of %d bytes, ending in %q", shift, len(s.Body), s.Body[len(s.Body)-8:])
				}
				if s.Size != int64(len(content)) {
					t.Errorf("size %d, want that of the file, %d", s.Size, len(content))
				}
				if diff := cmp.Diff([]string{"limit-reached:SKILL.md"}, placesOf(c.Problems())); diff != "" {
					t.Errorf("problems (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// placesOf are problems as kind:file:line.
func placesOf(problems []skill.Problem) []string {
	out := places(problems, "")
	for i, place := range out {
		kind, path, _ := strings.Cut(place, ":")
		out[i] = kind + ":" + path[strings.LastIndex(path, "/")+1:]
	}
	return out
}

func TestAHeaderBeyondTheLimitsKeepsNameAndDescription(t *testing.T) {
	fill := func(total int) string { // a header of so many bytes
		const keys = "name: saw\ndescription: Cuts.\nlicense: MIT\nx: \n"
		return strings.Replace(keys, "x: ", "x: "+strings.Repeat("y", total-len(keys)), 1)
	}
	manyKeys := func(n int) string {
		var out strings.Builder
		for i := range n {
			fmt.Fprintf(&out, "k%d: v\n", i)
		}
		return out.String()
	}
	nest := func(n int) string { return "x: " + strings.Repeat("[", n) + strings.Repeat("]", n) + "\n" }
	stairs := func(n int) string { // n levels, the top one included
		var out strings.Builder
		for i := range n {
			out.WriteString(strings.Repeat("  ", i) + "x:\n")
		}
		return out.String()
	}
	plain := "name: saw\ndescription: Cuts.\nlicense: MIT\n"
	tests := map[string]struct {
		header string
		within bool
	}{
		"64 KiB":                  {fill(maxHeader), true},
		"a byte more":             {fill(maxHeader + 1), false},
		"12,000 keys":             {manyKeys(12_000) + plain, false},
		"12,000 keys behind":      {plain + manyKeys(12_000), false},
		"5,000 keys":              {plain + manyKeys(5_000), true},
		"100 brackets":            {plain + nest(maxDepth), true},
		"101 brackets":            {plain + nest(maxDepth+1), false},
		"9,000 brackets":          {nest(9_000) + plain, false},
		"30,000 open brackets":    {plain + "x: " + strings.Repeat("[", 30_000) + "\n", false},
		"100 steps":               {plain + stairs(maxDepth), true},
		"102 steps":               {plain + stairs(maxDepth+2), false},
		"brackets as description": {"name: saw\ndescription: Cuts. " + strings.Repeat("[{", 20_000) + "\n", false},
		"blanks behind the key":   {"name: saw\ndescription: Cuts.\ndescription" + strings.Repeat(" ", 80_000) + ": x\n", false},
		"9,000 dashes of a list":  {plain + "x:\n" + strings.Repeat("- ", 9_000) + "y\n", false},
		"9,000 question marks":    {plain + strings.Repeat("? ", 9_000) + "y\n", false},
		"brackets in two texts":   {plain + "a: '" + strings.Repeat("[", 99) + "'\nb: '" + strings.Repeat("[", 99) + "'\n", true},
		"a description of 90 KiB": {"name: saw\nlicense: MIT\ndescription: Cuts." + strings.Repeat(" wood", 18_000) + "\n", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s, problems := parse("---\n" + tt.header + "---\nBody\n")
			want := []any{"saw", true, "MIT", []string{}}
			if !tt.within {
				want = []any{"saw", true, "", []string{"limit-reached:shelf/SKILL.md:2"}}
			}
			var got []skill.Problem
			for _, p := range problems { // a long description is another matter
				if p.Kind != skill.DescriptionTooLong {
					got = append(got, p)
				}
			}
			if diff := cmp.Diff(want, []any{s.Name, strings.HasPrefix(s.Description, "Cuts."), s.License, kinds(got)}); diff != "" {
				t.Errorf("name, description, license, problems (-want +got):\n%s", diff)
			}
		})
	}
}

// Aliases make small headers large. What is kept of one is bounded by its size,
// whatever they say: this counts, so that no clock is needed.
func TestAliasesGrowToNoMoreThanAHeaderCanHold(t *testing.T) {
	list := "&a [" + strings.Repeat("k,", 5_000) + "k]"
	tests := map[string]struct {
		header string
		kept   map[string]bool // unknown keys that must be there, or not
	}{
		"levels":              {levels(9), map[string]bool{"a": true, "b": true, "c": true, "h": false, "i": false}},
		"one list, many keys": {"a: " + list + "\n" + many("k%d: *a\n", 4_000), map[string]bool{"a": true, "k0": true, "k3999": false}},
		"one list, one list":  {"a: " + list + "\nb: [" + strings.Repeat("*a,", 10_000) + "*a]\n", map[string]bool{"a": true, "b": false}},
		"a circle":            {"a: &a [*a, *a]\nb: &b {c: *b}\n", map[string]bool{"a": false}},
		"requires":            {"z: " + list + "\nrequires: {" + strings.Repeat("bins: *a, env: *a, ", 2_000) + "bins: *a}\n", nil},
		"requires elsewhere":  {"z: " + list + "\nmetadata: {openclaw: {requires: {" + strings.Repeat("bins: *a, ", 3_000) + "bins: *a}}}\n", nil},
		"known lists":         {"tools: " + list + "\nallowed-tools: *a\ntags: *a\n", nil},
		"no aliases":          {many("k%d: [a, b, c]\n", 3_000), map[string]bool{"k0": true, "k2999": true}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s, problems := parse("---\nname: saw\ndescription: Cuts.\n" + tt.header + "---\nBody\n")
			if s.Name != "saw" || s.Description != "Cuts." || len(s.Body) != 5 {
				t.Errorf("name %q, description %q, body %q", s.Name, s.Description, s.Body)
			}
			lists := len(s.Tools) + len(s.AllowedTools) + len(s.Tags) + len(s.Requires.Binaries) + len(s.Requires.Credentials)
			if n := nodes(s.Metadata); n > maxHeader || lists > maxHeader {
				t.Errorf("%d nodes and %d items are kept of a header of at most %d bytes", n, lists, maxHeader)
			}
			lost := false
			for key, want := range tt.kept {
				_, got := s.Metadata[key]
				lost = lost || !want
				if got != want {
					t.Errorf("key %q kept: %v, want %v", key, got, want)
				}
			}
			if said := strings.Count(strings.Join(kinds(problems), " "), "limit-reached"); lost && said != 1 || tt.kept != nil && !lost && said != 0 {
				t.Errorf("%d problems say that the limit was reached: %v", said, kinds(problems))
			}
		})
	}
}

// levels is "billion laughs", n levels deep.
func levels(n int) string {
	var out strings.Builder
	item := "k"
	for i := range n {
		key := string(rune('a' + i))
		fmt.Fprintf(&out, "%s: &%s [%s]\n", key, key, strings.TrimSuffix(strings.Repeat(item+",", 9), ","))
		item = "*" + key
	}
	return out.String()
}

func many(format string, n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, format, i)
	}
	return out.String()
}

// nodes counts what data holds.
func nodes(data any) int {
	n := 1
	switch data := data.(type) {
	case []any:
		for _, item := range data {
			n += nodes(item)
		}
	case map[string]any:
		for _, item := range data {
			n += nodes(item)
		}
	}
	return n
}

func TestANULEarlyOnIsABinary(t *testing.T) {
	start := "---\nname: saw\n---\n"
	if s, problems := parse(start + strings.Repeat("x", 1_000) + "\x00"); s != nil || problems[0].Kind != skill.Binary {
		t.Errorf("a NUL in the first kilobytes: %+v, %+v, want no skill and that it is binary", s, problems)
	}
	if s, problems := parse(start + strings.Repeat("x", 10_000) + "\x00"); s == nil || s.Name != "saw" {
		t.Errorf("a NUL far behind: %+v, %+v, want a skill", s, problems)
	}
}

func TestInvalidUTF8IsReplacedAndItsLineNamed(t *testing.T) {
	tests := map[string]struct {
		content, body string
		line          int
	}{
		"in the body":        {"---\nname: saw\n---\nOne\ntw\xffo\n", "One\ntw\uFFFDo\n", 5},
		"behind CRLF":        {"---\r\nname: saw\r\n---\r\nOne\r\ntw\xc3", "One\ntw\uFFFD", 5},
		"behind CR":          {"---\rname: saw\r---\rOne\r\xf0\x9f\r", "One\n\uFFFD\n", 5},
		"the first of two":   {"---\nname: saw\n---\n\xff\n\xff\n", "\uFFFD\n\uFFFD\n", 4},
		"a written U+FFFD":   {"---\nname: saw\n---\n\uFFFD\n", "\uFFFD\n", 0},
		"a surrogate's half": {"---\nname: saw\n---\nx\xed\xa0\x80y\n", "x\uFFFDy\n", 4},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s, problems := parse(tt.content)
			line := 0
			for _, p := range problems {
				if p.Kind == skill.InvalidUTF8 {
					line = p.Line
				}
			}
			if s.Body != tt.body || line != tt.line {
				t.Errorf("body %q, line %d; want %q, %d", s.Body, line, tt.body, tt.line)
			}
		})
	}
}
