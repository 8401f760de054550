"""A folder as GPT-2's public one, with random weights of any shapes and pieces that were learned from a short text."""

import json
from collections import Counter
from itertools import pairwise

import numpy as np

from transformer_kit.public.byte_pieces import byte_letters, chunks
from transformer_kit.public.gpt2 import END
from transformer_kit.reference import byte_pair_merge

TEXT = """
The café's menu — crème brûlée, jalapeño & smörgåsbord — costs 12.50 € (or £11)!  Don't you think it's naïve?
    indented   by runs of   spaces,\tand a tab;\n\n\nthree line ends   \n
👍 emoji 🙃🙃 and 日本語のテキスト, Ελληνικά, русский текст, हिन्दी; it'll they've we'd I'm you're 'tis THEY'LL
x = [i**2 for i in range(1000)]  # ½ ² Ⅷ ٣ 2024-05-17\r\n \u00a0 \u2003 end
"""
KINDS = {"float16": "F16", "float32": "F32", "float64": "F64", "int64": "I64"}


def letters_of(text):
    """Write a text in the letters of its bytes."""
    letters = byte_letters()
    return [letters[byte] for byte in text.encode()]


def learned_pieces(count=200, text=TEXT):
    """Return ids of pieces and pairs in their order, learned from a text."""
    words, ranks = [letters_of(chunk) for chunk in chunks(text)], {}
    for rank in range(count):
        number = Counter(pair for word in words for pair in pairwise(byte_pair_merge(word, ranks)))
        ranks[max(sorted(number), key=number.get)] = rank
    pieces = [*byte_letters(), *map("".join, ranks), END]
    return {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}, list(ranks)


def random_arrays(rng, n_vocabulary, d_model, n_blocks, n_positions):
    """Draw arrays with the names and shapes of GPT-2's file, none like another."""

    def drawn(*shape, around=0.0):
        return (around + rng.normal(scale=0.2 if len(shape) == 1 else shape[0] ** -0.5, size=shape)).astype(np.float32)

    embedding = 2 * drawn(d_model, n_vocabulary).T.copy()  # so that logits differ by a few units
    arrays = {"wte.weight": embedding, "wpe.weight": drawn(n_positions, d_model)}
    shapes = {"attn.c_attn": 3, "attn.c_proj": 1, "mlp.c_fc": 4}
    for name in (f"h.{i}" for i in range(n_blocks)):
        for part, times in shapes.items():
            arrays[f"{name}.{part}.weight"] = drawn(d_model, times * d_model)
            arrays[f"{name}.{part}.bias"] = drawn(times * d_model)
        arrays[f"{name}.mlp.c_proj.weight"] = drawn(4 * d_model, d_model)
        arrays[f"{name}.mlp.c_proj.bias"] = drawn(d_model)
    for norm in [f"h.{i}.ln_{k}" for i in range(n_blocks) for k in (1, 2)] + ["ln_f"]:
        arrays |= {f"{norm}.weight": drawn(d_model, around=1.0), f"{norm}.bias": drawn(d_model)}
    return arrays


def write_safetensors(path, arrays, **others):
    """Write arrays; `others` become further entries of the table."""
    table, place = {"__metadata__": {"format": "pt"}, **others}, 0
    for name, array in arrays.items():
        offsets, place = [place, place + array.nbytes], place + array.nbytes
        table[name] = {"dtype": KINDS[array.dtype.name], "shape": list(array.shape), "data_offsets": offsets}
    head = json.dumps(table).encode()
    head += b" " * (-len(head) % 8)
    path.write_bytes(len(head).to_bytes(8, "little") + head + b"".join(a.tobytes() for a in arrays.values()))


def write_folder(folder, rng, d_model=24, n_blocks=2, n_positions=40, n_vocabulary=None):
    """Write the three files; return the arrays."""
    ids, pairs = learned_pieces()
    arrays = random_arrays(rng, n_vocabulary or len(ids), d_model, n_blocks, n_positions)
    folder.mkdir(exist_ok=True)
    write_safetensors(folder / "model.safetensors", arrays)
    (folder / "vocab.json").write_text(json.dumps(ids), encoding="utf-8")
    lines = ["#version: 0.2", *(" ".join(pair) for pair in pairs), ""]
    (folder / "merges.txt").write_text("\n".join(lines), encoding="utf-8")
    return arrays
