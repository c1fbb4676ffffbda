package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/vectorstore"
)

// A finding is one line of the doctor.
type finding struct {
	Part   string `json:"part"`
	State  string `json:"state"` // ok, note or fault
	Text   string `json:"text"`
	Remedy string `json:"remedy,omitempty"`
}

const (
	stateOK    = "ok"
	stateNote  = "note"
	stateFault = "fault"
)

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "doctor",
		Short:   "Tell what works, what does not, and how to mend it",
		Long:    "Tell of the configuration, the roots, the embedder, its model and the index what works, what does not, and how to mend it. Exit status 1 when there is a fault.",
		Example: "  skillsearch doctor",
		Args:    noArguments,
		RunE:    func(c *cobra.Command, args []string) error { return a.doctor(c.Context()) },
	}
}

func (a *app) doctor(ctx context.Context) error {
	findings := []finding{{"version", stateOK, "skillsearch " + buildVersion(), ""}}
	s, err := a.settings()
	if err != nil {
		findings = append(findings, fault("configuration", err))
	} else {
		findings = append(findings, configFinding(s))
		s.roots = append(a.bundledRoots(s), s.roots...)
		catalogue, err := skill.Load(ctx, s.roots, nil)
		if err != nil {
			return err
		}
		findings = append(findings, rootFindings(catalogue)...)
		findings = append(findings, a.embedderFindings(ctx, s)...)
		findings = append(findings, a.indexFindings(ctx, s)...)
	}
	if err := a.printFindings(findings); err != nil {
		return err
	}
	for _, f := range findings {
		if f.State == stateFault {
			return errNothing
		}
	}
	return nil
}

// fault turns an error into a finding; what follows "; " is the remedy.
func fault(part string, err error) finding {
	text, remedy, _ := strings.Cut(err.Error(), "; ")
	return finding{part, stateFault, text, remedy}
}

func configFinding(s settings) finding {
	text := "no file; defaults and flags"
	if len(s.files) > 0 {
		text = strings.Join(s.files, ", ")
	}
	return finding{"configuration", stateOK, text, ""}
}

func rootFindings(c *skill.Catalogue) []finding {
	counts := make(map[string]int)
	characters := 0
	for _, s := range c.Skills() {
		counts[s.Root]++
		characters += utf8.RuneCountInString(s.Name) + utf8.RuneCountInString(s.Description)
	}
	var findings []finding
	for _, r := range c.Roots() {
		if _, err := os.Stat(r.Path); err == nil {
			findings = append(findings, finding{"root", stateOK, fmt.Sprintf("%s (%s, %s): %d skills", r.Path, r.Label, r.Source, counts[r.Label]), ""})
		}
	}
	if len(c.Skills()) == 0 {
		findings = append(findings, finding{"skills", stateFault, "there are none", "name a folder with --root or in skillsearch.yaml"})
		return findings
	}
	findings = append(findings, finding{
		"listing budget", stateOK,
		fmt.Sprintf("%d skills with %d characters of names and descriptions, about %d tokens if an agent lists them all", len(c.Skills()), characters, characters/4), "",
	})
	if n := len(c.Problems()); n > 0 {
		findings = append(findings, finding{"problems", stateNote, fmt.Sprintf("%d, with %d skills hidden", n, len(c.Hidden())), "run \"skillsearch lint\""})
	}
	return findings
}

// doctorWait bounds how long the doctor waits for a server: a cold model may
// need a while.
const doctorWait = 30 * time.Second

func (a *app) embedderFindings(ctx context.Context, s settings) []finding {
	embedders, none, err := a.embedders(s)
	if err != nil {
		return []finding{fault("embedder", err)}
	}
	if len(embedders) == 0 {
		return []finding{{"embedder", stateNote, none.Error(), "searches are ranked by words; choose --embedder auto for vectors"}}
	}
	ctx, cancel := context.WithTimeout(ctx, doctorWait)
	defer cancel()
	var findings []finding
	works := false
	for _, e := range embedders {
		m, err := e.Model(ctx)
		if err != nil {
			f := fault("embedder", err)
			if len(embedders) > 1 {
				f.State = stateNote // another one serves
			}
			findings = append(findings, f)
			continue
		}
		text := fmt.Sprintf("%s (%s): %d dimensions, sees %d tokens, fingerprint %.12s", m.Name, m.Engine, m.Dimensions, m.Context, m.Fingerprint)
		if works {
			text += "; in reserve"
		}
		works = true
		findings = append(findings, finding{"embedder", stateOK, text, ""})
	}
	return findings
}

func (a *app) indexFindings(ctx context.Context, s settings) []finding {
	if s.cacheDir == "" {
		return []finding{{"index", stateNote, "there is no folder for it, so nothing is kept", "set HOME or name one with --cache"}}
	}
	info, err := os.Stat(indexPath(s))
	if errors.Is(err, os.ErrNotExist) {
		return []finding{{"index", stateNote, indexPath(s) + " does not exist yet", "run \"skillsearch index\""}}
	}
	if err != nil {
		return []finding{fault("index", err)}
	}
	cache, err := vectorstore.OpenCache(ctx, indexPath(s), vectorstore.CacheOptions{})
	if err != nil {
		return []finding{fault("index", err)}
	}
	defer cache.Close()
	findings := []finding{{"index", stateOK, fmt.Sprintf("%s, %.1f MB", indexPath(s), float64(info.Size())/1e6), ""}}
	for _, notice := range cache.Notices() {
		findings = append(findings, finding{"index", stateNote, notice, "run \"skillsearch index\""})
	}
	spaces, err := cache.Spaces(ctx)
	if err != nil {
		return append(findings, fault("index", err))
	}
	findings = append(findings, embeddedFinding(ctx, s, cache))
	for _, space := range spaces {
		findings = append(findings, finding{"index", stateOK, fmt.Sprintf("%d vectors of %s (%s)", space.Vectors, space.Model, space.Engine), ""})
	}
	return findings
}

// embeddedFinding tells how many of the skills the index has vectors of, and so
// how a search is ranked.
func embeddedFinding(ctx context.Context, s settings, cache *vectorstore.Cache) finding {
	engine, err := skillsearch.Open(ctx, skillsearch.Config{Roots: s.roots, Cache: cache})
	if err != nil {
		return fault("index", err)
	}
	st := engine.Status()
	f := finding{"index", stateOK, fmt.Sprintf("%d of %d skills are embedded; the ranking is %s", st.Embedded, st.Skills, s.ranking), ""}
	if st.Embedded < st.Skills {
		f.State, f.Remedy = stateNote, "run \"skillsearch index\"; below one half searches are ranked by words"
	}
	return f
}

func (a *app) printFindings(findings []finding) error {
	if a.flags.json {
		return skillsearch.Encode(a.env.stdout, map[string]any{"findings": findings})
	}
	var out strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&out, "%-5s  %-14s  %s\n", f.State, f.Part, printable(f.Text))
		if f.Remedy != "" {
			fmt.Fprintf(&out, "%23s  mend: %s\n", "", printable(f.Remedy))
		}
	}
	_, err := io.WriteString(a.env.stdout, out.String())
	return err
}
