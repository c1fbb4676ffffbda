package toolset

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
)

// A caller is who loads a skill with kerkov's header and preconditions.
type caller struct {
	toolset  string // as the history knows it
	operator bool   // a person, who may load operator-only skills too
	input    string // what the person adds
}

// Operate loads a skill as its operator does, Kerkov's /skill: operator-only
// skills too, and with an input, which takes the place of $ARGS or stands behind
// a body without. It fails where the tool skill_lookup does.
func (l Library) Operate(ctx context.Context, ref, input string) (Result, error) {
	return l.loadInto(ctx, ref, caller{toolset: "operator", operator: true, input: input})
}

// A readiness is what a program learns of a loaded skill.
type readiness struct {
	SkillID     string                `json:"skill_id"`
	Eligible    bool                  `json:"eligible"`
	Credentials map[string]credential `json:"credentials,omitempty"`
}

// A credential is whether a variable is set, and where from: "environment" or
// "stored". Its value is never told.
type credential struct {
	Set    bool   `json:"set"`
	Source string `json:"source"`
}

func (l Library) loadInto(ctx context.Context, ref string, by caller) (Result, error) {
	s, err := l.Engine.Catalogue().Resolve(ref)
	if err != nil {
		return Result{}, failf(skill.ErrNotFound, "Skill '%s' not found.%s", OneLine(skill.Shorten(ref, 100)), closeNames(err))
	}
	id := l.handle(s, s.Name)
	if s.OperatorOnly && !by.operator {
		return Result{}, failf(skillsearch.ErrForbidden, "Skill '%s' is operator-only; load it with /skill %s (in a shell: skillsearch skill %s)", id, id, shellWord(id))
	}
	e, err := l.prepare(ctx, s, id)
	if err != nil {
		return Result{}, err
	}
	l.load(ctx, by.toolset, s)
	text := loadHeader(s, id, e) + "\n" + by.body(s)
	return Result{Text: text, Structured: readiness{id, e.Eligible(), l.credentialsOf(s)}}, nil
}

// body is the skill's, for an operator with the input: in the place of $ARGS, or
// behind a body that has none.
func (c caller) body(s *skill.Skill) string {
	body := strings.TrimRight(s.Body, "\n") + "\n"
	if !c.operator {
		return body
	}
	return withInput(body, c.input)
}

// withInput puts what a person typed in the place of $ARGS, or behind a body
// that has none, so that it is not lost.
func withInput(body, input string) string {
	filled := ReplaceArgs(body, input)
	if filled == body && input != "" {
		filled = strings.TrimRight(filled, "\n") + "\n\n**Input:** " + input + "\n"
	}
	return filled
}

// prepare checks what a skill needs and can't do without. Of what is missing
// only credentials can be asked for.
func (l Library) prepare(ctx context.Context, s *skill.Skill, id string) (skill.Eligibility, error) {
	e := s.Requires.Check(l.Machine)
	if e.NeedsElevation {
		return e, failf(skillsearch.ErrForbidden, "Skill '%s' needs elevated privileges; restart under sudo (or in an elevated terminal on Windows), "+
			"or grant the underlying binaries the capabilities they need, e.g. with setcap for openvpn", id)
	}
	if l.AskCredential != nil && len(e.MissingCredentials) > 0 {
		for _, variable := range e.MissingCredentials {
			if !skill.IsVariable(variable) {
				continue
			}
			if err := l.AskCredential(ctx, variable); err != nil {
				l.Logger.WarnContext(ctx, "a credential was not obtained", "variable", variable, "error", err)
				break
			}
		}
		e = s.Requires.Check(l.Machine)
	}
	if len(e.MissingCredentials) > 0 {
		return e, missingCredential(id, e.MissingCredentials[0])
	}
	return e, nil
}

// missingCredential names a command only for what can be a variable: the name
// comes from the skill's header, and the command is run by a person.
func missingCredential(id, variable string) error {
	if !skill.IsVariable(variable) {
		return failf(skillsearch.ErrForbidden, "Skill '%s' requires a credential %q, which is no name of a variable; correct it in the skill's header", id, OneLine(skill.Shorten(variable, 60)))
	}
	return failf(skillsearch.ErrForbidden, "Skill '%s' needs the credential %s, which is missing; supply it with /auth set %s (in a shell: skillsearch auth set %s)", id, variable, variable, variable)
}

// loadHeader says where the skill lies: without it a model would look for the
// skill's own scripts in its workspace.
func loadHeader(s *skill.Skill, id string, e skill.Eligibility) string {
	dir := s.Dir
	if dir == "" {
		dir = filepath.Dir(s.Path)
	}
	header := fmt.Sprintf("# Skill: %s\n**Location:** %s\nResolve any relative paths in this skill (e.g. `scripts/foo.py`) against this\ndirectory.\n", id, codeSpan(dir))
	if len(e.MissingBinaries) > 0 {
		header += fmt.Sprintf("**Warning:** Missing required binaries: %s\n", lineOf(e.MissingBinaries))
	}
	return header
}

// codeSpan is a path between backticks, more of them than it has itself. What
// would end its line is left out.
func codeSpan(path string) string {
	path = strings.Map(func(r rune) rune {
		if hidden(r) || r == '\u2028' || r == '\u2029' {
			return -1
		}
		return r
	}, path)
	if !strings.Contains(path, "`") {
		return "`" + path + "`"
	}
	fence := "``"
	for strings.Contains(path, fence) {
		fence += "`"
	}
	return fence + " " + path + " " + fence
}

func (l Library) credentialsOf(s *skill.Skill) map[string]credential {
	states := make(map[string]credential)
	for variable, source := range s.Requires.CredentialStates(l.Machine) {
		states[variable] = credential{Set: source != "", Source: source}
	}
	return states
}
