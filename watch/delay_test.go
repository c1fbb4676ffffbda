package watch_test

import (
	"bytes"
	"context"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/watch"
)

// A stage is a file system that the test plays, in the time of synctest.
type stage struct {
	places []skill.Place
	open   error
	faults map[string]error // of watching a folder
	events chan fsnotify.Event
	errors chan error
	opened int
	calls  []time.Duration // of Changed, since the start
	log    bytes.Buffer
}

// run plays act and returns when all is still.
func (s *stage) run(t *testing.T, act func()) {
	t.Helper()
	s.events, s.errors = make(chan fsnotify.Event), make(chan error)
	start := time.Now()
	cfg := watch.Config{
		Places: func() []skill.Place { return s.places }, Reads: skill.Reads,
		Changed: func(context.Context) { s.calls = append(s.calls, time.Since(start)) },
		Logger:  slog.New(slog.NewTextHandler(&s.log, nil)),
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		open := func() error { s.opened++; return s.open }
		watch.RunWith(ctx, cfg, open, func(dir string) error { return s.faults[dir] }, s.events, s.errors)
	}()
	synctest.Wait()
	act()
	synctest.Wait()
	cancel()
	<-done
}

func (s *stage) event(op fsnotify.Op, path string) {
	s.events <- fsnotify.Event{Name: filepath.FromSlash(path), Op: op}
}

// TestAChangeIsToldWhenItIsOver holds the delays: 0.2 s after the last event, at
// most 1 s after the first, and every 30 s anyway.
func TestAChangeIsToldWhenItIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := stage{places: []skill.Place{{Dir: filepath.FromSlash("/r")}}}
		s.run(t, func() {
			time.Sleep(time.Second)
			for range 3 { // a file that is written in pieces
				s.event(fsnotify.Write, "/r/SKILL.md")
				time.Sleep(150 * time.Millisecond)
			}
			time.Sleep(550 * time.Millisecond) // 2 s
			for range 10 {                     // one that is written all the time
				s.event(fsnotify.Write, "/r/SKILL.md")
				time.Sleep(110 * time.Millisecond)
			}
			time.Sleep(31 * time.Second)
		})
		ms := time.Millisecond
		want := []time.Duration{0, 1500 * ms, 3000 * ms, 33000 * ms}
		if diff := cmp.Diff(want, s.calls); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
	})
}

// TestWhatDoesNotMatterIsNotTold holds what is passed over: other names where one
// name matters, and what is written into files that nobody reads.
func TestWhatDoesNotMatterIsNotTold(t *testing.T) {
	for path, want := range map[string][2]bool{ // does a write count, does a creation?
		"/r/SKILL.md": {true, true}, "/r/tool.log": {false, true}, "/r/skillbook.yaml": {true, true}, "/r": {true, true},
		"/home/skills": {true, true}, "/home/.bash_history": {false, false}, "/elsewhere/SKILL.md": {false, false},
	} {
		for i, op := range []fsnotify.Op{fsnotify.Write, fsnotify.Create} {
			synctest.Test(t, func(t *testing.T) {
				s := stage{places: []skill.Place{{Dir: filepath.FromSlash("/home"), Name: "skills"}, {Dir: filepath.FromSlash("/r")}, {Dir: filepath.FromSlash("/r"), Name: "x"}}}
				s.run(t, func() {
					s.event(op, path)
					time.Sleep(time.Second)
				})
				if told := len(s.calls) > 1; told != want[i] {
					t.Errorf("%v %s: told %v, want %v", op, path, told, want[i])
				}
			})
		}
	}
}

// TestWatchesAreRenewed holds when everything is watched anew: a moved folder
// takes along the watches below it, and lost events may have been of one.
func TestWatchesAreRenewed(t *testing.T) {
	for name, act := range map[string]func(s *stage){
		"moved":    func(s *stage) { s.event(fsnotify.Rename, "/r") },
		"removed":  func(s *stage) { s.event(fsnotify.Remove, "/r") },
		"overflow": func(s *stage) { s.errors <- fsnotify.ErrEventOverflow },
	} {
		synctest.Test(t, func(t *testing.T) {
			s := stage{places: []skill.Place{{Dir: filepath.FromSlash("/r")}}}
			s.run(t, func() {
				act(&s)
				time.Sleep(time.Second)
			})
			if s.opened != 2 || len(s.calls) != 3 { // at the start, for the event, and for the new watches
				t.Errorf("%s: opened %d times, %d calls; want 2 and 3", name, s.opened, len(s.calls))
			}
		})
	}
}

// TestWhatCantBeWatchedIsPolled holds that a limit is said once, with its mend,
// and that changes are looked for all the same; a folder that has just gone is
// no reason to warn.
func TestWhatCantBeWatchedIsPolled(t *testing.T) {
	for name, tt := range map[string]struct {
		stage stage
		want  string
	}{
		"too many folders": {
			stage{faults: map[string]error{filepath.FromSlash("/b"): syscall.ENOSPC}},
			`only 1 of 3 folders are watched: ` + syscall.ENOSPC.Error() + `; raise the limit, for instance with: sysctl fs.inotify.max_user_watches=524288`,
		},
		"too many watchers": {stage{open: syscall.EMFILE}, `the folders can't be watched: ` + syscall.EMFILE.Error() + `; raise the limit of open files (ulimit -n)`},
		"gone":              {stage{faults: map[string]error{filepath.FromSlash("/b"): fs.ErrNotExist}}, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := tt.stage
			for _, dir := range []string{"/a", "/b", "/c"} {
				s.places = append(s.places, skill.Place{Dir: filepath.FromSlash(dir)})
			}
			s.run(t, func() { time.Sleep(61 * time.Second) })
			polls := slices.DeleteFunc(s.calls, func(at time.Duration) bool { return at == 0 })
			if diff := cmp.Diff([]time.Duration{30 * time.Second, time.Minute}, polls); diff != "" {
				t.Errorf("%s: looks in a minute (-want +got):\n%s", name, diff)
			}
			warnings := strings.Count(s.log.String(), "level=WARN")
			if !strings.Contains(s.log.String(), tt.want) || warnings != min(len(tt.want), 1) {
				t.Errorf("%s: the log has not once %q:\n%s", name, tt.want, s.log.String())
			}
		})
	}
}
