package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/mcpserver"
	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/toolset"
)

// skills makes a project with n skills called s000 to s….
func skills(t testing.TB, n int) string {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		addSkill(t, dir, fmt.Sprintf("s%03d", i))
	}
	return dir
}

func addSkill(t testing.TB, project, name string) {
	t.Helper()
	write(t, filepath.Join(project, ".claude", "skills", name, "SKILL.md"), "---\nname: "+name+"\ndescription: Plain skill "+name+".\n---\nDo it.\n")
}

// TestResultsHaveTheSameBytesOnAllWays holds that MCP carries a result as
// toolset.Result writes it, and definitions as toolset.Definitions does.
func TestResultsHaveTheSameBytesOnAllWays(t *testing.T) {
	lib := library(t, skills(t, 3))
	set, err := toolset.OpenAll(toolset.Names(), lib)
	if err != nil {
		t.Fatal(err)
	}
	c := connect(t, serve(t, mcpserver.Config{Library: lib, Toolsets: toolset.Names()})).greet()
	definitions, err := toolset.Definitions(set.Tools, toolset.MCP)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); !strings.Contains(got, `"tools":`+string(definitions)) {
		t.Errorf("tools/list is %s, want %s in it", got, definitions)
	}
	for _, args := range []string{`{}`, `{"query":"plain <skill>"}`, `{"name":"s001"}`, `{"code":"s001"}`} {
		for _, tool := range set.Tools {
			result, err := tool.Call(t.Context(), []byte(args))
			if err != nil {
				result = toolset.Failed(err)
			}
			body, err := result.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"result":%s}`, body)
			got := c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool.Name, args))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s %s (-call +MCP):\n%s", tool.Name, args, diff)
			}
		}
	}
}

// panicking is a history that nobody foresaw.
type panicking struct{}

func (panicking) Found(string, []string)                             {}
func (panicking) Record(context.Context, string, *skill.Skill) error { panic("no history") }
func (panicking) LastUsed(context.Context, int) ([]string, error)    { panic("no history") }
func panickingSection(context.Context) (string, error)               { panic("no section") }
func text(result map[string]any) string                              { raw, _ := json.Marshal(result); return string(raw) }

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

func withHistory(lib toolset.Library, h toolset.History) toolset.Library { lib.History = h; return lib }

// TestPanics is the replay case MC05. It holds that a panic in a tool, a resource or a prompt is one error
// result or one error, and that the server goes on.
func TestPanics(t *testing.T) {
	lib := withHistory(library(t, skills(t, 1)), panicking{})
	lib.Logger = discard()
	c := connect(t, serve(t, mcpserver.Config{Library: lib, Toolsets: []string{"skillsearch"}, Section: panickingSection})).greet()
	for _, test := range []struct {
		method string
		params map[string]any
		want   string
	}{
		{"tools/call", map[string]any{"name": "get_skill", "arguments": map[string]any{"name": "s000"}}, `"isError":true`},
		{"resources/read", map[string]any{"uri": "skill://claude/s000/SKILL.md"}, `"code":-32603`},
		{"resources/read", map[string]any{"uri": "skillsearch://prompt"}, `"code":-32603`},
		{"prompts/get", map[string]any{"name": "s000"}, `"code":-32603`},
		{"tools/call", map[string]any{"name": "search_skills", "arguments": map[string]any{"query": "plain"}}, `"structuredContent"`},
	} {
		if got := text(c.ask(test.method, test.params)); !strings.Contains(got, test.want) || strings.Contains(got, "no history") {
			t.Errorf("%s %v gives %s, want %s", test.method, test.params, got, test.want)
		}
	}
}

// TestPages holds that the pages of a list have every entry once.
func TestPages(t *testing.T) {
	c := connect(t, serve(t, mcpserver.Config{Library: library(t, skills(t, 250)), Toolsets: []string{"skillsearch"}})).greet()
	for _, test := range []struct{ method, list, key string }{
		{"resources/list", "resources", "uri"},
		{"prompts/list", "prompts", "name"},
	} {
		seen, pages := map[string]bool{}, 0
		params := map[string]any{}
		for {
			result := c.ask(test.method, params)
			items, _ := result[test.list].([]any)
			for _, item := range items {
				seen[item.(map[string]any)[test.key].(string)] = true
			}
			pages++
			next, more := result["nextCursor"].(string)
			if !more {
				break
			}
			params["cursor"] = next
		}
		if len(seen) != 250 || pages != 3 {
			t.Errorf("%s: %d entries on %d pages, want 250 on 3", test.method, len(seen), pages)
		}
	}
}

// TestChanged holds that a client is told of the lists that changed, once, and
// of nothing when nothing did.
func TestChanged(t *testing.T) {
	dir := skills(t, 2)
	lib := library(t, dir)
	s := serve(t, mcpserver.Config{Library: lib, Toolsets: []string{"skillsearch"}})
	c := connect(t, s).greet()
	rescan := func() {
		t.Helper()
		if err := lib.Engine.Rescan(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.Changed()
	}
	rescan()
	if got := c.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`); !strings.Contains(got, `"id":1`) {
		t.Errorf("nothing changed, and the client is told %s", got)
	}
	addSkill(t, dir, "tides")
	rescan()
	told := map[string]bool{}
	for range 2 {
		var message struct{ Method string }
		if err := json.Unmarshal([]byte(c.read()), &message); err != nil {
			t.Fatal(err)
		}
		told[message.Method] = true
	}
	want := map[string]bool{"notifications/resources/list_changed": true, "notifications/prompts/list_changed": true}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("notifications (-want +got):\n%s", diff)
	}
	if got := text(c.ask("prompts/get", map[string]any{"name": "tides"})); !strings.Contains(got, "Do it.") {
		t.Errorf("the new prompt gives %s", got)
	}
	if err := os.RemoveAll(filepath.Join(dir, ".claude")); err != nil {
		t.Fatal(err)
	}
	rescan()
	c.read()
}

// TestEndOfInput holds that what was asked before the end of the input is
// answered, and that the session then ends well.
func TestEndOfInput(t *testing.T) {
	c := connect(t, serve(t, mcpserver.Config{Library: library(t, skills(t, 1)), Toolsets: []string{"skillsearch"}})).greet()
	go func() {
		fmt.Fprintln(c.in, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search_skills","arguments":{"query":"plain"}}}`)
		c.in.Close()
	}()
	if got := c.read(); !strings.Contains(got, `"id":7,"result"`) {
		t.Errorf("the last call is answered with %s", got)
	}
	if err := <-c.ended; err != nil {
		t.Errorf("Run ends with %v", err)
	}
}

// TestUnknownToolsets holds that a server of nothing is refused.
func TestUnknownToolsets(t *testing.T) {
	lib := library(t, skills(t, 0))
	for _, test := range []struct {
		cfg  mcpserver.Config
		want string
	}{
		{mcpserver.Config{Library: lib}, "no toolset is named"},
		{mcpserver.Config{Library: lib, Toolsets: []string{"nix"}}, `there is no toolset "nix"; the toolsets are `},
		{mcpserver.Config{Library: lib, Toolsets: []string{"skillsearch"}, Tools: []string{"search"}}, `has no tool "search"; its tools are `},
	} {
		if _, err := mcpserver.New(test.cfg); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("New(%v) gives %v, want %q", test.cfg.Toolsets, err, test.want)
		}
	}
}

// TestArgumentShapes is the replay case MC02: a number in a string is taken, and
// each wrong shape is an error result that names the argument, after which the
// server goes on.
func TestArgumentShapes(t *testing.T) {
	c := connect(t, serve(t, mcpserver.Config{Library: library(t, skills(t, 1)), Toolsets: []string{"skillsearch"}})).greet()
	for _, test := range []struct {
		arguments string
		names     string // "" is no error
	}{
		{`{"query":"x","limit":"5"}`, ""},
		{`{"query":"x","cursor":"2"}`, "cursor"},
		{`{"q":"x"}`, "q "},
		{`{}`, "query"},
		{`{"query":null}`, "query"},
		{`{"query":["x"]}`, "query"},
		{`{"query":"x","limit":1e+30}`, "limit"},
		{`null`, "query"},
		{`"x"`, "arguments"},
		{`{"query":"x"}`, ""},
	} {
		result := c.ask("tools/call", map[string]any{"name": "search_skills", "arguments": json.RawMessage(test.arguments)})
		isError, _ := result["isError"].(bool)
		if isError != (test.names != "") || !strings.Contains(text(result), test.names) {
			t.Errorf("%s gives %s, want an error that names %q", test.arguments, text(result), test.names)
		}
	}
}

// TestPool holds that a request names the tools that its loads may promote, and
// otherwise the configuration does.
func TestPool(t *testing.T) {
	lib := toolset.Library{AvailableTools: []string{"sql"}}
	for _, test := range []struct {
		header http.Header
		want   []string
	}{
		{nil, []string{"sql"}},
		{http.Header{"Available-Tools": {"http, mail ,", "fax"}}, []string{"http", "mail", "fax"}},
		{http.Header{"Available-Tools": {""}}, nil},
	} {
		if diff := cmp.Diff(test.want, mcpserver.Pool(lib, test.header).AvailableTools); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.header, diff)
		}
	}
}
