package main

import (
	"context"
	"sync"
	"time"

	"github.com/skillsearch/skillsearch/skill"
	"github.com/skillsearch/skillsearch/vectorstore"
)

// A history is the usage history in the index; see toolset.History. What keeps
// it from being written is said once, and keeps no skill from anyone.
type history struct {
	cache *vectorstore.Cache
	log   *queryLog // nil unless a person wants one
	now   func() time.Time
	warn  func(format string, args ...any)
	once  sync.Once
}

// Found keeps in mind what a query found.
func (h *history) Found(query string, ids []string) {
	if h.log != nil {
		h.log.found(query, ids)
	}
}

// Record notes a load.
func (h *history) Record(ctx context.Context, toolset string, s *skill.Skill) error {
	err := h.cache.RecordUse(ctx, vectorstore.Use{Skill: s.ID, Hash: s.Hash, Toolset: toolset, At: h.now()})
	if err == nil && h.log != nil {
		err = h.log.loaded(toolset, s.ID)
	}
	if err != nil {
		h.once.Do(func() { h.warn("the usage history can't be written: %s", printable(err.Error())) })
	}
	return nil
}

// LastUsed gives ids, latest first.
func (h *history) LastUsed(ctx context.Context, limit int) ([]string, error) {
	return h.cache.LastUsed(ctx, limit)
}
