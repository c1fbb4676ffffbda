# What can be done with this tree; `make` alone lists it.

GO   ?= go
TOOL  = $(GO) tool -modfile=tools.mod

# Packages for race, bench and cover, and flags that go test gets as well.
PKGS      ?= ./...
TESTFLAGS ?=
FUZZTIME  ?= 30s
COUNT     ?= 6

# A folder of skills for the tests and benchmarks that want a large one.
CORPUS ?=
ifneq ($(CORPUS),)
override export CORPUS := $(abspath $(CORPUS))
endif

# Test servers are kept off 11434, so that an Ollama in daily use is left alone:
# set these on make's command line, the environment does not change them.
OLLAMA_HOST     = 127.0.0.1:11517
OLLAMA_OLD_HOST = 127.0.0.1:11512
OLLAMA     = OLLAMA_VERSION=v0.17.4 OLLAMA_HOST=$(OLLAMA_HOST) scripts/ollama.sh
OLLAMA_OLD = OLLAMA_VERSION=v0.12.6 OLLAMA_HOST=$(OLLAMA_OLD_HOST) scripts/ollama.sh

# A revision is stamped only where git can tell one.
VCS = $(if $(shell git rev-parse HEAD 2>/dev/null),auto,false)

.PHONY: help build test check fmt race fuzz bench cover release \
	ollama ollama-old ollama-stop test-ollama test-ollama-old

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-16s %s\n", $$1, $$2 }' Makefile

build: ## the static binary bin/skillsearch
	CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=$(VCS) -ldflags '-s -w' -o bin/skillsearch ./cmd/skillsearch

test: ## all tests; those that need a real Ollama skip
	$(GO) test $(TESTFLAGS) ./...

check: ## what CI runs: gofumpt, vet, staticcheck, a tidy go.mod, test
	@out=$$($(TOOL) gofumpt -l .) && test -z "$$out" || { echo "not formatted, run make fmt:" $$out >&2; exit 1; }
	$(GO) vet ./...
	$(TOOL) staticcheck ./...
	$(GO) mod tidy -diff
	@$(MAKE) --no-print-directory test

fmt: ## format every Go file with gofumpt
	$(TOOL) gofumpt -w .

race: ## tests of PKGS under the race detector
	CGO_ENABLED=1 $(GO) test -race $(TESTFLAGS) $(PKGS)

fuzz: ## every fuzz target, FUZZTIME (30s) each
	@set -e; for pkg in $$($(GO) list ./...); do \
		list=$$($(GO) test -list '^Fuzz' $$pkg); \
		for name in $$(echo "$$list" | grep '^Fuzz' || true); do \
			echo "$$pkg $$name"; \
			$(GO) test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) $$pkg; \
		done; \
	done

bench: SHELL := bash -o pipefail
bench: ## benchmarks, COUNT (6) times, into build/bench.txt; BASE=FILE compares
	@mkdir -p build
	$(GO) test -run '^$$' -bench . -benchmem -count $(COUNT) $(PKGS) | tee build/bench.txt
	$(TOOL) benchstat $(BASE) build/bench.txt

release: ## archives for six platforms, checksums and SBOM in dist/; the same commit gives the same bytes
	GO=$(GO) packaging/release.sh

cover: ## coverage into build/cover.html, the total on the last line
	@mkdir -p build
	$(GO) test -coverpkg=./... -coverprofile=build/cover.out $(PKGS)
	$(GO) tool cover -html build/cover.out -o build/cover.html
	$(GO) tool cover -func build/cover.out | tail -n 1

ollama: ## build and start a real Ollama v0.17.4 with all-minilm
	$(OLLAMA) all

ollama-old: ## the same with v0.12.6, beside it
	$(OLLAMA_OLD) all

ollama-stop: ## stop what the two started
	$(OLLAMA) stop
	$(OLLAMA_OLD) stop

test-ollama: ollama ## all tests against it; none of them skips for want of a server
	SKILLSEARCH_TEST_OLLAMA=$(OLLAMA_HOST) SKILLSEARCH_REQUIRE_OLLAMA=1 $(GO) test -count=1 $(TESTFLAGS) ./...

test-ollama-old: ollama-old ## the same against v0.12.6
	SKILLSEARCH_TEST_OLLAMA=$(OLLAMA_OLD_HOST) SKILLSEARCH_REQUIRE_OLLAMA=1 $(GO) test -count=1 $(TESTFLAGS) ./...
