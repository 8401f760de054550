"""Specification of `without_heads`."""

import numpy as np

from autograder.execution.compare import describe, is_plain_array
from autograder.exercises.inputs import judged_only_if
from autograder.exercises.unit_11_inside_the_model import calls
from autograder.exercises.unit_11_inside_the_model.without_heads_mistakes import MISTAKES, SECTION
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import AttentionParams, init_attention

H, D_MODEL = 4, 12
ADDED = Output("what the heads add", "(n_heads, n_queries, d_model)")

EXERCISE = Exercise(
    reference=reference.without_heads,
    asks="new parameters in which the rows of W_O that belong to these heads are 0.",
    returns=(Output("params"),),
    where=SECTION,
    calls=calls.WITHOUT_HEADS,
    mistakes=MISTAKES,
    may_be_view=True,
)


def _params(rng, n_heads=H, d_k=3, d_v=5):
    return init_attention(rng, D_MODEL, n_heads, d_k, d_v)


def _projections(call, params, n_heads, heads):
    """Call the function, and require four matrices of the right shapes."""
    result = call(params, n_heads, heads)
    fits = isinstance(result, tuple) and len(result) == 4 and all(map(is_plain_array, result))
    judged_only_if(fits, f"expected AttentionParams, got {describe(result)}.")
    for name, W, given in zip(params._fields, result, params, strict=True):
        judged_only_if(W.shape == given.shape, f"{name}: expected shape {given.shape}, got {W.shape}.")
    return AttentionParams(*result)


def _silences(call, rng, params, n_heads, heads):
    """Require that the heads named add nothing, and that all others add what they did; how does not matter."""
    result = _projections(call, params, n_heads, heads)
    given = *(rng.standard_normal((n, D_MODEL)) for n in (5, 6)), params, n_heads
    expected = reference.head_outputs(*given)
    expected[list(heads)] = 0
    call.equals(reference.head_outputs(*given[:2], result, n_heads), expected, ADDED, given)


@EXERCISE.claim(1)
def one_head(call, rng):
    """one silent head adds exactly 0, and all others add what they did before"""
    for head in (0, H - 1, int(rng.integers(1, H - 1))):
        _silences(call, rng, _params(rng), H, (head,))


@EXERCISE.claim(0.5)
def several(call, rng):
    """silences several heads at once, all, or none"""
    _silences(call, rng, _params(rng), H, tuple(rng.permutation(H)[:2].tolist()))
    _silences(call, rng, _params(rng), H, tuple(rng.permutation(H)[:3].tolist()))
    _silences(call, rng, _params(rng), H, tuple(rng.permutation(H).tolist()))
    _silences(call, rng, _params(rng), H, ())


@EXERCISE.claim(0.5)
def other_widths(call, rng):
    """takes the number of heads and their widths as they are"""
    for n_heads, d_k, d_v in ((5, 2, 3), (3, 7, 4)):
        _silences(call, rng, _params(rng, n_heads, d_k, d_v), n_heads, (int(rng.integers(1, n_heads)),))


@EXERCISE.claim(0.5, side=True)
def refusals(call, rng):
    """refuses a head that does not exist, by a ValueError with its number"""
    _silences(call, rng, _params(rng), H, (int(rng.integers(1, H)),))
    for head in (H, int(rng.integers(20, 90)), -1, -int(rng.integers(20, 90))):
        call.refuses(_params(rng), H, (head,), mentions=(head,))
    call.refuses(_params(rng), H, (1, H), mentions=(H,))


@EXERCISE.claim(0.5, side=True)
def argument(call, rng):
    """leaves the parameters as they were"""
    params, heads = _params(rng), (int(rng.integers(1, H)),)
    result = _projections(call, params, H, heads)
    kept = [np.array_equal(*pair) for pair in zip(result, params, strict=True)]
    judged_only_if(any(kept) and not all(kept), "one of the four matrices changes, and the others stay as they are.")
    call.leaves_inputs_alone(params, H, heads)
    call.holds("params.W_O" not in call.trials[-1].outcome.shares, "the new W_O shares memory with the old one.")
