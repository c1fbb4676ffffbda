package toolset

import (
	"context"
	"fmt"
	"strings"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
)

// kerkov is the toolset of Kerkov: the tool skill_lookup.
type kerkov struct{ Library }

func openKerkov(lib Library) []Tool {
	return []Tool{{
		Name: "skill_lookup", Title: "Look up skills", call: kerkov{lib}.lookup,
		Description: "Find and load skills, playbooks that carry out a known procedure the same way every time. list them all, search by query, tags or category, load one's instructions by its skill_id.",
		Input: []Parameter{
			{Name: "action", Type: String, Required: true, Enum: []string{"list", "load", "search"}},
			{Name: "skill_id", Type: String, Description: "skill name; required for load"},
			{Name: "query", Type: String, Description: "keywords, for search"},
			{Name: "tags", Type: Strings, Description: "all of them, for search"},
			{Name: "category", Type: String, Description: "for search"},
		},
		Output: []Field{{"count", "integer"}, {"skill_id", "string"}, {"eligible", "boolean"}, {"credentials", "object"}},
	}}
}

func (k kerkov) lookup(ctx context.Context, args Arguments) (Result, error) {
	switch args.Text("action") {
	case "load":
		if blank(args.Text("skill_id")) {
			return Result{}, invalidf("skill_id is missing; load needs it as a string, the name of a skill")
		}
		return k.loadInto(ctx, strings.TrimSpace(args.Text("skill_id")), caller{toolset: "kerkov"})
	case "search":
		return k.search(ctx, args)
	}
	return k.lines(k.Engine.Catalogue().Skills(), "No skill is available."), nil
}

// search ranks by words where there is a query; the rest of the order is that
// of list.
func (k kerkov) search(ctx context.Context, args Arguments) (Result, error) {
	q := skillsearch.Query{
		Text: strings.TrimSpace(args.Text("query")), Ranking: skillsearch.Lexical,
		Filter: skillsearch.Filter{Tags: args.List("tags"), Category: strings.TrimSpace(args.Text("category"))},
	}
	if q.Text == "" && len(q.Filter.Tags) == 0 && q.Filter.Category == "" {
		return Result{}, invalidf("search needs at least one of query, tags or category; send one, or use the action list for every skill")
	}
	listing, err := k.Engine.List(ctx, q)
	if err != nil {
		return Result{}, err
	}
	var found []*skill.Skill
	for _, l := range listing.Skills {
		if s, ok := k.Engine.Catalogue().ByID(l.ID); ok && (l.Score == nil || *l.Score > 0) {
			found = append(found, s)
		}
	}
	return k.lines(found, "No skill matches; list shows every skill."), nil
}

// A counted is how many lines an answer has.
type counted struct {
	Count int `json:"count"`
}

// lines is one line a skill, or the sentence none.
func (k kerkov) lines(skills []*skill.Skill, none string) Result {
	var out strings.Builder
	for _, s := range skills {
		fmt.Fprintf(&out, "- %s: %s%s%s\n", k.handle(s, s.Name), skill.Shorten(OneLine(s.Description), kerkovDescription), difficulty(s), k.notes(s))
	}
	if len(skills) == 0 {
		out.WriteString(none + "\n")
	}
	return Result{Text: out.String(), Structured: counted{len(skills)}}
}

// kerkovDescription is how many characters of a description a line has: as many
// as the Agent Skills specification allows.
const kerkovDescription = 1024

func difficulty(s *skill.Skill) string {
	if s.Difficulty == "" {
		return ""
	}
	return " [" + OneLine(skill.Shorten(s.Difficulty, 40)) + "]"
}

// notes say why a skill can't run at present, or by whom it is loaded. A missing
// credential is none: it is asked for when the skill is loaded.
func (k kerkov) notes(s *skill.Skill) string {
	var out strings.Builder
	e := s.Requires.Check(k.Machine)
	if len(e.MissingBinaries) > 0 {
		fmt.Fprintf(&out, " (missing: %s)", lineOf(e.MissingBinaries))
	}
	if e.NeedsElevation {
		out.WriteString(" (needs elevated privileges)")
	}
	if s.OperatorOnly {
		out.WriteString(" (operator-only)")
	}
	return out.String()
}

// lineOf puts names on one line.
func lineOf(names []string) string { return OneLine(strings.Join(names, ", ")) }
