package server

import (
	"net/http"
	"slices"

	"github.com/skillsearch/skillsearch"
)

// A route is all that there is to say about one way to ask. The router and the
// description of the server are made of the same ones.
type route struct {
	method     string // what works with GET works with HEAD
	pattern    string // gin's
	handler    handler
	id         string // by which a generated client calls it
	summary    string
	parameters []parameter // all that the query of the URL may hold; nil where nobody looks
	pool       bool        // what tools the agent has, a header may say
	body       body
	answers    []reply
	untagged   bool     // a GET has no ETag: each answer is another one
	refusals   []string // kinds of problems, besides those of the guard
}

// What may be refused besides what the guard refuses: a value, a value or a
// name, a value, a name or a path.
var (
	badValue = []string{"invalid_argument"}
	badName  = []string{"invalid_argument", "not_found"}
	badPath  = []string{"invalid_argument", "not_found", "path_outside_skill", "not_regular_file", "too_large"}
)

// A reply is an answer that is no problem document.
type reply struct {
	status int
	media  string
	value  any // its schema is the one of the type; nil for what is no JSON
}

// ok is the reply of most routes.
func ok(value any) []reply { return []reply{{http.StatusOK, "application/json", value}} }

// table has every route but the page's files and MCP's.
func (s *Server) table() []route {
	return slices.Concat(s.searchRoutes(), s.skillRoutes(), s.toolRoutes(), s.stateRoutes())
}

// searchRoutes search, and what tells of searches.
func (s *Server) searchRoutes() []route {
	return []route{
		{
			method: "GET", pattern: "/v1/search", handler: s.search, id: "search",
			summary:    "The skills that fit a need best",
			parameters: searchParameters, answers: ok(skillsearch.Result{}), refusals: badValue,
		},
		{
			method: "POST", pattern: "/v1/search", handler: s.postSearch, id: "postSearch",
			summary: "The skills that fit a need best, asked with a body",
			body:    searchBody, answers: ok(skillsearch.Result{}), refusals: badValue,
		},
		{
			method: "POST", pattern: "/v1/search/batch", handler: s.searchBatch, id: "searchBatch",
			summary: "Several searches, answered in order; a fault in one refuses all and names it",
			body:    batchBody, answers: ok(batchResult{}), refusals: badValue,
		},
		{
			method: "GET", pattern: "/v1/why", handler: s.why, id: "why",
			summary:    "Why a skill has the place that it has for a query",
			parameters: whyParameters, answers: ok(skillsearch.Why{}), refusals: badName,
		},
		{
			method: "GET", pattern: "/v1/facets", handler: s.facets, id: "facets",
			summary: "The values by which skills can be filtered, with their counts",
			answers: ok(skillsearch.Facets{}),
		},
		{
			method: "GET", pattern: "/v1/map", handler: s.drawnMap, id: "map",
			summary: "The skills on a plane, near-duplicates linked",
			answers: ok(skillsearch.Map{}),
		},
	}
}

// skillRoutes show skills.
func (s *Server) skillRoutes() []route {
	return []route{
		{
			method: "GET", pattern: "/v1/skills", handler: s.list, id: "listSkills",
			summary:    "Every skill, ranked when there is a query, in pages",
			parameters: listParameters, answers: ok(skillsearch.Page{}), refusals: badValue,
		},
		{
			method: "GET", pattern: "/v1/skills/:id", handler: s.show, id: "getSkill",
			summary: "One skill with its instructions",
			answers: ok(skillsearch.Shown{}), refusals: badName,
		},
		{
			method: "GET", pattern: "/v1/skills/:id/files/*path", handler: s.file, id: "getSkillFile",
			summary: "A file beside a skill, as it is",
			answers: []reply{{http.StatusOK, "*/*", nil}}, refusals: badPath,
		},
		{
			method: "GET", pattern: "/v1/skills/:id/html", handler: s.html, id: "getSkillHTML",
			summary:    "A skill's instructions, or a markdown file beside it, as HTML that can do nothing",
			parameters: htmlParameters, answers: []reply{{http.StatusOK, "text/html", nil}}, refusals: badPath,
		},
		{
			method: "GET", pattern: "/v1/skills/:id/similar", handler: s.similar, id: "similarSkills",
			summary:    "The skills that are nearest to one",
			parameters: similarParameters, answers: ok(skillsearch.Similarity{}), refusals: badName,
		},
	}
}

// toolRoutes are for agents without MCP.
func (s *Server) toolRoutes() []route {
	return []route{
		{
			method: "GET", pattern: "/v1/prompt", handler: s.prompt, id: "prompt", pool: true,
			summary:    "The index of skills for a system prompt; nothing where there are none",
			parameters: promptParameters, answers: []reply{{http.StatusOK, "text/plain", nil}, {status: http.StatusNoContent}}, refusals: badValue,
		},
		{
			method: "GET", pattern: "/v1/toolsets", handler: s.toolsets, id: "listToolsets",
			summary: "The toolsets and the names of their tools",
			answers: ok(toolsetList{}),
		},
		{
			method: "GET", pattern: "/v1/toolsets/:toolset", handler: s.definitions, id: "getToolset", pool: true,
			summary:    "The definitions of the tools of one or more toolsets",
			parameters: definitionParameters, answers: ok([]map[string]any{}), refusals: badName,
		},
		{
			method: "POST", pattern: "/v1/toolsets/:toolset/tools/:tool", handler: s.call, id: "callTool", pool: true,
			summary: "Call a tool: the body is its arguments, the answer an MCP CallToolResult",
			body:    toolBody, answers: ok(toolResult{}), refusals: append(slices.Clone(badPath), "unavailable"),
		},
	}
}

// stateRoutes tell of the server itself.
func (s *Server) stateRoutes() []route {
	return []route{
		{
			method: "GET", pattern: "/v1/status", handler: s.status, id: "status",
			summary: "What is there and how much of it is embedded",
			answers: ok(report{}),
		},
		{
			method: "POST", pattern: "/v1/reindex", handler: s.reindex, id: "reindex",
			summary: "Look at the roots again and embed what is new, in the background",
			answers: []reply{{http.StatusAccepted, "application/json", report{}}}, refusals: []string{"unavailable"},
		},
		{
			method: "GET", pattern: "/openapi.json", handler: s.openAPI, id: "openAPI",
			summary: "This description",
			answers: ok(map[string]any{}),
		},
		{
			method: "GET", pattern: "/metrics", handler: s.scrape, id: "metrics",
			summary: "What Prometheus collects",
			answers: []reply{{http.StatusOK, "text/plain", nil}}, untagged: true,
		},
		{
			method: "GET", pattern: "/healthz", handler: s.healthz, id: "healthz",
			summary: "The process lives",
			answers: ok(health{}),
		},
		{
			method: "GET", pattern: "/readyz", handler: s.readyz, id: "readyz",
			summary: "How searches are answered: by vectors, by words, or not yet (503)",
			answers: append(ok(readyState{}), reply{http.StatusServiceUnavailable, "application/json", readyState{}}),
		},
	}
}
