package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/skillsearch/skillsearch/server"
	"github.com/skillsearch/skillsearch/toolset"
)

// TestToolsetAnswers holds the routes by which agents without MCP call tools.
func TestToolsetAnswers(t *testing.T) {
	handler := server.New(indexed(t), server.Config{}).Handler()
	var out strings.Builder
	for _, line := range []string{
		"GET /v1/toolsets/skillsearch",
		"GET /v1/toolsets/skillsearch?format=openai",
		"GET /v1/toolsets/nix",
		"GET /v1/toolsets/skillsearch?format=yaml",
		"GET /v1/toolsets/skillsearch?colour=red",
		`POST /v1/toolsets/skillsearch/tools/search_skills {"query":"tide tables","limit":"1"}`,
		`POST /v1/toolsets/skillsearch/tools/read_skill_file {"name":"chest","path":"references/list.md"}`,
		"POST /v1/toolsets/skillsearch/tools/list_skills",
		"POST /v1/toolsets/skillsearch/tools/get_skill {}",
		"POST /v1/toolsets/skillsearch/tools/get_skill {",
		`POST /v1/toolsets/skillsearch/tools/get_skill {"name":"chess"}`,
		`POST /v1/toolsets/skillsearch/tools/read_skill_file {"name":"chest","path":"../crate/SKILL.md"}`,
		"POST /v1/toolsets/skillsearch/tools/nix {}",
		"POST /v1/toolsets/nix/tools/get_skill {}",
		"GET /v1/toolsets/skillsearch/tools/get_skill",
		"POST /mcp/nix {}",
		"GET /mcp",
	} {
		method, rest, _ := strings.Cut(line, " ")
		target, body, _ := strings.Cut(rest, " ")
		transcribe(&out, line, ask(handler, method, target, body))
	}
	text := strings.ReplaceAll(out.String(), "toolsets are "+strings.Join(toolset.Names(), ", "), "toolsets are $NAMES")
	golden(t, "toolsets", strings.ReplaceAll(text, library(t), "/library"))
}

// TestToolsetsAreListed holds that every toolset is.
func TestToolsetsAreListed(t *testing.T) {
	handler := server.New(indexed(t), server.Config{}).Handler()
	w := ask(handler, "GET", "/v1/toolsets", "")
	for _, name := range toolset.Names() {
		if !strings.Contains(w.Body.String(), `{"name":"`+name+`","tools":["`) {
			t.Errorf("%s is not listed in %s", name, w.Body)
		}
	}
}

const greeting = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

// speak sends one message of MCP; session may be "".
func (s *site) speak(ctx context.Context, method, session, body string) *http.Response {
	s.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, s.url+"/mcp/skillsearch", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	response, err := s.client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	return response
}

// greet opens a session and returns its id.
func (s *site) greet() string {
	s.t.Helper()
	response := s.speak(s.t.Context(), "POST", "", greeting)
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		s.t.Fatal(response.Status, string(raw), err)
	}
	return response.Header.Get("Mcp-Session-Id")
}

// say sends a message of a session and returns status and answer.
func (s *site) say(session, body string) (int, string) {
	s.t.Helper()
	response := s.speak(s.t.Context(), "POST", session, body)
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, string(raw)
}

// TestMCPHasTheSameBytes holds that a call over MCP gives what the same call
// over plain HTTP gives.
func TestMCPHasTheSameBytes(t *testing.T) {
	s := run(t, indexed(t), server.Config{})
	session := s.greet()
	for _, test := range []struct{ tool, arguments string }{
		{"search_skills", `{"query":"tide tables"}`},
		{"list_skills", `{}`},
		{"get_skill", `{"name":"chest"}`},
		{"read_skill_file", `{"name":"chest","path":"references/list.md"}`},
	} {
		_, plain := s.ask("POST", "/v1/toolsets/skillsearch/tools/"+test.tool, test.arguments)
		want := fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"result":%s}`, strings.TrimSuffix(plain, "\n"))
		_, got := s.say(session, fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, test.tool, test.arguments))
		if got != want {
			t.Errorf("%s over MCP gives\n%s, want\n%s", test.tool, got, want)
		}
	}
}

// TestNewProtocol holds that a client of the revision without sessions is served.
func TestNewProtocol(t *testing.T) {
	s := run(t, indexed(t), server.Config{})
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_skills","arguments":{"limit":1},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	r, err := http.NewRequestWithContext(t.Context(), "POST", s.url+"/mcp/skillsearch", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "list_skills",
	} {
		r.Header.Set(name, value)
	}
	response, err := s.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil || !strings.Contains(string(raw), `"resultType":"complete"`) || !strings.Contains(string(raw), `"structuredContent"`) || response.Header.Get("Mcp-Session-Id") != "" {
		t.Errorf("%s %s %v", response.Status, raw, err)
	}
}

// TestClientsThatVanish holds that sessions whose client is gone end within the
// idle limit, with all that they cost.
func TestClientsThatVanish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const idle = time.Minute
		s, _ := runInside(t, indexed(t), server.Config{SessionIdle: idle})
		s.say(s.greet(), `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		time.Sleep(2 * idle)
		s.client.CloseIdleConnections()
		synctest.Wait()
		before := runtime.NumGoroutine()

		var streams []context.CancelFunc
		for i := range 200 {
			session := s.greet()
			if i%2 == 0 { // half of them leave a stream open, which is cut
				ctx, cut := context.WithCancel(t.Context())
				s.speak(ctx, "GET", session, "")
				streams = append(streams, cut)
			}
		}
		during := runtime.NumGoroutine()
		for _, cut := range streams {
			cut()
		}
		s.client.CloseIdleConnections()
		time.Sleep(idle + time.Second)
		s.client.CloseIdleConnections()
		synctest.Wait()
		after := runtime.NumGoroutine()
		t.Logf("goroutines: %d, with 200 clients %d, after the idle limit %d", before, during, after)
		if during < before+200 || after > before+10 {
			t.Errorf("goroutines: %d before, %d with 200 clients, %d after the idle limit, want at most 10 over the start", before, during, after)
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestSessionEnds holds that a session ends when its client says so, and that
// the id of one that is gone is refused.
func TestSessionEnds(t *testing.T) {
	s := run(t, indexed(t), server.Config{})
	session := s.greet()
	s.speak(t.Context(), "DELETE", session, "").Body.Close()
	if status, _ := s.say(session, `{"jsonrpc":"2.0","id":2,"method":"ping"}`); status != http.StatusNotFound {
		t.Errorf("a session that was ended answers %d, want 404", status)
	}
}

// TestStopWithOpenStream holds that a client that listens keeps no server from
// its end, and that it was told of changes until then.
func TestStopWithOpenStream(t *testing.T) {
	root := t.TempDir()
	writeSkill(t, root, "tides", "Tell when the water is high.")
	s := run(t, open(t, root), server.Config{})
	session := s.greet()
	s.say(session, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	stream := s.speak(t.Context(), "GET", session, "")
	defer stream.Body.Close()
	writeSkill(t, root, "winds", "Tell where the wind comes from.")
	for status := 0; status != http.StatusAccepted; { // the work in the background begins by itself
		status, _ = s.ask("POST", "/v1/reindex", "")
	}
	lines := bufio.NewScanner(stream.Body)
	told := map[string]bool{}
	for len(told) < 2 && lines.Scan() {
		for _, list := range []string{"resources", "prompts", "tools"} {
			if strings.Contains(lines.Text(), "notifications/"+list+"/list_changed") {
				told[list] = true
			}
		}
	}
	if !told["resources"] || !told["prompts"] {
		t.Errorf("the client was told of %v, want of resources and prompts", told)
	}
	if err := s.stop(); err != nil {
		t.Errorf("the server ends with %v", err)
	}
}
