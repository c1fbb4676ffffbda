package skill

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// MaxFile is how many bytes of a skill file are read.
	MaxFile = 2 << 20
	// maxDescription and maxName are limits of the Agent Skills
	// specification, in characters; a longer one is kept whole and reported.
	maxDescription = 1024
	maxName        = 64
)

// A File is what Parse needs to know of a skill file besides its bytes.
type File struct {
	Path string // for problems
	Name string // the name when the header has none: the folder's, or the file's stem
	Flat bool   // a name.md: it must have a header with a name to be a skill
}

// Parse reads one skill file, leniently: no oddity of a header loses the skill.
// It returns nil where the bytes are no skill at all; the problems then say why,
// except for a flat file that was never meant to be one. raw may be cut at
// MaxFile bytes.
func Parse(raw []byte, file File) (*Skill, []Problem) {
	p := parser{file: file, nodes: maxHeader}
	start := raw
	if len(raw) >= MaxFile {
		start = wholeText(raw[:MaxFile])
	}
	text, badLine, isBinary := decodeText(start)
	switch {
	case isBinary:
		p.report(Binary, 0, "the file holds binary data, not text", "replace it with a text file, or move it away")
		return nil, p.problems
	case strings.TrimSpace(text) == "" && file.Flat:
		return nil, nil
	case strings.TrimSpace(text) == "":
		p.report(EmptyFile, 0, "the file is empty", "write the skill, or remove the file")
		return nil, p.problems
	}
	if badLine > 0 {
		p.report(InvalidUTF8, badLine, "bytes that are not UTF-8 were replaced by U+FFFD", "save the file as UTF-8")
	}
	fm := splitFrontmatter(text)
	p.nameLine, p.descriptionLine = fm.headerLine, fm.headerLine
	p.skill = &Skill{Path: file.Path, Size: int64(len(raw)), Hash: sha256.Sum256(raw), Active: true, Body: fm.body, BodyLine: fm.bodyLine}
	p.fields(fm)
	if file.Flat && (!fm.found || p.skill.Name == "") {
		return nil, p.unnamedFlat(fm)
	}
	p.finish(fm, len(raw))
	return p.skill, p.problems
}

// A parser gathers one file's skill and problems.
type parser struct {
	file     File
	skill    *Skill
	problems []Problem

	nameLine, descriptionLine int     // where they stand; the header's first line when they don't
	metadata                  []field // what stands below that key
	// nodes is how many more of the header are kept as data. There are fewer of
	// them than bytes, so that only aliases use this up.
	nodes int
}

func (p *parser) report(kind Kind, line int, message, remedy string) {
	p.problems = append(p.problems, Problem{Kind: kind, Path: p.file.Path, Line: line, Message: message, Remedy: remedy})
}

// unnamedFlat is what there is to say of a flat file that is no skill: nothing,
// unless its header shows that one was meant.
func (p *parser) unnamedFlat(fm frontmatter) []Problem {
	if p.skill.DescriptionSource != FromHeader {
		return nil
	}
	p.problems = nil
	p.report(NameMissing, fm.headerLine, "a flat skill file needs a name in its header; the file is not listed",
		fmt.Sprintf("add the line \"name: %s\"", p.file.Name))
	return p.problems
}

// fields reads the header into the skill.
func (p *parser) fields(fm frontmatter) {
	if !fm.found {
		return
	}
	p.assign(p.unique(p.decode(fm.header, fm.headerLine)))
}

// decode reads a header's fields, and reports what YAML would not read.
func (p *parser) decode(header string, line int) []field {
	fields, bad, err := decodeHeader(header, line)
	if err != nil {
		p.report(LimitReached, line, err.Error()+"; only its name, its description and who may load it were read", "make the header smaller")
	}
	if len(fields) == 0 && strings.TrimSpace(header) != "" {
		p.report(YAMLInvalidFallback, line, "there are no \"key: value\" lines here; the name comes from the folder, the description from the body",
			"write it as \"name: …\" and \"description: …\"")
	}
	if bad > 0 {
		p.report(YAMLRepaired, bad, "the header is no valid YAML from this line on; its keys were read line by line", p.mend(fields, bad))
	}
	if (bad > 0 || err != nil || len(fields) == 0 || strings.Contains(header, "<<")) && !hasKey(fields, operatorKey) && operatorLine.MatchString(header) {
		p.report(YAMLRepaired, line, "the header could not be read whole and speaks of "+operatorKey+"; the skill is kept from models", "mend the header, so that the key stands on a line of its own")
		p.skill.OperatorOnly = true
	}
	return fields
}

// operatorKey keeps a skill from models. Where a header can't be read whole it
// is looked for in the text: a skill that was meant to be kept from them must
// not reach them through a slip of the pen.
const operatorKey = "disable-model-invocation"

var operatorLine = regexp.MustCompile(`(?i)["'{,\s]?disable[-_]model[-_]invocation["']?\s*:\s*["']?(true|yes|on|y|1)\b`)

func hasKey(fields []field, key string) bool {
	_, ok := lookup(fields, key)
	return ok
}

// mend proposes how to write the field on line so that it is YAML.
func (p *parser) mend(fields []field, line int) string {
	for _, f := range fields {
		if f.line == line && f.node == nil {
			quoted := strings.ReplaceAll(f.text, "'", "''")
			return fmt.Sprintf("quote the value: %s: '%s'", f.raw, Shorten(quoted, 200))
		}
	}
	return "quote the value"
}

// unique drops the later of two fields with one key.
func (p *parser) unique(fields []field) []field {
	seen := make(map[string]bool, len(fields))
	kept := fields[:0:0]
	for _, f := range fields {
		if seen[f.key] {
			p.report(DuplicateKey, f.line, fmt.Sprintf("the key %q stands twice; the first counts", f.raw), "remove one of them")
			continue
		}
		seen[f.key] = true
		kept = append(kept, f)
	}
	return kept
}

// finish fills what the header left open, and reports what is odd.
func (p *parser) finish(fm frontmatter, size int) {
	s := p.skill
	switch {
	case !fm.found:
		p.report(FrontmatterMissing, 1, "there is no front matter; the name is the folder's, the description the first paragraph",
			fmt.Sprintf("begin the file with ---, name: %s, description: …, ---", p.file.Name))
	case !fm.terminated:
		p.report(FrontmatterUnterminated, fm.headerLine, "the front matter has no closing ---", "add a line --- behind the header")
	case fm.late:
		p.report(FrontmatterNotFirst, fm.headerLine-1, "the front matter does not begin on the first line", "move it to the top of the file")
	}
	if size >= MaxFile {
		p.report(LimitReached, 0, "only the first 2 MiB of the file were read", "move what is long into files beside the skill")
	}
	p.finishName(fm)
	p.finishDescription(fm)
	if s.Title == "" {
		s.Title = firstHeading(s.Body, s.Name)
	}
	if s.Code == "" {
		s.Code = s.Name
	}
	if s.Body == "" {
		p.report(BodyEmpty, fm.bodyLine, "there are no instructions below the header", "write the body")
	}
	for i := range p.problems {
		p.problems[i].Skill = s.Name
	}
}

func (p *parser) finishName(fm frontmatter) {
	s := p.skill
	if s.Name == "" {
		s.Name, s.NameSource = p.file.Name, FromDirectory
		if fm.found && !p.has(NameInvalid) {
			p.report(NameMissing, p.nameLine, "the header has no name; the folder's is used", fmt.Sprintf("add the line \"name: %s\"", s.Name))
		}
		return
	}
	s.NameSource = FromHeader
	if n := utf8.RuneCountInString(s.Name); n > maxName || strings.ContainsFunc(s.Name, isControl) {
		p.report(NameInvalid, p.nameLine, fmt.Sprintf("the name has %d characters or holds control characters", n), "use at most 64 letters, digits and hyphens")
	}
	if invisible(s.Name) {
		p.report(InvisibleCharacters, p.nameLine, "the name holds characters that no reader sees", "remove them")
	}
}

func (p *parser) finishDescription(fm frontmatter) {
	s := p.skill
	if n := utf8.RuneCountInString(s.Description); n > maxDescription {
		p.report(DescriptionTooLong, p.descriptionLine, fmt.Sprintf("the description has %d characters; some agents refuse more than %d", n, maxDescription),
			"shorten it; searches here see the whole text")
	}
	if invisible(s.Description) {
		p.report(InvisibleCharacters, p.descriptionLine, "the description holds characters that no reader sees", "remove them")
	}
	if s.Description != "" {
		return
	}
	if fm.found {
		p.report(DescriptionMissing, p.descriptionLine, "the header has no description", "add one that says what the skill does and when to use it")
	}
	if s.Description = firstParagraph(s.Body); s.Description != "" {
		s.DescriptionSource = FromBody
	}
}

func (p *parser) has(kind Kind) bool {
	return slices.ContainsFunc(p.problems, func(q Problem) bool { return q.Kind == kind })
}
