package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/benchmarks"
)

func (a *app) evalCompareCommand() *cobra.Command {
	var qrels string
	var names []string
	var seed uint64
	c := &cobra.Command{
		Use:     "compare A.run B.run --qrels FILE",
		Short:   "Test whether B is better than A",
		Long:    "Test, query by query, whether the answers in B.run are better than those in A.run: paired randomisation and t tests, with Holm's correction over the measures. A query that is not answered counts 0.",
		Example: "  skillsearch eval compare cosine.run hybrid.run --qrels mine/qrels.txt",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("%w: %d runs were given; %s takes two", skillsearch.ErrInvalidArgument, len(args), c.CommandPath())
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			measures, err := evalMeasures(names)
			if err != nil {
				return err
			}
			if err := a.absolute(&args[0], &args[1], &qrels); err != nil {
				return err
			}
			comparison, err := compareFiles(args[0], args[1], qrels, measures, benchmarks.Sampling{Seed: seed})
			if err != nil {
				return fmt.Errorf("%w: %w", skillsearch.ErrInvalidArgument, err)
			}
			if a.flags.json {
				return comparison.WriteJSON(a.env.stdout)
			}
			return comparison.WriteText(a.env.stdout)
		},
	}
	c.Flags().StringVar(&qrels, "qrels", "", "judgements, in the form of TREC or BEIR")
	c.Flags().StringSliceVar(&names, "measure", nil, "such as nDCG@10,R@100,MRR (default: a dozen)")
	c.Flags().Uint64Var(&seed, "seed", 0, "seed of intervals and tests")
	_ = c.MarkFlagRequired("qrels")
	return c
}

func compareFiles(pathA, pathB, pathQrels string, measures []benchmarks.Measure, s benchmarks.Sampling) (benchmarks.Comparison, error) {
	a, err := benchmarks.ReadRun(pathA)
	if err != nil {
		return benchmarks.Comparison{}, err
	}
	b, err := benchmarks.ReadRun(pathB)
	if err != nil {
		return benchmarks.Comparison{}, err
	}
	qrels, err := benchmarks.ReadQrels(pathQrels)
	if err != nil {
		return benchmarks.Comparison{}, err
	}
	if a.Name == b.Name {
		a.Name, b.Name = filepath.Base(pathA), filepath.Base(pathB)
	}
	return benchmarks.Compare(a, b, qrels, measures, s)
}
