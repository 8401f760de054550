"""Specification of `collapse_linear`."""

import numpy as np

from autograder.execution.precision import bound_for
from autograder.exercises.unit_06_feed_forward import calls, lookalikes
from autograder.exercises.unit_06_feed_forward.inputs import BY_HAND, D_MODEL, network
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.collapse_linear,
    asks="return the one linear map that the two are when the activation between them is left out.",
    returns=(Output("W", "(d_model, d_model)"), Output("b", "(d_model,)")),
    calls=calls.COLLAPSE_LINEAR,
    lookalike=lookalikes.COLLAPSE_LINEAR,
)


def _agrees_in(call, rng, number):
    """Require that one of the two results is right, whatever the other one is."""
    for params in (BY_HAND, network(rng), network(rng, 5, 3)):  # by hand: W = 5, b = 9
        call.agrees_in(number, params)


@EXERCISE.claim(1)
def weights(call, rng):
    """W is right"""
    _agrees_in(call, rng, 0)


@EXERCISE.claim(1)
def bias(call, rng):
    """b is right"""
    _agrees_in(call, rng, 1)


@EXERCISE.claim(0.5)
def one_map_for_two(call, rng):
    """X @ W + b is what the two maps give one after the other"""
    X, params = rng.standard_normal((3, D_MODEL)), network(rng)
    W, b = call.results(params)
    shapes = np.shape(W), np.shape(b)
    call.holds(shapes == ((D_MODEL, D_MODEL), (D_MODEL,)), f"W and b have the shapes {shapes[0]} and {shapes[1]}.")
    gap = np.abs(X @ W + b - reference.position_wise_ffn(X, params, lambda hidden: hidden)).max()
    same = bool(gap < bound_for(1e-9, W, b))
    call.holds(same, f"X @ W + b and the two maps one after the other differ by up to {gap:.3g}.")


@EXERCISE.claim(0.5, side=True)
def leaves_params_alone(call, rng):
    """leaves the parameters alone"""
    params = network(rng)
    call.leaves_inputs_alone(params)
    call.leaves_inputs_alone(params._replace(b_1=np.zeros_like(params.b_1)))  # b has the numbers of b_2
    call.agrees_in(0, params)


def _product(params):
    return params.W_1 @ params.W_2


wrong = WrongAnswers(EXERCISE, globals())

wrong("no-b-1", "(_product(params), params.b_2)", """
    The first bias is lost.
    It enters the hidden layer, so it also passes through the second map.""")

wrong("no-b-2", "(_product(params), params.b_1 @ params.W_2)", """
    The second bias is lost.
    It is added last, so nothing happens to it, but it is there.""")

wrong("biases-added", "(_product(params), params.b_1 + params.b_2)", """
    The two biases are added as they are.
    They have different lengths, since the first one lives in the hidden layer. It comes out of that layer only through
    the second map.""")

wrong("other-order", "(params.W_2 @ params.W_1, params.b_2 @ params.W_1 + params.b_1)", """
    The two matrices are multiplied in the other order.
    A token is a row and meets W_1 first. The result maps d_model numbers to d_model numbers.""")

wrong("transposed", {"W_1 @ W_2": "(W_1 @ W_2).T"}, """
    W is transposed.
    With tokens as columns it would be right. Here a token is a row and stands on the left of W.""")

wrong("elementwise", "(params.W_1 * params.W_2, params.b_1 @ params.W_2 + params.b_2)", """
    The two matrices are multiplied entry by entry.
    In NumPy `*` works entry by entry. One map after the other is a matrix product.""")

wrong("weights-added", "(params.W_1 + params.W_2, params.b_1 @ params.W_2 + params.b_2)", """
    The two matrices are added.
    One map after the other is a product. A sum would stand for both maps side by side, and the shapes do not even
    fit.""")

wrong("relu-on-the-bias", {"b_1 @ W_2": "np.maximum(b_1, 0) @ W_2"}, """
    ReLU is applied to the first bias.
    The activation is left out altogether: that is the question of this exercise.""")

wrong("relu-on-the-weights", "(relu(params.W_1) @ params.W_2, relu(params.b_1) @ params.W_2 + params.b_2)", """
    ReLU is applied to the first map.
    The activation is left out altogether. (It acts on hidden numbers, never on weights, and no matrix can imitate
    it.)""")

wrong("bias-through-both", "(_product(params), (params.b_1 @ params.W_2 + params.b_2) @ _product(params))", """
    The finished bias is multiplied by W once more.
    The first bias is added after the first map, and the second one after both. Neither of them meets the first map.""")

wrong("bias-first", "collapse_linear(params)[::-1]", """
    The bias is returned before the matrix.
    Return W and b, in this order.""")

wrong("bias-as-a-row", "(_product(params), params.b_1[None, :] @ params.W_2 + params.b_2)", """
    The bias is returned as a matrix of one row.
    A bias is a vector with one axis. A second axis of length 1 can later broadcast where nobody expects it.""")

wrong("matrix-in-other-order", "(params.W_2 @ params.W_1, params.b_1 @ params.W_2 + params.b_2)", """
    W is the product in the other order; b is right.
    A token is a row and meets W_1 first. W maps d_model numbers to d_model numbers.""")

wrong("bias-in-the-matrix", {"W_1 @ W_2": "W_1 @ W_2 + (b_1 @ W_2 + b_2)"}, """
    The bias is added to the matrix.
    W is what multiplies x, and b is what does not. Here every row of W contains the bias as well.""")


@wrong.function
def in_place(params):
    """The caller's second bias is overwritten.
    An operator such as `+=` writes into the array that a name stands for, here into `params.b_2`. Make a new array."""
    b = params.b_2
    b += params.b_1 @ params.W_2
    return _product(params), b
