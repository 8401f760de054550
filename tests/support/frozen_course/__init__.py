"""A small course that never changes, for tests of the engine: two units with nine functions.

It is a course of its own, whatever becomes of the units that are taught. The fixture `frozen_course` puts it into the
place of the installed one. Its modules have the names of those in `transformer_kit.reference`, since the files of a
learner's library are named after them.
"""

import numpy as np

from autograder.registry import Course
from autograder.specification import Exercise, Output, Unit
from tests.support.frozen_course.unit_02_scaled_dot_product_attention import (
    attention_backward,
    attention_scores,
    scaled_dot_product_attention,
    softmax,
    softmax_backward,
    softmax_jacobian,
)
from tests.support.frozen_course.unit_03_masking import causal_mask, masked_softmax, relu

SOFTMAX = Exercise(softmax, "turn the numbers along `axis` into weights.", (Output("weights", "as x"),), "Weights")
SCORES = Exercise(
    attention_scores, "compare queries with keys.", (Output("scores", "(..., n_queries, n_keys)"),), "Scores"
)
ATTENTION = Exercise(
    scaled_dot_product_attention,
    "average the values.",
    (Output("output", "(..., n_queries, d_v)"), Output("weights", "(..., n_queries, n_keys)")),
    "Averages",
)
JACOBIAN = Exercise(softmax_jacobian, "differentiate the softmax.", (Output("J", "(n, n)"),), "Slopes")
BACKWARD = Exercise(softmax_backward, "go back through the softmax.", (Output("d_s", "as p"),), "Slopes")
GRADIENTS = Exercise(
    attention_backward,
    "go back through the averages.",
    (Output("d_scores", "(n_queries, n_keys)"), Output("d_V", "(n_keys, d_v)")),
    "Slopes",
)
RELU = Exercise(relu, "keep what is positive.", (Output("y", "as x"),), "Rectified")
MASK = Exercise(causal_mask, "let no position see a later one.", (Output("mask", "(n, n)"),), "Masks")
MASKED = Exercise(masked_softmax, "hide what the mask hides.", (Output("weights", "as scores"),), "Masks")


@SOFTMAX.claim(1.5)
def values(call, rng):
    """equals the definition, along the last axis"""
    call.agrees(np.log([1.0, 2.0, 5.0]))
    call.agrees(rng.standard_normal((2, 3, 5)))
    call.agrees(np.array([[2, 0, 1], [1, 1, 3]]))
    call.agrees(rng.standard_normal((3, 5)).astype(np.float32))


@SOFTMAX.claim(1)
def any_axis(call, rng):
    """works along any axis"""
    x = rng.standard_normal((2, 3, 5))
    for axis in (0, 1, -2):
        call.agrees(x, axis=axis)


@SOFTMAX.claim(0.5)
def large_numbers(call, rng):
    """survives numbers of size 1000"""
    x = rng.standard_normal((3, 5))
    call.agrees(x + 1000.0)
    call.agrees(np.stack([x[0] + 1000.0, x[1] - 1000.0]))
    call.agrees(np.array([1000.0, 0.0, -1000.0]))


@SOFTMAX.claim(0.5)
def minus_infinity(call, rng):
    """gives weight 0 to -inf"""
    call.agrees(np.where(np.eye(3, 5, dtype=bool), -np.inf, rng.standard_normal((3, 5))))


@SOFTMAX.claim(0.5, side=True)
def leaves_input_alone(call, rng):
    """leaves its input alone"""
    x = rng.standard_normal((3, 5))
    call.leaves_inputs_alone(x)
    call.agrees(x)


@SOFTMAX.mistakes.add(where="Large numbers")
def no_maximum_subtracted(x, axis=-1):
    """Your function exponentiates the numbers as they are.

    exp(1000) is larger than any float64.
    """
    return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)


@SOFTMAX.mistakes.add(where="Weights")
def not_normalised(x, axis=-1):
    """Your function returns the exponentials without making them sum to 1.

    Weights of an average sum to 1.
    """
    return np.exp(x - x.max(axis=axis, keepdims=True))


@SOFTMAX.mistakes.add(where="Large numbers")
def maximum_of_everything(x, axis=-1):
    """Your function subtracts one maximum for the whole array.

    A row far below it then has only zeros to divide by each other.
    """
    exponentials = np.exp(x - x.max())
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


@SOFTMAX.mistakes.add(where="Weights")
def always_last_axis(x, axis=-1):
    """Your function ignores `axis` and always works along the last one.

    Whoever calls it says along which axis the weights sum to 1.
    """
    return softmax(x)


@SCORES.claim(3)
def every_pair(call, rng):
    """pairs every query with every key"""
    call.agrees(rng.standard_normal((3, 7)), rng.standard_normal((5, 7)))
    call.agrees(rng.standard_normal((2, 3, 4)), rng.standard_normal((2, 5, 4)))


@SCORES.mistakes.add(where="Scores")
def not_scaled(Q, K):
    """Your function does not scale the dot products.

    Their spread grows with the number of their terms.
    """
    return Q @ K.swapaxes(-1, -2)


@ATTENTION.claim(5)
def both_results(call, rng):
    """the output and the weights are right"""
    call.agrees(*(rng.standard_normal(shape) for shape in ((3, 7), (5, 7), (5, 4))))


@ATTENTION.mistakes.add(where="Averages")
def weights_first(Q, K, V):
    """Your function returns the weights before the output.

    The output comes first.
    """
    return scaled_dot_product_attention(Q, K, V)[::-1]


@JACOBIAN.claim(2)
def slopes(call, rng):
    """equals the differences of the weights"""
    call.agrees(rng.standard_normal(5))


@JACOBIAN.mistakes.add(where="Slopes")
def diagonal_only(s):
    """Your function leaves out how the weights of others change.

    They sum to 1, so what one gains the others lose.
    """
    return np.diag(np.diag(softmax_jacobian(s)))


@BACKWARD.claim(1.5)
def back(call, rng):
    """equals the Jacobian times the gradient"""
    call.agrees(softmax(rng.standard_normal((3, 5))), rng.standard_normal((3, 5)))


@BACKWARD.claim(0.5)
def back_along_any_axis(call, rng):
    """works along any axis"""
    call.agrees(softmax(rng.standard_normal((3, 5)), axis=0), rng.standard_normal((3, 5)), axis=0)


@BACKWARD.mistakes.add(where="Slopes")
def mean_left_out(p, d_p, axis=-1):
    """Your function leaves out the mean of the gradient.

    The same amount more for every weight changes nothing.
    """
    return p * d_p


@GRADIENTS.claim(3)
def both_gradients(call, rng):
    """both gradients are right"""
    weights = softmax(rng.standard_normal((3, 5)))
    call.agrees(rng.standard_normal((3, 4)), rng.standard_normal((5, 4)), weights)


@GRADIENTS.mistakes.add(where="Slopes")
def values_first(d_output, V, weights):
    """Your function returns the gradient of the values before that of the scores.

    That of the scores comes first.
    """
    return attention_backward(d_output, V, weights)[::-1]


@RELU.claim(1)
def signs(call, rng):
    """keeps what is positive and nothing else"""
    call.agrees(rng.standard_normal(9))


@RELU.mistakes.add(where="Rectified")
def absolute(x):
    """Your function changes the sign of what is negative.

    It should become 0.
    """
    return abs(x)


@MASK.claim(1)
def sizes(call, rng):
    """is a lower triangle of any size"""
    call.agrees(5)
    call.agrees(1)


@MASK.mistakes.add(where="Masks")
def own_position_hidden(n):
    """Your function hides the position itself.

    Every position sees itself.
    """
    return np.tri(n, k=-1, dtype=bool)


@MASKED.claim(1.5)
def hidden_entries(call, rng):
    """gives weight 0 to what is hidden"""
    scores = rng.standard_normal((3, 5))
    call.agrees(scores)
    call.agrees(scores, rng.random((3, 5)) < [[0.5], [0.8], [0]])
    for _ in range(3):
        call.agrees(rng.standard_normal((2, 3, 5)), rng.random((3, 5)) < 0.5)


@MASKED.claim(0.5)
def any_mask_axis(call, rng):
    """works along any axis"""
    call.agrees(rng.standard_normal((3, 5)), rng.random((3, 5)) < 0.5, axis=0)


@MASKED.mistakes.add(where="Masks")
def weights_times_mask(scores, mask=None, axis=-1):
    """Your function hides weights instead of scores.

    What is left no longer sums to 1.
    """
    return softmax(scores, axis) * (1 if mask is None else mask)


SECOND = Unit("02_attention", "Attention", ((10, 20),), (SOFTMAX, SCORES, ATTENTION, JACOBIAN, BACKWARD, GRADIENTS))
THIRD = Unit("03_masks", "Masks", ((5, 10),), (RELU, MASK, MASKED))
COURSE = Course(package=__name__, load_units=lambda: (SECOND, THIRD), reference=__name__)
