package server

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/skillsearch/skillsearch"
)

// A report is what /v1/status says.
type report struct {
	Version string    `json:"version"`
	State   readiness `json:"state"`
	skillsearch.Status
	Indexing progress `json:"indexing"`
}

func (s *Server) status(c *gin.Context) error { return answer(c, http.StatusOK, s.report()) }

func (s *Server) report() report {
	state, indexing := s.worker.look()
	return report{Version: s.cfg.Version, State: state, Status: s.engine.Status(), Indexing: indexing}
}

// reindex answers at once; how far it is, /v1/status says.
func (s *Server) reindex(c *gin.Context) error {
	if !s.worker.request() {
		return refusal{kind: "unavailable", detail: "the server does not work in the background now", remedy: "it is starting or stopping: ask again in a moment"}
	}
	return answer(c, http.StatusAccepted, s.report())
}

// health and readyState are what the probes say.
type (
	health struct {
		Status string `json:"status"`
	}
	readyState struct {
		Status readiness `json:"status"`
	}
)

// healthz says that the process lives.
func (s *Server) healthz(c *gin.Context) error {
	return answer(c, http.StatusOK, health{"ok"})
}

// readyz says how searches are answered: by vectors, by words, or not yet.
func (s *Server) readyz(c *gin.Context) error {
	state, _ := s.worker.look()
	code := http.StatusOK
	if state == starting {
		code = http.StatusServiceUnavailable
	}
	return answer(c, code, readyState{state})
}
