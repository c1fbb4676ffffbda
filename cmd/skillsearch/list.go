package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
)

func (a *app) listCommand() *cobra.Command {
	var f queryFlags
	var all bool
	var format string
	c := &cobra.Command{
		Use:     "list [QUERY…]",
		Short:   "List every skill, ranked when there is a query",
		Long:    "List every skill, ranked when there is a query. A skill without a vector takes the place that its words give it.",
		Example: "  skillsearch list\n  skillsearch list --format ids pdf",
		RunE: func(c *cobra.Command, args []string) error {
			text, err := a.queryText(args)
			if err != nil {
				return err
			}
			if len(args) > 0 && text == "" {
				text = " " // an empty query is an error, not a list without one
			}
			return a.list(c, f.query(text), all, format)
		},
	}
	c.Flags().BoolVar(&all, "all", false, "list shadowed and inactive skills too")
	c.Flags().StringVar(&format, "format", "table", "table, json, ids or paths")
	f.registerRanking(c)
	return c
}

func (a *app) list(c *cobra.Command, q skillsearch.Query, all bool, format string) error {
	if a.flags.json {
		format = "json"
	}
	if !slices.Contains([]string{"table", "json", "ids", "paths"}, format) {
		return fmt.Errorf("%w: format is %q; it must be table, json, ids or paths", skillsearch.ErrInvalidArgument, format)
	}
	engine, _, err := a.open(c.Context(), false)
	if err != nil {
		return err
	}
	listing, err := engine.List(c.Context(), q)
	if err != nil {
		return err
	}
	if all {
		listing.Skills = append(listing.Skills, engine.Hidden(q.Filter)...)
		listing.Total = len(listing.Skills)
	}
	if listing.Degraded && format != "json" {
		a.warn("ranked by words: %s", printable(listing.Reason))
	}
	if err := a.printListing(listing, format); err != nil {
		return err
	}
	if len(listing.Skills) == 0 {
		a.warn("there are no skills in the roots; name a folder that has some with --root, or see \"skillsearch doctor\"")
		return errNothing
	}
	return nil
}

func (a *app) printListing(l *skillsearch.Listing, format string) error {
	if format == "json" {
		return skillsearch.Encode(a.env.stdout, l)
	}
	var out strings.Builder
	for _, s := range l.Skills {
		switch format {
		case "ids":
			out.WriteString(printable(s.ID) + "\n")
		case "paths":
			out.WriteString(printable(s.Path) + "\n")
		}
	}
	if format == "table" {
		a.writeTable(&out, l.Skills)
	}
	_, err := io.WriteString(a.env.stdout, out.String())
	return err
}

// maxNameColumn bounds the column of names, in characters.
const maxNameColumn = 40

func (a *app) writeTable(out *strings.Builder, skills []skillsearch.Listed) {
	width := terminalWidth(a.env.stdout)
	if width == 0 {
		width = 120
	}
	column := 0
	for _, s := range skills {
		column = max(column, min(utf8.RuneCountInString(printable(s.Name)), maxNameColumn))
	}
	st := a.style()
	for _, s := range skills {
		name := skill.Shorten(printable(s.Name), maxNameColumn)
		pad := strings.Repeat(" ", column-utf8.RuneCountInString(name))
		note := ""
		if s.Hidden != "" {
			note = "[" + s.Hidden + "] "
		}
		fmt.Fprintf(out, "%s%s  %s\n", st.bold(name), pad, skill.Shorten(note+oneLine(s.Description), max(20, width-column-2)))
	}
}
