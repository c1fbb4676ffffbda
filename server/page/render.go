package page

import (
	"bytes"
	"fmt"
	"html"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A Renderer makes HTML of markdown that nobody vouches for. It is safe for
// concurrent use.
type Renderer struct {
	markdown goldmark.Markdown
	clean    *bluemonday.Policy
}

// NewRenderer returns a Renderer.
func NewRenderer() *Renderer {
	tables := extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))
	return &Renderer{
		markdown: goldmark.New(
			goldmark.WithExtensions(tables, extension.Strikethrough, extension.Linkify, extension.TaskList),
			goldmark.WithParserOptions(parser.WithAutoHeadingID()),
			goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(rawHTML{}, 100))),
		),
		clean: newPolicy(),
	}
}

// Render makes HTML of the markdown of a skill's file, which lies at name below
// the skill's folder ("" for the skill's own). Links to files beside it become
// those of the HTTP route; pictures of other hosts become links, so that showing
// a skill tells nobody. HTML in the markdown that does no more than shape text is
// kept, all other is shown as text, comments too: a model reads them, and so
// should a person. Ids begin with "md-".
func (r *Renderer) Render(skill, name, markdown string) (string, error) {
	source := []byte(Visible(markdown))
	tree := r.markdown.Parser().Parse(text.NewReader(source))
	if err := rewrite(tree, source, beside{skill, path.Dir(name)}); err != nil {
		return "", fmt.Errorf("render %s: %w", skill, err)
	}
	var out bytes.Buffer
	if err := r.markdown.Renderer().Render(&out, source, tree); err != nil {
		return "", fmt.Errorf("render %s: %w", skill, err)
	}
	return r.clean.SanitizeReader(&out).String(), nil
}

// Visible writes characters that steer how a text looks and are not seen
// themselves (controls, bidi overrides and isolates, tags) as their numbers.
func Visible(s string) string {
	if !strings.ContainsFunc(s, steers) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if steers(r) {
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func steers(r rune) bool {
	switch {
	case r == '\n' || r == '\t' || r == '\r':
		return false
	case unicode.Is(unicode.Cc, r), 0x202A <= r && r <= 0x202E, 0x2066 <= r && r <= 0x2069, 0xE0000 <= r && r <= 0xE007F:
		return true
	}
	return false
}

// beside is where the links of a text lead from.
type beside struct{ skill, folder string }

// rewrite leads links to where a browser finds what they mean.
func rewrite(tree ast.Node, source []byte, from beside) error {
	var foreign []*ast.Image
	err := ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if id, ok := n.AttributeString("id"); ok {
				n.SetAttributeString("id", append([]byte("md-"), id.([]byte)...))
			}
		case *ast.Link:
			n.Destination = []byte(from.address(string(n.Destination)))
		case *ast.Image:
			n.Destination = []byte(from.address(string(n.Destination)))
			if !bytes.HasPrefix(n.Destination, []byte("/v1/skills/")) {
				foreign = append(foreign, n)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, image := range foreign {
		unload(image, source)
	}
	return err
}

// unload makes a link of a picture.
func unload(image *ast.Image, source []byte) {
	link := ast.NewLink()
	link.Destination = image.Destination
	label := words(image, source)
	if label == "" {
		label = string(image.Destination)
	}
	link.AppendChild(link, ast.NewString([]byte(html.EscapeString("picture: "+label))))
	image.Parent().ReplaceChild(image.Parent(), image, link)
}

// words is the text below a node.
func words(n ast.Node, source []byte) string {
	var b strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if leaf, ok := child.(*ast.Text); ok {
			b.Write(leaf.Value(source))
		} else {
			b.WriteString(words(child, source))
		}
	}
	return b.String()
}

// address is where a link of the markdown leads.
func (b beside) address(destination string) string {
	u, err := url.Parse(destination)
	switch {
	case err != nil:
		return ""
	case u.IsAbs() || u.Host != "" || destination == "":
		return destination
	case u.Path == "":
		return "#md-" + u.Fragment
	}
	name := path.Join(b.folder, u.Path)
	if path.IsAbs(u.Path) {
		name = u.Path // the route refuses it, in words
	}
	address := "/v1/skills/" + url.PathEscape(b.skill) + "/files/" + url.PathEscape(name)
	if u.Fragment != "" {
		address += "#md-" + url.PathEscape(u.Fragment)
	}
	return address
}

// shaping are the elements of HTML that do no more than shape text.
var shaping = strings.Fields("b blockquote br center code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li ol p pre s span strong sub summary sup table tbody td th thead tr ul")

// rawHTML renders the HTML in markdown: what shapes text as it is, for the
// sanitiser to look at, the rest as text.
type rawHTML struct{}

func (r rawHTML) RegisterFuncs(register renderer.NodeRendererFuncRegisterer) {
	register.Register(ast.KindRawHTML, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			r.write(w, string(n.(*ast.RawHTML).Segments.Value(source)), "code")
		}
		return ast.WalkSkipChildren, nil
	})
	register.Register(ast.KindHTMLBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			block := n.(*ast.HTMLBlock)
			raw := string(block.Lines().Value(source))
			if block.HasClosure() {
				raw += string(block.ClosureLine.Value(source))
			}
			r.write(w, raw, "pre")
		}
		return ast.WalkSkipChildren, nil
	})
}

var tag = regexp.MustCompile(`</?\s*([A-Za-z][A-Za-z0-9-]*)`)

// write writes HTML whose every tag shapes text as it is, and other as text in
// an element.
func (rawHTML) write(w util.BufWriter, raw, element string) {
	tags := tag.FindAllStringSubmatch(raw, -1)
	foreign := slices.ContainsFunc(tags, func(m []string) bool { return !slices.Contains(shaping, strings.ToLower(m[1])) })
	if len(tags) == 0 || foreign || strings.Contains(raw, "<!") || strings.Contains(raw, "<?") {
		raw = "<" + element + ">" + html.EscapeString(raw) + "</" + element + ">"
	}
	_, _ = w.WriteString(raw) // its own Flush tells of errors
}

// newPolicy is what may be in rendered markdown.
func newPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements(shaping...)
	p.AllowAttrs("id").Matching(regexp.MustCompile(`^md-[\pL\pN_-]*$`)).OnElements("h1", "h2", "h3", "h4", "h5", "h6")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^language-[\w+#-]+$`)).OnElements("code")
	p.AllowAttrs("align").Matching(regexp.MustCompile(`^(left|center|right)$`)).OnElements("td", "th")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("open").Matching(regexp.MustCompile(`^$`)).OnElements("details")
	p.AllowAttrs("type").Matching(regexp.MustCompile(`^checkbox$`)).OnElements("input")
	p.AllowAttrs("checked", "disabled").Matching(regexp.MustCompile(`^$`)).OnElements("input")
	p.AllowAttrs("src").Matching(regexp.MustCompile(`^/v1/skills/`)).OnElements("img")
	p.AllowAttrs("alt", "title").OnElements("img")
	p.AllowAttrs("href", "title").OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto")
	p.AllowRelativeURLs(true)
	p.RequireParseableURLs(true)
	p.RequireNoFollowOnFullyQualifiedLinks(true)
	p.RequireNoReferrerOnFullyQualifiedLinks(true)
	p.AddTargetBlankToFullyQualifiedLinks(true)
	return p
}
