"""The reference functions of unit 09 against slow loops, cases by hand and the course's rules."""

import math

import numpy as np
import pytest

from tests.support.loops import loop_norm
from transformer_kit import reference
from transformer_kit.corpus.vocabulary import BOS, make_vocabulary
from transformer_kit.experiments.whole_model.activations import trace
from transformer_kit.parameters import LayerNormParams, Sizes, init_decoder_layer, init_model
from transformer_kit.parameters.cache import start_cache
from transformer_kit.parameters.tree import flatten, unflatten

RNG = np.random.default_rng(909)
D_MODEL, N_HEADS, D_FF = 12, 3, 20
X, MEMORY = RNG.standard_normal((2, 5, D_MODEL)), RNG.standard_normal((2, 7, D_MODEL))
PARAMS = init_decoder_layer(RNG, D_MODEL, N_HEADS, D_FF, noise=0.3)
IS_TOKEN = np.array([[True] * 4 + [False] * 3, [True] * 7])
SOURCE, TARGET = make_vocabulary(["abcdefghi."]), make_vocabulary(["uvwxyz"])
MODEL = init_model(RNG, SOURCE, TARGET, Sizes(D_MODEL, N_HEADS, D_FF, 2), noise=0.2, lengths=(9, 8))
SOURCE_IDS = np.where(IS_TOKEN, RNG.integers(4, len(SOURCE), IS_TOKEN.shape), 0)
TARGET_IDS = np.concatenate([np.full((2, 1), BOS), RNG.integers(4, len(TARGET), (2, 4))], axis=1)


def loop_attention(query, keys, params):
    """One query vector, one head at a time; `keys` are the token vectors it may see."""
    width, output = D_MODEL // N_HEADS, np.zeros(D_MODEL)
    for head in range(N_HEADS):
        part = slice(head * width, (head + 1) * width)
        dots = [query @ params.W_Q[:, part] @ (key @ params.W_K[:, part]) / math.sqrt(width) for key in keys]
        total = sum(map(math.exp, dots))
        for key, dot in zip(keys, dots, strict=True):
            output += math.exp(dot) / total * (key @ params.W_V[:, part]) @ params.W_O[part]
    return output


def loop_decoder_layer(X, memory, is_token, params, norm_first, eps):
    """One sentence and one position at a time."""
    output = np.zeros(X.shape)
    for b, tokens in enumerate(X):
        source = [memory[b, j] for j in range(memory.shape[1]) if is_token[b, j]]
        steps = (
            (lambda i, Z: loop_attention(Z[i], Z[: i + 1], params.self_attention), params.norm_1),
            (lambda i, Z, source=source: loop_attention(Z[i], source, params.cross_attention), params.norm_2),
            (lambda i, Z: np.maximum(Z[i] @ params.ffn.W_1 + params.ffn.b_1, 0) @ params.ffn.W_2 + params.ffn.b_2,
             params.norm_3),
        )  # fmt: skip
        for sublayer, norm in steps:
            Z = loop_norm(tokens, *norm, eps) if norm_first else tokens
            tokens = tokens + np.array([sublayer(i, Z) for i in range(len(Z))])
            if not norm_first:
                tokens = loop_norm(tokens, *norm, eps)
        output[b] = tokens
    return output


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("eps", [1e-5, 0.1])
def test_decoder_layer_is_the_slow_loop(norm_first, eps):
    expected = loop_decoder_layer(X, MEMORY, IS_TOKEN, PARAMS, norm_first, eps)
    masks = reference.causal_mask(5), reference.padding_mask(IS_TOKEN)
    result = reference.decoder_layer(X, MEMORY, PARAMS, N_HEADS, *masks, norm_first, eps)
    np.testing.assert_allclose(result, expected, rtol=1e-10, atol=1e-12)
    one = reference.decoder_layer(X[1], MEMORY[1], PARAMS, N_HEADS, masks[0], None, norm_first, eps)
    np.testing.assert_allclose(one, expected[1], rtol=1e-10, atol=1e-12)


def test_a_silent_decoder_layer():
    silent = type(PARAMS)(*(type(part)(*map(np.zeros_like, part)) for part in PARAMS))
    kept = silent._replace(norm_1=PARAMS.norm_1, norm_2=PARAMS.norm_2, norm_3=PARAMS.norm_3)
    np.testing.assert_array_equal(reference.decoder_layer(X, MEMORY, kept, N_HEADS, norm_first=True), X)


def test_encoder_is_its_parts():
    """Embeddings times the root of 12, plus positions, through both layers."""
    vectors = MODEL.source_embedding[SOURCE_IDS] * math.sqrt(12) + reference.positional_encoding(7, 12)
    for params in MODEL.encoder:
        vectors = reference.encoder_layer(vectors, params, N_HEADS, IS_TOKEN[:, None, :])
    np.testing.assert_allclose(reference.encode_source(SOURCE_IDS, IS_TOKEN, MODEL), vectors, rtol=1e-13)


def test_decoder_is_its_parts():
    memory = reference.encode_source(SOURCE_IDS, IS_TOKEN, MODEL)
    vectors = MODEL.target_embedding[TARGET_IDS] * math.sqrt(12) + reference.positional_encoding(5, 12)
    masks = np.tri(5, dtype=bool), IS_TOKEN[:, None, :]
    for params in MODEL.decoder:
        vectors = reference.decoder_layer(vectors, memory, params, N_HEADS, *masks)
    logits = reference.decode_target(TARGET_IDS, memory, IS_TOKEN, MODEL)
    np.testing.assert_allclose(logits, vectors @ MODEL.target_embedding.T, rtol=1e-13)
    own = MODEL._replace(output_projection=RNG.standard_normal((D_MODEL, 9)))
    logits = reference.decode_target(TARGET_IDS, memory, IS_TOKEN, own)
    np.testing.assert_allclose(logits, vectors @ own.output_projection, rtol=1e-13)


def test_padding_and_later_tokens_do_not_matter():
    other_ids, longer = SOURCE_IDS.copy(), np.concatenate([TARGET_IDS, TARGET_IDS[:, 1:3]], axis=1)
    other_ids[0, 4:] = 5
    memory = reference.encode_source(SOURCE_IDS, IS_TOKEN, MODEL)
    other_memory = reference.encode_source(other_ids, IS_TOKEN, MODEL)
    np.testing.assert_allclose(other_memory[IS_TOKEN], memory[IS_TOKEN], rtol=1e-12, atol=1e-14)
    logits = reference.decode_target(TARGET_IDS, memory, IS_TOKEN, MODEL)
    more = reference.decode_target(longer, other_memory, IS_TOKEN, MODEL)
    np.testing.assert_allclose(more[:, :5], logits, rtol=1e-12, atol=1e-14)


def test_cached_steps_are_the_whole_decoder():
    memory = reference.encode_source(SOURCE_IDS, IS_TOKEN, MODEL)
    logits = reference.decode_target(TARGET_IDS, memory, IS_TOKEN, MODEL)
    cache = start_cache(memory, MODEL, reference.project_memory)
    for step in range(5):
        assert cache[1].K.shape == (2, N_HEADS, step, D_MODEL // N_HEADS)
        result, cache = reference.cached_decode_step(TARGET_IDS[:, step], cache, IS_TOKEN, MODEL)
        np.testing.assert_allclose(result, logits[:, step], rtol=1e-11, atol=1e-13)


def test_translation_by_hand():
    """A model of which only the output layer is set up: it always says the same word, until it may say no more."""
    silent = unflatten(MODEL, np.zeros(flatten(MODEL).shape))
    favourite = np.zeros((D_MODEL, len(TARGET)))
    ones = LayerNormParams(np.zeros(D_MODEL), np.ones(D_MODEL))
    favourite[:, TARGET["w"]] = 1
    model = silent._replace(decoder=tuple(p._replace(norm_3=ones) for p in silent.decoder), output_projection=favourite)
    assert reference.translate("a b c", model) == "W" + " w" * 7
    favourite[:, 3] = 2  # <eos>
    assert reference.translate("a b c", model) == ""
    assert reference.translate("a b c", model, beam_width=2) == ""


@pytest.mark.parametrize("beam_width", [1, 3])
def test_translation_follows_the_decoding_of_unit_08(beam_width):
    words = "a c f i ."
    memory = reference.encode_source(reference.encode(words, SOURCE)[None], np.ones((1, 5), bool), MODEL)

    def next_log_probs(prefixes):
        k = len(prefixes)
        logits = reference.decode_target(prefixes, memory.repeat(k, 0), np.ones((k, 5), bool), MODEL)[:, -1]
        return np.log(reference.softmax(logits))

    best = reference.beam_search(next_log_probs, 2, 3, beam_width, 8, 0.6)[0][1]
    spelled = " ".join("uvwxyz"[token - 4] for token in best if token > 3)
    assert reference.translate("A C f I", MODEL, beam_width, 0.6) == spelled.capitalize()


def test_counting_parameters():
    """The paper's base and big models with 37,000 tokens, and a small one against its arrays."""
    assert reference.count_transformer_parameters(37000, 512, 2048, 6) == 63045632
    assert reference.count_transformer_parameters(37000, 1024, 4096, 6) == 214171648
    shared = MODEL._replace(source_embedding=np.empty((0, D_MODEL)))
    assert reference.count_transformer_parameters(len(TARGET), D_MODEL, D_FF, 2) == flatten(shared).size
    assert type(reference.count_transformer_parameters(8, 4, 6, 1)) is int


def test_precision_is_kept_and_inputs_are_left_alone():
    low = unflatten(MODEL, flatten(MODEL, np.float32))
    before = flatten(low).copy()
    memory = reference.encode_source(SOURCE_IDS, IS_TOKEN, low)
    logits = reference.decode_target(TARGET_IDS, memory, IS_TOKEN, low)
    step, _ = reference.cached_decode_step(
        TARGET_IDS[:, 0], start_cache(memory, low, reference.project_memory), IS_TOKEN, low
    )
    assert {memory.dtype, logits.dtype, step.dtype} == {np.dtype(np.float32)}
    np.testing.assert_array_equal(flatten(low), before)


def test_trace_ends_where_the_functions_do():
    parts = trace(SOURCE_IDS, IS_TOKEN, TARGET_IDS, MODEL)
    memory = reference.encode_source(SOURCE_IDS, IS_TOKEN, MODEL)
    np.testing.assert_allclose(parts["encoder.1.norm_2"], memory, rtol=1e-13)
    np.testing.assert_allclose(
        parts["logits"], reference.decode_target(TARGET_IDS, memory, IS_TOKEN, MODEL), rtol=1e-12, atol=1e-14
    )
    assert parts["decoder.0.cross_attention.weights"].shape == (2, N_HEADS, 5, 7)
    assert list(parts)[:3] == ["source", "encoder.0.attention", "encoder.0.attention.weights"]
    assert list(parts)[-1] == "logits"


class Changed:
    """The reference with one function changed."""

    def __init__(self, **functions):
        self.functions = functions

    def __getattr__(self, name):
        return self.functions.get(name) or getattr(reference, name)


def far_layer_norm(X, gamma, beta, eps=1e-5):
    return reference.layer_norm(X, gamma, beta, eps) * math.sqrt(1 - 1 / X.shape[-1])


def first_difference(got, expected):
    """Return the name of the first part of a trace that is not as it should be, or None."""

    def same(name):
        return np.shape(got[name]) == expected[name].shape and np.abs(got[name] - expected[name]).max() <= 1e-3

    return next((name for name in expected if not same(name)), None)


@pytest.mark.parametrize(
    ("functions", "first"),
    [
        ({}, None),
        ({"layer_norm": lambda X, gamma, beta: reference.layer_norm(X, gamma, beta, 1e-12)}, None),
        ({"positional_encoding": lambda n, d: reference.positional_encoding(n + 1, d)[1:]}, "source"),
        ({"causal_mask": lambda n: np.tri(n, k=1, dtype=bool)}, "decoder.0.self_attention"),
        ({"padding_mask": lambda is_token: np.ones((2, 1, 7), bool)}, "encoder.0.attention"),
        ({"layer_norm": far_layer_norm}, "encoder.0.norm_1"),
        ({"position_wise_ffn": lambda X, p: reference.position_wise_ffn(X, p, reference.gelu)}, "encoder.0.ffn"),
        ({"multi_head_attention": lambda *args: (np.zeros((2, 3)), None)}, "encoder.0.attention"),
    ],
)
def test_the_first_part_that_differs_is_named(functions, first):
    expected = trace(SOURCE_IDS, IS_TOKEN, TARGET_IDS, MODEL)
    if "multi_head_attention" in functions:
        got = expected | {"encoder.0.attention": np.zeros((2, 3))}
    else:
        got = trace(SOURCE_IDS, IS_TOKEN, TARGET_IDS, MODEL, Changed(**functions))
    assert first_difference(got, expected) == first
