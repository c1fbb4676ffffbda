package server

import (
	"slices"
	"sync"

	"github.com/skillsearch/skillsearch/mcpserver"
	"github.com/skillsearch/skillsearch/toolset"
)

// mcpServers are those that were asked for, by the names of their toolsets.
type mcpServers struct {
	mu      sync.Mutex
	servers map[string]*mcpserver.Server
}

func (m *mcpServers) each(do func(*mcpserver.Server)) {
	m.mu.Lock()
	all := make([]*mcpserver.Server, 0, len(m.servers))
	for _, s := range m.servers {
		all = append(all, s)
	}
	m.mu.Unlock()
	for _, s := range all {
		do(s)
	}
}

// inOrder are the toolsets among names, each once, in the order of
// toolset.Names.
func inOrder(names []string) []string {
	return slices.DeleteFunc(toolset.Names(), func(known string) bool { return !slices.Contains(names, known) })
}
