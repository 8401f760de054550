"""Specification of `biased_attention`."""

import numpy as np

from autograder.exercises.inputs import in_float32, judged, random_mask
from autograder.exercises.unit_12_models_you_know import calls, lookalikes
from autograder.exercises.unit_12_models_you_know.inputs import D_MODEL, N_HEADS
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import init_biased_attention
from transformer_kit.reference import masked_attention, merge_heads, split_heads

BIASES = "Four more vectors"

EXERCISE = Exercise(
    reference=reference.biased_attention,
    asks="multi-head attention in which each of the four projections has a bias.",
    returns=(Output("output", "(..., n_queries, d_model)"), Output("weights", "(..., n_heads, n_queries, n_keys)")),
    calls=calls.BIASED_ATTENTION,
    lookalike=lookalikes.BIASED_ATTENTION,
)


def _given(rng, leading=(), d_k=7, d_v=5, noise=0.7):
    """Draw the vectors of queries and keys, and the parameters of three heads."""
    X_query, X_key = (rng.standard_normal((*leading, n, D_MODEL)) for n in (6, 7))
    return X_query, X_key, init_biased_attention(rng, D_MODEL, N_HEADS, d_k, d_v, noise), N_HEADS


@EXERCISE.claim(0.5)
def without_biases(call, rng):
    """with biases of 0 it is multi-head attention"""
    call.agrees(*_given(rng, noise=0.0))
    call.agrees(*_given(rng, noise=0.0, d_k=5, d_v=2), random_mask(rng, 6, 7))


@EXERCISE.claim(1.5)
def values(call, rng):
    """every projection has its bias"""
    call.agrees(*_given(rng))
    call.agrees(*_given(rng, d_k=5, d_v=2))
    call.agrees(*_given(rng, d_k=4, d_v=4))  # all projections as wide as the input: no wrong one ends in an error
    X_query, X_key, params, n_heads = _given(rng)
    for name in ("b_Q", "b_V", "b_O"):
        others = {b: np.zeros_like(getattr(params, b)) for b in ("b_Q", "b_V", "b_O") if b != name}
        call.agrees(X_query, X_key, params._replace(**others), n_heads)


@EXERCISE.claim(1)
def masked(call, rng):
    """a mask hides the same keys from all heads, whether there is one for all sequences or one for each"""
    call.agrees(*_given(rng), random_mask(rng, 6, 7))
    call.agrees(*_given(rng, (N_HEADS,)), random_mask(rng, N_HEADS, 6, 7))  # as many sequences as heads
    call.agrees(*_given(rng, (2,)), random_mask(rng, 2, 1, 7))


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for any leading axes"""
    call.agrees(*_given(rng, (2,)))
    call.agrees(*_given(rng, (2, 4)))


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone, and also takes float32"""
    given, mask = _given(rng), random_mask(rng, 6, 7)
    call.leaves_inputs_alone(*given, mask)
    call.agrees(*given)
    X_query, X_key, params, n_heads = given
    with judged():
        call.agrees(X_query.astype(np.float32), X_key.astype(np.float32), in_float32(params), n_heads)


wrong = WrongAnswers(EXERCISE, globals())


def _without(params, *names):
    return params._replace(**{name: np.zeros_like(getattr(params, name)) for name in names})


def _projected(X_query, X_key, params):
    """Return queries, keys and values of all heads side by side."""
    Q = X_query @ params.W_Q + params.b_Q
    return Q, X_key @ params.W_K + params.b_K, X_key @ params.W_V + params.b_V


def _of_all_heads(mask):
    return None if mask is None else np.asarray(mask)[..., None, :, :]


def _attend(Q, K, V, params, mask):
    """Attend in heads that are split already, and mix them."""
    heads, weights = masked_attention(Q, K, V, mask)
    return merge_heads(heads) @ params.W_O + params.b_O, weights


wrong.at(BIASES)
wrong("no-biases", "multi_head_attention(X_query, X_key, params, n_heads, mask)", """
    No bias is added at all.
    That is the multi-head attention of unit 04. These models were trained with biases, and need them.""")


@wrong.function
def biases_after_the_split(X_query, X_key, params, n_heads, mask=None):
    """The biases are added after the split into heads.
    A bias has one number for each column of the product, those of all heads side by side. Add it before you split."""
    Q = split_heads(X_query @ params.W_Q, n_heads) + params.b_Q
    K = split_heads(X_key @ params.W_K, n_heads) + params.b_K
    V = split_heads(X_key @ params.W_V, n_heads) + params.b_V
    return _attend(Q, K, V, params, _of_all_heads(mask))


wrong("no-bias-at-the-end", 'biased_attention(X_query, X_key, _without(params, "b_O"), n_heads, mask)', """
    The bias b_O is left out.
    The product with W_O is a projection like the other three, and has a bias like them.""")

wrong("only-at-the-end", 'biased_attention(X_query, X_key, _without(params, "b_Q", "b_K", "b_V"), n_heads, mask)', """
    Only the bias b_O is added.
    Queries, keys and values each have a bias too.""")

wrong("no-bias-of-queries", 'biased_attention(X_query, X_key, _without(params, "b_Q"), n_heads, mask)', """
    The bias b_Q is left out.
    It is added to every query before the heads are split.""")

wrong("no-bias-of-values", 'biased_attention(X_query, X_key, _without(params, "b_V"), n_heads, mask)', """
    The bias b_V is left out.
    It is added to every value before the heads are split.""")

wrong("queries-with-the-bias-of-keys",
      "biased_attention(X_query, X_key, params._replace(b_Q=params.b_K, b_K=params.b_Q), n_heads, mask)", """
    The biases of queries and keys are exchanged.
    Each bias belongs to the matrix with the same letter.""")

wrong("one-bias-for-all", {"params.b_K": "params.b_Q", "params.b_V": "np.resize(params.b_Q, params.b_V.shape)"}, """
    The bias of the queries is added to keys and values as well.
    There are four biases, one for each projection.""")

wrong("biases-first",
      {"params.W_Q, params.b_Q": "params.W_Q, params.b_Q * np.sqrt(params.W_Q.shape[-1] // n_heads)"}, """
    The bias of the queries is added after the scale.
    A query is the product with W_Q plus b_Q. All of it is divided by the root of d_k, or none of it.""")


@wrong.function
def subtracted(X_query, X_key, params, n_heads, mask=None):
    """The biases are subtracted.
    A linear map is X W + b."""
    negative = params._replace(**{name: -getattr(params, name) for name in ("b_Q", "b_K", "b_V", "b_O")})
    return reference.biased_attention(X_query, X_key, negative, n_heads, mask)


wrong("bias-for-every-head",
      "biased_attention(X_query, X_key, params._replace(b_O=n_heads * params.b_O), n_heads, mask)", """
    The bias b_O is added once for every head.
    It comes after the sum over the heads, once.""")


@wrong.function
def first_bias_for_all_heads(X_query, X_key, params, n_heads, mask=None):
    """All heads get the bias of the first head.
    Add the bias while the heads still stand side by side, or split it as you split the rest."""
    same = {name: np.tile(np.split(getattr(params, name), n_heads)[0], n_heads) for name in ("b_Q", "b_K", "b_V")}
    return reference.biased_attention(X_query, X_key, params._replace(**same), n_heads, mask)


wrong("residual-added", {
    "(merge_heads(heads), params.W_O, params.b_O), weights":
        "(merge_heads(heads), params.W_O, params.b_O) + X_query, weights",
}, """
    The input is added to the output.
    The residual connection is outside the attention, in the layer.""")

wrong.at()
wrong("keys-from-queries", {
    "X_query, X_key = as_float(X_query), as_float(X_key)": "X_query = X_key = as_float(X_query)",
    "np.asarray(mask)[..., None, :, :]": "np.asarray(mask)[..., None, :, : X_query.shape[-2]]",
}, """
    Keys and values are made of X_query.
    In self-attention both are the same array. Between two texts they are not.""")

wrong("values-from-queries",
      "biased_attention(X_key, X_query, params, n_heads, mask if mask is None else mask.swapaxes(-1, -2))", """
    Queries are made of X_key, and keys and values of X_query.
    The first argument asks, and the second is asked.""")

wrong("mask-ignored", "biased_attention(X_query, X_key, params, n_heads)", """
    The mask is not used.
    Then padding and later tokens are looked at.""")

wrong("mask-inverted", "biased_attention(X_query, X_key, params, n_heads, None if mask is None else ~mask)", """
    The mask hides what may be seen.
    True means "may attend" everywhere in this course.""")

wrong("mask-along-heads", {"np.asarray(mask)[..., None, :, :]": "np.asarray(mask)"}, """
    The mask of a batch is used without an axis for the heads.
    Its first axis is then taken for that of the heads. Give it an axis of length 1 before the last two.""")

wrong("one-head", "biased_attention(X_query, X_key, params, 1, mask)", """
    There is only one head, of the full width.
    Split queries, keys and values into heads, and attend in each.""")

wrong("no-scale", {"masked_attention(Q, K": "masked_attention(Q * Q.shape[-1] ** 0.5, K"}, """
    The scores are not divided by the root of d_k.
    Your attention of unit 03 does that. If you write the scores anew, you have to divide as well.""")


@wrong.function
def heads_reshaped(X_query, X_key, params, n_heads, mask=None):
    """The heads are cut by one reshape, without exchanging axes.
    Then a head gets whole tokens, not a slice of each token. Use your `split_heads`."""
    Q, K, V = (Z.reshape(*Z.shape[:-2], n_heads, Z.shape[-2], -1) for Z in _projected(X_query, X_key, params))
    return _attend(Q, K, V, params, _of_all_heads(mask))


wrong("mean-weights", {"params.b_O), weights": "params.b_O), weights.mean(axis=-3)"}, """
    The weights are averaged over the heads.
    Every head has a map of its own. Keep the axis of the heads.""")

wrong("output-only", "biased_attention(X_query, X_key, params, n_heads, mask)[0]", """
    Only the output is returned.
    Return the weights as well, as `multi_head_attention` does.""")

wrong("values-by-W_K", {"linear(X_key, params.W_V, params.b_V)": "linear(X_key, params.W_K, params.b_K)"}, """
    The values are made with the matrix and the bias of the keys.
    Queries, keys and values have a matrix and a bias each.""")

wrong.at(BIASES)
wrong("values-with-the-bias-of-keys",
      {"linear(X_key, params.W_V, params.b_V)": "linear(X_key, params.W_V, params.b_K)"}, """
    The values get the bias of the keys.
    Queries, keys and values have a matrix and a bias each.""")

wrong("bias-of-values-at-the-end", {"params.W_O, params.b_O": "params.W_O, params.b_V"}, """
    The bias of the values is added at the end, not b_O.
    Both may have the same shape, so nothing complains. What has gone through W_O gets b_O.""")

wrong.at()
wrong("queries-by-W_K", {"params.W_Q": "params.W_K"}, """
    The queries are made with W_K.
    Queries, keys and values have a matrix and a bias each.""")

wrong("keys-by-W_Q", {"params.W_K": "params.W_Q"}, """
    The keys are made with W_Q.
    Queries, keys and values have a matrix and a bias each.""")

wrong.small("queries-by-W_K keys-by-W_Q no-scale", without_biases, values)
