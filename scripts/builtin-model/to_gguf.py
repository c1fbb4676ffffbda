#!/usr/bin/env python3
"""Makes a GGUF file of a weights file, so that Ollama serves the model that the binary carries.

    to_gguf.py WEIGHTS.bin OUT.gguf

    ollama create skill-minilm -f Modelfile      # FROM ./OUT.gguf
    skillsearch --embedder ollama --model skill-minilm index

The values are those of the weights file, widened to 32 bits: nothing is rounded
a second time. Two runs give the same bytes.
"""

import json
import struct
import sys

import gguf
import numpy as np

LINEAR = {"attention": "attn_output", "up": "ffn_up", "down": "ffn_down"}
NORMS = {"attention.norm": "attn_output_norm", "down.norm": "layer_output_norm"}
SPECIAL = {"[PAD]": gguf.TokenType.CONTROL, "[CLS]": gguf.TokenType.CONTROL, "[SEP]": gguf.TokenType.CONTROL,
           "[MASK]": gguf.TokenType.CONTROL, "[UNK]": gguf.TokenType.UNKNOWN}


class File:
    """A weights file; convert.py describes its layout."""

    def __init__(self, data):
        length, = struct.unpack_from("<Q", data, 8)
        self.header = json.loads(data[16:16 + length])
        self.blobs = data[16 + length:]

    def array(self, name):
        t = self.header["tensors"][name]
        kind = np.dtype(t["type"]).newbyteorder("<")
        return np.frombuffer(self.blobs, kind, t["bytes"] // kind.itemsize, t["offset"]).reshape(t["shape"])

    def rows(self, name):
        return self.array(name + ".q").astype(np.float32) * self.array(name + ".s")[:, None]

    def linear(self, name):
        panels = self.array(name + ".q")
        weights = panels.transpose(0, 2, 1).reshape(-1, panels.shape[1]).astype(np.float32)
        return weights * self.array(name + ".s")[:, None], self.array(name + ".b")


def piece(token):
    """Returns a WordPiece token as llama.cpp wants it: a mark before what begins a word, none before what goes on."""
    if token in SPECIAL:
        return token
    return token[2:] if token.startswith("##") and len(token) > 2 else "\u2581" + token


def write(f, path):
    config, tokens = f.header["config"], f.array("vocab").tobytes().decode().split("\n")
    out = gguf.GGUFWriter(path, "bert")
    out.add_name(f.header["name"])
    out.add_file_type(gguf.LlamaFileType.ALL_F32)
    out.add_block_count(config["layers"])
    out.add_context_length(config["positions"])
    out.add_embedding_length(config["hidden"])
    out.add_feed_forward_length(config["intermediate"])
    out.add_head_count(config["heads"])
    out.add_layer_norm_eps(1e-12)
    out.add_causal_attention(False)
    out.add_pooling_type(gguf.PoolingType.MEAN)
    out.add_tokenizer_model("bert")
    out.add_token_list([piece(t) for t in tokens])
    out.add_token_types([SPECIAL.get(t, gguf.TokenType.NORMAL) for t in tokens])
    out.add_token_type_count(2)
    for add, token in ((out.add_bos_token_id, "[CLS]"), (out.add_eos_token_id, "[SEP]"),
                       (out.add_sep_token_id, "[SEP]"), (out.add_unk_token_id, "[UNK]"), (out.add_pad_token_id, "[PAD]"),
                       (out.add_mask_token_id, "[MASK]")):
        add(tokens.index(token))
    out.add_tensor("token_embd.weight", f.rows("embed.word"))
    out.add_tensor("position_embd.weight", f.rows("embed.position"))
    # The positions' rows contain the embedding of type 0 already.
    out.add_tensor("token_types.weight", np.zeros((2, config["hidden"]), np.float32))
    norm(out, f, "embed.norm", "token_embd_norm")
    for i in range(config["layers"]):
        layer(out, f, f"layer{i}.", f"blk.{i}.")
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


def layer(out, f, name, block):
    weights, bias = f.linear(name + "qkv")
    for part, w, b in zip("qkv", np.split(weights, 3), np.split(bias, 3)):
        put(out, f"{block}attn_{part}", w, b)
    for short, long in LINEAR.items():
        put(out, block + long, *f.linear(name + short))
    for short, long in NORMS.items():
        norm(out, f, name + short, block + long)


def put(out, name, weights, bias):
    out.add_tensor(name + ".weight", np.ascontiguousarray(weights))
    out.add_tensor(name + ".bias", np.ascontiguousarray(bias))


def norm(out, f, name, long):
    put(out, long, f.array(name + ".w"), f.array(name + ".b"))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], "rb") as weights:
        write(File(weights.read()), sys.argv[2])


if __name__ == "__main__":
    main()
