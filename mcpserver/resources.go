package mcpserver

import (
	"context"
	"path"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/toolset"
)

// sectionURI is the resource of Config.Section.
const sectionURI = "skillsearch://prompt"

// pageSize is how many entries a page of a list has, before the files of its
// last skill.
const pageSize = 100

// volatile: lists and files are the user's own, and change whenever a person
// edits a skill.
var volatile = mcp.Cacheable{CacheScope: "private"}

// listResources lists the files of all skills that a model may load, skill by
// skill in order of id: a page ends behind the files of one.
func (s *Server) listResources(p *mcp.ListResourcesParams) (mcp.Result, error) {
	cursor := ""
	if p != nil {
		cursor = p.Cursor
	}
	after, err := parseCursor(cursor)
	if err != nil {
		return nil, err
	}
	result := &mcp.ListResourcesResult{Resources: []*mcp.Resource{}, Cacheable: volatile}
	if after == "" && s.cfg.Section != nil {
		result.Resources = append(result.Resources, &mcp.Resource{URI: sectionURI, Name: "prompt", Description: "The index of the skills, for a system prompt", MIMEType: "text/plain"})
	}
	skills := s.readable()
	for i, sk := range skills {
		if sk.ID <= after {
			continue
		}
		result.Resources = append(result.Resources, filesOf(sk)...)
		if len(result.Resources) >= pageSize && i < len(skills)-1 {
			result.NextCursor = cursorAt(sk.ID)
			break
		}
	}
	return result, nil
}

// readable are the skills that a model may load, in order of id.
func (s *Server) readable() []*skill.Skill {
	var skills []*skill.Skill
	for _, sk := range s.cfg.Library.Engine.Catalogue().Skills() {
		if s.cfg.Library.Readable(sk) {
			skills = append(skills, sk)
		}
	}
	return skills
}

// filesOf are the resources of a skill, its own file first.
func filesOf(s *skill.Skill) []*mcp.Resource {
	resources := []*mcp.Resource{ownFile(s)}
	for _, file := range s.References("") {
		resources = append(resources, &mcp.Resource{URI: toolset.URI(s.ID, file), Name: toolset.OneLine(s.Name + "/" + file), MIMEType: typeByName(file)})
	}
	return resources
}

func ownFile(s *skill.Skill) *mcp.Resource {
	return &mcp.Resource{
		URI: toolset.URI(s.ID, ""), Name: toolset.OneLine(s.Name), Title: toolset.OneLine(s.Title),
		Description: skill.Shorten(toolset.OneLine(s.Description), 300), MIMEType: "text/markdown", Size: s.Size,
	}
}

// typeByName is the type of a file as far as its name alone tells it.
func typeByName(name string) string {
	if strings.EqualFold(path.Ext(name), ".md") {
		return "text/markdown"
	}
	return ""
}

func (s *Server) listTemplates() (mcp.Result, error) {
	return &mcp.ListResourceTemplatesResult{Cacheable: volatile, ResourceTemplates: []*mcp.ResourceTemplate{
		{Name: "skill", Title: "A skill", Description: "The instructions of a skill, by its id", MIMEType: "text/markdown", URITemplate: "skill://{+id}/SKILL.md"},
		{Name: "file", Title: "A skill's file", Description: "A file of a skill, by the skill's id and the file's path", URITemplate: "skill://{+id}/{+path}"},
	}}, nil
}

func (s *Server) readResource(ctx context.Context, p *mcp.ReadResourceParams) (mcp.Result, error) {
	if p.URI == sectionURI && s.cfg.Section != nil {
		text, err := s.cfg.Section(ctx)
		if err != nil {
			return nil, err
		}
		return contents(toolset.Content{URI: sectionURI, MIMEType: "text/plain", Raw: []byte(text), IsText: true}), nil
	}
	content, err := s.cfg.Library.Read(ctx, p.URI)
	if err != nil {
		return nil, err
	}
	return contents(content), nil
}

func contents(c toolset.Content) *mcp.ReadResourceResult {
	out := &mcp.ResourceContents{URI: c.URI, MIMEType: c.MIMEType}
	if c.IsText && len(c.Raw) > 0 {
		out.Text = string(c.Raw)
	} else {
		out.Blob = append([]byte{}, c.Raw...) // not nil: the SDK leaves out an empty text
	}
	return &mcp.ReadResourceResult{Cacheable: volatile, Contents: []*mcp.ResourceContents{out}}
}
