package server

import (
	"net/http"
	"runtime"
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are what is counted while one engine is served. No label has a value
// that a client can make up: routes are patterns, methods those of HTTP.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	latency  *prometheus.HistogramVec
	open     prometheus.Gauge
	degraded prometheus.Counter
	refused  map[string]prometheus.Counter // by the limit that a request went over
}

// latencies are bounds in seconds: a search in memory takes milliseconds, one
// that waits for its model up to maxWait.
var latencies = []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30}

func newMetrics(s *Server) *metrics {
	labels := []string{"route", "method", "status", "ranking"}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "skillsearch_http_requests_total", Help: "Requests that were answered; ranking is the one that was used, empty outside searches.",
		}, labels),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "skillsearch_http_request_duration_seconds", Help: "Time from a request to the end of its answer.", Buckets: latencies,
		}, labels),
		open:     prometheus.NewGauge(prometheus.GaugeOpts{Name: "skillsearch_http_open_requests", Help: "Requests that are being answered."}),
		degraded: prometheus.NewCounter(prometheus.CounterOpts{Name: "skillsearch_degraded_answers_total", Help: "Searches that asked for vectors and were answered without."}),
	}
	m.refused = map[string]prometheus.Counter{
		rateLimited: prometheus.NewCounter(prometheus.CounterOpts{Name: "skillsearch_rate_limited_requests_total", Help: "Requests that were answered 429: their client asked too often."}),
		overloaded:  prometheus.NewCounter(prometheus.CounterOpts{Name: "skillsearch_overloaded_requests_total", Help: "Requests that were answered 503: too many were open."}),
	}
	m.registry.MustRegister(m.refused[rateLimited], m.refused[overloaded], m.requests, m.latency, m.open, m.degraded, engineMetrics{s}, buildInfo(s.cfg.Version), collectors.NewGoCollector())
	return m
}

func buildInfo(version string) prometheus.Collector {
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "skillsearch_build_info", Help: "Always 1; which build runs.",
		ConstLabels: prometheus.Labels{"version": version, "go": runtime.Version()},
	})
	info.Set(1)
	return info
}

// claim makes what passes through this server's own.
func (s *Server) claim(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recordOf(r).server = s
		s.metrics.open.Inc()
		defer s.metrics.open.Dec()
		next.ServeHTTP(w, r)
	})
}

// count counts a request that has been answered: for the server that it was
// passed on to, or, where it was refused before, for each that it might have
// been meant for.
func (s *Server) count(r *http.Request, out *response) {
	rec := recordOf(r)
	owners := s.peers
	if rec.server != nil {
		owners = []*Server{rec.server}
	}
	seconds := s.cfg.Now().Sub(rec.start).Seconds()
	for _, owner := range owners {
		labels := []string{rec.route, method(r), statusClass(out.status), rec.ranking}
		owner.metrics.requests.WithLabelValues(labels...).Inc()
		owner.metrics.latency.WithLabelValues(labels...).Observe(seconds)
		owner.metrics.degraded.Add(float64(rec.degraded))
		if rec.refused != "" {
			owner.metrics.refused[rec.refused].Inc()
		}
	}
}

// statusClass is such as "2xx"; "none" when the connection was cut first.
func statusClass(status int) string {
	if status == 0 {
		return "none"
	}
	return strconv.Itoa(status/100) + "xx"
}

// scrape answers Prometheus.
func (s *Server) scrape(c *gin.Context) error {
	s.metrics.handler().ServeHTTP(c.Writer, c.Request)
	return nil
}

// handler answers in the format that the scraper prefers. A collector that
// contradicts itself panics, which is one failed request like any other.
func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.PanicOnError})
}
