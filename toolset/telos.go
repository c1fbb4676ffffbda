package toolset

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
)

// telos is the toolset of Telos Brain (BRA411). The library is the Brain: no
// argument names one.
type telos struct{ Library }

func openTelos(lib Library) []Tool {
	t := telos{lib}
	return []Tool{{
		Name: "list_skills", Title: "List a SkillBook", call: t.list,
		Description: "Every active skill of one SkillBook as CSV (code,name,description), ordered by code. For a few relevant skills of a large book use find_available_skills.",
		Input:       []Parameter{{Name: "skillbook_code", Type: String, Required: true, Description: "the SkillBook's code, such as ENG"}},
	}, {
		Name: "find_available_skills", Title: "Find skills", call: t.find,
		Description: "The up to 10 skills that are semantically closest to a need, as markdown in <available_skills>. Load one with get_skill.",
		Input: []Parameter{
			{Name: "query", Type: String, Required: true, Description: "the need, in natural language"},
			{Name: "skillbooks", Type: String, Description: "codes of SkillBooks to search, comma-separated; all when left out"},
		},
	}, {
		Name: "get_skill", Title: "Load a skill", call: t.get,
		Description: "A skill's full instructions as markdown. Load them before you follow them. May promote tools into the run.",
		Input:       []Parameter{{Name: "code", Type: String, Required: true, Description: "the skill's code, such as BRA411"}},
		Output:      []Field{{"promoted_tools", "array"}},
	}}
}

// list is the SkillBook's catalogue as CSV by RFC 4180, with LF as line break.
func (t telos) list(_ context.Context, args Arguments) (Result, error) {
	book, err := t.book(args.Text("skillbook_code"))
	if err != nil {
		return Result{}, err
	}
	var rows [][]string
	for _, s := range t.forModels() {
		if s.SkillBook == book.Code {
			rows = append(rows, []string{t.handle(s, s.Code), OneLine(s.Title), ownDescription(s)})
		}
	}
	slices.SortFunc(rows, slices.Compare)
	var out strings.Builder
	w := csv.NewWriter(&out)
	if err := w.WriteAll(append([][]string{{"code", "name", "description"}}, rows...)); err != nil {
		return Result{}, err
	}
	return Result{Text: out.String()}, nil
}

// ownDescription is what the skill's header says; a paragraph of the body that
// stands in for it elsewhere is none here.
func ownDescription(s *skill.Skill) string {
	if s.DescriptionSource != skill.FromHeader {
		return ""
	}
	return OneLine(s.Description)
}

func (t telos) book(code string) (skill.Book, error) {
	book, err := t.Engine.Catalogue().Book(strings.TrimSpace(code))
	if err != nil {
		return book, failf(skill.ErrNotFound, "SkillBook %q was not found in this Brain; find_available_skills searches all SkillBooks.%s", OneLine(skill.Shorten(code, 100)), closeNames(err))
	}
	return book, nil
}

// books are the codes in a comma-separated text; nil is all books.
func (t telos) books(text string) ([]string, error) {
	var codes []string
	for code := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(code) == "" {
			continue
		}
		book, err := t.book(code)
		if err != nil {
			return nil, err
		}
		codes = append(codes, book.Code)
	}
	return codes, nil
}

// find ranks by cosine alone: words that stand in for vectors elsewhere would be
// another tool's answer.
func (t telos) find(ctx context.Context, args Arguments) (Result, error) {
	books, err := t.books(args.Text("skillbooks"))
	if err != nil {
		return Result{}, err
	}
	r, err := t.Engine.Search(ctx, skillsearch.Query{
		Text: args.Text("query"), Limit: skillsearch.DefaultLimit, Ranking: skillsearch.Cosine, Wait: ownWait,
		Filter: skillsearch.Filter{SkillBooks: books, ForModels: true},
	})
	switch {
	case err != nil:
		return Result{}, err
	case r.Degraded:
		return Result{}, failf(skillsearch.ErrNoEmbedder, "Semantic search is unavailable: %s; list_skills lists a SkillBook without it", OneLine(skill.Shorten(r.Reason, 300)))
	}
	t.found(r)
	var out strings.Builder
	out.WriteString("<available_skills>\n")
	for _, h := range r.Hits {
		t.writeSection(&out, h)
	}
	out.WriteString("</available_skills>\n")
	if len(r.Hits) == 0 {
		fmt.Fprintf(&out, "\nNo skill was found: %s.\n", r.Reason)
	}
	if r.Unembedded > 0 {
		out.WriteString("\nSkills without an embedding were skipped; list_skills lists them too.\n")
	}
	return Result{Text: out.String()}, nil
}

// writeSection writes one match. Each value stands behind words of ours on a
// line of its own, so that none begins a heading, and can't hold a tag.
func (t telos) writeSection(out *strings.Builder, h skillsearch.Hit) {
	code, title := h.ID, h.Name
	if s, ok := t.Engine.Catalogue().ByID(h.ID); ok {
		code, title = t.handle(s, s.Code), s.Title
	}
	similarity := math.Round(h.Score*1000)/1000 + 0 // no "-0.000"
	fmt.Fprintf(out, "## %s: %s\n", XML(code), XML(OneLine(title)))
	fmt.Fprintf(out, "Code: %s\nSimilarity: %.3f\nDescription: %s\n\n", XML(code), similarity, XML(OneLine(h.Description)))
}

func (t telos) get(ctx context.Context, args Arguments) (Result, error) {
	s, err := t.loadable(strings.TrimSpace(args.Text("code")), "Skill %q was not found in this Brain; find_available_skills finds one by need.")
	if err != nil {
		return Result{}, err
	}
	t.load(ctx, "telos", s)
	return Result{Text: s.Body, Structured: promotion{t.promoted(s)}}, nil
}

// A promotion is what a load adds to the run.
type promotion struct {
	PromotedTools []string `json:"promoted_tools"`
}

// promoted are the skill's tools that are in the workflow's pool, in the skill's
// order, each once.
func (t telos) promoted(s *skill.Skill) []string {
	promoted := []string{}
	for _, tool := range s.Tools {
		if slices.Contains(t.AvailableTools, tool) && !slices.Contains(promoted, tool) {
			promoted = append(promoted, tool)
		}
	}
	return promoted
}
