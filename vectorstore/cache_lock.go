package vectorstore

import (
	"context"
	"time"

	"github.com/gofrs/flock"
)

// Lock waits until this is the one process that embeds, so that no text is
// embedded twice. The system takes the lock back when the process ends. Reading
// and storing need no lock. The error is ErrReadOnly where nothing can be
// stored, or that of a context that ended.
func (c *Cache) Lock(ctx context.Context) (unlock func(), err error) {
	memory, err := c.isMemory(ctx)
	if err == nil && memory {
		return func() {}, nil
	}
	if err == nil {
		unlock, err = lockFile(ctx, c.lockPath(), 100*time.Millisecond)
	}
	return unlock, c.explainLock(ctx, err)
}

// TryLock is Lock without the wait; ok is false when another process embeds.
func (c *Cache) TryLock() (unlock func(), ok bool, err error) {
	ctx := context.Background()
	memory, err := c.isMemory(ctx)
	if err == nil && memory {
		return func() {}, true, nil
	}
	if err != nil {
		return nil, false, c.explainLock(ctx, err)
	}
	lock := flock.New(c.lockPath())
	ok, err = lock.TryLock()
	if err != nil || !ok {
		return nil, false, c.explainLock(ctx, err)
	}
	return func() { _ = lock.Unlock() }, true, nil // as in lockFile
}

// isMemory reports whether no other process can see the cache.
func (c *Cache) isMemory(ctx context.Context) (bool, error) {
	h, err := c.acquire(ctx)
	if err != nil {
		return false, err
	}
	defer c.done(h)
	return h.mode == inMemory, nil
}

func (c *Cache) lockPath() string { return c.path + ".lock" }

func (c *Cache) explainLock(ctx context.Context, err error) error {
	if unwritable(err) {
		err = ErrReadOnly
	}
	return c.explain(ctx, "lock index", err)
}
