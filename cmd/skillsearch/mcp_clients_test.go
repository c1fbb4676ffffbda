package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/skillsearch/skillsearch/toolset"
)

// The clients of others lie in scripts/mcp-clients; its README tells how to
// install them. PYTHON_MCP is a Python with the package mcp.
const clients = "../../scripts/mcp-clients"

// clientTime is how long a client may take.
const clientTime = 2 * time.Minute

// TestMCPClients holds that clients of others, over streams and over HTTP, find
// all tools of every toolset, and get what the toolset itself answers.
func TestMCPClients(t *testing.T) {
	python := os.Getenv("PYTHON_MCP")
	node, hasNode := nodeModules()
	if python == "" && !hasNode {
		t.Skip("no client is installed: set PYTHON_MCP to a Python that has the package mcp, or run \"npm install\" in scripts/mcp-clients; see README.md there")
	}
	s := newScene(t)
	sets := slices.Compact(append(toolset.Names(), strings.Join(toolset.Names(), ",")))
	each := func(name string, check func(t *testing.T, set string, target []string)) {
		for _, set := range sets {
			t.Run(name+"/"+set+"/stdio", func(t *testing.T) { check(t, set, s.stdio(set)) })
			t.Run(name+"/"+set+"/http", func(t *testing.T) { check(t, set, []string{s.url + "/mcp/" + set}) })
		}
	}
	client := func(name string, command ...string) {
		each(name, func(t *testing.T, set string, target []string) {
			s.checkClient(t, set, slices.Concat(command, []string{s.plan(t, set)}, target))
		})
	}
	if python != "" {
		client("python", python, filepath.Join(clients, "client.py"), "legacy")
		client("python-modern", python, filepath.Join(clients, "client.py"), "auto")
	}
	if hasNode {
		client("typescript", node, filepath.Join(clients, "client.mjs"))
		each("inspector", func(t *testing.T, set string, target []string) { s.checkInspector(t, node, set, target) })
	}
}

// TestMCPConformance holds that every scenario of the protocol's own suite
// passes, but for those that conformance.yaml gives a reason for.
func TestMCPConformance(t *testing.T) {
	node, ok := nodeModules()
	if !ok {
		t.Skip("the conformance suite is not installed: run \"npm install\" in scripts/mcp-clients; see README.md there")
	}
	s := newScene(t)
	out := output(t, []string{
		node, filepath.Join(clients, "node_modules/@modelcontextprotocol/conformance/dist/index.js"), "server", "--suite", "all",
		"--url", s.url + "/mcp/skillsearch", "--expected-failures", filepath.Join(clients, "conformance.yaml"),
	})
	_, summary, _ := strings.Cut(string(out), "=== SUMMARY ===")
	t.Log(summary)
}

// nodeModules is the Node that npm has installed beside the clients.
func nodeModules() (node string, ok bool) {
	node, err := filepath.Abs(filepath.Join(clients, "node_modules/node/bin/node"))
	if err != nil {
		return "", false
	}
	_, err = os.Stat(node)
	return node, err == nil
}

// A scene is a project with skills, and a server for it.
type scene struct {
	dir string
	lib toolset.Library
	url string
}

func newScene(t *testing.T) *scene {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/clients.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, value := range map[string]string{"HOME": dir, "XDG_CONFIG_HOME": "", "XDG_CACHE_HOME": "", "SKILLSEARCH_EMBEDDER": "none"} {
		t.Setenv(name, value)
	}
	s := &scene{dir: filepath.Join(dir, "project")}
	env := process()
	env.cwd = s.dir
	a := &app{env: env}
	t.Cleanup(func() { _ = a.close() })
	engine, settings, err := a.open(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	s.lib = a.library(engine, settings)
	s.serve(t)
	return s
}

// serve starts the command at a free port.
func (s *scene) serve(t *testing.T) {
	t.Helper()
	c := exec.Command("skillsearch", "serve", "--addr", "127.0.0.1:0")
	c.Dir = s.dir
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), " skills at "); ok {
			s.url = url
			go func() {
				for lines.Scan() { // the log goes nowhere
				}
			}()
			return
		}
	}
	t.Fatal("the server does not say where it listens")
}

// stdio is the command that serves toolsets over streams. It works in the
// project, whatever the client's own folder is; clients pass little of the
// environment on.
func (s *scene) stdio(set string) []string {
	return []string{"sh", "-c", `cd "$0" && exec skillsearch mcp --embedder none --toolset "$1"`, s.dir, set}
}

// A call is a tool and its arguments.
type call struct {
	tool      string
	arguments map[string]any
}

// MarshalJSON writes the pair that clients read.
func (c call) MarshalJSON() ([]byte, error) { return json.Marshal([]any{c.tool, c.arguments}) }

// known are values for the parameters of all systems.
var known = map[string]any{
	"query": "fill a form", "name": "pdf-forms", "code": "pdf-forms", "skill": "pdf-forms", "skill_id": "pdf-forms", "skillbook_code": "agents",
	"path": "references/fields.md", "relative_path": "references/fields.md", "action": "list", "operation": "list",
}

// calls are two of each tool: with what it needs, and without.
func (s *scene) calls(t *testing.T, set string) (*toolset.Toolset, []call) {
	t.Helper()
	tools, err := toolset.OpenAll(strings.Split(set, ","), s.lib)
	if err != nil {
		t.Fatal(err)
	}
	var calls []call
	for _, tool := range tools.Tools {
		arguments := map[string]any{}
		for _, p := range tool.Input {
			if value, ok := known[p.Name]; ok && (p.Required || p.Name == "name") {
				arguments[p.Name] = value
			}
		}
		calls = append(calls, call{tool.Name, arguments}, call{tool.Name, map[string]any{}})
	}
	return tools, calls
}

func (s *scene) plan(t *testing.T, set string) string {
	t.Helper()
	_, calls := s.calls(t, set)
	raw, err := json.Marshal(calls)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "plan.json")
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// want is what the toolset itself answers, decoded.
func (s *scene) want(t *testing.T, tools *toolset.Toolset, c call) any {
	t.Helper()
	tool, err := tools.Tool(c.tool)
	if err != nil {
		t.Fatal(err)
	}
	arguments, err := json.Marshal(c.arguments)
	if err != nil {
		t.Fatal(err)
	}
	result, err := tool.Call(t.Context(), arguments)
	if err != nil {
		result = toolset.Failed(err)
	}
	return decoded(t, result)
}

func decoded(t *testing.T, v any) any {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// own is a result without what the protocol or a client adds.
func own(result map[string]any) any {
	kept := map[string]any{}
	for _, name := range []string{"content", "structuredContent", "isError"} {
		if value, ok := result[name]; ok && value != false && value != nil {
			kept[name] = value
		}
	}
	return kept
}

func (s *scene) checkClient(t *testing.T, set string, command []string) {
	tools, calls := s.calls(t, set)
	var got struct {
		Tools     any
		Results   []map[string]any
		Resources []string
		Prompts   []string
		Read      []map[string]any
		Prompt    map[string]any
	}
	if err := json.Unmarshal(output(t, command), &got); err != nil {
		t.Fatal(err)
	}
	definitions := make([]any, len(tools.Tools))
	for i, tool := range tools.Tools {
		definitions[i] = tool.Definition(toolset.MCP)
	}
	if diff := cmp.Diff(decoded(t, definitions), got.Tools); diff != "" {
		t.Errorf("tools (-toolset +client):\n%s", diff)
	}
	if len(got.Results) != len(calls) {
		t.Fatalf("%d results for %d calls", len(got.Results), len(calls))
	}
	for i, c := range calls {
		if diff := cmp.Diff(s.want(t, tools, c), own(got.Results[i])); diff != "" {
			t.Errorf("%s %v (-toolset +client):\n%s", c.tool, c.arguments, diff)
		}
	}
	if !slices.Contains(got.Resources, "skill://agents/pdf-forms/references/fields.md") || slices.Contains(got.Resources, "skill://agents/restart/SKILL.md") {
		t.Errorf("the resources are %v", got.Resources)
	}
	if !slices.Contains(got.Prompts, "pdf-forms") || !slices.Contains(got.Prompts, "restart") {
		t.Errorf("the prompts are %v", got.Prompts)
	}
	if len(got.Read) != 1 || got.Read[0]["uri"] != got.Resources[0] || got.Prompt["role"] != "user" {
		t.Errorf("a resource is %v, a prompt %v", got.Read, got.Prompt)
	}
}

// checkInspector calls each tool with the Inspector, which starts anew for each.
func (s *scene) checkInspector(t *testing.T, node, set string, target []string) {
	tools, calls := s.calls(t, set)
	if len(target) == 1 {
		target = append(target, "--transport", "http")
	}
	inspect := func(args ...string) []byte {
		return output(t, slices.Concat([]string{node, filepath.Join(clients, "node_modules/.bin/mcp-inspector"), "--cli"}, target, args))
	}
	var listed struct{ Tools any }
	if err := json.Unmarshal(inspect("--method", "tools/list"), &listed); err != nil {
		t.Fatal(err)
	}
	definitions := make([]any, len(tools.Tools))
	for i, tool := range tools.Tools {
		definitions[i] = tool.Definition(toolset.MCP)
	}
	if diff := cmp.Diff(decoded(t, definitions), listed.Tools); diff != "" {
		t.Errorf("tools (-toolset +Inspector):\n%s", diff)
	}
	for _, c := range calls {
		want := s.want(t, tools, c)
		if want.(map[string]any)["isError"] == true { // which ends the Inspector with an error of its own
			continue
		}
		args := []string{"--method", "tools/call", "--tool-name", c.tool}
		for name, value := range c.arguments {
			args = append(args, "--tool-arg", fmt.Sprintf("%s=%v", name, value))
		}
		var result map[string]any
		if err := json.Unmarshal(inspect(args...), &result); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, own(result)); diff != "" {
			t.Errorf("%s %v (-toolset +Inspector):\n%s", c.tool, c.arguments, diff)
		}
	}
	inspect("--method", "skills/list", "--verify") // it fails when a digest is wrong
}

// output runs a client and returns what it prints.
func output(t *testing.T, command []string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), clientTime)
	defer cancel()
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s%s", command, err, stderr.String(), out)
	}
	return out
}
