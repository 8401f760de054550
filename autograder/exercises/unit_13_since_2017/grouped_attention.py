"""Specification of `grouped_attention`."""

import numpy as np

from autograder.exercises.inputs import in_float32, judged
from autograder.exercises.unit_13_since_2017 import calls, lookalikes
from autograder.exercises.unit_13_since_2017.inputs import BASE, N_HEADS, N_KV_HEADS, block, some_cache, vectors
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import KeysAndValues
from transformer_kit.reference import causal_mask, masked_attention, merge_heads, rotate, share_heads, split_heads

CACHE = "What the cache holds"
STEPS = "Where the new tokens stand"

EXERCISE = Exercise(
    reference=reference.grouped_attention,
    asks="causal attention of the new tokens to all so far, with turned queries and keys and shared heads.",
    returns=(
        Output("output", "(..., n_new, d_model)"),
        Output("weights", "(..., n_heads, n_new, n_before + n_new)"),
        Output("cache"),
    ),
    calls=calls.GROUPED_ATTENTION,
    lookalike=lookalikes.GROUPED_ATTENTION,
)


def _given(rng, n=5, n_before=0, n_kv_heads=N_KV_HEADS, base=BASE):
    """Draw new tokens, parameters, and a cache of some earlier tokens."""
    cache = some_cache(rng, n_before=n_before, n_kv_heads=n_kv_heads)
    return vectors(rng, n=n), block(rng, n_kv_heads).attention, N_HEADS, n_kv_heads, base, cache


@EXERCISE.claim(1)
def at_once(call, rng):
    """without a cache, output and weights are those of turned queries and keys, with shared heads"""
    for n_kv_heads, base in ((2, BASE), (3, 700.0), (N_HEADS, BASE), (1, BASE)):
        for number in (0, 1):
            call.agrees_in(number, *_given(rng, n_kv_heads=n_kv_heads, base=base))


@EXERCISE.claim(1)
def goes_on(call, rng):
    """with a cache, the new tokens stand after the earlier ones and see them all"""
    for n, n_before in ((1, 4), (3, 5), (2, 1)):
        for number in (0, 1):
            call.agrees_in(number, *_given(rng, n, n_before))


@EXERCISE.claim(1)
def cache(call, rng):
    """the cache has the turned keys, and the values, of all tokens, n_kv_heads heads of each"""
    for n, n_before, n_kv_heads in ((4, 0, 2), (1, 3, 3), (3, 2, 1)):
        call.agrees_in(2, *_given(rng, n, n_before, n_kv_heads))


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs and the old cache alone; takes any leading axes, and float32"""
    X, params, *rest, cache = _given(rng, 2, 3)
    call.leaves_inputs_alone(X, params, *rest, cache)
    call.agrees(X, params, *rest, cache)
    with judged():
        call.agrees(vectors(rng, 2, 4), params, *rest, some_cache(rng, 2, 4))
        call.agrees(X.astype(np.float32), in_float32(params), *rest, in_float32(cache))


wrong = WrongAnswers(EXERCISE, globals())


def _attend(Q, K, V, params, n_heads, mask=None):
    """Attend with shared heads, which are merged and mixed."""
    mask = causal_mask(Q.shape[-2], K.shape[-2]) if mask is None else mask
    heads, weights = masked_attention(Q, share_heads(K, n_heads), share_heads(V, n_heads), mask)
    return merge_heads(heads) @ params.W_O, weights


wrong.at(STEPS)
wrong("positions-without-the-cache", {"np.arange(n_before, n_before + n_new)": "np.arange(n_new)"}, """
    The new tokens get the positions 0, 1, 2, although others came before them.
    Read all at once, the text comes out right. Read piece by piece, every new token takes itself for the first. The
    cache knows how many there are.""")

wrong("queries-without-the-cache", {"rotate(split_heads(X @ params.W_Q, n_heads), positions, base)":
                                    "rotate(split_heads(X @ params.W_Q, n_heads), np.arange(n_new), base)"}, """
    The queries get the positions 0, 1, 2, although others came before them.
    A query and the key of the same token stand at the same position. The cache knows how many there are.""")

wrong("positions-from-1", {"np.arange(n_before, n_before + n_new)": "1 + np.arange(n_before, n_before + n_new)"}, """
    The positions are one too high.
    The first token of a text has position 0. Output and weights are the same, since only distances count, but the keys
    in the cache are others.""")

wrong("mask-of-the-first", {"causal_mask(n_new, n_before + n_new)": "np.tri(n_new, n_before + n_new, dtype=bool)"}, """
    The mask takes the new tokens for the first ones of the text.
    They are its last ones: the first new token may see all earlier ones and itself.""")

wrong("no-mask", {", mask)": ")"}, """
    There is no mask.
    A token may see itself and those before it. Where several are read at once, the later ones have to be hidden.""")

wrong.at(CACHE)


@wrong.function
def cache_turned_again(X, params, n_heads, n_kv_heads, base, cache):
    """The keys of the cache are turned again at every step.
    They were turned when they came in. Turn the new ones, and only then put them behind the old ones."""
    n_before, n_all = cache.K.shape[-2], cache.K.shape[-2] + X.shape[-2]
    new = split_heads(X @ params.W_K, n_kv_heads)
    K = rotate(np.concatenate([cache.K, new], axis=-2), np.arange(n_all), base)
    V = np.concatenate([cache.V, split_heads(X @ params.W_V, n_kv_heads)], axis=-2)
    Q = rotate(split_heads(X @ params.W_Q, n_heads), np.arange(n_before, n_all), base)
    return *_attend(Q, K, V, params, n_heads), KeysAndValues(K, V)


@wrong.function
def cache_before_turning(X, params, n_heads, n_kv_heads, base, cache):
    """The cache gets the new keys before they are turned.
    At the next step nobody turns them any more. What is kept is what was attended to: turned keys."""
    output, weights, new = reference.grouped_attention(X, params, n_heads, n_kv_heads, base, cache)
    plain = split_heads(X @ params.W_K, n_kv_heads)
    return output, weights, new._replace(K=np.concatenate([cache.K, plain], axis=-2))


wrong("shared-heads-kept", {
    "KeysAndValues(K, V)": "KeysAndValues(share_heads(K, n_heads), share_heads(V, n_heads))",
}, """
    The cache holds the shared heads, as many as there are of queries.
    The output is right, and the cache as large as if nothing were shared. To keep it small is why heads are shared at
    all: share after you have kept.""")

wrong("cache-as-it-came", {"KeysAndValues(K, V)": "cache"}, """
    The cache is returned as it came.
    At the next step these tokens will be earlier ones. Their keys and values have to be there.""")

wrong("only-new-kept", {"KeysAndValues(K, V)": "KeysAndValues(K[..., n_before:, :], V[..., n_before:, :])"}, """
    The cache holds the new tokens alone.
    It has to hold the keys and values of all tokens so far.""")

wrong("new-before-old", {"[cache.K, K]": "[K, cache.K]", "[cache.V, V]": "[V, cache.V]"}, """
    The new keys and values are put before the old ones.
    The order of the cache is that of the text, and the mask counts on it.""")

wrong("keys-and-values-exchanged", {"KeysAndValues(K, V)": "KeysAndValues(V, K)"}, """
    Keys and values are exchanged in the cache.
    The keys come first.""")

wrong("cache-ignored", "grouped_attention(X, params, n_heads, n_kv_heads, base, "
      "KeysAndValues(*(A[..., :0, :] for A in cache)))", """
    The cache is not used.
    The new tokens attend to all so far. The keys and values of the earlier ones are in the cache.""")

wrong.at("Exercise 13.1: rotate")
wrong("values-turned", {"V = split_heads(X @ params.W_V, n_kv_heads)":
                        "V = rotate(split_heads(X @ params.W_V, n_kv_heads), positions, base)"}, """
    The values are turned as well.
    Places matter for *where* to look, which queries and keys decide. What is passed on stays as it is.""")

wrong("only-queries-turned", {"rotate(split_heads(X @ params.W_K, n_kv_heads), positions, base)":
                              "split_heads(X @ params.W_K, n_kv_heads)"}, """
    Only the queries are turned.
    The product depends on the distance because both are turned, each by its own position.""")

wrong("only-keys-turned", {"rotate(split_heads(X @ params.W_Q, n_heads), positions, base)":
                           "split_heads(X @ params.W_Q, n_heads)"}, """
    Only the keys are turned.
    The product depends on the distance because both are turned, each by its own position.""")

wrong("nothing-turned", {"rotate(split_heads(X @ params.W_K, n_kv_heads), positions, base)":
                         "split_heads(X @ params.W_K, n_kv_heads)",
                         "rotate(split_heads(X @ params.W_Q, n_heads), positions, base)":
                         "split_heads(X @ params.W_Q, n_heads)"}, """
    Neither queries nor keys are turned.
    Then attention cannot tell the order of the words.""")

wrong("turned-before-the-split", {"rotate(split_heads(X @ params.W_Q, n_heads), positions, base)":
                                  "split_heads(rotate(X @ params.W_Q, positions, base), n_heads)",
                                  "rotate(split_heads(X @ params.W_K, n_kv_heads), positions, base)":
                                  "split_heads(rotate(X @ params.W_K, positions, base), n_kv_heads)"}, """
    Queries and keys are turned before they are split into heads.
    Then each head gets other frequencies, and queries others than keys. Every head turns from its fastest pair to its
    slowest.""")

wrong("turned-before-the-projections", {"X @ params.W_Q": "rotate(X, positions, base) @ params.W_Q",
                                        "X @ params.W_K": "rotate(X, positions, base) @ params.W_K"}, """
    The tokens' vectors are turned, before they are projected.
    Then W_Q and W_K mix what was turned, and distances are lost. Queries and keys are turned, head by head.""")

wrong("base-ignored", "grouped_attention(X, params, n_heads, n_kv_heads, 10000.0, cache)", """
    The argument base is ignored.
    10,000 is the default of your `rotate`. Give it what the model was trained with.""")

wrong.at("Exercise 13.2: share_heads")
wrong("heads-tiled", {"share_heads(K, n_heads), share_heads(V, n_heads)":
                      "*(np.concatenate([A] * (n_heads // n_kv_heads), axis=-3) for A in (K, V))"}, """
    The heads are shared in another order: 0, 1, 0, 1 in place of 0, 0, 1, 1.
    Neighbouring heads of queries share one head of keys and values.""")

wrong.at()
wrong("scaled-by-the-whole-width", {"heads, weights = masked_attention(Q,":
                                    "heads, weights = masked_attention(Q / n_heads**0.5,"}, """
    The scores are divided by the root of d_model.
    Each head has vectors of width d_k, and d_k stands below the root.""")

wrong("not-scaled", {"heads, weights = masked_attention(Q,":
                     "heads, weights = masked_attention(Q * Q.shape[-1] ** 0.5,"}, """
    The scores are not divided by the root of d_k.
    That is the scale of unit 02, which `masked_attention` has in it.""")

wrong("no-output-matrix", {" @ params.W_O": ""}, """
    W_O is missing.
    The heads stand side by side when they are merged, and W_O mixes them.""")

wrong("weights-of-one-head", {"weights, KeysAndValues": "weights.mean(axis=-3), KeysAndValues"}, """
    The weights are the mean over the heads.
    Every head has its own, and all are returned.""")

wrong("no-cache-returned", {", KeysAndValues(K, V)": ""}, """
    The cache is not returned.
    There are three results: output, weights, and the cache for the next step.""")
