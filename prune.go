package skillsearch

import (
	"context"

	"github.com/skillsearch/skillsearch/vectorstore"
)

// passageSizes are the sizes that the models in use cut bodies to.
var passageSizes = [...]int{600, 1200}

// Prune drops the cached vectors of texts that no skill of the catalogue has,
// whatever model they are of.
func (e *Engine) Prune(ctx context.Context) (removed int, err error) {
	if e.cfg.Cache == nil {
		return 0, nil
	}
	used := make(map[[32]byte]bool)
	for _, s := range e.Catalogue().Skills() {
		for _, size := range passageSizes {
			for _, p := range s.Passages(size, 0) {
				used[p.Hash] = true
			}
		}
	}
	return e.cfg.Cache.Prune(ctx, func(_ vectorstore.Space, hash [32]byte) bool { return used[hash] })
}
