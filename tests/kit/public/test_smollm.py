"""SmolLM2 on the course's functions: its file, its pieces, what it computes; the libraries' own where they are."""

import sys

import numpy as np
import pytest

from tests.support import needs
from tests.support.odd_texts import MORE, TEXTS
from tests.support.small_gguf import MARKS, SIZES, fact, small_model, written
from transformer_kit import reference
from transformer_kit.parameters import empty_cache
from transformer_kit.public import smollm
from transformer_kit.public.chat_pieces import ChatPieces, chunks_with_single_digits
from transformer_kit.trained.model import ModelFileError

SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = tmp_path_factory.mktemp("gguf") / "small.gguf"
    path.write_bytes(written(*small_model(np.random.default_rng(3), **SIZES)))
    return path


@pytest.fixture(scope="module")
def model():
    if smollm.smollm_file() is None:
        pytest.skip(needs.SMOLLM)
    return smollm.load_smollm(reference.dequantised)


# ---- without the public file ----


def test_sizes_are_read_from_the_file(small):
    decoder, pieces = smollm.model_from(small, reference.dequantised)
    (block, _), width = decoder.blocks, 32
    assert [W.shape for W in block.attention] == [(96, 96), (96, width), (96, width), (96, 96)]
    assert [W.shape for W in block.ffn] == [(96, 64), (96, 64), (64, 96)]
    assert (decoder.n_heads, decoder.n_kv_heads, decoder.base) == (6, 2, 5000.0)
    assert decoder.embedding.shape == (len(pieces.pieces.ids) + len(MARKS), 96)
    assert decoder.embedding.dtype == block.attention.W_K.dtype == np.float32


def test_reading_at_once_or_piece_by_piece(small):
    decoder, pieces = smollm.model_from(small, reference.dequantised)
    ids = pieces.encode("The café's menu<|im_end|>\n", reference.byte_pair_merge)
    at_once, _ = reference.read_on(np.array(ids), decoder, empty_cache(decoder))
    cache = empty_cache(decoder)
    for number in ids:
        logits, cache = reference.read_on(np.array([number]), decoder, cache)
    assert logits.dtype == np.float32
    assert np.ptp(logits) > 1
    np.testing.assert_allclose(logits, at_once, atol=1e-4)


def test_what_was_cut_is_put_together_again(small):
    pieces = smollm.model_from(small, reference.dequantised).pieces
    for text in ("one<|im_end|>two 12½", "", "<|im_start|><|im_start|>", "naïve 👍"):
        assert pieces.decode(pieces.encode(text, reference.byte_pair_merge)) == text
    assert pieces.encode("\x00<|im_end|>", reference.byte_pair_merge) == [0, 2]  # a byte without a piece is unknown


def test_a_mark_is_never_made_of_letters():
    ids, pairs = {"a": 0, "b": 1, "c": 2, "aba": 3, "ab": 4}, {("a", "b"): 0}
    assert ChatPieces(ids, pairs, ["aba"], 9).encode("abaabc", reference.byte_pair_merge) == [3, 4, 2]
    with pytest.raises(ValueError, match="1 pieces have no id; the first is 'aba'"):
        ChatPieces(ids, pairs | {("ab", "a"): 1}, ["aba"], 9)


def test_every_number_is_a_chunk():
    assert chunks_with_single_digits("in 2024, ½ ²Ⅷ x1") == [
        "in",
        " ",
        "2",
        "0",
        "2",
        "4",
        ",",
        " ",
        "½",
        " ",
        *"²Ⅷ",
        " x",
        "1",
    ]


@pytest.mark.parametrize(
    ("name", "replaced", "said"),
    [
        ("general.architecture", ("general.architecture", 8, "gpt2"), "its architecture is not llama"),
        ("general.architecture", ("another", 8, "llama"), "it has no 'general.architecture'"),
        ("llama.block_count", ("llama.block_count", 4, 3), "it has no 'blk.2.attn_q.weight'"),
        ("llama.block_count", ("llama.block_count", 8, "2"), "its sizes are"),
        ("llama.attention.head_count", ("llama.attention.head_count", 4, 5), "its heads do not fit together"),
        ("llama.attention.head_count", ("llama.attention.head_count", 4, 0), "its sizes are"),
        ("llama.attention.head_count_kv", ("llama.attention.head_count_kv", 4, 3), "attn_k has the shape (32, 96)"),
        ("llama.rope.freq_base", ("llama.rope.freq_base", 6, -1.0), "its base or eps is not positive"),
        ("tokenizer.ggml.tokens", ("tokenizer.ggml.tokens", 9, ["a"] * 3, 8), "do not fit together"),
        ("tokenizer.ggml.merges", ("tokenizer.ggml.merges", 9, ["a b c"], 8), "not two pieces each"),
        ("tokenizer.ggml.merges", ("tokenizer.ggml.merges", 9, ["ẞ ẞ"], 8), "have no id"),
        ("tokenizer.ggml.merges", ("tokenizer.ggml.merges", 4, 3), "do not fit together"),
    ],
)
def test_another_model_is_refused(tmp_path, name, replaced, said):
    facts, arrays = small_model(np.random.default_rng(3), **SIZES)
    facts = [
        fact(*replaced) if name.encode() in one[: len(name) + 8] and one[8 + len(name)] < 32 else one for one in facts
    ]
    (tmp_path / "x.gguf").write_bytes(written(facts, arrays))
    with pytest.raises(ModelFileError, match="is no model of this kind") as error:
        smollm.model_from(tmp_path / "x.gguf", reference.dequantised)
    assert said in str(error.value)


def test_only_the_public_file_is_loaded(small, tmp_path):
    with pytest.raises(ModelFileError, match="has not the checksum"):
        smollm.load_smollm(reference.dequantised, small)
    with pytest.raises(ModelFileError, match=f"To install it.*{smollm.INSTALL}"):
        smollm.load_smollm(reference.dequantised, tmp_path / "not there")


# ---- with the public file, and the libraries that know it ----


@pytest.mark.exhaustive
def test_nothing_of_the_chat_package_is_run(model):
    assert smollm.PACKAGE not in sys.modules
    assert sum(array.size for array in _arrays(model.decoder)) == 134_515_008


def _arrays(value):
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from _arrays(one)


@pytest.mark.exhaustive
def test_pieces_of_smollm_are_the_originals(model):
    tokenizers = pytest.importorskip("tokenizers", reason=needs.TOKENIZERS)
    original = _tokenizer(tokenizers, model.pieces)
    rng = np.random.default_rng(6)
    odd = [chr(number) for number in rng.integers(1, 0x2FA1F, 4000) if not 0xD800 <= number < 0xE000]
    drawn = ["".join(rng.choice([*odd, *"aeiou  \n\t'19½"], 12)) for _ in range(3000)]
    for text in (*TEXTS, *MORE, *drawn, *MARKS, "a<|im_end|>b<|im_start|>\n"):
        assert model.pieces.encode(text, reference.byte_pair_merge) == original.encode(text).ids


def _tokenizer(tokenizers, pieces):
    """Put the library's tokenizer together as the model's own files say: digits alone, then GPT-2's chunks."""
    ids, merges = {**pieces.pieces.ids, **pieces.marks}, sorted(pieces.pieces.ranks, key=pieces.pieces.ranks.get)
    original = tokenizers.Tokenizer(tokenizers.models.BPE(ids, merges, unk_token="<|endoftext|>", fuse_unk=False))
    parts = tokenizers.pre_tokenizers
    original.pre_tokenizer = parts.Sequence(
        [parts.Digits(individual_digits=True), parts.ByteLevel(add_prefix_space=False)]
    )
    original.add_special_tokens(list(pieces.marks))
    return original


def _original(model, torch, transformers):
    """Return the same weights in the library's model, where a pair of rotated columns is i and i + d_k / 2."""
    decoder = model.decoder
    d_model, d_ff = decoder.blocks[0].ffn.W_gate.shape
    sizes = {"hidden_size": d_model, "intermediate_size": d_ff, "num_hidden_layers": len(decoder.blocks)}
    heads = {"num_attention_heads": decoder.n_heads, "num_key_value_heads": decoder.n_kv_heads}
    config = transformers.LlamaConfig(
        vocab_size=len(decoder.embedding), rope_parameters={"rope_type": "default", "rope_theta": decoder.base},
        rms_norm_eps=decoder.eps, tie_word_embeddings=True, **sizes, **heads,
    )  # fmt: skip
    original = transformers.LlamaForCausalLM(config).eval()

    def halves(W):
        by_pair = W.reshape(d_model, -1, d_model // decoder.n_heads // 2, 2)
        return by_pair.swapaxes(2, 3).reshape(W.shape)

    state = {"model.embed_tokens.weight": decoder.embedding, "model.norm.weight": decoder.norm}
    for i, (norm_1, (W_Q, W_K, W_V, W_O), norm_2, ffn) in enumerate(decoder.blocks):
        name = f"model.layers.{i}"
        state |= {f"{name}.input_layernorm.weight": norm_1, f"{name}.post_attention_layernorm.weight": norm_2}
        projections = {"q": halves(W_Q), "k": halves(W_K), "v": W_V, "o": W_O}
        state |= {f"{name}.self_attn.{key}_proj.weight": W.T for key, W in projections.items()}
        state |= {f"{name}.mlp.{k}_proj.weight": W.T for k, W in zip(("gate", "up", "down"), ffn, strict=True)}
    state = {key: torch.from_numpy(np.ascontiguousarray(array)) for key, array in state.items()}
    missing = original.load_state_dict(state, strict=False)
    assert (missing.missing_keys, missing.unexpected_keys) == (["lm_head.weight"], [])
    return original


@pytest.mark.exhaustive
@pytest.mark.parametrize("which", ["small", "public"])
def test_smollm_is_the_original(which, request):
    """Logits within 1e-3 of those of `transformers`, for a whole prompt and piece by piece."""
    torch = pytest.importorskip("torch", reason=needs.TORCH)
    transformers = pytest.importorskip("transformers", reason=needs.TRANSFORMERS)
    path = request.getfixturevalue("small") if which == "small" else None
    model = smollm.model_from(path, reference.dequantised) if path else request.getfixturevalue("model")
    prompt = reference.chat_prompt([("user", "What is the capital of France?")], SYSTEM)
    ids = model.pieces.encode(prompt + "The capital of", reference.byte_pair_merge)
    with torch.no_grad():
        expected = _original(model, torch, transformers)(torch.tensor([ids])).logits[0].numpy()
    cache, start = empty_cache(model.decoder), len(ids) - 4
    logits, cache = reference.read_on(np.array(ids[:start]), model.decoder, cache)
    for place in range(start, len(ids)):
        np.testing.assert_allclose(logits, expected[place - 1], atol=1e-3)
        logits, cache = reference.read_on(np.array(ids[place : place + 1]), model.decoder, cache)
    np.testing.assert_allclose(logits, expected[-1], atol=1e-3)
    assert np.ptp(logits) > 5
    assert which == "small" or model.pieces.decode([logits.argmax()]) == " France"
