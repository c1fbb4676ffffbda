"""all-MiniLM-L6-v2 in torch, for training: token ids to unit vectors.

The parameters keep the names of the published model.safetensors, so that what
was trained is saved in the same form and scripts/builtin-model reads it.
"""

import math

import torch
import torch.nn.functional as F
from safetensors.torch import load, save

LAYERS, HEADS, EPSILON = 6, 12, 1e-12
FROZEN = ("pooler.", "embeddings.word_embeddings.")  # not used by sentence vectors; see README.md


class Bert:
    """The parameters and the forward pass; no dropout."""

    def __init__(self, tensors):
        # In order: load gives them in another one each time, and a sum over all parameters rounds by their order.
        self.p = {name: t.clone().float().requires_grad_(not name.startswith(FROZEN))
                  for name, t in sorted(tensors.items()) if t.is_floating_point()}

    @staticmethod
    def read(data):
        """Reads the bytes of a model.safetensors."""
        return Bert(load(data))

    def bytes(self):
        """Returns the parameters as a model.safetensors."""
        return save({name: t.detach().contiguous() for name, t in sorted(self.p.items())})

    def trained(self):
        """Returns the parameters that training changes."""
        return {name: t for name, t in self.p.items() if t.requires_grad}

    def mean(self, other, share):
        """Returns share of this model and the rest of other, parameter by parameter (Wortsman et al., "Robust
        fine-tuning of zero-shot models", 2022)."""
        return Bert({name: share * t.detach() + (1 - share) * other.p[name].detach() for name, t in self.p.items()})

    def vectors(self, texts, group=32):
        """Returns the unit vectors of texts, lists of token ids; texts of like length are computed together."""
        order = sorted(range(len(texts)), key=lambda i: (len(texts[i]), i))
        parts = [self._batch([texts[i] for i in order[at:at + group]]) for at in range(0, len(order), group)]
        place = torch.empty(len(order), dtype=torch.long)
        place[torch.tensor(order)] = torch.arange(len(order))
        return torch.cat(parts)[place]

    def _batch(self, texts):
        width = max(map(len, texts))
        ids = torch.tensor([t + [0] * (width - len(t)) for t in texts])
        real = torch.arange(width) < torch.tensor([len(t) for t in texts])[:, None]
        p = self.p
        x = F.embedding(ids, p["embeddings.word_embeddings.weight"])
        x = x + p["embeddings.position_embeddings.weight"][:width] + p["embeddings.token_type_embeddings.weight"][0]
        x = self._norm("embeddings.LayerNorm", x)
        with torch.autocast("cpu", torch.bfloat16):
            for i in range(LAYERS):
                x = self._layer(f"encoder.layer.{i}.", x, real)
        x = x.float() * real[:, :, None]
        return F.normalize(x.sum(1), dim=1)

    def _layer(self, name, x, real):
        q, k, v = (self._linear(name + "attention.self." + part, x).unflatten(2, (HEADS, -1)).transpose(1, 2)
                   for part in ("query", "key", "value"))
        # torch's own scaled_dot_product_attention takes three times as long on processors, for heads as small as these.
        scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[3])
        mixed = torch.softmax(scores.masked_fill(~real[:, None, None, :], float("-inf")), dim=3).to(v.dtype) @ v
        mixed = self._linear(name + "attention.output.dense", mixed.transpose(1, 2).flatten(2))
        x = self._norm(name + "attention.output.LayerNorm", x + mixed)
        up = F.gelu(self._linear(name + "intermediate.dense", x))
        return self._norm(name + "output.LayerNorm", x + self._linear(name + "output.dense", up))

    def _linear(self, name, x):
        return F.linear(x, self.p[name + ".weight"], self.p[name + ".bias"])

    def _norm(self, name, x):
        return F.layer_norm(x.float(), x.shape[-1:], self.p[name + ".weight"], self.p[name + ".bias"], EPSILON)
