"""Specification of `attention_scores`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_02_scaled_dot_product_attention.attention_scores_mistakes import MAIN, MISTAKES
from transformer_kit import reference

BY_HAND = np.array([[1.0, 0.0, 2.0, 1.0]]), np.array([[3.0, 1.0, 0.0, 3.0], [0.0, 5.0, 1.0, 2.0]])  # scores 3 and 2


def _every_pair(call, rng):
    _require_dot_products(call, *BY_HAND)
    _require_dot_products(call, rng.standard_normal((3, 7)), rng.standard_normal((5, 7)))


def _require_dot_products(call, Q, K):
    """Require Q K^T up to one positive factor, which another claim looks at."""
    products = Q @ K.T
    scores = call.is_array(call(Q, K), products.shape, name="scores")
    with np.errstate(all="ignore"):
        factor = (scores * products).sum() / (products**2).sum()
        proportional = factor > 0 and np.allclose(scores, factor * products, rtol=1e-6, atol=1e-9)
    call.holds(
        proportional,
        "the scores are not the dot products of queries and keys, not even up to a common positive factor: the first "
        f"query's dot products are {_row(products)}, its scores {_row(scores)}.",
    )


def _row(array):
    return "[" + ", ".join(f"{number:.4g}" for number in array[0]) + "]"


def _scale(call, rng):
    call.agrees(*BY_HAND)
    call.agrees(rng.standard_normal((3, 7)), rng.standard_normal((5, 7)))
    call.agrees(rng.standard_normal((3, 7)).astype(np.float32), rng.standard_normal((5, 7)).astype(np.float32))


def _leading_axes(call, rng):
    call.agrees(rng.standard_normal((2, 3, 4, 7)), rng.standard_normal((2, 3, 5, 7)))
    call.agrees(rng.integers(-2, 3, (2, 4, 7)), rng.integers(-2, 3, (2, 5, 7)))


def _leaves_inputs_alone(call, rng):
    Q, K = rng.standard_normal((3, 7)), rng.standard_normal((5, 7))
    _require_dot_products(call, Q, K)
    call.leaves_inputs_alone(Q, K)


EXERCISE = Exercise(
    reference=reference.attention_scores,
    asks="return the scaled dot product of every query with every key.",
    returns=(Returned("scores", "(..., n_queries, n_keys)"),),
    where=MAIN,
    claims=(
        Claim("pairs every query with every key", 1, _every_pair),
        Claim("is scaled by the right number", 1, _scale),
        Claim("works for any leading axes, and for integers", 0.5, _leading_axes),
        Claim("leaves its inputs alone", 0.5, _leaves_inputs_alone),
    ),
    mistakes=MISTAKES,
)
