package main

import (
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/toolset"
)

// ownToolset is the one that is served when none is named.
const ownToolset = "skillsearch"

// library is what the tools of this process see.
func (a *app) library(engine *skillsearch.Engine, s settings) toolset.Library {
	lib := toolset.Library{Engine: engine, Project: s.project, AvailableTools: s.availableTools, Machine: a.machine(), Logger: a.logger()}
	if a.cache != nil {
		h := &history{cache: a.cache, now: time.Now, warn: a.warn}
		if s.queryLog != "" {
			h.log = &queryLog{path: s.queryLog, now: time.Now}
		}
		lib.History = h
	}
	return lib
}

// toolFlags choose toolsets and tools.
type toolFlags struct {
	toolsets, tools []string
}

func (f *toolFlags) register(set *pflag.FlagSet) {
	set.StringSliceVar(&f.toolsets, "toolset", []string{ownToolset}, "toolsets to serve (comma-separated): "+strings.Join(toolset.Names(), ", "))
	set.StringSliceVar(&f.tools, "tools", nil, "serve only these tools of theirs (comma-separated)")
}

// registerPool adds the flag of the workflow's pool.
func registerPool(set *pflag.FlagSet, pool *[]string) {
	set.StringSliceVar(pool, "available-tools", nil, "the workflow's tools, which a load may promote (comma-separated)")
}

// list is a comma-separated text without blanks and empty entries; nil when
// nothing is in it.
func list(text string) []string {
	var items []string
	for _, item := range strings.Split(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}
