package page_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/embedder"
	"github.com/skillsearch/skillsearch/server"
	"github.com/skillsearch/skillsearch/skill"
)

// patience bounds one test in a browser: the machine may be busy with others.
const patience = 5 * time.Minute

// program is where a real browser lies, "" for none.
func program() string {
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless_shell"} {
		if path, err := exec.LookPath(name); err == nil && name != "" {
			return path
		}
	}
	return ""
}

// chromium skips a test that has no browser.
func chromium(t testing.TB) {
	t.Helper()
	const why = "no Chromium was found (apt-get install chromium, or name one in CHROMIUM), so the page is not looked at"
	switch {
	case program() != "":
	case os.Getenv("CHROMIUM_REQUIRED") == "1":
		t.Fatal(why)
	default:
		t.Skip(why)
	}
}

// TestMain ends the browser with the tests.
func TestMain(m *testing.M) {
	code := m.Run()
	if started.Load() {
		if ctx, err := browser(); err == nil {
			_ = chromedp.Cancel(ctx)
		}
	}
	os.Exit(code)
}

// bag embeds a text as the hashed bag of the beginnings of its words.
type bag struct{}

func (bag) Model(context.Context) (embedder.Model, error) {
	return embedder.Model{Name: "words", Engine: "bag", Dimensions: 64, Context: 256, PassageSize: 600, Fingerprint: "bag", Probe: vector("probe")}, nil
}

func (bag) Embed(_ context.Context, _ embedder.Role, texts []string) ([]embedder.Embedding, error) {
	out := make([]embedder.Embedding, len(texts))
	for i, text := range texts {
		out[i] = embedder.Embedding{Vector: vector(text), Parts: 1}
		if strings.Contains(text, "menu-of-the-season") {
			out[i] = embedder.Embedding{Err: errors.New("the model returned a vector of NaN")}
		}
	}
	return out, nil
}

func vector(text string) []float32 {
	v := make([]float32, 64)
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
		h := fnv.New32a()
		h.Write([]byte(w[:min(len(w), 4)]))
		v[h.Sum32()%64]++
	}
	v[0] += 0.1
	norm := 0.0
	for _, x := range v {
		norm += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(norm))
	}
	return v
}

// open is an engine over roots, indexed with the embedder.
func open(t testing.TB, e skillsearch.Embedder, roots ...string) *skillsearch.Engine {
	t.Helper()
	engine, err := skillsearch.Open(t.Context(), skillsearch.Config{
		Roots: skill.NamedRoots(skill.SourceFlag, roots...), Embedders: []skillsearch.Embedder{e},
		Machine: skill.Machine{HasBinary: func(string) bool { return false }},
	})
	if err == nil {
		_, err = engine.Index(t.Context(), skillsearch.IndexOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

// serve serves an engine on a port of its own, behind what wrap puts before it,
// and returns its address.
func serve(t testing.TB, engine *skillsearch.Engine, wrap func(http.Handler) http.Handler) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	handler := server.New(engine, server.Config{Version: "v1.2.3"}).Handler()
	if wrap != nil {
		handler = wrap(handler)
	}
	web := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	go func() { _ = web.Serve(listener) }()
	t.Cleanup(func() { _ = web.Close() })
	return "http://" + listener.Addr().String()
}

// explaining answers /v1/why where the server behind does not.
func explaining(engine *skillsearch.Engine) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/v1/why" {
				next.ServeHTTP(w, r)
				return
			}
			of := r.URL.Query()
			why, err := engine.Why(r.Context(), skillsearch.Query{Text: of.Get("q"), Ranking: skillsearch.Ranking(of.Get("ranking"))}, of.Get("skill"))
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(why)
		})
	}
}

// A tab is one tab of a browser, and what went on in it.
type tab struct {
	testing.TB
	ctx  context.Context
	site string

	mu       sync.Mutex
	errors   []string // of the console
	requests []string // addresses that were asked for
}

// started says that there is a browser to end.
var started atomic.Bool

// browser is one for all tests: to start one can take a busy machine a minute.
var browser = sync.OnceValues(func() (context.Context, error) {
	started.Store(true)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program()), chromedp.NoSandbox, chromedp.Flag("disable-gpu", true))
	ctx, _ := chromedp.NewExecAllocator(context.Background(), options...) // ends with the process
	ctx, _ = chromedp.NewContext(ctx)
	return ctx, chromedp.Do(ctx)
})

// browse opens a tab on an address of the site.
func browse(t testing.TB, site, address string) *tab {
	t.Helper()
	chromium(t)
	parent, err := browser()
	if err != nil {
		t.Fatalf("the browser does not start: %v", err)
	}
	ctx, cancel := chromedp.NewContext(parent)
	t.Cleanup(cancel)
	b := &tab{TB: t, ctx: ctx, site: site}
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		t.Fatal(err)
	}
	b.ctx, cancel = context.WithTimeout(ctx, patience)
	t.Cleanup(cancel)
	b.run(call(network.Enable, network.EnableParams{}), call(log.Enable, cdp.Empty{}), chromedp.EmulateViewport(1280, 900), chromedp.Navigate(site+"/"+address))
	return b
}

// call is a command of the protocol as an action.
func call[P, R any](command cdp.Command[P, R], parameters P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, parameters)
		return err
	})
}

func (b *tab) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type == "error" || e.Type == "warning" {
			b.errors = append(b.errors, fmt.Sprintf("console.%s %v", e.Type, e.Args))
		}
	case *runtime.EventExceptionThrown:
		b.errors = append(b.errors, e.ExceptionDetails.Text+" "+e.ExceptionDetails.URL)
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError {
			b.errors = append(b.errors, e.Entry.Text+" "+e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	}
}

// clean checks that nothing went wrong and nobody else was asked.
func (b *tab) clean() {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.errors {
		b.Errorf("the console says: %s", e)
	}
	for _, request := range b.requests {
		if u, err := url.Parse(request); err != nil || u.Scheme != "blob" && !strings.HasPrefix(request, b.site+"/") {
			b.Errorf("the page asked for %s", request)
		}
	}
}

func (b *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.shoot("failed")
		b.Fatal(err)
	}
}

func (b *tab) click(css string) { b.Helper(); b.run(chromedp.Click(chromedp.CSS(css))) }

func (b *tab) enter(css, text string) { b.Helper(); b.run(chromedp.SendKeys(chromedp.CSS(css), text)) }

func (b *tab) press(keys string) { b.Helper(); b.run(chromedp.KeyEvent(keys)) }

// value is what an expression gives.
func value[T any](b *tab, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.shoot("failed")
		b.Fatalf("%s: %v", expression, err)
	}
	return v
}

// until waits for an expression to be true. The page's own policy forbids that
// texts become code in it, so it is asked from outside.
func (b *tab) until(expression string) {
	b.Helper()
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if value[bool](b, "!!("+expression+")") {
			return
		}
	}
	b.shoot("failed")
	b.Fatalf("waited in vain for %s\nthe page says: %s", expression, value[string](b, "document.body.innerText.slice(0, 2000)"))
}

// pressUntil presses a key on an element until an expression is true: on a busy
// machine a page that is just being drawn may miss one.
func (b *tab) pressUntil(css, key, expression string) {
	b.Helper()
	for range 30 {
		value[bool](b, fmt.Sprintf(`(e => { e?.focus(); return true })(document.querySelector(%q))`, css))
		b.press(key)
		for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if value[bool](b, "!!("+expression+")") {
				return
			}
		}
	}
	b.until(expression)
}

// settled waits until what was typed is answered.
func (b *tab) settled(more string) {
	b.Helper()
	b.until(`document.querySelector(".results")?.getAttribute("aria-busy") === "false" && (` + more + `)`)
}

// choose selects an option, as a person does.
func (b *tab) choose(css, option string) {
	b.Helper()
	value[bool](b, fmt.Sprintf(`(s => { s.value = %q; return s.dispatchEvent(new Event("change", {bubbles: true})) })(document.querySelector(%q))`, option, css))
}

// look sets the size of the window and the scheme.
func (b *tab) look(width, height int64, scheme string) {
	b.Helper()
	b.run(chromedp.EmulateViewport(width, height), call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}}))
}

// shoot keeps a picture of what is seen as build output.
func (b *tab) shoot(name string) {
	b.Helper()
	dir := filepath.Join("..", "..", "build", "screenshots")
	picture, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.Logf("no picture of %s: %v", name, err)
		return
	}
	if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o600)); err != nil {
		b.Fatal(err)
	}
}
