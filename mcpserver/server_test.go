package mcpserver_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/mcpserver"
	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/toolset"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// TestConversations replays testdata/NAME.txtar over a pair of streams. The file
// "conversation" has prose, and between it "> " a line that the client sends and
// below it "< " the golden line that it gets. The files below "project" are the
// catalogue; $PROJECT is where they lie.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { converse(t, path) })
	}
}

func converse(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "conversation" })
	if i < 0 {
		t.Fatalf("%s has no file \"conversation\"", path)
	}
	dir := project(t, archive.Files)
	client := connect(t, serve(t, mcpserver.Config{Library: library(t, dir), Toolsets: []string{"skillsearch"}, Version: "v1.2.3"}))
	var got strings.Builder
	for line := range strings.Lines(string(archive.Files[i].Data)) {
		if strings.HasPrefix(line, "< ") {
			continue
		}
		got.WriteString(line)
		if message, ok := strings.CutPrefix(strings.TrimSpace(line), "> "); ok {
			if answer := client.send(message); answer != "" {
				got.WriteString("< " + strings.ReplaceAll(answer, dir, "$PROJECT") + "\n")
			}
		}
	}
	if *update {
		archive.Files[i].Data = []byte(got.String())
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(archive.Files[i].Data), got.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// project writes the files below "project" and returns that folder.
func project(t testing.TB, files []txtar.File) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.HasPrefix(f.Name, "project/") {
			write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), string(f.Data))
		}
	}
	return filepath.Join(dir, "project")
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// library opens the skills of a project, ranked by words.
func library(t testing.TB, project string) toolset.Library {
	t.Helper()
	engine, err := skillsearch.Open(t.Context(), skillsearch.Config{Roots: skill.DefaultRoots("", "", project), NoEmbedder: skillsearch.ErrNoEmbedder})
	if err != nil {
		t.Fatal(err)
	}
	return toolset.Library{Engine: engine, Project: project}
}

func serve(t testing.TB, cfg mcpserver.Config) *mcpserver.Server {
	t.Helper()
	s, err := mcpserver.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A client is the other end of Run.
type client struct {
	t     testing.TB
	in    io.WriteCloser
	out   *bufio.Reader
	ended chan error
}

func connect(t testing.TB, s *mcpserver.Server) *client {
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	c := &client{t: t, in: inWrite, out: bufio.NewReader(outRead), ended: make(chan error, 1)}
	go func() {
		c.ended <- s.Run(t.Context(), inRead, outWrite)
		outWrite.Close()
	}()
	t.Cleanup(func() { inWrite.Close(); outRead.Close() })
	return c
}

// greet opens the session.
func (c *client) greet() *client {
	c.t.Helper()
	c.send(`{"jsonrpc":"2.0","id":"greeting","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

// send sends a line and returns the line that answers it, "" for a notification.
func (c *client) send(line string) string {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
	var message struct {
		ID     any    `json:"id"`
		Method string `json:"method"`
	}
	if err := json.Unmarshal([]byte(line), &message); err == nil && message.ID == nil && message.Method != "" {
		return ""
	}
	return c.read()
}

func (c *client) read() string {
	c.t.Helper()
	answer, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatalf("the server says nothing: %v", err)
	}
	return strings.TrimSuffix(answer, "\n")
}

// ask calls a method and returns its result or error, decoded.
func (c *client) ask(method string, params any) map[string]any {
	c.t.Helper()
	raw, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		c.t.Fatal(err)
	}
	var answer struct{ Result, Error map[string]any }
	if err := json.Unmarshal([]byte(c.send(string(raw))), &answer); err != nil {
		c.t.Fatal(err)
	}
	if answer.Error != nil {
		return answer.Error
	}
	return answer.Result
}
