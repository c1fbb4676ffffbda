package page_test

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
)

// library is a copy of the tests' skills, which a test may change.
func library(t testing.TB) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "library")
	if err := os.CopyFS(root, os.DirFS("testdata/library")); err != nil {
		t.Fatal(err)
	}
	return root
}

const names = `[...document.querySelectorAll(".results a.open")].map(a => a.textContent)`

// TestAPersonFindsASkill goes through the page as a person does.
func TestAPersonFindsASkill(t *testing.T) {
	chromium(t)
	engine := open(t, bag{}, library(t))
	b := browse(t, serve(t, engine, explaining(engine)), "")

	b.settled(`document.querySelectorAll(".books li").length === 5`)
	if got := value[string](b, "document.activeElement.id"); got != "q" {
		t.Errorf("%q has the focus, not the field", got)
	}
	b.enter("#q", "merge pdf files")
	b.settled(names + `[0] === "pdf-merge"`)
	b.until(`document.querySelector("#live").textContent.includes("First: pdf-merge")`)
	marks := value[[]string](b, `[...document.querySelector(".hit").querySelectorAll("mark")].map(m => m.textContent)`)
	for _, want := range []string{"pdf", "merge", "Merge", "PDF", "files"} {
		if !slices.Contains(marks, want) {
			t.Errorf("%q is not marked: %q", want, marks)
		}
	}
	if share := value[string](b, `getComputedStyle(document.querySelector(".score")).getPropertyValue("--share")`); share == "" || share == "0.0%" {
		t.Errorf("the bar is %q long", share)
	}
	if text := value[string](b, `document.querySelector(".results").innerText`); !strings.Contains(text, "needs no-such-program-anywhere") {
		t.Errorf("no badge tells of the missing program: %s", text)
	}

	b.click(`.ranking input[value=lexical]`)
	b.settled(`document.querySelector(".summary").textContent.includes("by words")`)
	b.until(`location.hash.includes("ranking=lexical")`)
	b.click(`.ranking input[value=all]`)
	b.settled(`document.querySelectorAll(".column").length === 3 && document.querySelectorAll(".column a.open").length > 6`)
	b.click(`.ranking input[value=hybrid]`)
	b.settled(`document.querySelector(".summary").textContent.includes("by hybrid")`)

	b.choose("#by-skillbook", "engineering")
	b.settled(names + `.every(n => ["release-notes", "review-changes", "deploy-to-production"].includes(n)) && ` + names + `.length > 1`)
	b.click("button.clear")
	b.settled(names + `.includes("pdf-merge")`)

	b.click(".hit a.open")
	b.until(`document.querySelector(".head h1")?.textContent === "pdf-merge" && document.querySelector(".markdown table") && document.querySelector(".why .parts")`)
	b.until(`document.querySelector(".markdown img")?.naturalWidth === 320`)
	b.until(`document.querySelector(".why").innerText.includes("Number 1 of 10 by hybrid")`)
	b.click(`.markdown a[href*="options.md"]`)
	b.until(`document.querySelector(".filename")?.textContent === "references/options.md" && document.querySelector(".text h2.level-1")?.textContent === "Options"`)
	b.click(`.markdown a[href*="merge.py"]`)
	b.until(`document.querySelector("pre.source")?.textContent.includes("def merge(files)")`)
	b.run(chromedp.NavigateBack(), chromedp.NavigateBack())
	b.until(`document.querySelector(".why") && !document.querySelector(".filename")`)
	b.run(chromedp.NavigateBack())
	b.settled(`document.querySelector("#q").value === "merge pdf files" && ` + names + `[0] === "pdf-merge"`)

	b.click(`nav [data-view=status]`)
	b.until(`document.querySelector(".tiles")?.innerText.includes("10") && document.querySelectorAll(".problem .mend").length > 0`)
	if got := value[string](b, `document.querySelector(".facts").innerText`); !strings.Contains(got, "words") || !strings.Contains(got, "v1.2.3") {
		t.Errorf("the status lacks model or version: %s", got)
	}
	b.click(`nav [data-view=map]`)
	b.until(`document.querySelector("canvas")?.width > 0 && document.querySelectorAll(".pairs li").length === 1`)
	b.pressUntil("canvas", kb.ArrowRight, `!document.querySelector(".tip").hidden`)
	b.pressUntil("canvas", kb.Enter, `document.querySelector(".head h1")`)
	b.clean()
}

// TestThePageWorksByKeyboard holds what the keys do.
func TestThePageWorksByKeyboard(t *testing.T) {
	chromium(t)
	b := browse(t, serve(t, open(t, bag{}, library(t)), nil), "#/status")
	b.until(`document.querySelector(".tiles")`)
	b.press("/")
	b.settled(`document.activeElement.id === "q"`)
	b.enter("#q", "merge")
	b.settled(names + `.length > 3`)
	b.press(kb.ArrowDown)
	b.press(kb.ArrowDown)
	b.until(`document.activeElement === document.querySelectorAll("a.open")[1]`)
	outline := value[string](b, `getComputedStyle(document.activeElement, "::after").outlineStyle`)
	if outline != "solid" {
		t.Errorf("the focus is not seen: outline %q", outline)
	}
	b.press(kb.ArrowUp)
	b.press(kb.ArrowUp)
	b.until(`document.activeElement.id === "q"`)
	b.press(kb.ArrowDown)
	b.press(kb.Escape)
	b.until(`document.activeElement.id === "q"`)
	b.press(kb.Escape)
	b.settled(`document.querySelector("#q").value === "" && document.querySelector(".books")`)
	b.clean()
}

// TestAnAddressShowsWhatItNames holds that addresses can be passed on.
func TestAnAddressShowsWhatItNames(t *testing.T) {
	chromium(t)
	b := browse(t, serve(t, open(t, bag{}, library(t)), nil), "#/?q=review+a+change&ranking=hybrid&skillbook=engineering")
	b.settled(names + `[0] === "review-changes" && document.querySelector(".ranking :checked").value === "hybrid" && document.querySelector("#by-skillbook").value === "engineering"`)
	b.run(chromedp.Navigate(b.site + "/#/skill/library%2Fpdf-merge/file/references%2Fsizes.csv"))
	b.until(`document.querySelector("pre.source")?.textContent.includes("10,90000")`)
	b.clean()
	value[string](b, `location.hash = "#/skill/no-such-skill"`)
	b.until(`document.querySelector(".notice")?.innerText.includes("no-such-skill")`)
}

// TestWithoutWhyThereIsNoPanel holds that a server which can't explain is none
// the worse.
func TestWithoutWhyThereIsNoPanel(t *testing.T) {
	chromium(t)
	without := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/v1/why" {
				http.NotFound(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	b := browse(t, serve(t, open(t, bag{}, library(t)), without), "#/skill/pdf-merge?q=merge")
	b.until(`document.querySelector(".markdown table") && document.title.startsWith("pdf-merge")`)
	b.until(`document.querySelector(".skill").getAttribute("aria-busy") === null`)
	if value[bool](b, `!!document.querySelector(".why, .notice")`) {
		t.Error("there is a panel or a complaint")
	}
}

// TestATokenIsAskedForAndKeptOutOfAddresses holds how the page opens a server
// that wants one.
func TestATokenIsAskedForAndKeptOutOfAddresses(t *testing.T) {
	chromium(t)
	const token = "0123456789abcdef0123456789abcdef"
	locked := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/v1/") && r.Header.Get("Authorization") != "Bearer "+token {
				w.Header().Set("Content-Type", "application/problem+json")
				w.WriteHeader(http.StatusUnauthorized)
				_, _ = w.Write([]byte(`{"type":"urn:skillsearch:problem:token_required","status":401,"detail":"the token is not known"}`))
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	b := browse(t, serve(t, open(t, bag{}, library(t)), locked), "#/skill/pdf-merge")
	b.until(`document.querySelector("dialog.token[open]")`)
	b.enter("#token-input", "wrong"+kb.Enter)
	b.until(`document.querySelector("dialog.token[open]")?.innerText.includes("The token is not known.")`)
	b.shoot("token")
	b.enter("#token-input", token+kb.Enter)
	b.until(`document.querySelector(".markdown img")?.naturalWidth === 320 && !document.querySelector("dialog")`)
	if got := value[[]string](b, `[sessionStorage.getItem("skillsearch-token"), String(localStorage.length), document.cookie]`); !cmp.Equal(got, []string{token, "0", ""}) {
		t.Errorf("token, local storage and cookies are %q", got)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, request := range b.requests {
		if strings.Contains(request, token) || strings.Contains(request, "wrong") {
			t.Errorf("the token stands in %s", request)
		}
	}
}

// TestBadgesTellWhatIsStaleUnembeddedAndForOperators holds the other badges.
func TestBadgesTellWhatIsStaleUnembeddedAndForOperators(t *testing.T) {
	chromium(t)
	root := library(t)
	engine := open(t, bag{}, root)
	file := filepath.Join(root, "release-notes", "SKILL.md")
	if err := os.WriteFile(file, []byte("---\nname: release-notes\ndescription: Changed since.\n---\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := browse(t, serve(t, engine, nil), "#/?q=roll+out+a+release+of+the+season&ranking=hybrid")
	b.settled(`document.querySelectorAll(".hit").length > 3`)
	badges := value[map[string]string](b, `Object.fromEntries([...document.querySelectorAll(".hit")].map(h => [h.querySelector("a.open").textContent, [...h.querySelectorAll(".badge")].map(b => b.textContent).join()]))`)
	for name, want := range map[string]string{"release-notes": "stale", "deploy-to-production": "operator only"} {
		if badges[name] != want {
			t.Errorf("%s has the badges %q, want %q", name, badges[name], want)
		}
	}
	b.run(chromedp.Navigate(b.site + "/#/?skillbook=kitchen"))
	b.settled(`[...document.querySelectorAll(".hit")].some(h => h.innerText.includes("menu-of-the-season") && h.innerText.includes("unembedded"))`)
	b.clean()
}
