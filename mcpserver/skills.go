package mcpserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/toolset"
)

// The Skills extension of MCP (SEP-2640), as its specification of 2026-07-28
// has it: https://github.com/modelcontextprotocol/ext-skills.
const (
	skillsExtension = "io.modelcontextprotocol/skills"

	maxEntryFiles = 512      // resources of a skill
	maxEntryBytes = 16 << 20 // of all of them
	entriesPage   = 50
)

// A skillEntry is a skill with the digests of all its files.
type skillEntry struct {
	URI         string         `json:"uri"`
	Frontmatter map[string]any `json:"frontmatter"`
	Resources   []skillFile    `json:"resources"`
}

type skillFile struct {
	URI    string `json:"uri"`
	Digest string `json:"digest"`
	Size   int    `json:"size"`
}

type (
	listSkillsParams struct {
		mcp.ParamsBase
		Cursor string `json:"cursor,omitempty"`
	}
	getSkillParams struct {
		mcp.ParamsBase
		URI string `json:"uri"`
	}
	listSkillsResult struct {
		mcp.ResultBase
		mcp.Cacheable
		ResultType string       `json:"resultType"`
		Skills     []skillEntry `json:"skills"`
		NextCursor string       `json:"nextCursor,omitempty"`
	}
	getSkillResult struct {
		mcp.ResultBase
		mcp.Cacheable
		ResultType string     `json:"resultType"`
		Skill      skillEntry `json:"skill"`
	}
	directoryResult struct {
		mcp.ResultBase
		ResultType string          `json:"resultType"`
		Resources  []*mcp.Resource `json:"resources"`
	}
)

// addSkillMethods registers the methods that the SDK does not know.
func (s *Server) addSkillMethods() error {
	err := mcp.AddReceivingCustomMethod(s.mcp, "skills/list", func(_ context.Context, _ *mcp.ServerSession, p *listSkillsParams) (*listSkillsResult, error) {
		return s.listSkills(p)
	})
	if err != nil {
		return err
	}
	err = mcp.AddReceivingCustomMethod(s.mcp, "skills/get", func(_ context.Context, _ *mcp.ServerSession, p *getSkillParams) (*getSkillResult, error) {
		return s.getSkill(p)
	})
	if err != nil {
		return err
	}
	return mcp.AddReceivingCustomMethod(s.mcp, "resources/directory/read", func(_ context.Context, _ *mcp.ServerSession, p *getSkillParams) (*directoryResult, error) {
		return s.readDirectory(p)
	})
}

// listSkills leaves out the skills that the extension does not allow; they are
// resources and prompts all the same.
func (s *Server) listSkills(p *listSkillsParams) (*listSkillsResult, error) {
	cursor := ""
	if p != nil {
		cursor = p.Cursor
	}
	after, err := parseCursor(cursor)
	if err != nil {
		return nil, err
	}
	result := &listSkillsResult{ResultType: "complete", Skills: []skillEntry{}, Cacheable: volatile}
	last := ""
	for _, sk := range s.readable() {
		if sk.ID <= after {
			continue
		}
		entry, err := entryOf(sk)
		switch {
		case err != nil:
			continue
		case len(result.Skills) == entriesPage:
			result.NextCursor = cursorAt(last)
			return result, nil
		}
		last = sk.ID
		result.Skills = append(result.Skills, entry)
	}
	return result, nil
}

func (s *Server) getSkill(p *getSkillParams) (*getSkillResult, error) {
	if p == nil || p.URI == "" {
		return nil, errNoURI
	}
	sk, file, err := s.cfg.Library.Locate(p.URI)
	if err != nil {
		return nil, err
	}
	if file != skillName {
		return nil, invalidParams("%q is no skill's %s; send a uri of skills/list", skill.Shorten(p.URI, 200), skillName)
	}
	entry, err := entryOf(sk)
	if err != nil {
		return nil, err
	}
	return &getSkillResult{ResultType: "complete", Skill: entry, Cacheable: volatile}, nil
}

var errNoURI = invalidParams("uri is missing; send the uri of a skill, such as skill://claude/pdf/SKILL.md")

func invalidParams(format string, args ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

const skillName = "SKILL.md"

// namePattern is what the Agent Skills specification takes as a name, of at
// most 64 characters.
var namePattern = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// entryOf is the entry of a skill that meets the Agent Skills specification;
// for any other the error says what is missing.
func entryOf(s *skill.Skill) (skillEntry, error) {
	unfit := func(why string) (skillEntry, error) {
		return skillEntry{}, invalidParams("%s can be read as a resource and is no skill of the Skills extension: %s", toolset.URI(s.ID, ""), why)
	}
	switch {
	case s.Dir == "" || path.Base(s.Path) != skillName:
		return unfit("it is no folder with a SKILL.md")
	case !namePattern.MatchString(s.Name) || len(s.Name) > 64 || path.Base(s.ID) != s.Name:
		return unfit("its name is not that of its folder in lower case, digits and hyphens")
	case s.DescriptionSource != skill.FromHeader || utf8.RuneCountInString(s.Description) > 1024:
		return unfit("its header has no description of at most 1,024 characters")
	}
	own, err := s.File()
	if err != nil {
		return skillEntry{}, err
	}
	header, ok := skill.FrontMatter(own.Content)
	if _, isText := header["description"].(string); !ok || !isText || header["name"] != s.Name {
		return unfit("its header is not plain YAML with name and description")
	}
	files, err := manifest(s, own)
	if err != nil {
		return unfit(err.Error())
	}
	return skillEntry{URI: toolset.URI(s.ID, ""), Frontmatter: header, Resources: files}, nil
}

// manifest digests every file of a skill.
func manifest(s *skill.Skill, own skill.Reference) ([]skillFile, error) {
	paths := s.References("")
	if len(paths) >= maxEntryFiles {
		return nil, fmt.Errorf("it has more than %d files", maxEntryFiles)
	}
	files := []skillFile{digest(s, "", own.Content)}
	total := len(own.Content)
	for _, name := range paths {
		file, err := s.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if total += len(file.Content); total > maxEntryBytes {
			return nil, fmt.Errorf("its files have more than %d bytes", maxEntryBytes)
		}
		files = append(files, digest(s, name, file.Content))
	}
	return files, nil
}

func digest(s *skill.Skill, name string, content []byte) skillFile {
	sum := sha256.Sum256(content)
	return skillFile{URI: toolset.URI(s.ID, name), Digest: "sha256:" + hex.EncodeToString(sum[:]), Size: len(content)}
}

// readDirectory lists what lies directly in a folder of a skill, which a URI
// names without a slash at its end.
func (s *Server) readDirectory(p *getSkillParams) (*directoryResult, error) {
	if p == nil || p.URI == "" {
		return nil, errNoURI
	}
	sk, dir, err := s.cfg.Library.Locate(p.URI)
	if err != nil {
		return nil, err
	}
	result := &directoryResult{ResultType: "complete", Resources: []*mcp.Resource{}}
	if dir == "" {
		result.Resources = append(result.Resources, ownFile(sk))
	}
	folders := map[string]bool{}
	for _, file := range sk.References("") {
		rest, inside := strings.CutPrefix(file, dir+"/")
		if dir == "" {
			rest, inside = file, true
		}
		name, _, deeper := strings.Cut(rest, "/")
		switch {
		case !inside || deeper && folders[name]:
		case deeper:
			folders[name] = true
			result.Resources = append(result.Resources, &mcp.Resource{URI: toolset.URI(sk.ID, path.Join(dir, name)), Name: toolset.OneLine(name), MIMEType: "inode/directory"})
		default:
			result.Resources = append(result.Resources, &mcp.Resource{URI: toolset.URI(sk.ID, file), Name: toolset.OneLine(name), MIMEType: typeByName(name)})
		}
	}
	if len(result.Resources) == 0 {
		return nil, invalidParams("%q is no folder of a skill with files in it", skill.Shorten(p.URI, 200))
	}
	return result, nil
}
