package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestOnlyProtocolOnStdout is the replay case MC01: with broken skills, without
// an Ollama and at the loudest level, standard output holds JSON-RPC alone, and
// every call is answered. MCP_CALLS is how many there are.
func TestOnlyProtocolOnStdout(t *testing.T) {
	calls := 100
	if text := os.Getenv("MCP_CALLS"); text != "" {
		var err error
		if calls, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	root := filepath.Join(t.TempDir(), "root")
	writeSkill(t, filepath.Join(root, "good-neighbour"), "good-neighbour", "Plain valid skill that must always stay listed.")
	for name, text := range map[string]string{"broken": "---\nname: broken\ndescription: a: b: c\n---\n", "binary": "\x00\x01\x02", "empty": "", "open": "---\nname: [open\n"} {
		path := filepath.Join(root, name, "SKILL.md")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("skillsearch", "mcp", "-v", "--root", root, "--cache", t.TempDir(), "--embedder", "ollama", "--ollama-host", "127.0.0.1:1")
	stdin, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		fmt.Fprintln(stdin, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
		fmt.Fprintln(stdin, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		for i := range calls {
			fmt.Fprintf(stdin, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search_skills","arguments":{"query":"plain"}}}`+"\n", i+1)
		}
		stdin.Close()
	}()
	answered := map[int]bool{}
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var message struct {
			JSONRPC string `json:"jsonrpc"`
			ID      *int   `json:"id"`
			Method  string `json:"method"`
			Result  *struct{ IsError bool }
		}
		if err := json.Unmarshal(lines.Bytes(), &message); err != nil || message.JSONRPC != "2.0" {
			t.Fatalf("standard output holds %q (%v)", lines.Text(), err)
		}
		if message.ID == nil && message.Method != "" { // a notification
			continue
		}
		if message.ID == nil || message.Result == nil || message.Result.IsError {
			t.Fatalf("a call is answered with %s", lines.Text())
		}
		answered[*message.ID] = true
	}
	if err := c.Wait(); err != nil {
		t.Errorf("the command ends with %v: %s", err, stderr.String())
	}
	if len(answered) != calls+1 {
		t.Errorf("%d of %d calls are answered", len(answered), calls+1)
	}
	if !strings.Contains(stderr.String(), "level=DEBUG") {
		t.Errorf("the level is not the loudest: %s", stderr.String())
	}
}

// TestMCPEndsOnSignal holds that the command ends well when it is told to.
func TestMCPEndsOnSignal(t *testing.T) {
	root := filepath.Join(t.TempDir(), "root")
	writeSkill(t, filepath.Join(root, "tides"), "tides", "Tells when the water is high.")
	c := exec.Command("skillsearch", "mcp", "--root", root, "--cache", t.TempDir(), "--embedder", "none")
	stdin, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(stdin, `{"jsonrpc":"2.0","id":0,"method":"ping"}`)
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil || !strings.Contains(line, `"result":{}`) {
		t.Fatalf("a ping is answered with %q %v", line, err)
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Skip("processes can't be signalled here: ", err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("the command ends with %v", err)
	}
}
