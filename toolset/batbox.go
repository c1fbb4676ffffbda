package toolset

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skillsearch/skillsearch/skill"
)

// Sizes of batbox's texts, in characters.
const (
	batboxDefinition = 8000 // of the tool's description
	batboxSummary    = 120  // of a short description
)

// batbox is the toolset of Batbox: one tool that lists and invokes.
type batbox struct{ Library }

func openBatbox(lib Library) []Tool {
	b := batbox{lib}
	return []Tool{{
		Name: "Skill", Title: "Use a skill", call: b.skill,
		Description: b.description(),
		Input: []Parameter{
			{Name: "operation", Type: String, Enum: []string{"invoke", "list"}, Default: "invoke"},
			{Name: "name", Type: String, Description: "the skill to invoke"},
			{Name: "input", Type: String, Description: "what takes the place of $ARGS in the skill"},
		},
	}}
}

// description advertises names and descriptions, as many as fit, and never a
// body.
func (b batbox) description() string {
	const head = "Invoke a skill by its name to get its instructions, or list the skills there are."
	skills := b.forModels()
	if len(skills) == 0 {
		return head + " There are none now."
	}
	lines := make([]string, len(skills))
	for i, s := range skills {
		lines[i] = fmt.Sprintf("- %s: %s\n", inert(named(s)), inert(describe(s)))
	}
	text, _ := pack(len(skills), batboxDefinition, func(n int) string {
		note := ""
		if left := len(skills) - n; left > 0 {
			note = fmt.Sprintf("and %s, which {\"operation\":\"list\"} lists\n", moreSkills(left))
		}
		return head + "\n\n" + strings.Join(lines[:n], "") + note
	})
	return strings.TrimSuffix(text, "\n")
}

func (b batbox) skill(ctx context.Context, args Arguments) (Result, error) {
	if args.Text("operation") != "list" {
		return b.invoke(ctx, args)
	}
	for _, name := range []string{"name", "input"} {
		if args.Text(name) != "" {
			return Result{}, invalidf("%s can't go with the operation list; leave it out, or invoke", name)
		}
	}
	return b.list()
}

// A batboxListed is one skill of a list.
type batboxListed struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Source      string `json:"source"`
}

func (b batbox) list() (Result, error) {
	list := struct {
		Skills []batboxListed `json:"skills"`
	}{[]batboxListed{}}
	var out strings.Builder
	for _, s := range b.forModels() {
		listed := batboxListed{s.Name, skill.Shorten(firstSentence(s.Description), batboxSummary), s.Source}
		list.Skills = append(list.Skills, listed)
		fmt.Fprintf(&out, "%s (%s): %s\n", OneLine(s.Name), listed.Source, listed.Description)
	}
	if len(list.Skills) == 0 {
		out.WriteString("There are no skills.\n")
	}
	return Result{Text: out.String(), Structured: list}, nil
}

func (b batbox) invoke(ctx context.Context, args Arguments) (Result, error) {
	name := args.Text("name")
	if blank(name) {
		return Result{}, invalidf(`name is missing; send it as a string, or {"operation":"list"}`)
	}
	s, err := b.loadable(name, `skill %q was not found; {"operation":"list"} lists the skills.`)
	if err != nil {
		return Result{}, err
	}
	b.load(ctx, "batbox", s)
	body := ReplaceArgs(s.Body, args.Text("input"))
	return Result{Text: body, Structured: struct {
		Name         string   `json:"name"`
		Body         string   `json:"body"`
		AllowedTools []string `json:"allowed_tools"`
		Model        string   `json:"model"`
	}{s.Name, body, append([]string{}, s.AllowedTools...), s.Model}}, nil
}

// ReplaceArgs puts input, as it is, in the place of every $ARGS of a body that
// no letter, digit or underscore follows. What it put there is not read again.
func ReplaceArgs(body, input string) string {
	const mark = "$ARGS"
	var out strings.Builder
	for {
		before, after, found := strings.Cut(body, mark)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		if next, _ := utf8.DecodeRuneInString(after); unicode.IsLetter(next) || unicode.IsDigit(next) || next == '_' {
			out.WriteString(mark)
		} else {
			out.WriteString(input)
		}
		body = after
	}
}

// firstSentence is a text's first sentence, on one line: up to a stop before a
// blank, but not one inside a sentence ("e.g. this").
func firstSentence(text string) string {
	text = OneLine(text)
	for i, r := range text {
		end := i + utf8.RuneLen(r)
		switch r {
		case '。', '！', '？':
			return text[:end]
		case '.', '!', '?':
			if rest, ok := strings.CutPrefix(text[end:], " "); ok && beginsSentence(rest) && !abbreviates(text[:i]) {
				return text[:end]
			}
		}
	}
	return text
}

func beginsSentence(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return !unicode.IsLower(first)
}

// abbreviates reports whether a stop behind text would end a word such as
// "e.g" or "Dr" rather than a sentence.
func abbreviates(text string) bool {
	word := text[strings.LastIndexByte(text, ' ')+1:]
	return strings.Contains(word, ".") && len(word) <= len("e.g") || word == "vs" || word == "etc"
}
