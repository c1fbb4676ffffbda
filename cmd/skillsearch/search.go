package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/ranker"
	"github.com/skillsearch/skillsearch/skill"
)

// defaultWait bounds how long a search waits for vectors.
const defaultWait = 2 * time.Second

// queryFlags are those of the commands that take a query.
type queryFlags struct {
	filterFlags
	limit    limitFlag
	minScore float64
	wait     time.Duration
	ranking  string
}

func (f *queryFlags) query(text string) skillsearch.Query {
	return skillsearch.Query{Text: text, Limit: int(f.limit), MinScore: f.minScore, Ranking: skillsearch.Ranking(f.ranking), Filter: f.filter(), Wait: f.wait}
}

func (f *queryFlags) registerRanking(c *cobra.Command) {
	c.Flags().StringVar(&f.ranking, "ranking", "", "cosine, lexical or hybrid (default cosine)")
	c.Flags().DurationVar(&f.wait, "wait", defaultWait, "how long to wait for the query's vector and missing heads")
	f.register(c.Flags())
}

func (a *app) searchCommand() *cobra.Command {
	f := queryFlags{limit: skillsearch.DefaultLimit}
	c := &cobra.Command{
		Use:     "search QUERY…|-",
		Short:   "Find the skills that fit a need best",
		Long:    "Find the skills that fit a need best. The query is read from stdin when it is \"-\".",
		Example: "  skillsearch search merge several PDF files into one\n  echo \"review a pull request\" | skillsearch search -",
		RunE: func(c *cobra.Command, args []string) error {
			text, err := a.queryText(args)
			if err != nil {
				return err
			}
			return a.search(c, f.query(text))
		},
	}
	c.Flags().Var(&f.limit, "limit", "how many hits")
	c.Flags().Float64Var(&f.minScore, "min-score", 0, "leave out hits with a lower score")
	f.registerRanking(c)
	return c
}

// queryText joins the words of the command line, or reads stdin.
func (a *app) queryText(args []string) (string, error) {
	if len(args) != 1 || args[0] != "-" {
		return strings.Join(args, " "), nil
	}
	raw, err := io.ReadAll(io.LimitReader(a.env.stdin, skillsearch.MaxQuery+1))
	if err != nil {
		return "", fmt.Errorf("read the query from stdin: %w", err)
	}
	if len(raw) > skillsearch.MaxQuery {
		return string(raw), nil // the engine refuses it
	}
	return strings.TrimSpace(string(raw)), nil
}

func (a *app) search(c *cobra.Command, q skillsearch.Query) error {
	start := time.Now()
	engine, _, err := a.open(c.Context(), false)
	if err != nil {
		return err
	}
	opened := time.Now()
	result, err := engine.Search(c.Context(), q)
	if err != nil {
		return err
	}
	if a.flags.verbose {
		a.warn("catalogue %v, search %v", opened.Sub(start).Round(time.Millisecond), time.Since(opened).Round(time.Millisecond))
	}
	if a.flags.json {
		err = skillsearch.Encode(a.env.stdout, result)
	} else {
		a.noteResult(result)
		err = a.printHits(result.Hits)
	}
	if err == nil && len(result.Hits) == 0 {
		return errNothing
	}
	return err
}

// noteResult says on stderr what a person should know of an answer.
func (a *app) noteResult(r *skillsearch.Result) {
	switch {
	case r.Degraded:
		a.warn("ranked by words: %s", printable(r.Reason))
	case r.Unembedded > 0:
		a.warn("%d of %d skills have no vector yet and were skipped; run \"skillsearch index\"", r.Unembedded, r.Total)
	}
	if len(r.Hits) > 0 && r.Confidence == ranker.None {
		a.warn("perhaps no skill fits: the best of them has little in common with the query")
	}
	if len(r.Hits) == 0 {
		reason := r.Reason
		if r.Degraded {
			reason = "no skill fits the query"
		}
		a.warn("nothing found: %s", printable(reason))
	}
}

func (a *app) printHits(hits []skillsearch.Hit) error {
	st := a.style()
	width := terminalWidth(a.env.stdout)
	if width == 0 {
		width = 120
	}
	var out strings.Builder
	for _, h := range hits {
		fmt.Fprintf(&out, "%2d  %s  %s\n", h.Rank, st.bold(printable(h.Name)), st.faint(fmt.Sprintf("%.3f %s", h.Score, printable(h.ID))))
		if h.Description != "" {
			fmt.Fprintf(&out, "    %s\n", skill.Shorten(oneLine(h.Description), width-4))
		}
		fmt.Fprintf(&out, "    %s\n", st.faint(printable(place(h))))
	}
	_, err := io.WriteString(a.env.stdout, out.String())
	return err
}

// place is the file of a hit, with the line of the passage that fits best.
func place(h skillsearch.Hit) string {
	if h.Passage == nil {
		return h.Path
	}
	return fmt.Sprintf("%s:%d", h.Path, h.Passage.StartLine)
}
