// Package watch answers: has something changed below the places that matter? It
// listens to the file system, waits until a change is over, and looks from time
// to time without being told.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/skillsearch/skillsearch/skill"
)

// Defaults of a Config: Quiet and Most are 0.2 s and 1 s, so that what one save
// of an editor writes is one change, and a change shows within two seconds. Poll
// finds what no event tells: changes on network drives, behind links to links,
// and where watches ran short.
const (
	DefaultQuiet = 200 * time.Millisecond
	DefaultMost  = time.Second
	DefaultPoll  = 30 * time.Second
)

// A Config says what is watched. Places and Changed are needed.
type Config struct {
	// Places are those that matter now; they are asked for after every change.
	Places func() []skill.Place
	// Reads reports whether it matters what is in files of a name; nil is always.
	Reads func(name string) bool
	// Changed is called after something may have changed, and from time to time.
	// The next call comes after it has returned.
	Changed func(ctx context.Context)
	// Logger is told when not everything can be watched; nil drops it.
	Logger *slog.Logger

	Quiet time.Duration // without events before Changed is called; 0 is DefaultQuiet
	Most  time.Duration // from the first event to the call; 0 is DefaultMost
	Poll  time.Duration // between calls without events; 0 is DefaultPoll
}

// Run watches until ctx ends. What can't be watched is polled, and the logger
// told why. Changed is called soon after the start, for what has happened
// before it could be seen.
func Run(ctx context.Context, cfg Config) { run(ctx, cfg, openNotifier) }

// A notifier is the file system's side: an fsnotify.Watcher, or a fault in a test.
type notifier struct {
	add, remove func(dir string) error
	close       func() error
	events      <-chan fsnotify.Event
	errors      <-chan error
}

func openNotifier() (notifier, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return notifier{}, err
	}
	return notifier{add: w.Add, remove: w.Remove, close: w.Close, events: w.Events, errors: w.Errors}, nil
}

func run(ctx context.Context, cfg Config, open func() (notifier, error)) {
	w := &watcher{cfg: cfg.withDefaults(), open: open, renew: true}
	defer w.end()
	for ctx.Err() == nil {
		// A folder may have been filled before it was watched, so that new watches
		// are followed by another look.
		if !w.follow(w.cfg.Places()) && !w.wait(ctx) {
			return
		}
		w.cfg.Changed(ctx)
	}
}

func (c Config) withDefaults() Config {
	if c.Reads == nil {
		c.Reads = func(string) bool { return true }
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	for _, d := range []struct {
		value   *time.Duration
		initial time.Duration
	}{{&c.Quiet, DefaultQuiet}, {&c.Most, DefaultMost}, {&c.Poll, DefaultPoll}} {
		if *d.value == 0 {
			*d.value = d.initial
		}
	}
	return c
}

// A watcher is one Run. Nothing of it is shared.
type watcher struct {
	cfg      Config
	open     func() (notifier, error)
	notifier notifier
	renew    bool                       // the notifier knows folders by names that may be wrong
	places   map[string]map[string]bool // by folder the names that matter; nil is all
	watched  map[string]bool            // folders that the notifier has
	warned   string                     // the last warning
}

// follow makes the notifier watch places and nothing else. It reports whether a
// folder is watched now that was not before.
func (w *watcher) follow(places []skill.Place) (grown bool) {
	if w.renew {
		w.reopen()
	}
	w.places = make(map[string]map[string]bool, len(places))
	for _, p := range places {
		names, known := w.places[p.Dir]
		switch {
		case p.Name == "":
			w.places[p.Dir] = nil
		case !known:
			w.places[p.Dir] = map[string]bool{p.Name: true}
		case names != nil:
			names[p.Name] = true
		}
	}
	if w.watched == nil { // there is no notifier
		return false
	}
	for dir := range w.watched {
		if _, wanted := w.places[dir]; !wanted {
			_ = w.notifier.remove(dir) // it may be gone already
			delete(w.watched, dir)
		}
	}
	return w.add(places)
}

// add watches the folders that are not watched yet, in order.
func (w *watcher) add(places []skill.Place) (grown bool) {
	for _, p := range places {
		if w.watched[p.Dir] {
			continue
		}
		err := w.notifier.add(p.Dir)
		switch {
		case err == nil:
			w.watched[p.Dir], grown = true, true
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission): // the walk says what there is to say
		default:
			w.warn(fmt.Sprintf("only %d of %d folders are watched", len(w.watched), len(w.places)), err)
			return grown
		}
	}
	w.warned = ""
	return grown
}

// reopen begins with a new notifier. A moved folder takes along the watches of
// all below it, under names that are theirs no longer; and one that was removed
// and made again can lose its new watch to a late event of the old one.
func (w *watcher) reopen() {
	w.end()
	w.renew = false
	n, err := w.open()
	if err != nil {
		w.notifier, w.watched, w.renew = notifier{}, nil, true // the next look tries it again
		w.warn("the folders can't be watched", err)
		return
	}
	w.notifier, w.watched = n, make(map[string]bool)
}

func (w *watcher) end() {
	if w.notifier.close != nil {
		_ = w.notifier.close() // nothing depends on it any more
	}
}

// warn says once why changes are seen late, and what mends it.
func (w *watcher) warn(what string, err error) {
	remedy := "see whether the system limits what can be watched"
	switch {
	case errors.Is(err, syscall.ENOSPC):
		remedy = "raise the limit, for instance with: sysctl fs.inotify.max_user_watches=524288"
	case errors.Is(err, syscall.EMFILE):
		remedy = "raise the limit of open files (ulimit -n), on Linux that of watchers too (sysctl fs.inotify.max_user_instances)"
	}
	reason := fmt.Sprintf("%s: %v; %s", what, err, remedy)
	if reason != w.warned {
		w.cfg.Logger.Warn("some changes on disk will be seen late", "every", w.cfg.Poll, "reason", reason)
		w.warned = reason
	}
}

// wait waits until something may have changed and it has been quiet since, or
// until it is time to look anyway. ok is false when ctx has ended.
func (w *watcher) wait(ctx context.Context) (ok bool) {
	poll := time.NewTimer(w.cfg.Poll)
	defer poll.Stop()
	var quiet, most <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return false
		case <-poll.C:
			return true
		case <-quiet:
			return true
		case <-most:
			return true
		case event := <-w.notifier.events:
			if !w.matters(event) {
				continue
			}
		case err := <-w.notifier.errors: // events were lost
			w.cfg.Logger.Debug("watching the file system", "error", err)
			w.renew = true
		}
		quiet = time.After(w.cfg.Quiet)
		if most == nil {
			most = time.After(w.cfg.Most)
		}
	}
}

// matters reports whether an event may mean a change, and notes when what is
// watched can't be relied on any more.
func (w *watcher) matters(event fsnotify.Event) bool {
	path := filepath.Clean(event.Name)
	if w.watched[path] {
		w.renew = w.renew || event.Has(fsnotify.Rename) || event.Has(fsnotify.Remove)
		return true
	}
	dir, name := filepath.Dir(path), filepath.Base(path)
	names, watched := w.places[dir]
	if !watched || names != nil && !names[name] {
		return false
	}
	return event.Op != fsnotify.Write || names != nil || w.cfg.Reads(name)
}
