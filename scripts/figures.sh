#!/usr/bin/env bash
# Prints the figures of docs/benchmarks.md: what the real command does with many
# real skills and a real Ollama.
#
#   CORPUS=DIR OLLAMA_HOST=host:port scripts/figures.sh [WORKDIR]
#
# CORPUS is a folder of skills. WORKDIR keeps the index between runs (default: a
# new folder); embedding 4,000 skills to --depth body takes an hour of two cores
# through Ollama. Needs Go, GNU time and python3.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${CORPUS:?set CORPUS to a folder of skills}" "${OLLAMA_HOST:?set OLLAMA_HOST to a running Ollama}"
work=${1:-$(mktemp -d)}
mkdir -p "$work"
bin=$work/skillsearch
CGO_ENABLED=0 go build -trimpath -o "$bin" ./cmd/skillsearch
say() { printf '\n## %s\n' "$*"; }
run() { "$bin" --root "$CORPUS" --cache "$work/cache" --quiet "$@"; }
timed() { /usr/bin/time -f '%e s, %M KB at most' "$@"; }
query="merge several PDF files into one"

say "files, listed, hidden, nested"
find "$CORPUS" -iname SKILL.md | wc -l
run list --all --json --embedder none | python3 -c '
import collections, json, sys
l = json.load(sys.stdin)
hidden = sum("hidden" in s for s in l["skills"])
kinds = collections.Counter(p["kind"] for p in l["problems"])
print(len(l["skills"]) - hidden, "listed,", hidden, "hidden,", kinds["nested-skill"], "nested,", dict(kinds))'

say "index through Ollama, heads and first four body passages"
timed "$bin" --root "$CORPUS" --cache "$work/cache" index --depth body --embedder ollama

say "a second index: nothing to embed"
timed "$bin" --root "$CORPUS" --cache "$work/cache" index --depth body --embedder ollama --json

say "the search: ranking, degraded, first hit, scores in falling order"
run search "$query" --embedder ollama --json | python3 -c '
import json, sys
r = json.load(sys.stdin)
scores = [h["score"] for h in r["hits"]]
print(r["ranking"], r["degraded"], len(scores), "hits,", r["unembedded"], "unembedded, first:", r["hits"][0]["id"], scores == sorted(scores, reverse=True))'

say "a whole search process, five times, with -v for the parts"
for _ in 1 2 3 4 5; do
  timed "$bin" --root "$CORPUS" --cache "$work/cache" search "$query" --embedder ollama --json -v >/dev/null
done

say "the same without Ollama"
for _ in 1 2 3; do
  timed "$bin" --root "$CORPUS" --cache "$work/cache" search "$query" --embedder ollama --ollama-host 127.0.0.1:1 --json | head -c 160
done

say "the command killed 200 times while it indexes"
KILLS=200 go test -count=1 -run TestKilledIndex -v ./cmd/skillsearch | grep kills

say "one query 1,000 times, over 20 restarts and insert orders"
go test -count=1 -run TestTheSameQueryHasOneAnswer -v . | grep -- ---

say "indexing rate: ours against a bare loop of batches of 8"
SKILLSEARCH_TEST_OLLAMA=$OLLAMA_HOST go test -run XXX -bench Indexing -benchtime 15s ./embedder

say "cosine of our vectors to the reference model, 300 real descriptions"
SKILLSEARCH_TEST_OLLAMA=$OLLAMA_HOST go test -count=1 -run Reference -v ./embedder | grep -E 'mean|---'

say "scan and cache"
go test -run XXX -bench 'Scores|Nearest|Load' -benchtime 1s ./vectorstore
