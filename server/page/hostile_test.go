package page_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestHostileSkillsCanDoNothing holds that what a skill's author writes stays
// text, in every view and in every field.
func TestHostileSkillsCanDoNothing(t *testing.T) {
	chromium(t)
	root := filepath.Join(t.TempDir(), "library")
	attack := `<img src=x onerror="window.owned=1"><script>window.owned=1</script>`
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("evil/SKILL.md", "---\nname: 'evil "+attack+"'\ntitle: '"+attack+"'\ndescription: 'evil \u202eesrever\u0085 "+attack+"'\nskillbook: '"+attack+"'\ncategory: '"+attack+"'\ntags: ['"+attack+"']\nrequires: {bins: ['"+attack+"']}\nlicense: '"+attack+"'\n---\n# evil "+attack+"\n\n"+attack+
		"\n\n[click](javascript:window.owned=1) ![spy](https://tracker.example/a.png) <svg onload=\"window.owned=1\">\n\n<iframe srcdoc=\"<script>top.owned=1</script>\"></iframe>\n\n<form action=https://tracker.example><input name=q autofocus onfocus=\"window.owned=1\"></form>\n\n<style>body{display:none}</style>\n\n<a id=main name=q>clobber</a>\n\nevil "+strings.Repeat("long", 20_000)+"\n\n"+strings.Repeat("> ", 200)+"deep\n")
	write("evil/references/a.html", attack)
	write("evil/references/a.svg", `<svg xmlns="http://www.w3.org/2000/svg" onload="window.owned=1"/>`)
	write("evil/references/a.md", attack+"\n\n[x](../../../../etc/passwd) <b onclick=\"window.owned=1\">b</b>")
	write("good/SKILL.md", "---\nname: good\ndescription: does no evil\n---\n# Good\n")
	b := browse(t, serve(t, open(t, bag{}, root), nil), "#/?q=evil&ranking=all")
	b.until(`document.querySelectorAll(".column a.open").length > 2`)
	for _, view := range []struct{ address, ready string }{
		{"#/?q=evil&ranking=hybrid", `document.querySelectorAll(".hit").length > 1`},
		{"#/?skillbook=library", `document.querySelector(".hit")`},
		{"#/", `document.querySelector(".books li")`},
		{"#/skill/library%2Fevil", `document.querySelector(".markdown pre")`},
		{"#/skill/library%2Fevil/file/references%2Fa.html", `document.querySelector("pre.source")`},
		{"#/skill/library%2Fevil/file/references%2Fa.svg", `document.querySelector("pre.source")`},
		{"#/skill/library%2Fevil/file/references%2Fa.md", `document.querySelector(".markdown b")`},
		{"#/map", `document.querySelector("canvas")?.width > 0`},
		{"#/status", `document.querySelector(".tiles")`},
	} {
		b.run(chromedp.Navigate("about:blank"), chromedp.Navigate(b.site+"/"+view.address))
		b.until(view.ready)
		if value[bool](b, "'owned' in window") {
			b.Errorf("%s: a script ran", view.address)
		}
		found := value[[]string](b, `[...document.querySelectorAll("main *")].filter(e => ["SCRIPT", "IFRAME", "FORM", "STYLE", "SVG"].includes(e.tagName.toUpperCase()) && !e.matches(".search") || [...e.attributes].some(a => a.name.startsWith("on") || /^\s*javascript:/i.test(a.value))).map(e => e.outerHTML.slice(0, 200))`)
		if len(found) > 0 {
			b.Errorf("%s: %q", view.address, found)
		}
		if wide := value[int](b, "document.documentElement.scrollWidth"); wide > 1280 {
			b.Errorf("%s is %d wide", view.address, wide)
		}
		if value[bool](b, `document.body.innerText.includes("\u202e")`) {
			b.Errorf("%s turns text around", view.address)
		}
	}
	b.shoot("hostile")
	b.requests = withoutBlank(b.requests)
	b.clean()
}
