package toolset

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
)

// ownWait is how long a search of a model waits for vectors before words answer.
const ownWait = 2 * time.Second

// Sizes of our texts, so that ten hits stay under 3,000 characters.
const (
	hitDescription = 140
	hitName        = 60
	ownPage        = 50
)

// own is skillsearch's toolset.
type own struct{ Library }

func openSkillsearch(lib Library) []Tool {
	o := own{lib}
	filters := []Parameter{
		{Name: "skillbooks", Type: Strings},
		{Name: "category", Type: String},
		{Name: "tags", Type: Strings, Description: "all of them"},
	}
	ranking := Parameter{Name: "ranking", Type: String, Enum: []string{"cosine", "lexical", "hybrid"}}
	name := Parameter{Name: "name", Type: String, Required: true, Description: "name, code or id"}
	return []Tool{{
		Name: "search_skills", Strict: true, call: o.search,
		Description: "Find the skills that fit a task; load one with get_skill.",
		Input: append([]Parameter{
			{Name: "query", Type: String, Required: true, Description: "the task in whole words"},
			{Name: "limit", Type: Integer, Min: 1, Max: skillsearch.MaxLimit, Default: skillsearch.DefaultLimit},
			ranking,
		}, filters...),
		Output: []Field{{"hits", "array"}},
	}, {
		Name: "list_skills", Strict: true, call: o.list,
		Description: "List all skills in pages, ranked if there is a query.",
		Input: append([]Parameter{
			{Name: "query", Type: String},
			{Name: "limit", Type: Integer, Min: 1, Max: skillsearch.MaxPage, Default: ownPage},
			{Name: "cursor", Type: String, Description: "the next_cursor before"},
		}, filters...),
		Output: []Field{{"skills", "array"}, {"next_cursor", "string"}},
	}, {
		Name: "get_skill", Strict: true, call: o.get,
		Description: "Load a skill's instructions and list its files.",
		Input:       []Parameter{name},
		Output:      []Field{{"body", "string"}},
	}, {
		Name: "read_skill_file", Strict: true, call: o.readFile,
		Description: "Read a text file of a skill.",
		Input:       []Parameter{{Name: "name", Type: String, Required: true}, {Name: "path", Type: String, Required: true, Description: "as get_skill lists it"}},
		Output:      []Field{{"content", "string"}},
	}}
}

func filterOf(args Arguments) skillsearch.Filter {
	return skillsearch.Filter{SkillBooks: args.List("skillbooks"), Category: args.Text("category"), Tags: args.List("tags")}
}

func (o own) search(ctx context.Context, args Arguments) (Result, error) {
	r, err := o.Engine.Search(ctx, skillsearch.Query{
		Text: args.Text("query"), Limit: args.Int("limit"), Ranking: skillsearch.Ranking(args.Text("ranking")), Filter: filterOf(args), Wait: ownWait,
	})
	if err != nil {
		return Result{}, err
	}
	o.found(r)
	var out strings.Builder
	switch {
	case len(r.Hits) == 0:
		fmt.Fprintf(&out, "Nothing found: %s.\n", cmp.Or(r.Reason, "no skill fits"))
	case r.Degraded:
		fmt.Fprintf(&out, "Ranked by words, not by meaning: %s.\n", OneLine(skill.Shorten(r.Reason, 300)))
	}
	if len(r.Hits) > 0 && r.Confidence == "none" {
		out.WriteString("Perhaps nothing fits: confidence none.\n")
	}
	result := Result{Structured: r}
	for _, h := range r.Hits {
		fmt.Fprintf(&out, "%d. %s (%s) %.3f%s\n", h.Rank, OneLine(skill.Shorten(h.Name, hitName)), OneLine(h.ID), h.Score, operatorNote(h.OperatorOnly))
		if h.Description != "" {
			fmt.Fprintf(&out, "   %s\n", skill.Shorten(OneLine(h.Description), hitDescription))
		}
		if !h.OperatorOnly {
			result.Links = append(result.Links, linkTo(h.ID, h.Name, h.Description))
		}
	}
	result.Text = out.String()
	return result, nil
}

// operatorNote marks a skill that no tool of a model loads.
func operatorNote(operatorOnly bool) string {
	if operatorOnly {
		return " [operator-only]"
	}
	return ""
}

// A listed is a page of a list for programs, without the catalogue's problems,
// which are for people.
type listed struct {
	Skills     []skillsearch.Listed `json:"skills"`
	Total      int                  `json:"total"`
	Ranking    string               `json:"ranking,omitempty"`
	Degraded   bool                 `json:"degraded,omitempty"`
	Reason     string               `json:"reason,omitempty"`
	NextCursor string               `json:"next_cursor"`
}

func (o own) list(ctx context.Context, args Arguments) (Result, error) {
	q := skillsearch.Query{Text: args.Text("query"), Limit: cmp.Or(args.Int("limit"), ownPage), Filter: filterOf(args), Wait: ownWait}
	page, err := o.Engine.ListPage(ctx, q, args.Text("cursor"))
	if err != nil {
		return Result{}, err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%d of %d skills\n", len(page.Skills), page.Total)
	if page.Degraded {
		fmt.Fprintf(&out, "Ranked by words, not by meaning: %s.\n", OneLine(skill.Shorten(page.Reason, 300)))
	}
	for _, s := range page.Skills {
		fmt.Fprintf(&out, "%s (%s)%s: %s\n", OneLine(skill.Shorten(s.Name, hitName)), OneLine(s.ID), operatorNote(s.OperatorOnly), skill.Shorten(OneLine(s.Description), hitDescription))
	}
	if page.NextCursor != "" {
		fmt.Fprintf(&out, "More with cursor %s\n", page.NextCursor)
	}
	return Result{Text: out.String(), Structured: listed{page.Skills, page.Total, page.Ranking, page.Degraded, page.Reason, page.NextCursor}}, nil
}

func (o own) get(ctx context.Context, args Arguments) (Result, error) {
	s, err := o.find(args.Text("name"))
	if err != nil {
		return Result{}, err
	}
	shown, err := o.Engine.Show(s.ID)
	if err != nil {
		return Result{}, err
	}
	o.load(ctx, "skillsearch", s)
	var out strings.Builder
	fmt.Fprintf(&out, "%s (%s)\nPath: %s\n", OneLine(s.Name), OneLine(s.ID), OneLine(s.Path))
	if len(shown.References) > 0 {
		out.WriteString("Files, for read_skill_file:\n")
		for _, path := range shown.References {
			fmt.Fprintf(&out, "- %s\n", OneLine(path))
		}
	}
	out.WriteString("\n" + s.Body)
	return Result{Text: out.String(), Structured: shown}, nil
}

// find resolves a reference to a skill that a model may load.
func (o own) find(ref string) (*skill.Skill, error) {
	return o.loadable(ref, "there is no skill %q; search_skills finds one by need.")
}

func (o own) readFile(_ context.Context, args Arguments) (Result, error) {
	s, err := o.find(args.Text("name"))
	if err != nil {
		return Result{}, err
	}
	file, err := readText(s, args.Text("path"))
	if err != nil {
		return Result{}, err
	}
	type content struct {
		Skill   string `json:"skill"`
		Path    string `json:"path"`
		Content string `json:"content"`
	}
	return Result{Text: string(file.Content), Structured: content{s.ID, file.Path, string(file.Content)}}, nil
}
