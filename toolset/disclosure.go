package toolset

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
)

// disclosure is the toolset of progressive disclosure: what there is, a body,
// a file of its references. Its answers are JSON, as text and structured.
type disclosure struct{ Library }

func openDisclosure(lib Library) []Tool {
	d := disclosure{lib}
	return []Tool{{
		Name: "list_skills", Title: "List skills", call: d.list,
		Description: "List the skills there are, with name, description and path. Level 1 of 3.",
		Input:       []Parameter{{Name: "category", Type: String, Description: "keeps the skills of one category; empty is all"}},
		Output:      []Field{{"skills", "array"}},
	}, {
		Name: "read_skill", Title: "Read a skill", call: d.read,
		Description: "Read a skill's body, and which references it has. Level 2 of 3. Not for a skill that is already in the prompt.",
		Input:       []Parameter{{Name: "name", Type: String, Required: true}},
		Output:      []Field{{"name", "string"}, {"description", "string"}, {"body", "string"}, {"references", "array"}},
	}, {
		Name: "read_skill_file", Title: "Read a skill's reference", call: d.readFile,
		Description: "Read a file of a skill's references/ folder, one that read_skill lists. Level 3 of 3.",
		Input: []Parameter{
			{Name: "skill", Type: String, Required: true, Description: "the skill's name"},
			{Name: "relative_path", Type: String, Required: true, Description: "relative to the skill's folder; begins with references/"},
		},
		Output: []Field{{"skill", "string"}, {"path", "string"}, {"content", "string"}},
	}}
}

// asJSON is an answer whose text is its structured part.
func asJSON(structured any) (Result, error) {
	text, err := encode(structured)
	return Result{Text: string(text), Structured: structured}, err
}

// A disclosed is one skill of a list.
type disclosed struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Path        string `json:"path"`
}

func (d disclosure) list(_ context.Context, args Arguments) (Result, error) {
	list := struct {
		Skills []disclosed `json:"skills"`
	}{[]disclosed{}}
	filter := skillsearch.Filter{Category: args.Text("category")}
	for _, s := range d.forModels() {
		if filter.Keeps(s) {
			list.Skills = append(list.Skills, disclosed{s.Name, s.Description, d.path(s)})
		}
	}
	return asJSON(list)
}

// path is a skill's folder, a flat skill's file: relative to the project where
// it lies in there, with slashes.
func (d disclosure) path(s *skill.Skill) string {
	path := s.Path
	if s.Dir != "" {
		path = filepath.Dir(path)
	}
	if rel, err := filepath.Rel(d.Project, path); d.Project != "" && err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return filepath.ToSlash(path)
}

// references is the folder of the third level.
const references = "references/"

func (d disclosure) find(name string) (*skill.Skill, error) {
	return d.loadable(name, "skill %q was not found; list_skills lists the skills.")
}

func (d disclosure) read(ctx context.Context, args Arguments) (Result, error) {
	s, err := d.find(args.Text("name"))
	if err != nil {
		return Result{}, err
	}
	d.load(ctx, "disclosure", s)
	files, inner := []string{}, d.inside(s)
	for _, path := range s.References(references) {
		if ownerOf(s, inner, path) == s {
			files = append(files, strings.TrimPrefix(path, references))
		}
	}
	return asJSON(struct {
		Name        string   `json:"name"`
		Description string   `json:"description"`
		Body        string   `json:"body"`
		References  []string `json:"references"`
	}{s.Name, s.Description, s.Body, files})
}

func (d disclosure) readFile(_ context.Context, args Arguments) (Result, error) {
	s, err := d.find(args.Text("skill"))
	if err != nil {
		return Result{}, err
	}
	path := args.Text("relative_path")
	if err := d.checkReference(s, path); err != nil {
		return Result{}, fmt.Errorf("relative_path: %w", err)
	}
	file, err := readText(s, path)
	if err != nil {
		return Result{}, fmt.Errorf("relative_path: %w", err)
	}
	return asJSON(struct {
		Skill   string `json:"skill"`
		Path    string `json:"path"`
		Content string `json:"content"`
	}{s.Name, file.Path, string(file.Content)})
}

// checkReference refuses what does not begin with references/, and what
// belongs to another skill. What a name is made of is looked at first, for its
// reason says most.
func (d disclosure) checkReference(s *skill.Skill, path string) error {
	if err := skill.CheckPath(path); err != nil {
		return err
	}
	if !strings.HasPrefix(path, references) {
		first, _, _ := strings.Cut(path, "/")
		if other, err := d.Engine.Catalogue().Resolve(first); err == nil && other != s {
			return fmt.Errorf("%w: %q belongs to another skill; read it with \"skill\":%q", skill.ErrOutside, OneLine(skill.Shorten(path, 100)), OneLine(other.Name))
		}
		return fmt.Errorf("%w: %q does not begin with references/; read_skill lists the files below it", skill.ErrInvalidPath, OneLine(skill.Shorten(path, 100)))
	}
	if other := ownerOf(s, d.inside(s), path); other != s {
		return fmt.Errorf("%w: %q belongs to the skill %s; read it with that as the skill", skill.ErrOutside, OneLine(skill.Shorten(path, 100)), OneLine(other.ID))
	}
	return nil
}

// inside are the skills that lie in another one's folder: a root may say that
// they count.
func (d disclosure) inside(s *skill.Skill) []*skill.Skill {
	var inner []*skill.Skill
	for _, other := range d.Engine.Catalogue().Skills() {
		if s.Dir != "" && other.Dir != "" && other.Dir != s.Dir && within(other.Dir, s.Dir) {
			inner = append(inner, other)
		}
	}
	return inner
}

// ownerOf is whose a file of a skill's folder is.
func ownerOf(s *skill.Skill, inner []*skill.Skill, path string) *skill.Skill {
	for _, other := range inner {
		if within(filepath.Join(s.Dir, filepath.FromSlash(path)), other.Dir) {
			return other
		}
	}
	return s
}

// within reports whether a path lies in a folder, or is it. Both are absolute.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
