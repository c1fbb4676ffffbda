package watch

import (
	"context"

	"github.com/fsnotify/fsnotify"
)

// RunWith is Run over a file system that a test plays. add is asked for every
// folder; open fails with the error that it returns.
func RunWith(ctx context.Context, cfg Config, open func() error, add func(dir string) error, events chan fsnotify.Event, errors chan error) {
	run(ctx, cfg, func() (notifier, error) {
		if err := open(); err != nil {
			return notifier{}, err
		}
		none := func(string) error { return nil }
		return notifier{add: add, remove: none, close: func() error { return nil }, events: events, errors: errors}, nil
	})
}
