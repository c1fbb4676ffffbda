package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/mcpserver"
	"github.com/skillsearch/skillsearch/server"
	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/toolset"
)

// A vault is a root with two skills, and around it what nobody may read.
type vault struct {
	dir, root string
	lib       toolset.Library
	secrets   []string
}

func newVault(t *testing.T) *vault {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	v := &vault{dir: dir, root: filepath.Join(dir, "root"), secrets: []string{"TOPSECRET-0451", "root:x:0"}}
	for name, text := range map[string]string{
		"secret.txt": "TOPSECRET-0451", "secret/SKILL.md": "---\nname: secret-skill\ndescription: TOPSECRET-0451\n---\n",
		"root/box/SKILL.md": "---\nname: box\ndescription: A box of references.\n---\n", "root/box/references/a.md": "A\n",
		"root/other/SKILL.md": "---\nname: other\ndescription: Other skill.\n---\n", "root/other/references/b.md": "B TOPSECRET-0451\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	box := filepath.Join(v.root, "box", "references")
	for name, target := range map[string]string{"link.txt": "../../../secret.txt", "abs.txt": filepath.Join(dir, "secret.txt"), "out": dir, "sys": "/", "twice": "link.txt", "loop": "loop"} {
		if err := os.Symlink(target, filepath.Join(box, name)); err != nil {
			t.Skip("links can't be made here: ", err)
		}
	}
	makeFIFO(t, filepath.Join(box, "pipe"))
	engine, err := skillsearch.Open(t.Context(), skillsearch.Config{Roots: skill.NamedRoots(skill.SourceFlag, v.root), NoEmbedder: skillsearch.ErrNoEmbedder})
	if err != nil {
		t.Fatal(err)
	}
	v.lib = toolset.Library{Engine: engine, Project: dir}
	return v
}

// paths are at least 2,000 that lead out of the box, or seem to: ways up in
// many spellings, links, devices and pipes.
func (v *vault) paths() []string {
	paths := []string{
		"", ".", "/", "..", "~", "~/secret.txt", "$HOME/secret.txt", "//etc/passwd", "file:///etc/passwd", "file://" + v.dir + "/secret.txt", `C:\secret.txt`, `\\?\` + v.dir + `\secret.txt`,
		"references", "references/", "references/pipe", "references/loop", "references/link.txt", "references/abs.txt", "references/twice", "references/out", "references/out/secret.txt",
		"references/out/root/other/references/b.md", "references/sys/etc/passwd", "references/a.md\x00.png", "references/a.md/../../../secret.txt", "references/a.md/", "SKILL.md/../../../secret.txt",
		"/dev/stdin", "/dev/zero", "/proc/self/environ", "/proc/self/cwd", "/proc/self/root/etc/passwd", "/etc/passwd", v.dir + "/secret.txt", strings.Repeat("a/", 3000) + "a", strings.Repeat("../", 1000) + "etc/passwd",
		"references/\xff\xfe", "references/\u202egnp.exe", "references/a.md?raw=1", "references/a.md#x", "references/a.md;x", "references/*", "references/[a].md", "{../secret.txt,a}", "`cat ../../secret.txt`", "$(cat ../../secret.txt)", "| cat ../../secret.txt",
	}
	ups := []string{"..", "%2e%2e", "%2E%2E", ".%2e", "%252e%252e", "%c0%ae%c0%ae", "\uff0e\uff0e", "..;", "....", "..\x00", ". .", "..%00", "\u2025", "%u002e%u002e"}
	slashes := []string{"/", "//", `\`, "%2f", "%2F", "%5c", "%252f", "/./", "\u2215", "%c0%af"}
	starts := []string{"", "/", "references/", "./", "references/out/", "SKILL.md/"}
	targets := []string{"secret.txt", "etc/passwd", "other/references/b.md"}
	for depth := 1; len(paths) < 2000; depth++ {
		for _, up := range ups {
			for _, slash := range slashes {
				for _, start := range starts {
					for _, target := range targets {
						paths = append(paths, start+strings.Repeat(up+slash, depth)+strings.ReplaceAll(target, "/", slash))
					}
				}
			}
		}
	}
	return paths
}

// check holds that an answer has nothing of what lies outside the box.
func (v *vault) check(t *testing.T, way, path, answer string) {
	t.Helper()
	for _, secret := range v.secrets {
		if strings.Contains(answer, secret) {
			t.Errorf("%s: %q gives what lies outside: %.200s", way, path, answer)
		}
	}
}

// arguments are those of a tool by which a path can come in: for each of them
// the path, and for the others what leads to the box.
func arguments(tool toolset.Tool, path string) [][]byte {
	var all [][]byte
	for _, p := range tool.Input {
		if p.Type != toolset.String || len(p.Enum) > 0 || p.Name == "query" {
			continue
		}
		fields := map[string]any{p.Name: path}
		for _, other := range tool.Input {
			switch {
			case other.Name == p.Name:
			case slices.Contains(other.Enum, "load"):
				fields[other.Name] = "load"
			case slices.Contains(other.Enum, "invoke"):
				fields[other.Name] = "invoke"
			case other.Required:
				fields[other.Name] = "box"
			}
		}
		raw, err := json.Marshal(fields)
		if err == nil {
			all = append(all, raw)
		}
	}
	return all
}

// TestNothingOutsideIsRead holds that no path, name or URI reaches what lies
// outside a skill, by any tool and on any way, and that a pipe is answered.
func TestNothingOutsideIsRead(t *testing.T) {
	v := newVault(t)
	paths := v.paths()
	t.Logf("%d paths", len(paths))
	t.Run("tools", func(t *testing.T) { v.throughTools(t, paths) })
	t.Run("mcp", func(t *testing.T) { v.throughMCP(t, paths) })
	t.Run("http", func(t *testing.T) { v.throughHTTP(t, paths) })
	t.Run("shell", func(t *testing.T) { v.throughShell(t, paths) })
}

// TestTraversalByNameAndPath is the replay case HT02: what each way out of a
// skill is answered with.
func TestTraversalByNameAndPath(t *testing.T) {
	v := newVault(t)
	set, err := toolset.Open("skillsearch", v.lib)
	if err != nil {
		t.Fatal(err)
	}
	call := func(name string, fields map[string]string) (toolset.Result, error) {
		t.Helper()
		raw, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		tool, err := set.Tool(name)
		if err != nil {
			t.Fatal(err)
		}
		return tool.Call(t.Context(), raw)
	}
	for _, name := range []string{filepath.Join(v.dir, "secret"), "../secret", "box/../../secret", "..", "."} {
		_, err := call("get_skill", map[string]string{"name": name})
		if kind := skillsearch.ErrorKind(err); kind != "not_found" {
			t.Errorf("get_skill %q: %v (%s), want not_found", name, err, kind)
		}
	}
	for path, want := range map[string]string{
		"../../secret.txt": "path_outside_skill", "/etc/passwd": "path_outside_skill", "references/../../../secret.txt": "path_outside_skill", "//etc/passwd": "path_outside_skill",
		"../other/references/b.md": "path_outside_skill", "..%2f..%2fsecret.txt": "not_found", "%2e%2e/%2e%2e/secret.txt": "not_found", `..\..\secret.txt`: "invalid_argument",
		"references/a.md\x00.png": "invalid_argument", "references": "not_regular_file", "": "invalid_argument", ".": "not_regular_file", strings.Repeat("a/", 3000) + "a": "invalid_argument",
		"references/link.txt": "path_outside_skill", "references/pipe": "not_regular_file",
	} {
		_, err := call("read_skill_file", map[string]string{"name": "box", "path": path})
		if kind := skillsearch.ErrorKind(err); kind != want {
			t.Errorf("read_skill_file %.60q: %v (%s), want %s", path, err, kind, want)
		}
	}
	for _, path := range []string{"references/a.md", "./references//a.md"} {
		if result, err := call("read_skill_file", map[string]string{"name": "box", "path": path}); err != nil || result.Text != "A\n" {
			t.Errorf("read_skill_file %q: %q %v, want A", path, result.Text, err)
		}
	}
}

func (v *vault) throughTools(t *testing.T, paths []string) {
	for _, name := range toolset.Names() {
		set, err := toolset.Open(name, v.lib)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range set.Tools {
			for _, path := range paths {
				for _, raw := range arguments(tool, path) {
					result, err := tool.Call(t.Context(), raw)
					if err != nil {
						result = toolset.Failed(err)
					}
					answer, err := result.MarshalJSON()
					if err != nil {
						t.Fatal(err)
					}
					v.check(t, name+" "+tool.Name, path, string(answer))
				}
			}
		}
	}
}

func (v *vault) throughMCP(t *testing.T, paths []string) {
	s, err := mcpserver.New(mcpserver.Config{Library: v.lib, Toolsets: []string{"skillsearch"}})
	if err != nil {
		t.Fatal(err)
	}
	var in bytes.Buffer
	in.WriteString(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	asked := 0
	ask := func(method string, params any) {
		asked++
		raw, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": asked, "method": method, "params": params})
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(raw, '\n'))
	}
	for i, path := range paths {
		ask("tools/call", map[string]any{"name": "read_skill_file", "arguments": map[string]any{"name": "box", "path": path}})
		ask("resources/read", map[string]any{"uri": "skill://root/box/" + path})
		switch i % 4 { // the rest takes the same way
		case 0:
			ask("resources/read", map[string]any{"uri": "skill://root/box/" + url.PathEscape(path)})
		case 1:
			ask("resources/read", map[string]any{"uri": path})
		case 2:
			ask("resources/directory/read", map[string]any{"uri": "skill://root/box/" + path})
		case 3:
			ask("prompts/get", map[string]any{"name": path})
		}
	}
	var out bytes.Buffer
	if err := s.Run(t.Context(), &in, &out); err != nil {
		t.Fatal(err)
	}
	answers := 0
	for line := range strings.Lines(out.String()) {
		answers++
		v.check(t, "MCP", "one of the paths", line)
	}
	if answers != asked+1 {
		t.Errorf("%d answers to %d requests", answers, asked+1)
	}
}

func (v *vault) throughHTTP(t *testing.T, paths []string) {
	handler := server.New(v.lib.Engine, server.Config{Tools: v.lib}).Handler()
	ask := func(method, target string, body []byte) string {
		r, err := http.NewRequestWithContext(t.Context(), method, "http://127.0.0.1/", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if r.URL, err = url.ParseRequestURI(target); err != nil { // no client could send it
			return ""
		}
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w.Body.String()
	}
	for _, path := range paths {
		for _, target := range []string{
			"/v1/skills/box/files/" + path, "/v1/skills/box/files/" + url.PathEscape(path), "/v1/skills/" + url.PathEscape(path),
			"/v1/skills/" + url.PathEscape(path) + "/files/SKILL.md", "/v1/toolsets/" + url.PathEscape(path), "/mcp/" + url.PathEscape(path), "/" + path,
		} {
			v.check(t, "GET", target, ask("GET", target, nil))
		}
		body, err := json.Marshal(map[string]string{"name": "box", "path": path})
		if err != nil {
			t.Fatal(err)
		}
		v.check(t, "POST", path, ask("POST", "/v1/toolsets/skillsearch/tools/read_skill_file", body))
	}
}

func (v *vault) throughShell(t *testing.T, paths []string) {
	for _, path := range paths {
		body, err := json.Marshal(map[string]string{"name": "box", "path": path})
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		env := environment{stdin: strings.NewReader(""), stdout: &out, stderr: &out, getenv: func(string) string { return "" }, cwd: v.dir}
		run(context.Background(), []string{"call", "skillsearch", "read_skill_file", string(body), "--root", v.root, "--embedder", "none"}, env)
		v.check(t, "call", path, out.String())
	}
}
