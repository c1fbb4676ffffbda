package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/server"
	"github.com/skillsearch/skillsearch/skill"
)

const configName = "skillsearch.yaml"

// fileConfig is the form of a configuration file.
type fileConfig struct {
	Roots    []rootConfig `yaml:"roots"`
	Embedder struct {
		Kind        string `yaml:"kind"`
		Model       string `yaml:"model"`
		Host        string `yaml:"host"`
		HeadersFile string `yaml:"headers_file"`
	} `yaml:"embedder"`
	Store          string   `yaml:"store"`
	Ranking        string   `yaml:"ranking"`
	Cache          string   `yaml:"cache"`
	QueryLog       string   `yaml:"query_log"`
	AvailableTools []string `yaml:"available_tools"`
	Server         struct {
		Addr      string          `yaml:"addr"`
		Hosts     []string        `yaml:"hosts"` // under which other machines ask
		Libraries []libraryConfig `yaml:"libraries"`
		Rate      *float64        `yaml:"rate"`  // requests a second of one client; 0 is no limit
		Burst     *int            `yaml:"burst"` // of them at once
		Open      *int            `yaml:"open"`  // answered at the same time; 0 is no limit
	} `yaml:"server"`
}

// rootConfig is one folder of skills.
type rootConfig struct {
	Path      string `yaml:"path"`
	Label     string `yaml:"label"`
	SkillBook string `yaml:"skillbook"`
	Nested    bool   `yaml:"nested"`
}

// settings is the configuration after flags, environment, files and defaults
// have been put in order.
type settings struct {
	roots          []skill.Root
	embedder       string
	model          string // of Ollama; an absolute path is that of a file for the built-in engine
	host           string
	headersFile    string
	store          string
	ranking        skillsearch.Ranking
	cacheDir       string // "" when there is no place for one
	queryLog       string // the file that keeps which skill was loaded after which query; "" keeps none
	addr           string
	hosts          []string
	limits         server.Limits
	libraries      []library // of the file that names any and has the highest priority
	project        string    // "" when the working folder lies in none
	availableTools []string  // nil when none are named
	files          []string  // configuration files that were read
}

// settings reads the configuration: a flag wins over the environment, that over
// the project's file, that over the user's.
func (a *app) settings() (settings, error) {
	s := settings{embedder: "auto", store: "chromem", ranking: skillsearch.Cosine, addr: "127.0.0.1:7440", limits: server.DefaultLimits()}
	if a.env.cacheDir != "" {
		s.cacheDir = filepath.Join(a.env.cacheDir, "skillsearch")
	}
	s.project = skill.ProjectFolder(a.env.cwd, a.env.home)
	named, err := a.readFiles(&s, s.project)
	if err != nil {
		return s, err
	}
	if err := a.override(&s); err != nil {
		return s, err
	}
	if err := s.check(); err != nil {
		return s, err
	}
	s.roots, err = a.roots(s.project, named)
	return s, err
}

// configFiles are the files to read, lowest priority first, and whether the
// person named them.
func (a *app) configFiles(project string) (paths []string, named bool) {
	if path := first(a.flags.config, a.env.getenv("SKILLSEARCH_CONFIG")); path != "" {
		return []string{path}, true
	}
	if a.env.configDir != "" {
		paths = append(paths, filepath.Join(a.env.configDir, "skillsearch", configName))
	}
	if project == "" {
		project = a.env.cwd
	}
	return append(paths, filepath.Join(project, configName)), false
}

func (a *app) readFiles(s *settings, project string) (roots []skill.Root, err error) {
	paths, named := a.configFiles(project)
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) && !named {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read the configuration: %w; correct --config or make the file readable", err)
		}
		var c fileConfig
		if err := skill.DecodeStrict(raw, &c); err != nil {
			return nil, fmt.Errorf("%w: configuration %s: %w", skillsearch.ErrInvalidArgument, path, err)
		}
		s.files = append(s.files, path)
		if err := a.apply(s, c, filepath.Dir(path)); err != nil {
			return nil, err
		}
		fileRoots, err := a.fileRoots(c.Roots, filepath.Dir(path))
		if err != nil {
			return nil, err
		}
		roots = append(roots, fileRoots...)
	}
	return roots, nil
}

func (a *app) apply(s *settings, c fileConfig, base string) error {
	s.embedder = first(c.Embedder.Kind, s.embedder)
	if err := a.setModel(s, c.Embedder.Model, base); err != nil {
		return err
	}
	s.host = first(c.Embedder.Host, s.host)
	s.store = first(c.Store, s.store)
	s.ranking = skillsearch.Ranking(first(c.Ranking, string(s.ranking)))
	s.addr = first(c.Server.Addr, s.addr)
	s.limits.Rate = given(c.Server.Rate, s.limits.Rate)
	s.limits.Burst = given(c.Server.Burst, s.limits.Burst)
	s.limits.Open = given(c.Server.Open, s.limits.Open)
	if c.Server.Hosts != nil {
		s.hosts = c.Server.Hosts
	}
	if c.Server.Libraries != nil {
		var err error
		if s.libraries, err = a.libraries(c.Server.Libraries, base); err != nil {
			return err
		}
	}
	if c.AvailableTools != nil {
		s.availableTools = c.AvailableTools
	}
	for _, f := range []struct {
		from string
		to   *string
	}{{c.Cache, &s.cacheDir}, {c.QueryLog, &s.queryLog}, {c.Embedder.HeadersFile, &s.headersFile}} {
		if err := a.setPath(f.to, f.from, base); err != nil {
			return err
		}
	}
	return nil
}

// setPath takes up a path, unless it is blank; a relative one begins at base.
func (a *app) setPath(to *string, path, base string) error {
	if strings.TrimSpace(path) == "" {
		return nil
	}
	expanded, err := skill.ExpandPath(path, a.env.home, base)
	if err != nil {
		return err
	}
	*to = expanded
	return nil
}

func (a *app) fileRoots(c []rootConfig, base string) ([]skill.Root, error) {
	var roots []skill.Root
	for _, r := range c {
		path, err := skill.ExpandPath(r.Path, a.env.home, base)
		if err != nil {
			return nil, err
		}
		roots = append(roots, skill.Root{Path: path, Label: first(r.Label, filepath.Base(path)), Source: skill.SourceConfig, SkillBook: r.SkillBook, Nested: r.Nested})
	}
	return roots, nil
}

// override applies the environment, then the flags.
func (a *app) override(s *settings) error {
	get := a.env.getenv
	s.embedder = first(a.flags.embedder, get("SKILLSEARCH_EMBEDDER"), s.embedder)
	if err := a.setModel(s, first(a.flags.model, get("SKILLSEARCH_MODEL")), a.env.cwd); err != nil {
		return err
	}
	s.host = first(a.flags.ollamaHost, get("SKILLSEARCH_OLLAMA_HOST"), get("OLLAMA_HOST"), s.host)
	s.store = first(a.flags.store, get("SKILLSEARCH_STORE"), s.store)
	s.ranking = skillsearch.Ranking(first(get("SKILLSEARCH_RANKING"), string(s.ranking)))
	s.addr = first(get("SKILLSEARCH_ADDR"), s.addr)
	if tools := list(get("SKILLSEARCH_AVAILABLE_TOOLS")); tools != nil {
		s.availableTools = tools
	}
	if a.flags.availableTools != nil {
		s.availableTools = a.flags.availableTools
	}
	if err := a.setPath(&s.cacheDir, first(a.flags.cache, get("SKILLSEARCH_CACHE")), a.env.cwd); err != nil {
		return err
	}
	return a.setPath(&s.queryLog, get("SKILLSEARCH_QUERY_LOG"), a.env.cwd)
}

// setModel takes up a model, unless none is named. One that ends in .bin or
// begins as no name of Ollama's does is a file, and base the folder of a relative
// one.
func (a *app) setModel(s *settings, model, base string) error {
	model = strings.TrimSpace(model)
	if model == "" {
		return nil
	}
	if filepath.Ext(model) == ".bin" || filepath.IsAbs(model) || strings.ContainsAny(model[:1], ".~$") {
		return a.setPath(&s.model, model, base)
	}
	s.model = model
	return nil
}

// modelFile is the model's file, for the built-in engine; "" where the model is a
// name of Ollama's, or none.
func (s settings) modelFile() string {
	if filepath.IsAbs(s.model) {
		return s.model
	}
	return ""
}

func (s settings) check() error {
	if _, err := skillsearch.ParseRanking(string(s.ranking)); err != nil {
		return fmt.Errorf("%w (set by SKILLSEARCH_RANKING or a configuration file)", err)
	}
	switch s.embedder {
	case "auto", "ollama", "builtin", "none":
	default:
		return fmt.Errorf("%w: embedder is %q (set by --embedder, SKILLSEARCH_EMBEDDER or a configuration file); it must be auto, ollama, builtin or none", skillsearch.ErrInvalidArgument, s.embedder)
	}
	if s.embedder == "ollama" && s.modelFile() != "" {
		return fmt.Errorf("%w: the model %s is a file, and Ollama serves models by name; give the file to \"ollama create\" or choose --embedder builtin", skillsearch.ErrInvalidArgument, s.model)
	}
	if l := s.limits; !(l.Rate >= 0) || math.IsInf(l.Rate, 0) || l.Burst < 1 || l.Open < 0 {
		return fmt.Errorf("%w: the limits of the server are rate %v, burst %d, open %d; rate and open must be 0, for no limit, or more, and burst at least 1", skillsearch.ErrInvalidArgument, l.Rate, l.Burst, l.Open)
	}
	if s.store != "chromem" {
		return fmt.Errorf("%w: store is %q; it must be chromem", skillsearch.ErrInvalidArgument, s.store)
	}
	return nil
}

// roots are those of the command line, else of SKILLSEARCH_ROOT, else the
// default ones and those of the configuration.
func (a *app) roots(project string, configured []skill.Root) ([]skill.Root, error) {
	paths := a.flags.roots
	if len(paths) == 0 {
		paths = filepath.SplitList(a.env.getenv("SKILLSEARCH_ROOT"))
	}
	if len(paths) > 0 {
		for i, path := range paths {
			expanded, err := skill.ExpandPath(path, a.env.home, a.env.cwd)
			if err != nil {
				return nil, err
			}
			paths[i] = expanded
		}
		return skill.NamedRoots(skill.SourceFlag, paths...), nil
	}
	return append(skill.DefaultRoots(a.env.home, a.env.configDir, project), configured...), nil
}

// given is a value that was written down, else the one that holds without.
func given[T any](written *T, otherwise T) T {
	if written == nil {
		return otherwise
	}
	return *written
}

// first is the first text that is not blank.
func first(texts ...string) string {
	for _, t := range texts {
		if strings.TrimSpace(t) != "" {
			return t
		}
	}
	return ""
}
