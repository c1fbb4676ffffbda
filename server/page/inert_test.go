package page_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// inert checks that a piece of HTML has no element or attribute that acts, or
// that asks another host for something.
func inert(t *testing.T, fragment string) {
	t.Helper()
	acting := strings.Fields("script style iframe object embed form svg math link meta base template video audio source button textarea select")
	tokens := html.NewTokenizer(strings.NewReader(fragment))
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		token := tokens.Token()
		if slices.Contains(acting, token.Data) {
			t.Errorf("<%s> in %q", token.Data, fragment)
		}
		for _, a := range token.Attr {
			value := strings.ToLower(strings.TrimSpace(a.Val))
			switch {
			case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "srcset":
				t.Errorf("%s of <%s> in %q", a.Key, token.Data, fragment)
			case a.Key == "src" && !strings.HasPrefix(value, "/v1/skills/"):
				t.Errorf("src %q in %q", a.Val, fragment)
			case a.Key == "href" && strings.Contains(value, ":") && !strings.HasPrefix(value, "http") && !strings.HasPrefix(value, "mailto:") && !strings.HasPrefix(value, "/v1/skills/") && !strings.HasPrefix(value, "#"):
				t.Errorf("href %q in %q", a.Val, fragment)
			}
		}
	}
}
