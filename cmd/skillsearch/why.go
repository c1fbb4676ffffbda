package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
)

func (a *app) whyCommand() *cobra.Command {
	var f queryFlags
	var ref string
	c := &cobra.Command{
		Use:     "why QUERY… --skill NAME",
		Short:   "Tell why a skill has its place for a query",
		Long:    "Tell rank and score of a skill for a query, even outside the top 10: which passage and which words counted, who beats it, and what would help.",
		Example: "  skillsearch why merge several PDF files --skill pdf",
		RunE: func(c *cobra.Command, args []string) error {
			if ref == "" {
				return fmt.Errorf("%w: no skill is named; add --skill with an id, a name or a code", skillsearch.ErrInvalidArgument)
			}
			text, err := a.queryText(args)
			if err != nil {
				return err
			}
			return a.why(c, f.query(text), ref)
		},
	}
	c.Flags().StringVar(&ref, "skill", "", "id, name or code of the skill")
	c.Flags().StringVar(&f.ranking, "ranking", "", "cosine, lexical or hybrid (default cosine)")
	c.Flags().DurationVar(&f.wait, "wait", defaultWait, "how long to wait for vectors")
	return c
}

func (a *app) why(c *cobra.Command, q skillsearch.Query, ref string) error {
	engine, _, err := a.open(c.Context(), false)
	if err != nil {
		return err
	}
	w, err := engine.Why(c.Context(), q, ref)
	if err != nil {
		return err
	}
	if a.flags.json {
		return skillsearch.Encode(a.env.stdout, w)
	}
	if w.Degraded {
		a.warn("ranked by words: %s", printable(w.Reason))
	}
	_, err = io.WriteString(a.env.stdout, whyText(w, a.style()))
	return err
}

// whyText is the explanation for people: the place, what counted, who is ahead,
// what would help.
func whyText(w *skillsearch.Why, st style) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s %s\n", st.bold(printable(w.Skill.Name)), st.faint(printable(w.Skill.ID)))
	if w.Skill.Hidden != "" {
		fmt.Fprintf(&out, "hidden: %s\n", printable(w.Reason))
		return out.String()
	}
	fmt.Fprintf(&out, "%s of %d by %s\n", number(w.Rank, w.Score), w.Total, w.Ranking)
	whyPlaces(&out, w)
	whyWords(&out, w)
	if p := w.Passage; p != nil {
		fmt.Fprintln(&out, strings.TrimSpace(fmt.Sprintf("passage  line %d %s", p.StartLine, oneLine(p.Heading))))
	}
	for i, s := range w.Ahead {
		fmt.Fprintf(&out, "%s %2d  %.3f  %s %s\n", label("ahead", i), s.Rank, s.Score, printable(s.Name), st.faint(printable(s.ID)))
	}
	if b := w.Behind; b != nil {
		fmt.Fprintf(&out, "behind   %2d  %.3f  %s %s\n", b.Rank, b.Score, printable(b.Name), st.faint(printable(b.ID)))
	}
	for i, advice := range w.Advice {
		fmt.Fprintf(&out, "%s %s\n", label("advice", i), printable(advice))
	}
	return out.String()
}

// label stands before the first of several lines.
func label(name string, i int) string {
	if i > 0 {
		name = ""
	}
	return fmt.Sprintf("%-8s", name)
}

func number(rank int, score float64) string {
	if rank == 0 {
		return "not ranked"
	}
	return fmt.Sprintf("number %d (%.3f)", rank, score)
}

func whyPlaces(out *strings.Builder, w *skillsearch.Why) {
	for _, p := range w.Places {
		fmt.Fprintf(out, "%-8s %s", p.Ranking, number(p.Rank, p.Score))
		if c := w.Cosine; c != nil && p.Ranking == string(skillsearch.Cosine) {
			fmt.Fprintf(out, ": head %.3f", c.Head)
			if c.Body != nil {
				fmt.Fprintf(out, ", best passage %.3f", *c.Body)
			}
		}
		out.WriteString("\n")
	}
}

func whyWords(out *strings.Builder, w *skillsearch.Why) {
	var words []string
	for _, hit := range w.Words {
		words = append(words, fmt.Sprintf("%s (%s) %.2f", printable(hit.Word), strings.Join(hit.Fields, ", "), hit.Score))
	}
	if len(words) > 0 {
		fmt.Fprintf(out, "words    %s\n", strings.Join(words, "; "))
	}
	if len(w.Missing) > 0 {
		fmt.Fprintf(out, "nowhere  %s\n", printable(strings.Join(w.Missing, ", ")))
	}
}
