package toolset_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/skillsearch/skillsearch/toolset"
)

// TestTheDescriptionOfSkillStaysShort: 8,000 characters, and how many skills
// more there are.
func TestTheDescriptionOfSkillStaysShort(t *testing.T) {
	for name, c := range map[string]struct {
		skills int
		header string
		more   bool
	}{
		"few":          {3, "description: Does one thing.", false},
		"many":         {400, "description: Does one thing, and that well.", true},
		"long":         {30, "description: " + strings.Repeat("é", 5000), true},
		"just enough":  {1, "description: " + strings.Repeat("word ", 300), false},
		"one too many": {8, "description: " + strings.Repeat("word ", 300), true},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{}
			for i := range c.skills {
				files[fmt.Sprintf("s%03d/SKILL.md", i)] = skillText(fmt.Sprintf("s%03d", i), c.header)
			}
			lib, _ := library(t, files)
			text := tool(t, lib, "batbox", "Skill").Description
			shown := strings.Count(text, "\n- s")
			if n := utf8.RuneCountInString(text); n > 8000 || c.more && n < 6000 {
				t.Errorf("%d characters", n)
			}
			more := regexp.MustCompile(`\nand (\d+) more skills?, which \{"operation":"list"\} lists$`).FindStringSubmatch(text)
			if c.more != (more != nil) || more != nil && more[1] != fmt.Sprint(c.skills-shown) || more == nil && shown != c.skills {
				t.Errorf("%d of %d shown, then %q", shown, c.skills, more)
			}
			if strings.Contains(text, "The body") {
				t.Error("a body is told")
			}
		})
	}
}

func TestArgsAreReplacedWhereNoWordGoesOn(t *testing.T) {
	for body, want := range map[string]string{
		"":                       "",
		"$ARGS":                  "in",
		"$ARGS$ARGS":             "inin",
		"a $ARGS.":               "a in.",
		"$ARGS-x $ARGS\n$ARGS":   "in-x in\nin",
		"$ARGSx $ARGS9 $ARGS_":   "$ARGSx $ARGS9 $ARGS_",
		"$ARGSé $ARGS中 $ARGS٣":   "$ARGSé $ARGS中 $ARGS٣",
		"$ARGS\xff":              "in\xff",
		"$args ARGS $ARG ${ARGS": "$args ARGS $ARG ${ARGS",
		"$$ARGS \\$ARGS":         "$in \\in",
	} {
		if got := toolset.ReplaceArgs(body, "in"); got != want {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
	if got := toolset.ReplaceArgs("<$ARGS>", "$ARGS $1 %s"); got != "<$ARGS $1 %s>" {
		t.Errorf("the input was read again: %q", got)
	}
}

func TestAShortDescriptionIsTheFirstSentence(t *testing.T) {
	for description, want := range map[string]string{
		"Merges files. Splits them too.":         "Merges files.",
		"Reads e.g. PDF files. And more.":        "Reads e.g. PDF files.",
		"Version 1.2 of it, i.e. the new. Next.": "Version 1.2 of it, i.e. the new.",
		"Really? Yes.":                           "Really?",
		"发布任务。第二句。":                              "发布任务。",
		"No stop at all":                         "No stop at all",
		"One\nsentence\ton lines. Two.":          "One sentence on lines.",
		strings.Repeat("long ", 40):              strings.TrimSpace(strings.Repeat("long ", 23)) + " long…",
	} {
		lib, _ := library(t, map[string]string{"x/SKILL.md": skillText("x", fmt.Sprintf("description: %q", description))})
		result, err := tool(t, lib, "batbox", "Skill").Call(t.Context(), []byte(`{"operation":"list"}`))
		if err != nil || result.Text != "x (flag): "+want+"\n" {
			t.Errorf("%q: %q, %v; want %q", description, result.Text, err, want)
		}
	}
}
