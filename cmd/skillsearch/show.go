package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
)

func (a *app) showCommand() *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:     "show NAME",
		Short:   "Print the whole skill, or a file beside it",
		Long:    "Print the whole skill, or a file beside it. NAME is an id, a name or a code.",
		Example: "  skillsearch show pdf\n  skillsearch show pdf --file references/forms.md",
		Args:    oneArgument("the name of a skill"),
		RunE: func(c *cobra.Command, args []string) error {
			engine, _, err := a.open(c.Context(), false)
			if err != nil {
				return err
			}
			if c.Flags().Changed("file") {
				return a.showFile(engine, args[0], file)
			}
			return a.show(engine, args[0])
		},
	}
	c.Flags().StringVar(&file, "file", "", "print this file of the skill's folder instead")
	return c
}

func (a *app) show(engine *skillsearch.Engine, ref string) error {
	shown, err := engine.Show(ref)
	if err != nil {
		return err
	}
	if a.flags.json {
		return skillsearch.Encode(a.env.stdout, shown)
	}
	_, err = io.WriteString(a.env.stdout, showText(shown))
	return err
}

// showText is what is known of a skill, then its body.
func showText(s *skillsearch.Shown) string {
	return showHead(s) + "\n" + strings.TrimRight(s.Body, "\n") + "\n"
}

// showHead is what is known of a skill.
func showHead(s *skillsearch.Shown) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s (%s)\n", printable(s.Name), printable(s.ID))
	for _, line := range []struct{ label, text string }{
		{"description", s.Description},
		{"tags", strings.Join(s.Tags, ", ")},
		{"tools", strings.Join(s.AllowedTools, ", ")},
		{"path", s.Path},
		{"files", strings.Join(s.References, ", ")},
	} {
		if line.text != "" {
			fmt.Fprintf(&out, "%s: %s\n", line.label, oneLine(line.text))
		}
	}
	return out.String()
}

func (a *app) showFile(engine *skillsearch.Engine, ref, file string) error {
	content, err := engine.ReadFile(ref, file)
	if err != nil {
		return err
	}
	if a.flags.json {
		return skillsearch.Encode(a.env.stdout, map[string]string{"skill": ref, "path": content.Path, "content": string(content.Content)})
	}
	_, err = a.env.stdout.Write(content.Content)
	return err
}
