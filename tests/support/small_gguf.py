"""Files in the format GGUF as the public one of SmolLM2, with random weights of any shapes."""

import struct
from functools import cache

import numpy as np

from tests.support.small_gpt2 import TEXT, learned_pieces
from transformer_kit.public.gguf import BLOCKS, F16, F32, LIST, Q4_1, Q8_0, SIMPLE
from transformer_kit.public.gguf import TEXT as TEXT_KIND

MARKS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
SIZES = {"d_model": 96, "n_heads": 6, "n_kv_heads": 2, "d_ff": 64, "n_blocks": 2}


def text(words):
    """Write a text with its length."""
    return struct.pack("<Q", len(words.encode())) + words.encode()


def fact(name, kind, value, inner=None):
    """Write a fact; of a list, `inner` is the kind of its entries."""
    head = text(name) + struct.pack("<I", kind)
    if kind == TEXT_KIND:
        return head + text(value)
    if kind == LIST:
        head += struct.pack("<IQ", inner, len(value))
        return head + b"".join(text(v) if inner == TEXT_KIND else np.array(v, SIMPLE[inner]).tobytes() for v in value)
    return head + np.array(value, SIMPLE[kind]).tobytes()


def packed(array, kind):
    """Store an array in blocks, each as well as its kind can."""
    per_block, dtype = BLOCKS[kind]
    if per_block == 1:
        return array.astype(dtype).tobytes()
    rows = array.reshape(-1, per_block).astype(np.float32)
    blocks = np.zeros(len(rows), dtype)
    if kind == Q8_0:
        blocks["scale"] = np.abs(rows).max(axis=1) / 127
        blocks["numbers"] = np.rint(rows / blocks["scale"].astype(np.float32)[:, None])
        return blocks.tobytes()
    blocks["smallest"] = rows.min(axis=1)
    blocks["scale"] = np.ptp(rows, axis=1) / 15
    offset, step = (blocks[name].astype(np.float32)[:, None] for name in ("smallest", "scale"))
    levels = np.clip(np.rint((rows - offset) / step), 0, 15).astype(np.uint8)
    blocks["packed"] = levels[:, :16] | levels[:, 16:] << 4
    return blocks.tobytes()


def written(facts, arrays, alignment=32):
    """Write a file from written facts, and arrays as (name, array, kind)."""
    table, numbers = b"", b""
    for name, array, kind in arrays:
        axes = array.shape[::-1]
        table += text(name) + struct.pack(f"<I{len(axes)}QIQ", len(axes), *axes, kind, len(numbers))
        numbers += packed(array, kind)
        numbers += bytes(-len(numbers) % alignment)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(arrays), len(facts)) + b"".join(facts) + table
    return head + bytes(-len(head) % alignment) + numbers


@cache
def _learned(words):
    return learned_pieces(150, words)


def small_model(rng, d_model, n_heads, n_kv_heads, d_ff, n_blocks, words=TEXT):
    """Return the facts and arrays of a small model whose pieces were learned from a text."""
    ids, pairs = _learned(words)
    pieces = [*MARKS, *(piece for piece in ids if piece not in MARKS and piece != "Ā")]  # one byte has no piece
    numbers = {"block_count": n_blocks, "embedding_length": d_model, "feed_forward_length": d_ff}
    numbers |= {"attention.head_count": n_heads, "attention.head_count_kv": n_kv_heads}
    facts = [
        fact("general.architecture", TEXT_KIND, "llama"),
        *(fact(f"llama.{name}", 4, value) for name, value in numbers.items()),
        fact("llama.rope.freq_base", 6, 5000.0),
        fact("llama.attention.layer_norm_rms_epsilon", 6, 1e-5),
        fact("tokenizer.ggml.tokens", LIST, pieces, TEXT_KIND),
        fact("tokenizer.ggml.token_type", LIST, [3] * len(MARKS) + [1] * (len(pieces) - len(MARKS)), 5),
        fact("tokenizer.ggml.merges", LIST, [" ".join(pair) for pair in pairs], TEXT_KIND),
        fact("tokenizer.ggml.unknown_token_id", 4, 0),
    ]
    width = d_model // n_heads * n_kv_heads
    shapes = {"attn_q": (d_model, d_model), "attn_k": (width, d_model), "attn_v": (width, d_model)}
    shapes |= {"attn_output": (d_model, d_model), "ffn_down": (d_model, d_ff)}
    shapes |= {"ffn_gate": (d_ff, d_model), "ffn_up": (d_ff, d_model)}

    def drawn(*shape, around=0.0):
        return around + rng.normal(scale=0.2 if len(shape) == 1 else shape[1] ** -0.5, size=shape)

    arrays = [("token_embd.weight", 2 * drawn(len(pieces), d_model), Q8_0)]
    for i in range(n_blocks):
        arrays += [(f"blk.{i}.{name}.weight", drawn(*shape), Q4_1) for name, shape in shapes.items()]
        arrays += [(f"blk.{i}.{name}.weight", drawn(d_model, around=1.0), F32) for name in ("attn_norm", "ffn_norm")]
    return facts, [*arrays, ("output_norm.weight", drawn(d_model, around=1.0), F16)]
