"""Specification of `attention_scores`."""

import numpy as np

from autograder.execution.precision import bound_for, rounded_like
from autograder.exercises.inputs import presupposed
from autograder.exercises.unit_02_scaled_dot_product_attention.attention_scores_mistakes import MAIN, MISTAKES
from autograder.specification import Exercise, Output
from transformer_kit import reference

BY_HAND = np.array([[1.0, 0.0, 2.0, 1.0]]), np.array([[3.0, 1.0, 0.0, 3.0], [0.0, 5.0, 1.0, 2.0]])  # scores 3 and 2

EXERCISE = Exercise(
    reference=reference.attention_scores,
    asks="return the scaled dot product of every query with every key.",
    returns=(Output("scores", "(..., n_queries, n_keys)"),),
    where=MAIN,
    mistakes=MISTAKES,
)


def _row(array):
    return "[" + ", ".join(f"{number:.4g}" for number in array[0]) + "]"


def _require_dot_products(call, Q, K):
    """Require Q K^T up to one positive factor, which another claim looks at."""
    products = Q @ K.T
    scores = call.is_array(call(Q, K), products.shape, name="scores")
    with np.errstate(all="ignore"):
        factor = (scores * products).sum() / (products**2).sum()
        unscaled = rounded_like(scores / factor, scores)
        proportional = factor > 0 and np.allclose(unscaled, products, rtol=1e-6, atol=bound_for(1e-9, unscaled))
    call.holds(
        proportional,
        "the scores are not the dot products of queries and keys, not even up to a common positive factor: the first "
        f"query's dot products are {_row(products)}, its scores {_row(scores)}.",
    )


@EXERCISE.claim(1)
def every_pair(call, rng):
    """pairs every query with every key"""
    _require_dot_products(call, *BY_HAND)
    _require_dot_products(call, rng.standard_normal((3, 7)), rng.standard_normal((5, 7)))


@EXERCISE.claim(1)
def scale(call, rng):
    """is scaled by the right number"""
    call.agrees(*BY_HAND)
    call.agrees(rng.standard_normal((3, 7)), rng.standard_normal((5, 7)))
    call.agrees(rng.standard_normal((3, 7)).astype(np.float32), rng.standard_normal((5, 7)).astype(np.float32))


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for any leading axes, and for integers"""
    call.agrees(rng.standard_normal((2, 3, 4, 7)), rng.standard_normal((2, 3, 5, 7)))
    call.agrees(rng.integers(-2, 3, (2, 4, 7)), rng.integers(-2, 3, (2, 5, 7)))


@EXERCISE.claim(0.5, side=True)
def leaves_inputs_alone(call, rng):
    """leaves its inputs alone"""
    Q, K = rng.standard_normal((3, 7)), rng.standard_normal((5, 7))
    call.leaves_inputs_alone(Q, K)
    with presupposed():
        _require_dot_products(call, Q, K)
