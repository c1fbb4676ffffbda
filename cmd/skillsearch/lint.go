package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
)

func (a *app) lintCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "lint [PATH…]",
		Short:   "Print every problem with file, line and mend",
		Long:    "Print every problem of the skills with file, line and mend. PATH is a folder of skills, a skill's folder or a skill file. Exit status 1 when there is any.",
		Example: "  skillsearch lint\n  skillsearch lint ./skills --json",
		RunE: func(c *cobra.Command, args []string) error {
			problems, err := a.problems(c, args)
			if err != nil {
				return err
			}
			if err := a.printProblems(problems); err != nil {
				return err
			}
			if len(problems) > 0 {
				return errNothing
			}
			return nil
		},
	}
}

func (a *app) problems(c *cobra.Command, args []string) ([]skill.Problem, error) {
	if len(args) == 0 {
		engine, _, err := a.open(c.Context(), false)
		if err != nil {
			return nil, err
		}
		return a.allProblems(c, engine), nil
	}
	problems := []skill.Problem{}
	for _, arg := range args {
		found, err := a.lintPath(c, arg)
		if err != nil {
			return nil, err
		}
		problems = append(problems, found...)
	}
	return problems, nil
}

// allProblems are the engine's and the skills that are easily confused.
func (a *app) allProblems(c *cobra.Command, engine *skillsearch.Engine) []skill.Problem {
	confusable, err := engine.Confusable(c.Context())
	if err != nil {
		a.warn("skills of nearly the same description are not looked for: %s", printable(err.Error()))
	}
	return skill.SortProblems(append(engine.Problems(), confusable...))
}

// lintPath checks one folder or file.
func (a *app) lintPath(c *cobra.Command, arg string) ([]skill.Problem, error) {
	path, err := skill.ExpandPath(arg, a.env.home, a.env.cwd)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %s can't be read: %w; name a folder or a skill file", skillsearch.ErrInvalidArgument, arg, err)
	}
	if !info.IsDir() {
		return lintFile(path, info)
	}
	catalogue, err := skill.Load(c.Context(), skill.NamedRoots(skill.SourceFlag, path), nil)
	if err != nil {
		return nil, err
	}
	return catalogue.Problems(), nil
}

func lintFile(path string, info os.FileInfo) ([]skill.Problem, error) {
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: %s is no regular file; name a folder or a skill file", skillsearch.ErrInvalidArgument, path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, skill.MaxFile))
	if err != nil {
		return nil, err
	}
	file := skill.File{Path: path, Name: filepath.Base(filepath.Dir(path))}
	if base := filepath.Base(path); !strings.EqualFold(base, "SKILL.md") {
		file.Name, file.Flat = strings.TrimSuffix(base, filepath.Ext(base)), true
	}
	s, problems := skill.Parse(raw, file)
	if s == nil && len(problems) == 0 {
		problems = append(problems, skill.Problem{
			Kind: skill.FrontmatterMissing, Path: path, Line: 1,
			Message: "this is no skill: a flat file needs front matter with a name", Remedy: "begin it with ---, name: …, description: …, ---",
		})
	}
	return problems, nil
}

func (a *app) printProblems(problems []skill.Problem) error {
	if a.flags.json {
		return skillsearch.Encode(a.env.stdout, map[string]any{"problems": problems, "total": len(problems)})
	}
	var out strings.Builder
	for _, p := range problems {
		place := printable(p.Path)
		if p.Line > 0 {
			place += fmt.Sprintf(":%d", p.Line)
		}
		fmt.Fprintf(&out, "%s: %s: %s\n    mend: %s\n", place, p.Kind, oneLine(p.Message), oneLine(p.Remedy))
	}
	if len(problems) == 0 {
		out.WriteString("no problems\n")
	}
	_, err := io.WriteString(a.env.stdout, out.String())
	return err
}
