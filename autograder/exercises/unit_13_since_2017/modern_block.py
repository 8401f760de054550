"""Specification of `modern_block`."""

import numpy as np

from autograder.exercises.inputs import judged
from autograder.exercises.unit_13_since_2017 import calls, lookalikes
from autograder.exercises.unit_13_since_2017.inputs import (
    BASE,
    D_MODEL,
    EPS,
    N_HEADS,
    N_KV_HEADS,
    block,
    some_cache,
    vectors,
)
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import KeysAndValues
from transformer_kit.reference import grouped_attention, rms_norm, swiglu

EXERCISE = Exercise(
    reference=reference.modern_block,
    asks="to X add attention to the normalised X, then add the gated network of the normalised sum.",
    returns=(
        Output("X", "(..., n_new, d_model)"),
        Output("weights", "(..., n_heads, n_new, n_before + n_new)"),
        Output("cache"),
    ),
    calls=calls.MODERN_BLOCK,
    lookalike=lookalikes.MODERN_BLOCK,
)
FORM = "Two sums, two norms"


def _with(rng, params, n=5, n_before=2, size=1.0, eps=EPS):
    """Draw tokens and a cache for a block; the tokens have a mean, which no norm takes away."""
    X = size * (vectors(rng, n=n) + 0.5)
    return X, params, N_HEADS, N_KV_HEADS, BASE, eps, some_cache(rng, n_before=n_before)


def _attention_alone(params):
    return params._replace(ffn=params.ffn._replace(W_down=np.zeros_like(params.ffn.W_down)))


def _network_alone(params):
    return params._replace(attention=params.attention._replace(W_O=np.zeros((D_MODEL, D_MODEL))))


@EXERCISE.claim(0.5)
def attention_half(call, rng):
    """the attention sees the normalised vectors, and is added to those that came in"""
    call.agrees_in(0, *_with(rng, _attention_alone(block(rng))))
    call.agrees_in(0, *_with(rng, _attention_alone(block(rng)), 3, 0, size=0.1))


@EXERCISE.claim(0.5)
def network_half(call, rng):
    """the gated network sees the normalised vectors, and is added to what came in"""
    call.agrees_in(0, *_with(rng, _network_alone(block(rng))))
    call.agrees_in(0, *_with(rng, _network_alone(block(rng)), 3, size=0.1, eps=0.01))


@EXERCISE.claim(0.5)
def whole(call, rng):
    """the attention comes first, then the network; weights and cache come out as well"""
    for n, n_before, eps in ((5, 0, EPS), (1, 4, 0.5), (3, 2, 1e-6)):
        call.agrees(*_with(rng, block(rng), n, n_before, 0.3, eps))


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone; takes any leading axes, and float32"""
    X, *rest, cache = _with(rng, block(rng))
    call.leaves_inputs_alone(X, *rest, cache)
    call.agrees(X, *rest, cache)
    with judged():
        call.agrees(vectors(rng, 2, 3), *rest, some_cache(rng, 2, 3))
        params = single(rest[0])
        call.agrees(X.astype(np.float32), params, *rest[1:], KeysAndValues(*(A.astype(np.float32) for A in cache)))


def single(value):
    """Return the parameters of a block in single precision."""
    if isinstance(value, np.ndarray):
        return value.astype(np.float32)
    return type(value)(*map(single, value))


wrong = WrongAnswers(EXERCISE, globals())


def _attended(X, params, n_heads, n_kv_heads, base, cache):
    return grouped_attention(X, params.attention, n_heads, n_kv_heads, base, cache)


def _with_network(X, params, n_heads, n_kv_heads, base, eps, cache, network):
    """Apply a block with another network."""
    added, weights, cache = _attended(rms_norm(X, params.norm_1, eps), params, n_heads, n_kv_heads, base, cache)
    X = X + added
    return X + network(rms_norm(X, params.norm_2, eps)), weights, cache


wrong.at(FORM)


@wrong.function
def norm_last(X, params, n_heads, n_kv_heads, base, eps, cache):
    """The norm comes after the sum, as in the paper.
    Here it comes before the sub-layer, and what goes around the sub-layer is never normalised."""
    added, weights, cache = _attended(X, params, n_heads, n_kv_heads, base, cache)
    X = rms_norm(X + added, params.norm_1, eps)
    return rms_norm(X + swiglu(X, *params.ffn), params.norm_2, eps), weights, cache


@wrong.function
def normed_residual(X, params, n_heads, n_kv_heads, base, eps, cache):
    """The sub-layers are added to the normalised vectors.
    The norm is for the sub-layer only. What it brings is added to X as it came in."""
    X = rms_norm(X, params.norm_1, eps)
    added, weights, cache = _attended(X, params, n_heads, n_kv_heads, base, cache)
    X = rms_norm(X + added, params.norm_2, eps)
    return X + swiglu(X, *params.ffn), weights, cache


wrong("first-residual-normed", {"X = X + attended": "X = normed + attended"}, """
    The attention is added to the normalised vectors.
    The norm is for the attention only. What it brings is added to X as it came in.""")

wrong("second-residual-normed", {"return X + swiglu": "return rms_norm(X, eps=eps, gamma=params.norm_2) + swiglu"}, """
    The network is added to the normalised sum.
    The norm is for the network only. What it brings is added to the sum as it was.""")


@wrong.function
def results_normed(X, params, n_heads, n_kv_heads, base, eps, cache):
    """The norms work on what attention and network return.
    They come before the two: attention and network see normalised vectors, and what they return is added as it is."""
    added, weights, cache = _attended(X, params, n_heads, n_kv_heads, base, cache)
    X = X + rms_norm(added, params.norm_1, eps)
    return X + rms_norm(swiglu(X, *params.ffn), params.norm_2, eps), weights, cache


wrong("side-by-side", {"swiglu(rms_norm(X, params.norm_2": "swiglu(rms_norm(X - attended, params.norm_2"}, """
    The network sees what the attention has seen, not the sum.
    The two follow each other: the network works on what the attention has brought.""")

wrong("no-first-residual", {"X = X + attended": "X = attended"}, """
    The attention's output is not added to X.
    There is a residual connection around the attention, and one around the network.""")

wrong("no-second-residual", {"return X + swiglu": "return swiglu"}, """
    The network's output is not added to the sum.
    There is a residual connection around the attention, and one around the network.""")

wrong("second-sum-from-the-beginning", {"return X + swiglu": "return X - attended + swiglu"}, """
    The network's output is added to the X that came in at the beginning.
    Then what the attention has found is lost. It is added to the sum that the network was given.""")

wrong("no-first-norm", {"rms_norm(X, params.norm_1, eps)": "X"}, """
    The attention sees vectors that are not normalised.
    Before each of the two there is a norm.""")

wrong("no-second-norm", {"rms_norm(X, params.norm_2, eps)": "X"}, """
    The network sees vectors that are not normalised.
    Before each of the two there is a norm.""")

wrong("norms-exchanged", "modern_block(X, params._replace(norm_1=params.norm_2, norm_2=params.norm_1), n_heads, "
      "n_kv_heads, base, eps, cache)", """
    The two norms are exchanged.
    norm_1 belongs to the attention, norm_2 to the network.""")

wrong("one-norm-for-both",
      "modern_block(X, params._replace(norm_2=params.norm_1), n_heads, n_kv_heads, base, eps, cache)", """
    norm_1 is used twice.
    Attention and network have a norm each.""")

wrong.everywhere("layer-norm", {"rms_norm(X, params.norm_": "layer_norm(X, beta=0.0, eps=eps, gamma=params.norm_",
                                ", eps)": ")"}, """
    The vectors are centred: the mean is subtracted before they are divided.
    That is layer norm. An RMS norm divides, and subtracts nothing.""")

wrong.everywhere("default-eps", {", eps)": ")"}, """
    eps is not passed on.
    1e-5 is only the default of your `rms_norm`. Both norms take the eps that is given.""")

wrong("default-eps-of-the-first", {"norm_1, eps)": "norm_1)"}, """
    The first norm has the default eps.
    Both norms take the eps that is given.""")

wrong("default-eps-of-the-second", {"norm_2, eps)": "norm_2)"}, """
    The second norm has the default eps.
    Both norms take the eps that is given.""")

wrong.at()
wrong("gate-and-up-exchanged", {"*params.ffn": "params.ffn.W_up, params.ffn.W_gate, params.ffn.W_down"}, """
    The gate and the branch that it lets through are exchanged.
    `swiglu` takes W_gate, then W_up, then W_down.""")

wrong("relu-network", "_with_network(X, params, n_heads, n_kv_heads, base, eps, cache, "
      "lambda Z: relu(Z @ params.ffn.W_gate) @ params.ffn.W_down)", """
    The network is the paper's, with a ReLU and without a gate.
    The network is your `swiglu`, which has three matrices.""")

wrong("gate-unused", "_with_network(X, params, n_heads, n_kv_heads, base, eps, cache, "
      "lambda Z: relu(Z @ params.ffn.W_up) @ params.ffn.W_down)", """
    W_gate is not used, and a ReLU stands in place of the gate.
    The network is your `swiglu`, which has three matrices.""")

wrong("gelu-gate", "_with_network(X, params, n_heads, n_kv_heads, base, eps, cache, "
      "lambda Z: gelu(Z @ params.ffn.W_gate) * (Z @ params.ffn.W_up) @ params.ffn.W_down)", """
    The gate has a GELU.
    There are models that are built so. This one has SiLU, as your `swiglu` does.""")

wrong("old-cache-returned", {", weights, cache = grouped": ", weights, _ = grouped"}, """
    The cache is returned as it came.
    The attention returns a new one, with the new tokens in it.""")

wrong("vectors-alone", "modern_block(X, params, n_heads, n_kv_heads, base, eps, cache)[0]", """
    Only the vectors are returned.
    There are three results: the vectors, the weights, and the cache.""")


@wrong.function
def in_place(X, params, n_heads, n_kv_heads, base, eps, cache):
    """What the sub-layers bring is added to the array that was given.
    `X += ...` writes into the caller's array. `X = X + ...` makes a new one."""
    normed = rms_norm(X, params.norm_1, eps)
    added, weights, cache = _attended(normed, params, n_heads, n_kv_heads, base, cache)
    X += added
    X += swiglu(rms_norm(X, params.norm_2, eps), *params.ffn)
    return X, weights, cache


wrong.small("default-eps", attention_half, network_half)
