"""Specification of `project_memory`."""

import numpy as np

from autograder.execution.precision import bound_for
from autograder.exercises.inputs import agrees_here, in_float32
from autograder.exercises.unit_05_cross_attention import calls
from autograder.exercises.unit_05_cross_attention.inputs import pair_of
from autograder.exercises.unit_05_cross_attention.project_memory_mistakes import MISTAKES, SECTION
from autograder.exercises.unit_05_cross_attention.project_memory_slip_mistakes import MISTAKES as SLIPS
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import AttentionParams, init_attention

EXERCISE = Exercise(
    reference=reference.project_memory,
    asks="the keys and the values of a source sentence, split into heads.",
    returns=(Output("K", "(..., n_heads, n_source, d_k)"), Output("V", "(..., n_heads, n_source, d_v)")),
    where=SECTION,
    calls=calls.PROJECT_MEMORY,
    mistakes=[*MISTAKES, *SLIPS],
)


def _agrees_in(call, rng, number):
    """Require that one of the two results is right, whatever the other one is."""
    W = np.eye(2), np.array([[1.0, 0.0], [0.0, 3.0]]), np.array([[0.0, 1.0], [1.0, 0.0]]), np.eye(2)
    # by hand, in the notebook
    call.agrees_in(number, np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), AttentionParams(*W), 2)
    call.agrees_in(number, rng.standard_normal((5, 6)), init_attention(rng, 6, 2), 2)
    call.agrees_in(number, rng.standard_normal((4, 7)), init_attention(rng, 7, 2, d_k=4, d_v=5), 2)


@EXERCISE.claim(1)
def keys(call, rng):
    """K holds the keys of one sentence, for every head"""
    _agrees_in(call, rng, 0)


@EXERCISE.claim(1)
def values(call, rng):
    """V holds the values of one sentence, for every head"""
    _agrees_in(call, rng, 1)


@EXERCISE.claim(0.5, side=True)
def heads(call, rng):
    """head h depends on its own columns of W_K and W_V only"""
    n, H, d_k = 5, 3, 2
    memory, params = rng.standard_normal((n, 7)), init_attention(rng, 7, H, d_k, d_k)
    K, V = pair_of(call, ((H, n, d_k), (H, n, d_k)), memory, params, H)
    for name, result in (("K", K), ("V", V)):
        call.holds(np.ptp(result, axis=0).any(), f"{name}: the heads have columns of their own, but are all the same.")
    for h in range(H):
        own = slice(h * d_k, (h + 1) * d_k)  # the columns of head h, as the parameters of an attention with one head
        alone = AttentionParams(params.W_Q[:, own], params.W_K[:, own], params.W_V[:, own], params.W_O[own])
        K_h, V_h = pair_of(call, ((1, n, d_k), (1, n, d_k)), memory, alone, 1)
        for name, all_heads, one_head in (("K", K, K_h), ("V", V, V_h)):
            call.holds(
                np.allclose(all_heads[h], one_head[0], atol=bound_for(1e-8 * np.abs(all_heads).max(), all_heads)),
                f"{name}: head {h} is not what the columns of W_{name} that belong to head {h} give when they are "
                "used alone.",
            )


@EXERCISE.claim(0.5, side=True)
def only_two_matrices(call, rng):
    """keys are made with W_K, values with W_V, and neither with W_Q or W_O"""
    n, H, d_k, d_v = 4, 2, 3, 5
    memory = rng.standard_normal((n, 6))
    params, other = (init_attention(rng, 6, H, d_k, d_v) for _ in range(2))
    shapes = (H, n, d_k), (H, n, d_v)
    K, V = pair_of(call, shapes, memory, params, H)
    for name in AttentionParams._fields:
        K_new, V_new = pair_of(call, shapes, memory, params._replace(**{name: getattr(other, name)}), H)
        for result, moved, owner in (("K", not np.allclose(K, K_new), "W_K"), ("V", not np.allclose(V, V_new), "W_V")):
            should = "must" if name == owner else "must not"
            does = "changes" if moved else "does not change"
            call.holds(moved == (name == owner), f"another {name} {does} {result}, and it {should}.")


@EXERCISE.claim(0.5, side=True)
def leading_axes(call, rng):
    """works for any leading axes, for whole numbers and for float32"""
    call.agrees(rng.standard_normal((5, 6)), init_attention(rng, 6, 2), 2)
    params = init_attention(rng, 6, 2)
    agrees_here(call, rng.standard_normal((3, 5, 6)), params, 2)
    agrees_here(call, rng.standard_normal((2, 3, 4, 7)), init_attention(rng, 7, 3, d_k=4, d_v=4), 3)
    agrees_here(call, rng.integers(-3, 4, (5, 6)), params, 3)
    agrees_here(call, rng.standard_normal((3, 4, 6)).astype(np.float32), in_float32(params), 2)


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    memory, params = rng.standard_normal((4, 6)), init_attention(rng, 6, 2)
    call.leaves_inputs_alone(memory, params, 2)
    call.agrees(memory, params, 2)
