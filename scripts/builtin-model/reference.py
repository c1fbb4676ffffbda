"""The reference forward pass of all-MiniLM-L6-v2: the original weights, in float64."""

import math

import numpy as np

LAYERS, HEADS, EPSILON = 6, 12, 1e-12
_erf = np.vectorize(math.erf, otypes=[np.float64])


def widen(tensors):
    """Returns the model's float tensors in float64."""
    return {name: tensor.astype(np.float64) for name, tensor in tensors.items() if tensor.dtype.kind == "f"}


def embed(t, ids):
    """Returns the unit vector of token ids that include [CLS] and [SEP]; t is what widen returns."""
    x = t["embeddings.word_embeddings.weight"][ids]
    x = x + t["embeddings.position_embeddings.weight"][: len(ids)] + t["embeddings.token_type_embeddings.weight"][0]
    x = _norm(t, "embeddings.LayerNorm", x)
    for i in range(LAYERS):
        p = f"encoder.layer.{i}."
        x = _norm(t, p + "attention.output.LayerNorm", x + _attention(t, p + "attention.", x))
        up = _linear(t, p + "intermediate.dense", x)
        up = 0.5 * up * (1 + _erf(up / math.sqrt(2)))
        x = _norm(t, p + "output.LayerNorm", x + _linear(t, p + "output.dense", up))
    mean = x.mean(axis=0)
    return mean / np.linalg.norm(mean)


def _linear(t, name, x):
    return x @ t[name + ".weight"].T + t[name + ".bias"]


def _norm(t, name, x):
    x = x - x.mean(axis=1, keepdims=True)
    return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + EPSILON) * t[name + ".weight"] + t[name + ".bias"]


def _attention(t, p, x):
    q, k, v = (_split(_linear(t, p + "self." + part, x)) for part in ("query", "key", "value"))
    scores = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[2])
    scores = np.exp(scores - scores.max(axis=2, keepdims=True))
    mixed = (scores / scores.sum(axis=2, keepdims=True)) @ v
    return _linear(t, p + "output.dense", mixed.transpose(1, 0, 2).reshape(len(x), -1))


def _split(x):
    return x.reshape(len(x), HEADS, -1).transpose(1, 0, 2)
