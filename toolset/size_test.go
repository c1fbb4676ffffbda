package toolset_test

import (
	"testing"
	"unicode/utf8"

	"github.com/skillsearch/skillsearch/toolset"
)

// TestOwnDefinitionsAreShort holds that our tools cost a model's context little,
// in every format: it reads them with each request.
func TestOwnDefinitionsAreShort(t *testing.T) {
	set, err := toolset.Open("skillsearch", toolset.Library{})
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []toolset.Format{toolset.MCP, toolset.OpenAI, toolset.Anthropic} {
		raw, err := toolset.Definitions(set.Tools, format)
		if err != nil {
			t.Fatal(err)
		}
		if n := utf8.RuneCount(raw); n >= 2000 {
			t.Errorf("the definitions in the format %s have %d characters, want under 2000", format, n)
		} else {
			t.Logf("%s: %d characters", format, n)
		}
	}
}
