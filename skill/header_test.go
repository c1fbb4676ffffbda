package skill_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/skillsearch/skillsearch/skill"
)

// parse reads a file of the folder "shelf".
func parse(content string) (*skill.Skill, []skill.Problem) {
	return skill.Parse([]byte(content), skill.File{Path: "shelf/SKILL.md", Name: "shelf"})
}

// ofBytes are the fields that say no more than the bytes.
var ofBytes = cmpopts.IgnoreFields(skill.Skill{}, "Path", "Size", "Hash", "BodyLine")

// kinds are problems as kind:line.
func kinds(problems []skill.Problem) []string { return places(problems, "") }

// TestEveryKeyOfTheHeader goes through the table of keys, in both spellings and
// the types that people write.
func TestEveryKeyOfTheHeader(t *testing.T) {
	tests := map[string]struct {
		header string
		want   func(*skill.Skill)
	}{
		"name and description":               {"description: Cuts.", func(s *skill.Skill) { s.Description, s.DescriptionSource = "Cuts.", "header" }},
		"keys in capitals":                   {"DESCRIPTION: Cuts.\nLicense: MIT", func(s *skill.Skill) { s.Description, s.DescriptionSource, s.License = "Cuts.", "header", "MIT" }},
		"title":                              {"title: The Big Saw", func(s *skill.Skill) { s.Title = "The Big Saw" }},
		"code":                               {"code: SAW7", func(s *skill.Skill) { s.Code = "SAW7" }},
		"a number as code":                   {"code: 007", func(s *skill.Skill) { s.Code = "007" }},
		"skillbook":                          {"skillbook: WOOD", func(s *skill.Skill) { s.SkillBook = "WOOD" }},
		"active":                             {"active: false", func(s *skill.Skill) { s.Active = false }},
		"active in other words":              {"active: No", func(s *skill.Skill) { s.Active = false }},
		"active with a value":                {"active: yes", nil},
		"active without a value":             {"active:", nil},
		"status":                             {"status: Deleted", func(s *skill.Skill) { s.Active = false }},
		"another status":                     {"status: draft", nil},
		"deleted":                            {"deleted: true", func(s *skill.Skill) { s.Active = false }},
		"not deleted":                        {"deleted: false", nil},
		"deleted although active":            {"deleted: true\nactive: true", func(s *skill.Skill) { s.Active = false }},
		"tools as a list":                    {"tools: [sql, http]", func(s *skill.Skill) { s.Tools = []string{"sql", "http"} }},
		"tools as a block":                   {"tools:\n- sql\n- http", func(s *skill.Skill) { s.Tools = []string{"sql", "http"} }},
		"tools with commas":                  {"tools: sql, http", func(s *skill.Skill) { s.Tools = []string{"sql", "http"} }},
		"tools with blanks":                  {"tools: sql http", func(s *skill.Skill) { s.Tools = []string{"sql", "http"} }},
		"tools with parentheses":             {"tools: Bash(git add:*), Bash(npm run (a, b)) Read", func(s *skill.Skill) { s.Tools = []string{"Bash(git add:*)", "Bash(npm run (a, b))", "Read"} }},
		"tools in quotes":                    {`tools: "'sql', 'http'"`, func(s *skill.Skill) { s.Tools = []string{"sql", "http"} }},
		"tools in brackets that are no list": {"tools: [sql] [http]", func(s *skill.Skill) { s.Tools = []string{"sql", "http"} }},
		"tools over a bad line":              {"note: a: b\ntools:\n- sql\n- http", func(s *skill.Skill) { s.Tools, s.Metadata = []string{"sql", "http"}, map[string]any{"note": "a: b"} }},
		"allowed-tools":                      {"allowed-tools: Read, Bash(ls:*)", func(s *skill.Skill) { s.AllowedTools = []string{"Read", "Bash(ls:*)"} }},
		"allowed_tools":                      {"allowed_tools:\n  - Read\n  - \"Write\"\n  - 5\n  - ~", func(s *skill.Skill) { s.AllowedTools = []string{"Read", "Write", "5"} }},
		"allowed-tools of an odd shape":      {"allowed-tools: {read: yes}", nil},
		"model":                              {"model: small", func(s *skill.Skill) { s.Model = "small" }},
		"category":                           {"category: wood", func(s *skill.Skill) { s.Category = "wood" }},
		"category below metadata": {"metadata:\n  Category: wood", func(s *skill.Skill) {
			s.Category, s.Metadata = "wood", map[string]any{"metadata": map[string]any{"Category": "wood"}}
		}},
		"category in both": {"metadata: {category: b}\ncategory: a", func(s *skill.Skill) {
			s.Category, s.Metadata = "a", map[string]any{"metadata": map[string]any{"category": "b"}}
		}},
		"tags":             {"tags: [fine wood, glue]", func(s *skill.Skill) { s.Tags = []string{"fine wood", "glue"} }},
		"tags with commas": {"tags: fine wood, 'glue'", func(s *skill.Skill) { s.Tags = []string{"fine wood", "glue"} }},
		"tags with blanks": {"tags: wood glue", func(s *skill.Skill) { s.Tags = []string{"wood", "glue"} }},
		"tags below metadata": {"metadata: {tags: [glue]}", func(s *skill.Skill) {
			s.Tags, s.Metadata = []string{"glue"}, map[string]any{"metadata": map[string]any{"tags": []any{"glue"}}}
		}},
		"difficulty":               {"difficulty: hard", func(s *skill.Skill) { s.Difficulty = "hard" }},
		"always-present":           {"always-present: true", func(s *skill.Skill) { s.AlwaysPresent = true }},
		"always_present":           {"always_present: on", func(s *skill.Skill) { s.AlwaysPresent = true }},
		"creator":                  {"creator: agent", func(s *skill.Skill) { s.Creator = "agent" }},
		"planck-version":           {"planck-version: 1.10", func(s *skill.Skill) { s.PlanckVersion = "1.10" }},
		"planck_version":           {"planck_version: 1.10", func(s *skill.Skill) { s.PlanckVersion = "1.10" }},
		"disable-model-invocation": {"disable-model-invocation: true", func(s *skill.Skill) { s.OperatorOnly = true }},
		"disable_model_invocation": {"disable_model_invocation: true", func(s *skill.Skill) { s.OperatorOnly = true }},
		"requires": {"requires:\n  binaries: [saw, rasp]\n  privileges: elevated\n  credentials: [KEY]", func(s *skill.Skill) {
			s.Requires = skill.Requires{Binaries: []string{"saw", "rasp"}, Credentials: []string{"KEY"}, Elevated: true}
		}},
		"requires, other names": {"requires: {bins: saw, env: 'A, B', privileges: none}", func(s *skill.Skill) {
			s.Requires = skill.Requires{Binaries: []string{"saw"}, Credentials: []string{"A", "B"}}
		}},
		"requires of another shape": {"requires: saw", nil},
		"license":                   {"license: MIT", func(s *skill.Skill) { s.License = "MIT" }},
		"compatibility":             {"compatibility: Needs a bench", func(s *skill.Skill) { s.Compatibility = "Needs a bench" }},
		"version":                   {"version: 1.0", func(s *skill.Skill) { s.Version = "1.0" }},
		"unknown keys keep spelling": {"My_Key: {a: [1, true, ~]}\nother: x", func(s *skill.Skill) {
			s.Metadata = map[string]any{"My_Key": map[string]any{"a": []any{"1", "true", nil}}, "other": "x"}
		}},
		"equal keys below a key": {"extra: {a: ~, a: 2}", func(s *skill.Skill) { s.Metadata = map[string]any{"extra": map[string]any{"a": nil}} }},
		"aliases":                {"tools: &t [sql]\nextra: *t", func(s *skill.Skill) { s.Tools, s.Metadata = []string{"sql"}, map[string]any{"extra": []any{"sql"}} }},
		"requires below metadata.openclaw": {"metadata: {openclaw: {requires: {bins: [saw], env: [KEY]}}}", func(s *skill.Skill) {
			s.Requires = skill.Requires{Binaries: []string{"saw"}, Credentials: []string{"KEY"}}
			s.Metadata = map[string]any{"metadata": map[string]any{"openclaw": map[string]any{"requires": map[string]any{"bins": []any{"saw"}, "env": []any{"KEY"}}}}}
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, _ := parse("---\nname: saw\n" + tt.header + "\n---\n- Body\n")
			want := &skill.Skill{
				Name: "saw", NameSource: "header", Title: "saw", Code: "saw", Active: true, Body: "- Body\n",
				Description: "- Body", DescriptionSource: "body",
			}
			if tt.want != nil {
				tt.want(want)
			}
			if diff := cmp.Diff(want, got, ofBytes, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("skill (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheFirstOfTwoSpellingsWins(t *testing.T) {
	s, problems := parse("---\nname: saw\ndescription: Cuts.\nallowed_tools: [Read]\nallowed-tools: [Write]\nname: rasp\n---\nBody\n")
	got := []any{s.Name, s.AllowedTools, kinds(problems)}
	want := []any{"saw", []string{"Read"}, []string{"duplicate-key:shelf/SKILL.md:5", "duplicate-key:shelf/SKILL.md:6"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("name, tools and problems (-want +got):\n%s", diff)
	}
}

func TestTheTitleIsTheHeadersElseTheFirstHeadingElseTheName(t *testing.T) {
	tests := map[string]struct{ header, body, want string }{
		"header":               {"title: Given\n", "# Heading\n", "Given"},
		"heading":              {"", "Text\n\n## Second\n\n# The *first* one ##\n\n# Next\n", "The *first* one"},
		"not in a code block":  {"", "```sh\n# comment\n```\n~~~\n# comment\n~~~~\n# Real\n", "Real"},
		"not without a blank":  {"", "#hashtag\n", "saw"},
		"not one without text": {"", "#\n# \n# Real\n", "Real"},
		"name":                 {"", "Text\n", "saw"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if s, _ := parse("---\nname: saw\n" + tt.header + "---\n" + tt.body); s.Title != tt.want {
				t.Errorf("title %q, want %q", s.Title, tt.want)
			}
		})
	}
}

func TestTheFirstParagraphDescribesASkillWithoutDescription(t *testing.T) {
	tests := map[string]struct{ body, want string }{
		"prose, lines joined":     {"# Saw\n\nCuts\n  wood.\n\nMore.\n", "Cuts wood."},
		"prose behind the rest":   {"> quote\n\n| a | b |\n\n![x](y)\n\n<br>\n\n***\n\n```\ncode\n```\nCuts.\n", "Cuts."},
		"a list":                  {"- Cuts\n- Planes\n", "- Cuts - Planes"},
		"the first heading's":     {"## Cuts wood ##\n\n# Saw\n", "Cuts wood"},
		"nothing":                 {"```\ncode\n```\n", ""},
		"an open code block":      {"```\ncode\n\nmore\n", ""},
		"a fence within a longer": {"````\n```\nx\n```\n\ny\n````\nCuts.\n", "Cuts."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if s, _ := parse("---\nname: saw\n---\n" + tt.body); s.Description != tt.want {
				t.Errorf("description %q, want %q", s.Description, tt.want)
			}
		})
	}
}

func TestARepairedLineComesWithItsMend(t *testing.T) {
	tests := map[string]struct{ header, mend string }{
		"a colon":       {"description: Use when: it's wet", "quote the value: description: 'Use when: it''s wet'"},
		"another key":   {"argument-hint: [a] [b]\ndescription: Fine.", "quote the value: argument-hint: '[a] [b]'"},
		"a long value":  {"description: x: " + strings.Repeat("word ", 100), "quote the value: description: '" + skill.Shorten("x: "+strings.Repeat("word ", 100), 200) + "'"},
		"no blank":      {"description:Fine.\nlicense: MIT", "quote the value: description: 'Fine.'"},
		"a block below": {"description: x: |\n  line\n  line", "quote the value: description: 'x: | line line'"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, problems := parse("---\nname: saw\n" + tt.header + "\n---\nBody\n")
			if len(problems) != 1 || problems[0].Kind != skill.YAMLRepaired || problems[0].Line != 3 || problems[0].Remedy != tt.mend {
				t.Errorf("problems %+v, want one with the mend %q", problems, tt.mend)
			}
		})
	}
}

// A second YAML document would be lost in silence.
func TestKeysBehindADocumentMarkAreRead(t *testing.T) {
	s, problems := parse("---\nname: saw\n...\nlicense: MIT\n--- # second\ndescription: Cuts.\n---\nBody\n")
	got := []any{s.Name, s.License, s.Description, kinds(problems)}
	want := []any{"saw", "MIT", "Cuts.", []string{}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("name, license, description, problems (-want +got):\n%s", diff)
	}
}

func TestAFlatFileNeedsAHeaderWithAName(t *testing.T) {
	tests := map[string]struct {
		content  string
		want     string // name
		problems []string
	}{
		"complete":            {text("saw", "Cuts."), "saw", nil},
		"no header":           {"# Readme\n\nText.\n", "", nil},
		"empty":               {"", "", nil},
		"a header of another": {"---\nlayout: page\n---\nText\n", "", nil},
		"a rule, no header":   {"---\n\nText\n", "", nil},
		"only a description":  {"---\ndescription: Cuts.\n---\nText\n", "", []string{"name-missing:saw.md:2"}},
		"a list for a name":   {"---\nname: [saw]\ndescription: Cuts.\n---\nText\n", "", []string{"name-missing:saw.md:2"}},
		"not closed":          {"---\nname: saw\ndescription: Cuts.\n\n# Saw\n", "saw", []string{"frontmatter-unterminated:saw.md:2"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s, problems := skill.Parse([]byte(tt.content), skill.File{Path: "saw.md", Name: "saw", Flat: true})
			got := ""
			if s != nil {
				got = s.Name
			}
			if diff := cmp.Diff([]any{tt.want, tt.problems}, []any{got, places(problems, "")}, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("name and problems (-want +got):\n%s", diff)
			}
		})
	}
}

// TestWhatKeepsASkillFromModelsIsNeverLost holds that neither the size of a
// header nor a slip in it hands an operator-only or deleted skill to a model.
func TestWhatKeepsASkillFromModelsIsNeverLost(t *testing.T) {
	long := "description: " + strings.Repeat("long ", 16_000) + "\n"
	deep := "x: " + strings.Repeat("[", 150) + "\n"
	for name, header := range map[string]string{
		"over-long":            long + "disable-model-invocation: true",
		"too deep":             deep + "disable_model_invocation: true",
		"a list":               "disable-model-invocation: [true]",
		"a mistyped value":     "disable-model-invocation: treu",
		"torn flow":            "{name: saw, disable-model-invocation: true, x: [}",
		"merged":               "x: &x {disable-model-invocation: true}\n<<: *x",
		"blanks around":        "disable-model-invocation: \" true \"",
		"over-long, deleted":   long + "active: false",
		"too deep, deleted":    deep + "deleted: true",
		"active, mistyped":     "active: nope",
		"over-long, by status": long + "status: deleted",
	} {
		t.Run(name, func(t *testing.T) {
			s, problems := parse("---\nname: saw\n" + header + "\n---\nBody.\n")
			if strings.HasPrefix(header, "{") {
				s, problems = parse("---\n" + header + "\n---\nBody.\n")
			}
			if s == nil || s.Active && !s.OperatorOnly {
				t.Errorf("models load it: %+v", s)
			}
			if name != "blanks around" && len(problems) == 0 {
				t.Error("nothing was reported")
			}
		})
	}
	for _, header := range []string{"disable-model-invocation: false", "disable-model-invocation:", "disable-model-invocation: no", "description: Says what disable-model-invocation means."} {
		if s, problems := parse("---\nname: saw\n" + header + "\n---\nBody.\n"); s.OperatorOnly || strings.Contains(strings.Join(kinds(problems), " "), "value-invalid") {
			t.Errorf("%q keeps models away, or is a problem: %v", header, kinds(problems))
		}
	}
}
