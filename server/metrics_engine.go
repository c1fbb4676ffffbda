package server

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/skillsearch/skillsearch"
)

// engineMetrics are what the engine knows, asked for when somebody scrapes: so
// they can't disagree with /v1/status.
type engineMetrics struct{ server *Server }

// A gauge is one number of a status.
type gauge struct {
	desc  *prometheus.Desc
	value func(skillsearch.Status) int
}

func newGauge(name, help string, value func(skillsearch.Status) int) gauge {
	return gauge{prometheus.NewDesc("skillsearch_"+name, help, nil, nil), value}
}

var gauges = []gauge{
	newGauge("skills", "Skills that can be found.", func(s skillsearch.Status) int { return s.Skills }),
	newGauge("hidden_skills", "Skills that are shadowed, folded or inactive.", func(s skillsearch.Status) int { return s.Hidden }),
	newGauge("problems", "What lint would tell of the skills.", func(s skillsearch.Status) int { return s.Problems }),
	newGauge("embedded_skills", "Skills with a vector.", func(s skillsearch.Status) int { return s.Embedded }),
	newGauge("unembedded_skills", "Skills without a vector.", func(s skillsearch.Status) int { return s.Skills - s.Embedded }),
	newGauge("stale_skills", "Skills with the vector of an older content alone.", func(s skillsearch.Status) int { return s.Stale }),
	newGauge("passages", "Passages of skills known so far.", func(s skillsearch.Status) int { return s.Passages }),
	newGauge("embedded_passages", "Passages with a vector.", func(s skillsearch.Status) int { return s.Vectors }),
	newGauge("failed_passages", "Passages that can't be embedded.", func(s skillsearch.Status) int { return s.Failed }),
	newGauge("embedding_queue_passages", "Passages that wait to be embedded.", func(s skillsearch.Status) int { return s.Passages - s.Vectors - s.Failed }),
}

var stateDesc = prometheus.NewDesc("skillsearch_state", "1 for how searches are answered now: ready, lexical or starting.", []string{"state"}, nil)

// Describe is prometheus.Collector's.
func (e engineMetrics) Describe(out chan<- *prometheus.Desc) {
	for _, g := range gauges {
		out <- g.desc
	}
	out <- stateDesc
}

// Collect is prometheus.Collector's. All values are of one status.
func (e engineMetrics) Collect(out chan<- prometheus.Metric) {
	status := e.server.engine.Status()
	for _, g := range gauges {
		out <- prometheus.MustNewConstMetric(g.desc, prometheus.GaugeValue, float64(g.value(status)))
	}
	now, _ := e.server.worker.look()
	for _, state := range []readiness{starting, lexical, ready} {
		value := 0.0
		if state == now {
			value = 1
		}
		out <- prometheus.MustNewConstMetric(stateDesc, prometheus.GaugeValue, value, string(state))
	}
}
