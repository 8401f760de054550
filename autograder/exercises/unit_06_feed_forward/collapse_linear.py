"""Specification of `collapse_linear`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from autograder.exercises.unit_06_feed_forward.inputs import BY_HAND, D_MODEL, network
from transformer_kit import reference


def _right(number):
    """Make the test that one of the two results is right, whatever the other one is."""

    def test(call, rng):
        for params in (BY_HAND, network(rng), network(rng, 5, 3)):  # by hand: W = 5, b = 9
            call.agrees_in(number, params)

    return test


def _one_map_for_two(call, rng):
    X, params = rng.standard_normal((3, D_MODEL)), network(rng)
    W, b = call.results(params)
    shapes = np.shape(W), np.shape(b)
    call.holds(shapes == ((D_MODEL, D_MODEL), (D_MODEL,)), f"W and b have the shapes {shapes[0]} and {shapes[1]}.")
    gap = np.abs(X @ W + b - reference.position_wise_ffn(X, params, lambda hidden: hidden)).max()
    call.holds(bool(gap < 1e-9), f"X @ W + b and the two maps one after the other differ by up to {gap:.3g}.")


def _leaves_params_alone(call, rng):
    params = network(rng)
    call.agrees(params)
    call.leaves_inputs_alone(params)


def _product(params):
    return params.W_1 @ params.W_2


def _no_b_1(params):
    return _product(params), params.b_2


def _no_b_2(params):
    return _product(params), params.b_1 @ params.W_2


def _biases_added(params):
    return _product(params), params.b_1 + params.b_2


def _other_order(params):
    return params.W_2 @ params.W_1, params.b_2 @ params.W_1 + params.b_1


def _transposed(params):
    W, b = reference.collapse_linear(params)
    return W.T, b


def _elementwise(params):
    return params.W_1 * params.W_2, params.b_1 @ params.W_2 + params.b_2


def _weights_added(params):
    return params.W_1 + params.W_2, params.b_1 @ params.W_2 + params.b_2


def _relu_on_the_bias(params):
    return _product(params), reference.relu(params.b_1) @ params.W_2 + params.b_2


def _relu_on_the_weights(params):
    return reference.relu(params.W_1) @ params.W_2, reference.relu(params.b_1) @ params.W_2 + params.b_2


def _bias_through_both(params):
    return _product(params), (params.b_1 @ params.W_2 + params.b_2) @ _product(params)


def _bias_first(params):
    return reference.collapse_linear(params)[::-1]


def _bias_as_a_row(params):
    return _product(params), params.b_1[None, :] @ params.W_2 + params.b_2


SECTION, STEPS = "Exercise 6.4: collapse_linear", "Multiply out"

EXERCISE = Exercise(
    reference=reference.collapse_linear,
    asks="return the one linear map that the two are when the activation between them is left out.",
    returns=(Returned("W", "(d_model, d_model)"), Returned("b", "(d_model,)")),
    where=SECTION,
    claims=(
        Claim("W is right", 1, _right(0)),
        Claim("b is right", 1, _right(1)),
        Claim("X @ W + b is what the two maps give one after the other", 0.5, _one_map_for_two),
        Claim("leaves the parameters alone", 0.5, _leaves_params_alone),
    ),
    mistakes=(
        Mistake(
            "no-b-1",
            "The first bias is lost",
            _no_b_1,
            "It enters the hidden layer, so it also passes through the second map.",
            STEPS,
        ),
        Mistake(
            "no-b-2",
            "The second bias is lost",
            _no_b_2,
            "It is added last, so nothing happens to it, but it is there.",
            STEPS,
        ),
        Mistake(
            "biases-added",
            "The two biases are added as they are",
            _biases_added,
            "They have different lengths, since the first one lives in the hidden layer. It comes out of that layer "
            "only through the second map.",
            STEPS,
        ),
        Mistake(
            "other-order",
            "The two matrices are multiplied in the other order",
            _other_order,
            "A token is a row and meets W_1 first. The result maps d_model numbers to d_model numbers.",
            STEPS,
        ),
        Mistake(
            "transposed",
            "W is transposed",
            _transposed,
            "With tokens as columns it would be right. Here a token is a row and stands on the left of W.",
            STEPS,
        ),
        Mistake(
            "elementwise",
            "The two matrices are multiplied entry by entry",
            _elementwise,
            "In NumPy `*` works entry by entry. One map after the other is a matrix product.",
            STEPS,
        ),
        Mistake(
            "weights-added",
            "The two matrices are added",
            _weights_added,
            "One map after the other is a product. A sum would stand for both maps side by side, and the shapes do "
            "not even fit.",
            STEPS,
        ),
        Mistake(
            "relu-on-the-bias",
            "ReLU is applied to the first bias",
            _relu_on_the_bias,
            "The activation is left out altogether: that is the question of this exercise.",
            SECTION,
        ),
        Mistake(
            "relu-on-the-weights",
            "ReLU is applied to the first map",
            _relu_on_the_weights,
            "The activation is left out altogether. (It acts on hidden numbers, never on weights, and no matrix can "
            "imitate it.)",
            SECTION,
        ),
        Mistake(
            "bias-through-both",
            "The finished bias is multiplied by W once more",
            _bias_through_both,
            "The first bias has passed the first map already when it is added, and the second one both of them.",
            STEPS,
        ),
        Mistake(
            "bias-first",
            "The bias is returned before the matrix",
            _bias_first,
            "Asked for are W and b, in this order.",
            SECTION,
        ),
        Mistake(
            "bias-as-a-row",
            "The bias is returned as a matrix of one row",
            _bias_as_a_row,
            "A bias is a vector with one axis. A second axis of length 1 spreads out by surprise later.",
            STEPS,
        ),
    ),
)
