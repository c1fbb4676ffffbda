package server

import "context"

// Work does in the background what Run does there, and serves nothing: for a
// process that is reached on another way. It returns when ctx ends.
func (s *Server) Work(ctx context.Context) { s.worker.run(ctx) }

// Reindex asks the work in the background to look at the roots again and to
// embed what is new. It reports whether anybody works.
func (s *Server) Reindex() bool { return s.worker.request() }
