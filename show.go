package skillsearch

import (
	"github.com/skillsearch/skillsearch/skill"
)

// A Shown is the whole of one skill.
type Shown struct {
	Listed
	Title             string         `json:"title"`
	DescriptionSource string         `json:"description_source"`
	Body              string         `json:"body"`
	AllowedTools      []string       `json:"allowed_tools"`
	Tools             []string       `json:"tools"`
	Model             string         `json:"model"`
	References        []string       `json:"references"` // files beside the skill, relative to its folder
	License           string         `json:"license,omitempty"`
	Compatibility     string         `json:"compatibility,omitempty"`
	Version           string         `json:"version,omitempty"`
	Metadata          map[string]any `json:"metadata"`
}

// Show gives the whole of the skill that ref means: an id, a name or a code.
// The error wraps skill.ErrNotFound.
func (e *Engine) Show(ref string) (*Shown, error) {
	snap := e.current.Load()
	s, err := snap.catalogue.Resolve(ref)
	if err != nil {
		return nil, err
	}
	shown := &Shown{
		Listed: newListed(s), Title: s.Title, DescriptionSource: s.DescriptionSource, Body: s.Body,
		AllowedTools: nonNil(s.AllowedTools), Tools: nonNil(s.Tools), Model: s.Model, References: nonNil(s.References("")),
		License: s.License, Compatibility: s.Compatibility, Version: s.Version, Metadata: s.Metadata,
	}
	if shown.Metadata == nil {
		shown.Metadata = map[string]any{}
	}
	shown.MissingBinaries = e.missingBinaries(s)
	if i, ok := snap.byID[s.ID]; ok {
		shown.Embedded = e.embeddedSkills(snap)(i)
	} else {
		shown.Hidden = "shadowed"
	}
	return shown, nil
}

// ReadFile reads a file beside the skill that ref means. See skill.ReadFile for
// the errors.
func (e *Engine) ReadFile(ref, path string) (skill.Reference, error) {
	s, err := e.Catalogue().Resolve(ref)
	if err != nil {
		return skill.Reference{}, err
	}
	return s.ReadFile(path)
}

func nonNil(items []string) []string {
	if items == nil {
		return []string{}
	}
	return items
}
