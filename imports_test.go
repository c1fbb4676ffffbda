package skillsearch_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const module = "github.com/skillsearch/skillsearch"

// A rule says what the files of a package, its tests left out, may import. It
// holds for the package's internal ones as well, which the package may import.
type rule struct {
	pkg     string // folder below the module; "." is the root
	own     string // packages of this module; "*" is all of them
	modules string // packages of other modules, with what lies below them
	std     string // packages of the standard library; "" is all of them
}

// policy is all of it: imports point down, and what someone else wrote is
// imported in one place, where it can be replaced. golang.org/x counts as the
// standard library's outskirts.
var policy = []rule{
	{pkg: "data", std: "embed"},
	{pkg: "skill", modules: "go.yaml.in/yaml/v3 github.com/sabhiram/go-gitignore"},
	{pkg: "embedder/wordpiece", modules: "golang.org/x/text"},
	{pkg: "embedder/minilm/kernelgen"},
	{pkg: "embedder/minilm", own: "embedder/wordpiece", modules: "golang.org/x/sys"},
	{pkg: "embedder", own: "data embedder/minilm embedder/wordpiece", modules: "github.com/ollama/ollama/api golang.org/x/text"},
	{pkg: "vectorstore", modules: "github.com/philippgille/chromem-go modernc.org/sqlite github.com/gofrs/flock golang.org/x/sys"},
	{pkg: "storetest", own: "vectorstore", modules: "github.com/google/go-cmp"},
	{pkg: "fallback", own: "skill", modules: "github.com/blevesearch/snowballstem golang.org/x/text"},
	{pkg: "ranker"},
	{pkg: "credentials", own: "skill"},
	{pkg: ".", own: "embedder fallback ranker skill vectorstore"},
	{pkg: "toolset", own: ". skill"},
	{pkg: "mcpserver", own: ". skill toolset", modules: "github.com/modelcontextprotocol/go-sdk"},
	{pkg: "watch", own: "skill", modules: "github.com/fsnotify/fsnotify"},
	{pkg: "server/page", modules: "github.com/microcosm-cc/bluemonday github.com/yuin/goldmark"},
	{pkg: "server", own: ". mcpserver server/page skill toolset watch", modules: "github.com/gin-gonic/gin github.com/google/jsonschema-go github.com/prometheus/client_golang golang.org/x/time"},
	{pkg: "benchmarks", own: "*"},
	{pkg: "cmd/skillsearch", own: "*", modules: "github.com/spf13/cobra github.com/spf13/pflag github.com/schollz/progressbar/v3 golang.org/x/sys golang.org/x/term"},
}

func TestImports(t *testing.T) {
	breaches, err := check(os.DirFS("."), policy)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range breaches {
		t.Error(b)
	}
}

func TestImportsNamesEveryBreach(t *testing.T) {
	rules := []rule{
		{pkg: "low", modules: "example.org/yaml/v3", std: "embed"},
		{pkg: "high", own: "low .", modules: "example.org/gone"},
		{pkg: "later", own: "low", modules: "example.org/later"},
		{pkg: ".", own: "*"},
	}
	files := map[string]string{
		"root.go":              `package root; import (_ "` + module + `/low"; _ "example.org/root")`,
		"internal/i/i.go":      `package i; import _ "` + module + `/high"`,
		"low/a.go":             `package low; import (_ "embed"; _ "fmt"; _ "` + module + `/high"; _ "example.org/yaml/v3/node")`,
		"low/a_windows.go":     `package low; import _ "example.org/yaml/v33"`,
		"low/a_test.go":        `package low; import _ "example.org/tests"`,
		"low/testdata/x/x.go":  `package x; import _ "example.org/x"`,
		"high/b.go":            `package high; import (_ "fmt"; _ "` + module + `"; _ "` + module + `/high/internal/c")`,
		"high/internal/c/c.go": `package c; import _ "example.org/c"`,
		"low/internal/d/d.go":  `package d; import _ "` + module + `/high/internal/c"`,
		"stray/d.go":           `package stray`,
	}
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	got, err := check(tree, rules)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"high/internal/c/c.go: high may not import example.org/c",
		"high: nothing imports example.org/gone any more; take it out of the policy",
		"high: nothing imports low any more; take it out of the policy",
		"low/a.go: low may not import fmt",
		"low/a.go: low may not import high",
		"low/a_windows.go: low may not import example.org/yaml/v33",
		"low/internal/d/d.go: low may not import high/internal/c",
		"root.go: . may not import example.org/root",
		"stray/d.go: the policy does not name stray",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("breaches (-want +got):\n%s", diff)
	}
}

// check returns, in order, where the Go files of tree breach rules. It reads
// every file, whatever its build constraints, so that the answer is the same
// on every platform.
func check(tree fs.FS, rules []rule) ([]string, error) {
	var breaches []string
	used := map[string]map[string]bool{} // by package that has files: the entries of its rule that are needed
	err := walk(tree, func(file string, imports []string) {
		i := slices.IndexFunc(rules, func(r rule) bool { return r.pkg == owner(file) })
		if i < 0 {
			breaches = append(breaches, fmt.Sprintf("%s: the policy does not name %s", file, owner(file)))
			return
		}
		r := rules[i]
		if used[r.pkg] == nil {
			used[r.pkg] = map[string]bool{}
		}
		for _, imp := range imports {
			entry, ok := r.allows(imp)
			if !ok {
				breaches = append(breaches, fmt.Sprintf("%s: %s may not import %s", file, r.pkg, entry))
			}
			used[r.pkg][entry] = true
		}
	})
	for _, r := range rules {
		for _, entry := range r.entries() {
			if used[r.pkg] != nil && !used[r.pkg][entry] {
				breaches = append(breaches, fmt.Sprintf("%s: nothing imports %s any more; take it out of the policy", r.pkg, entry))
			}
		}
	}
	slices.Sort(breaches)
	return breaches, err
}

// entries returns what the rule allows by name.
func (r rule) entries() []string {
	all := slices.Concat(strings.Fields(r.own), strings.Fields(r.modules), strings.Fields(r.std))
	return slices.DeleteFunc(all, func(entry string) bool { return entry == "*" })
}

// allows returns how imp is written in the policy, and whether r lets it in.
func (r rule) allows(imp string) (entry string, ok bool) {
	if imp == module {
		return ".", r.own == "*" || slices.Contains(strings.Fields(r.own), ".")
	}
	if own, found := strings.CutPrefix(imp, module+"/"); found {
		internal := strings.HasPrefix(own, path.Join(r.pkg, "internal")+"/")
		return own, internal || r.own == "*" || slices.Contains(strings.Fields(r.own), own)
	}
	if host, _, _ := strings.Cut(imp, "/"); !strings.Contains(host, ".") {
		return imp, r.std == "" || slices.Contains(strings.Fields(r.std), imp)
	}
	for _, m := range strings.Fields(r.modules) {
		if imp == m || strings.HasPrefix(imp, m+"/") {
			return m, true
		}
	}
	return imp, false
}

// owner returns the package under whose rule a file falls: that of its folder,
// or for an internal package the one that it is internal to.
func owner(file string) string {
	above, _, _ := strings.Cut("/"+path.Dir(file)+"/", "/internal/")
	return path.Clean(strings.TrimPrefix(above, "/"))
}

// walk calls visit with the imports of every Go file of tree, in order, without
// tests and what the go command leaves out as well.
func walk(tree fs.FS, visit func(file string, imports []string)) error {
	return fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := name != "." && strings.ContainsAny(d.Name()[:1], "._")
		if d.IsDir() {
			if hidden || d.Name() == "testdata" || d.Name() == "vendor" {
				return fs.SkipDir
			}
			return nil
		}
		if hidden || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		imports, err := importsOf(tree, name)
		if err != nil {
			return err
		}
		visit(name, imports)
		return nil
	})
}

func importsOf(tree fs.FS, name string) ([]string, error) {
	text, err := fs.ReadFile(tree, name)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var imports []string
	for _, spec := range file.Imports {
		imp, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: import %s: %w", name, spec.Path.Value, err)
		}
		imports = append(imports, imp)
	}
	return imports, nil
}
