package skill_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/skill"
)

// TestFrontMatter holds that a header becomes the JSON that any YAML parser
// makes of it, or nothing.
func TestFrontMatter(t *testing.T) {
	for _, test := range []struct{ header, want string }{
		{"name: a\nVersion: 1.0\nn: -3\nb: True\nnone: ~\nwhen: 2026-01-02\nquoted: \"0644\"", `{"Version":1.0,"b":true,"n":-3,"name":"a","none":null,"quoted":"0644","when":"2026-01-02"}`},
		{"list: [a, {b: c}]\nmap: {d: [1]}", `{"list":["a",{"b":"c"}],"map":{"d":[1]}}`},
		{"base: &x [a]\nagain: *x", `{"again":["a"],"base":["a"]}`},
		{"text: |\n  one\n  two", `{"text":"one\ntwo\n"}`},
		{"mode: 0644", ""},
		{"big: 12345678901234567890", ""},
		{"inf: .inf", ""},
		{"a: 1\na: 2", ""},
		{"map: {1: a}", ""},
		{"bin: !!binary aGk=", ""},
		{"description: the colon: is one too many", ""},
		{"base: &x {a: 1}\nmerged: {<<: *x}", ""},
		{"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]", ""},
	} {
		fields, ok := skill.FrontMatter([]byte("---\n" + test.header + "\n---\nBody.\n"))
		got := ""
		if ok {
			raw, err := json.Marshal(fields)
			if err != nil {
				t.Fatal(err)
			}
			got = string(raw)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.header, diff)
		}
	}
	for _, raw := range []string{"", "Body.", "---\nname: a\nBody.", "\n---\nname: a\n---\n", "---\nname: \xff\n---\n", "---\n\x00\n---\n"} {
		if fields, ok := skill.FrontMatter([]byte(raw)); ok {
			t.Errorf("%q gives %v, want nothing", raw, fields)
		}
	}
}
