// Package toolset answers: what can a model call? Each of the systems that
// skillsearch speaks is one file, a set of tools over one catalogue; MCP, HTTP
// and the shell carry the same definitions and the same results.
package toolset

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
)

// A Library is what the tools of one toolset see. Only Engine is needed. It is
// bound when a toolset is opened: no argument of a call widens it.
type Library struct {
	Engine *skillsearch.Engine
	// Project is the absolute folder to which some systems' paths are relative;
	// "" leaves them absolute.
	Project string
	// AvailableTools are the names that a load may promote, the workflow's pool.
	AvailableTools []string
	// Machine is what skills may need; the zero Machine has nothing.
	Machine skill.Machine
	// AskCredential gets a required credential from the person at the terminal
	// and keeps it, so that Machine knows of it; nil where nobody can be asked.
	AskCredential func(ctx context.Context, variable string) error
	// History is told what tools find and of every body that one loads; nil keeps
	// none.
	History History
	// Logger gets what went wrong inside a tool; nil drops it.
	Logger *slog.Logger
}

// A History keeps which skills were loaded. It must be safe for concurrent use.
type History interface {
	// Found notes which skills, by their ids, a tool found for a query.
	Found(query string, ids []string)
	// Record notes that a toolset loaded the body of a skill.
	Record(ctx context.Context, toolset string, s *skill.Skill) error
	// LastUsed gives the ids of the skills that were loaded, latest first, each
	// once, at most limit; 0 is all.
	LastUsed(ctx context.Context, limit int) ([]string, error)
}

// A Toolset is the tools of one system. It is immutable and safe for concurrent
// use. Definitions may name the skills there are, so it is opened anew when the
// catalogue changes; calls see the catalogue of their time.
type Toolset struct {
	Name  string
	Tools []Tool
}

// A Tool is one operation of a toolset.
type Tool struct {
	Name        string
	Title       string // for people; "" leaves the name to speak for itself
	Description string
	Input       []Parameter
	Output      []Field // of the structured part; nil when there is none
	Strict      bool    // an unknown argument is an error, and not ignored

	call   func(ctx context.Context, args Arguments) (Result, error)
	logger *slog.Logger
}

// A system opens the toolset of one name.
type system struct {
	name string
	open func(lib Library) []Tool
}

// systems is every toolset, ours first. A new one is a line here and a file.
var systems = []system{
	{"skillsearch", openSkillsearch},
	{"telos", openTelos},
	{"batbox", openBatbox},
	{"planck", openPlanck},
	{"disclosure", openDisclosure},
	{"kerkov", openKerkov},
}

// Names are the toolsets there are.
func Names() []string {
	names := make([]string, len(systems))
	for i, s := range systems {
		names[i] = s.name
	}
	return names
}

// A Summary is a toolset and the names of its tools.
type Summary struct {
	Name  string   `json:"name"`
	Tools []string `json:"tools"`
}

// Known summarises every toolset.
func Known(lib Library) ([]Summary, error) {
	known := make([]Summary, len(systems))
	for i, name := range Names() {
		set, err := Open(name, lib)
		if err != nil {
			return nil, err
		}
		known[i].Name = name
		for _, tool := range set.Tools {
			known[i].Tools = append(known[i].Tools, tool.Name)
		}
	}
	return known, nil
}

// Open binds a toolset to a library. An unknown name is an error that wraps
// skill.ErrNotFound and lists the known ones.
func Open(name string, lib Library) (*Toolset, error) {
	i := slices.IndexFunc(systems, func(s system) bool { return s.name == name })
	if i < 0 {
		return nil, failf(skill.ErrNotFound, "there is no toolset %q; the toolsets are %s", skill.Shorten(name, 60), strings.Join(Names(), ", "))
	}
	if lib.Logger == nil {
		lib.Logger = slog.New(slog.DiscardHandler)
	}
	t := &Toolset{Name: name, Tools: systems[i].open(lib)}
	for i := range t.Tools {
		t.Tools[i].logger = lib.Logger
	}
	return t, nil
}

// OpenAll binds several toolsets as one, whose tools Combine names. A name that
// comes twice counts once; no name at all is an error.
func OpenAll(names []string, lib Library) (*Toolset, error) {
	var sets []*Toolset
	for i, name := range names {
		set, err := Open(name, lib)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(names[:i], name) {
			sets = append(sets, set)
		}
	}
	if len(sets) == 0 {
		return nil, invalidf("no toolset is named; the toolsets are %s", strings.Join(Names(), ", "))
	}
	return &Toolset{Name: strings.Join(names, ","), Tools: Combine(sets...)}, nil
}

// Tool finds a tool by its name. The error wraps skill.ErrNotFound and lists
// the known ones.
func (t *Toolset) Tool(name string) (Tool, error) {
	names := make([]string, len(t.Tools))
	for i, tool := range t.Tools {
		if tool.Name == name {
			return tool, nil
		}
		names[i] = tool.Name
	}
	return Tool{}, failf(skill.ErrNotFound, "toolset %s has no tool %q; its tools are %s", t.Name, skill.Shorten(name, 60), strings.Join(names, ", "))
}

// Only keeps the named tools, in the toolset's order. A name that it does not
// have is an error.
func (t *Toolset) Only(names []string) (*Toolset, error) {
	kept := &Toolset{Name: t.Name}
	for _, name := range names {
		if _, err := t.Tool(name); err != nil {
			return nil, err
		}
	}
	for _, tool := range t.Tools {
		if slices.Contains(names, tool.Name) {
			kept.Tools = append(kept.Tools, tool)
		}
	}
	return kept, nil
}

// Combine puts the tools of several toolsets side by side. Of a name that more
// than one of them has, each gets its toolset's name in front: telos_list_skills.
func Combine(sets ...*Toolset) []Tool {
	count := make(map[string]int)
	for _, set := range sets {
		for _, tool := range set.Tools {
			count[tool.Name]++
		}
	}
	var tools []Tool
	for _, set := range sets {
		for _, tool := range set.Tools {
			if count[tool.Name] > 1 {
				tool.Name = set.Name + "_" + tool.Name
			}
			tools = append(tools, tool)
		}
	}
	return tools
}

// Call runs the tool with the JSON object that a model sent; empty is {}. What
// the model can act on is an error whose text tells it what to do; see Failure.
// A panic is an error as well, and the log has its stack.
func (t Tool) Call(ctx context.Context, arguments []byte) (result Result, err error) {
	args, err := t.decode(arguments)
	if err != nil {
		return Result{}, err
	}
	defer func() {
		if p := recover(); p != nil {
			err = t.panicked(ctx, p)
		}
	}()
	return t.call(ctx, args)
}

// found notes what a search found.
func (l Library) found(r *skillsearch.Result) {
	if l.History == nil {
		return
	}
	ids := make([]string, len(r.Hits))
	for i, h := range r.Hits {
		ids[i] = h.ID
	}
	l.History.Found(r.Query, ids)
}

// load notes that a body is handed out. A history that can't be written must
// not keep the skill from the model.
func (l Library) load(ctx context.Context, toolset string, s *skill.Skill) {
	if l.History == nil {
		return
	}
	if err := l.History.Record(ctx, toolset, s); err != nil {
		l.Logger.WarnContext(ctx, "the usage history can't be written", "skill", s.ID, "error", fmt.Sprint(err))
	}
}
