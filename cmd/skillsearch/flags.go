package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/skillsearch/skillsearch"
)

// flags are those that every command takes.
type flags struct {
	roots      []string
	config     string
	embedder   string
	model      string
	ollamaHost string
	store      string
	cache      string
	json       bool
	quiet      bool
	verbose    bool

	availableTools []string // of the commands that call tools
}

func (f *flags) register(set *pflag.FlagSet) {
	set.StringArrayVar(&f.roots, "root", nil, "folder of skills, instead of the default roots (repeatable; a later one wins)")
	set.StringVar(&f.config, "config", "", "configuration file (default: skillsearch.yaml of the project and the user)")
	set.StringVar(&f.embedder, "embedder", "", "what embeds: auto, ollama, builtin or none (default auto)")
	set.StringVar(&f.model, "model", "", "embedding model of Ollama (default all-minilm), or a model file for the built-in engine")
	set.StringVar(&f.ollamaHost, "ollama-host", "", "address of Ollama (default $OLLAMA_HOST, else 127.0.0.1:11434)")
	set.StringVar(&f.store, "store", "", "vector store: chromem (default chromem)")
	set.StringVar(&f.cache, "cache", "", "folder of the index (default: the user's cache folder)")
	set.BoolVar(&f.json, "json", false, "print JSON")
	set.BoolVarP(&f.quiet, "quiet", "q", false, "print no notes to stderr")
	set.BoolVarP(&f.verbose, "verbose", "v", false, "print timings and what happens to stderr")
}

// limitFlag is a number of hits from 1 to skillsearch.MaxLimit.
type limitFlag int

func (l *limitFlag) String() string { return strconv.Itoa(int(*l)) }
func (l *limitFlag) Type() string   { return "1–50" }

func (l *limitFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > skillsearch.MaxLimit {
		return fmt.Errorf("it must be a whole number between 1 and %d", skillsearch.MaxLimit)
	}
	*l = limitFlag(n)
	return nil
}

// filterFlags narrow a search or a list.
type filterFlags struct {
	books    []string
	category string
	tags     []string
}

func (f *filterFlags) register(set *pflag.FlagSet) {
	set.StringSliceVar(&f.books, "skillbook", nil, "keep skills of these SkillBooks (comma-separated)")
	set.StringVar(&f.category, "category", "", "keep skills of this category")
	set.StringSliceVar(&f.tags, "tag", nil, "keep skills with this tag (repeatable: all of them)")
}

func (f *filterFlags) filter() skillsearch.Filter {
	return skillsearch.Filter{SkillBooks: f.books, Category: f.category, Tags: f.tags}
}
