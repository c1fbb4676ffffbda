package toolset

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/skillsearch/skillsearch/skill"
)

// scheme is that of a skill's URI.
const scheme = "skill://"

// URI is the address of a skill, or of a file of its folder where path is not
// "": skill://claude/pdf/references/forms.md, each element percent-encoded.
// The skill itself is its SKILL.md.
func URI(id, path string) string {
	if path == "" {
		path = "SKILL.md"
	}
	elements := strings.Split(id+"/"+path, "/")
	for i, e := range elements {
		elements[i] = url.PathEscape(e)
	}
	return scheme + strings.Join(elements, "/")
}

func linkTo(id, name, description string) Link {
	return Link{URI: URI(id, ""), Name: OneLine(name), Description: skill.Shorten(OneLine(description), hitDescription), MIMEType: "text/markdown"}
}

// readText reads a file of a skill that a model can read: UTF-8 without NUL.
func readText(s *skill.Skill, path string) (skill.Reference, error) {
	file, err := s.ReadFile(path)
	if err != nil {
		return file, err
	}
	if !utf8.Valid(file.Content) || strings.ContainsRune(string(file.Content), 0) {
		return file, invalidf("path is %q, which is no UTF-8 text; the skill's own scripts can use it where it lies", OneLine(skill.Shorten(path, 100)))
	}
	return file, nil
}
