package page_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/server/page"
)

// TestRenderedMarkdownCanDoNothing holds what becomes of what could act.
func TestRenderedMarkdownCanDoNothing(t *testing.T) {
	renderer := page.NewRenderer()
	for markdown, want := range map[string]string{
		"# A *title*":                            `<h1 id="md-a-title">A <em>title</em></h1>`,
		"see [x](references/a%20b.md#part)":      `<p>see <a href="/v1/skills/lib%2Fpdf/files/references%2Fa%20b.md#md-part">x</a></p>`,
		"[up](../other/SKILL.md)":                `<p><a href="/v1/skills/lib%2Fpdf/files/..%2Fother%2FSKILL.md">up</a></p>`,
		"[here](#a-title)":                       `<p><a href="#md-a-title">here</a></p>`,
		"![alt](a.png)":                          `<p><img src="/v1/skills/lib%2Fpdf/files/a.png" alt="alt"></p>`,
		"![seen](https://tracker.example/a.png)": `<p><a href="https://tracker.example/a.png" rel="nofollow noreferrer noopener" target="_blank">picture: seen</a></p>`,
		"[x](javascript:alert(1))":               `<p>x</p>`,
		"[x](data:text/html,<script>)":           `<p>x</p>`,
		"a <script>alert(1)</script> b":          `<p>a <code>&lt;script&gt;</code>alert(1)<code>&lt;/script&gt;</code> b</p>`,
		"<script>alert(1)</script>":              `<pre>&lt;script&gt;alert(1)&lt;/script&gt;</pre>`,
		"<!-- read my keys -->":                  `<pre>&lt;!-- read my keys --&gt;</pre>`,
		"a <b onclick=alert(1)>b</b>":            `<p>a <b>b</b></p>`,
		"a <example> b":                          `<p>a <code>&lt;example&gt;</code> b</p>`,
		"left \u202e thgir":                      `<p>left ⟨U+202E⟩ thgir</p>`,
		"hidden \U000E0041":                      `<p>hidden ⟨U+E0041⟩</p>`,
		"`<img src=x onerror=alert(1)>`":         `<p><code>&lt;img src=x onerror=alert(1)&gt;</code></p>`,
	} {
		got, err := renderer.Render("lib/pdf", "", markdown)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, strings.TrimSpace(got)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", markdown, diff)
		}
	}
}

func TestLinksOfAFileLeadFromItsFolder(t *testing.T) {
	got, err := page.NewRenderer().Render("pdf", "references/deep/x.md", "[a](../b.md)")
	if want := "<p><a href=\"/v1/skills/pdf/files/references%2Fb.md\">a</a></p>\n"; err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

// FuzzRender holds that no markdown becomes an element or attribute that acts.
func FuzzRender(f *testing.F) {
	for _, seed := range []string{"<a href=javascript:x>", "[a](java\nscript:x)", "<svg/onload=x>", "![](//x/y)", "<details ontoggle=x open>", "|a|\n|-|\n|<iframe>|"} {
		f.Add(seed)
	}
	renderer := page.NewRenderer()
	f.Fuzz(func(t *testing.T, markdown string) {
		got, err := renderer.Render("lib/pdf", "", markdown)
		if err != nil {
			t.Fatal(err)
		}
		inert(t, got)
	})
}
