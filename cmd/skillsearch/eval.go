package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/benchmarks"
	"github.com/skillsearch/skillsearch/skill"
)

// evalFlags are those of eval.
type evalFlags struct {
	rankings []string
	measures []string
	depth    string
	run      string
	report   string
	bounds   []string
	seed     uint64
}

func (a *app) evalCommand() *cobra.Command {
	f := &evalFlags{}
	c := &cobra.Command{
		Use:   "eval COLLECTION…",
		Short: "Measure how good the rankings are",
		Long: `Measure how good the rankings are on queries whose right answers are known: nDCG, recall and more, as trec_eval
computes them, with 95 % intervals and paired tests.

COLLECTION is a folder in the form of BEIR or SkillRet, or an eval_queries.json of a skill. A folder holds
  queries.tsv or queries.jsonl    ID, text and, if wanted, a type, separated by tabs; or BEIR's
  qrels.txt or qrels/test.tsv     query, 0, skill, grade; or BEIR's
  corpus.jsonl                    BEIR's, with metadata.description and metadata.tags; without it your own skills are searched
  negatives.tsv                   optional: queries that nothing answers`,
		Example: "  skillsearch eval ./mine --ranking all --report report/\n  skillsearch eval ./mine --ranking hybrid --run hybrid.run\n" +
			"  skillsearch eval skills/pdf/evals/eval_queries.json --fail-under success@5=0.8",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("%w: no collection was named; %s takes one or more", skillsearch.ErrInvalidArgument, c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return a.eval(c, f, args) },
	}
	c.Flags().StringSliceVar(&f.rankings, "ranking", nil, "cosine, lexical, hybrid, several of them or all (default as for search)")
	c.Flags().StringSliceVar(&f.measures, "measure", nil, "such as nDCG@10,R@100,MRR; rankings are compared by the first (default: a dozen)")
	c.Flags().StringVar(&f.depth, "depth", "body", "how much of each skill is embedded: head, body (its first four passages too) or full")
	c.Flags().StringVar(&f.run, "run", "", "write the answers in TREC form to this file (one collection, one ranking)")
	c.Flags().StringVar(&f.report, "report", "", "write report.html, report.json, report.txt and all runs into this folder")
	c.Flags().StringSliceVar(&f.bounds, "fail-under", nil, "exit with 1 when a measure is lower: nDCG@10=0.7 (repeatable)")
	c.Flags().Uint64Var(&f.seed, "seed", 0, "seed of intervals and tests")
	c.AddCommand(a.evalCompareCommand())
	return c
}

// An evalPlan is what the flags of eval mean.
type evalPlan struct {
	opts   benchmarks.Options
	bounds []benchmarks.Bound
}

func (a *app) evalPlan(f *evalFlags, s settings) (evalPlan, error) {
	var p evalPlan
	var err error
	if p.opts.Index, err = skillsearch.ParseDepth(f.depth); err != nil {
		return p, err
	}
	if p.opts.Rankings, err = evalRankings(f.rankings, s.ranking); err != nil {
		return p, err
	}
	if p.opts.Measures, err = evalMeasures(f.measures); err != nil {
		return p, err
	}
	for _, text := range f.bounds {
		b, err := benchmarks.ParseBound(text)
		if err != nil {
			return p, fmt.Errorf("%w: --fail-under: %w", skillsearch.ErrInvalidArgument, err)
		}
		p.bounds = append(p.bounds, b)
	}
	p.opts.Measures = benchmarks.WithBounds(p.opts.Measures, p.bounds)
	p.opts.Sampling.Seed, p.opts.Version = f.seed, buildVersion()
	p.opts.Indexing, p.opts.Searching = a.reporter().show, a.searching()
	return p, nil
}

func evalRankings(names []string, standard skillsearch.Ranking) ([]skillsearch.Ranking, error) {
	if slices.Contains(names, "all") {
		return []skillsearch.Ranking{skillsearch.Cosine, skillsearch.Lexical, skillsearch.Hybrid}, nil
	}
	rankings := []skillsearch.Ranking{}
	for _, name := range names {
		r, err := skillsearch.ParseRanking(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(rankings, r) {
			rankings = append(rankings, r)
		}
	}
	if len(rankings) == 0 {
		return []skillsearch.Ranking{standard}, nil
	}
	return rankings, nil
}

// evalMeasures are the measures of the names, the default ones where there are
// none.
func evalMeasures(names []string) ([]benchmarks.Measure, error) {
	if len(names) == 0 {
		return benchmarks.DefaultMeasures(), nil
	}
	measures := make([]benchmarks.Measure, len(names))
	for i, name := range names {
		m, err := benchmarks.ParseMeasure(name)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", skillsearch.ErrInvalidArgument, err)
		}
		measures[i] = m
	}
	return measures, nil
}

func (a *app) eval(c *cobra.Command, f *evalFlags, paths []string) error {
	s, err := a.settings()
	if err != nil {
		return err
	}
	plan, err := a.evalPlan(f, s)
	if err != nil {
		return err
	}
	if f.run != "" && (len(paths) > 1 || len(plan.opts.Rankings) > 1) {
		return fmt.Errorf("%w: --run takes the answers of one ranking on one collection; use --report for all", skillsearch.ErrInvalidArgument)
	}
	if err := a.evalPaths(f, paths); err != nil {
		return err
	}
	collections, err := readCollections(paths)
	if err != nil {
		return err
	}
	e := evaluator{app: a, settings: s}
	reports := make([]*benchmarks.Report, len(collections))
	for i, collection := range collections {
		library, bound, err := e.library(c.Context(), paths[i], collection)
		if err != nil {
			return err
		}
		if reports[i], err = benchmarks.Evaluate(c.Context(), bound, library, plan.opts); err != nil {
			return err
		}
	}
	results, err := benchmarks.Summarise(reports, plan.opts.Sampling)
	if err != nil {
		return err
	}
	return a.evalOutput(f, plan, results)
}

// evalPaths makes all paths of the command line absolute.
func (a *app) evalPaths(f *evalFlags, paths []string) error {
	all := []*string{&f.run, &f.report}
	for i := range paths {
		all = append(all, &paths[i])
	}
	return a.absolute(all...)
}

// absolute makes paths absolute in their place; an empty one stays.
func (a *app) absolute(paths ...*string) error {
	for _, p := range paths {
		if *p == "" {
			continue
		}
		path, err := skill.ExpandPath(*p, a.env.home, a.env.cwd)
		if err != nil {
			return err
		}
		*p = path
	}
	return nil
}

// readCollections reads all of them before the first is evaluated, so that a
// mistake in the last does not come after an hour. Each gets a name of its own.
func readCollections(paths []string) ([]*benchmarks.Collection, error) {
	collections := make([]*benchmarks.Collection, len(paths))
	taken := make(map[string]bool)
	for i, path := range paths {
		c, err := benchmarks.Read(path)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", skillsearch.ErrInvalidArgument, err)
		}
		name := c.Name
		for n := 2; taken[c.Name]; n++ {
			c.Name = fmt.Sprintf("%s-%d", name, n)
		}
		taken[c.Name], collections[i] = true, c
	}
	return collections, nil
}

// evalOutput prints and writes the results, and fails when a bound is not
// reached.
func (a *app) evalOutput(f *evalFlags, plan evalPlan, results *benchmarks.Results) error {
	if f.run != "" {
		if err := writeRun(f.run, results.Reports[0].Systems[0].Run); err != nil {
			return err
		}
	}
	if f.report != "" {
		if err := writeReport(f.report, results); err != nil {
			return err
		}
	}
	write := results.WriteText
	if a.flags.json {
		write = results.WriteJSON
	}
	if err := write(a.env.stdout); err != nil {
		return err
	}
	missed := results.Below(plan.bounds)
	for _, m := range missed {
		fmt.Fprintf(a.env.stderr, "skillsearch: %s\n", printable(m))
	}
	if len(missed) > 0 {
		return errNothing
	}
	return nil
}

func writeRun(path string, run benchmarks.Run) error {
	var out strings.Builder
	if err := benchmarks.WriteRun(&out, run); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(out.String()), 0o644)
}

// writeReport writes every form of the results into a folder.
func writeReport(dir string, results *benchmarks.Results) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, file := range []struct {
		name  string
		write func(*strings.Builder) error
	}{
		{"report.html", func(out *strings.Builder) error { return results.WriteHTML(out) }},
		{"report.json", func(out *strings.Builder) error { return results.WriteJSON(out) }},
		{"report.txt", func(out *strings.Builder) error { return results.WriteText(out) }},
	} {
		var out strings.Builder
		if err := file.write(&out); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, file.name), []byte(out.String()), 0o644); err != nil {
			return err
		}
	}
	for _, r := range results.Reports {
		for _, s := range r.Systems {
			if err := writeRun(filepath.Join(dir, r.Collection+"."+s.Ranking+".run"), s.Run); err != nil {
				return err
			}
		}
	}
	return nil
}
