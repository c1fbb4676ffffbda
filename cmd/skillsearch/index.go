package main

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
)

func (a *app) indexCommand() *cobra.Command {
	var depth string
	c := &cobra.Command{
		Use:     "index",
		Short:   "Embed what is new",
		Long:    "Embed what is new. It can be interrupted at any time: all but the batch in flight is kept.",
		Example: "  skillsearch index\n  skillsearch index --depth head",
		Args:    noArguments,
		RunE: func(c *cobra.Command, args []string) error {
			d, err := skillsearch.ParseDepth(depth)
			if err != nil {
				return err
			}
			return a.index(c, d)
		},
	}
	c.Flags().StringVar(&depth, "depth", "full", "how much of each skill: head, body (its first four passages too) or full")
	return c
}

func (a *app) index(c *cobra.Command, depth skillsearch.Depth) error {
	engine, _, err := a.open(c.Context(), true)
	if err != nil {
		return err
	}
	reporter := a.reporter()
	report, err := engine.Index(c.Context(), skillsearch.IndexOptions{
		Depth:    depth,
		Progress: reporter.show,
		Waiting:  func() { a.warn("another process is embedding; waiting for it") },
	})
	reporter.finish()
	if c.Context().Err() != nil {
		return fmt.Errorf("interrupted after %d passages; what was embedded is kept, run it again to go on", report.Embedded)
	}
	if err != nil {
		return err
	}
	if a.flags.json {
		return skillsearch.Encode(a.env.stdout, report)
	}
	_, err = fmt.Fprintf(a.env.stdout, "%d skills, %d passages: %d embedded now (%d in pieces), %d failed; model %s (%s)\n",
		report.Skills, report.Passages, report.Embedded, report.Shortened, report.Failed, report.Model, report.Engine)
	if report.Failed > 0 {
		a.warn("some passages can't be embedded; \"skillsearch lint\" names them")
	}
	return err
}

// A reporter shows the progress of an index.
type reporter struct {
	show   func(skillsearch.Progress)
	finish func()
}

// reporter is a bar on a terminal, and a line now and then in a pipe.
func (a *app) reporter() reporter {
	if a.flags.quiet {
		return reporter{func(skillsearch.Progress) {}, func() {}}
	}
	if terminalWidth(a.env.stderr) > 0 {
		return a.barReporter()
	}
	return a.lineReporter(time.Now)
}

func (a *app) barReporter() reporter {
	var bar *progressbar.ProgressBar
	stage := ""
	return reporter{
		show: func(p skillsearch.Progress) {
			if p.Stage != stage {
				stage = p.Stage
				bar = progressbar.NewOptions(p.Total, progressbar.OptionSetWriter(a.env.stderr), progressbar.OptionSetDescription(p.Stage),
					progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString("passages"),
					progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionOnCompletion(func() { fmt.Fprintln(a.env.stderr) }))
			}
			_ = bar.Set(p.Done)
		},
		finish: func() {
			if bar != nil && !bar.IsFinished() {
				fmt.Fprintln(a.env.stderr)
			}
		},
	}
}

// lineEvery is how long a pipe waits for the next line of progress.
const lineEvery = 10 * time.Second

func (a *app) lineReporter(now func() time.Time) reporter {
	var stage string
	var began, last time.Time
	var doneBefore int
	return reporter{
		show: func(p skillsearch.Progress) {
			t := now()
			if p.Stage != stage {
				stage, began, last, doneBefore = p.Stage, t, t, p.Done
				a.warn("%s: %d to embed", p.Stage, p.Total)
			}
			if p.Done < p.Total && t.Sub(last) < lineEvery {
				return
			}
			last = t
			line := fmt.Sprintf("%s: %d of %d", p.Stage, p.Done, p.Total)
			if elapsed := t.Sub(began).Seconds(); elapsed > 0 && p.Done > doneBefore {
				rate := float64(p.Done-doneBefore) / elapsed
				left := time.Duration(float64(p.Total-p.Done) / rate * float64(time.Second))
				line += fmt.Sprintf(", %.1f a second, %v left", rate, left.Round(time.Second))
			}
			if p.Failed > 0 {
				line += fmt.Sprintf(", %d failed", p.Failed)
			}
			a.warn("%s", line)
		},
		finish: func() {},
	}
}
