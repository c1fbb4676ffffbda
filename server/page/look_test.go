package page_test

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// axeVersion is the audit's; its file comes from the npm registry at test time.
const axeVersion = "4.14.1"

// views are the addresses that are looked at, with what they wait for.
var views = []struct{ name, address, ready string }{
	{"start", "#/", `document.querySelectorAll(".books li").length`},
	{"search", "#/?q=merge+pdf+files&ranking=cosine", `document.querySelectorAll(".hit").length > 3`},
	{"compare", "#/?q=merge+pdf+files&ranking=all", `document.querySelectorAll(".column a.open").length > 9`},
	{"nothing", "#/?q=zebra&ranking=lexical", `document.querySelector(".nothing")`},
	{"skill", "#/skill/library%2Fpdf-merge", `document.querySelector(".markdown img")?.naturalWidth`},
	{"why", "#/skill/library%2Fpdf-merge?q=merge+scans&ranking=hybrid", `document.querySelector(".why")`},
	{"file", "#/skill/library%2Fpdf-merge/file/scripts%2Fmerge.py", `document.querySelector("pre.source")`},
	{"map", "#/map", `document.querySelector("canvas")?.width > 0 && document.querySelector(".pairs li")`},
	{"status", "#/status", `document.querySelector(".problem")`},
}

// TestEveryViewFitsAndPassesTheAudit looks at every view at two widths in both
// schemes: nothing is wider than the window, axe-core finds nothing serious, and
// a picture is kept.
func TestEveryViewFitsAndPassesTheAudit(t *testing.T) {
	chromium(t)
	audit := axe(t)
	engine := open(t, bag{}, library(t))
	b := browse(t, serve(t, engine, explaining(engine)), "")
	for _, size := range []struct {
		name          string
		width, height int64
	}{{"desktop", 1280, 900}, {"phone", 390, 844}} {
		for _, scheme := range []string{"light", "dark"} {
			b.look(size.width, size.height, scheme)
			for _, view := range views {
				b.run(chromedp.Navigate("about:blank"), chromedp.Navigate(b.site+"/"+view.address))
				b.until(`document.querySelector("main > div:not([aria-busy=true])") && ` + view.ready)
				name := view.name + "-" + size.name + "-" + scheme
				b.shoot(name)
				if wide := value[int](b, "document.documentElement.scrollWidth"); wide > int(size.width) {
					b.Errorf("%s is %d wide", name, wide)
				}
				if size.name == "desktop" || scheme == "light" { // the colours of a phone are those of a desk
					b.audit(audit, name)
				}
			}
		}
	}
	b.requests = withoutBlank(b.requests)
	b.clean()
}

func withoutBlank(requests []string) (kept []string) {
	for _, r := range requests {
		if r != "about:blank" {
			kept = append(kept, r)
		}
	}
	return kept
}

// audit reports what axe-core finds that is serious or critical.
func (b *tab) audit(axe, name string) {
	b.Helper()
	if axe == "" {
		return
	}
	value[bool](b, axe+";true")
	if rules := value[int](b, "axe.getRules().length"); rules < 50 {
		b.Fatalf("the audit has %d rules", rules)
	}
	found, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}).then(r => JSON.stringify(r.violations.map(v => ({id: v.id, impact: v.impact, nodes: v.nodes.slice(0, 4).map(n => n.html.slice(0, 160) + " " + (n.any[0]?.message ?? ""))}))))`, chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatal(err)
	}
	var violations []struct {
		ID, Impact string
		Nodes      []string
	}
	if err := json.Unmarshal([]byte(found), &violations); err != nil {
		b.Fatal(err)
	}
	for _, v := range violations {
		text := fmt.Sprintf("%s: %s (%s)\n\t%s", name, v.ID, v.Impact, strings.Join(v.Nodes, "\n\t"))
		if v.Impact == "serious" || v.Impact == "critical" {
			b.Error(text)
		} else {
			b.Log(text)
		}
	}
}

// axe is the text of axe-core, from AXE or by npm, and kept in the user's cache;
// "" and a sentence where there is neither.
func axe(t *testing.T) string {
	t.Helper()
	path := os.Getenv("AXE")
	if path == "" {
		cache, err := os.UserCacheDir()
		if err == nil {
			path = filepath.Join(cache, "skillsearch-test", "axe-core-"+axeVersion+".js")
			err = fetchAxe(t, path)
		}
		if err != nil {
			t.Logf("the views are not audited: axe-core could not be had by npm (%v); name its axe.min.js in AXE", err)
			return ""
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// fetchAxe has npm fetch the package, and takes one file out of it.
func fetchAxe(t *testing.T, path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "npm", "pack", "axe-core@"+axeVersion, "--pack-destination", dir).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %.200s", err, out)
	}
	file, err := os.Open(filepath.Join(dir, "axe-core-"+axeVersion+".tgz"))
	if err != nil {
		return err
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	for archive := tar.NewReader(plain); ; {
		header, err := archive.Next()
		if err != nil {
			return errors.Join(errors.New("axe.min.js is not in the package"), err)
		}
		if header.Name != "package/axe.min.js" {
			continue
		}
		text, err := io.ReadAll(archive)
		return errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, text, 0o600))
	}
}
