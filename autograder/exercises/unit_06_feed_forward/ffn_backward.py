"""Specification of `ffn_backward`."""

import numpy as np

from autograder.evaluation.trials import WrongResult
from autograder.execution.describe import describe
from autograder.execution.precision import bound_for
from autograder.exercises.inputs import agrees_here, in_float32
from autograder.exercises.unit_06_feed_forward import calls, lookalikes
from autograder.exercises.unit_06_feed_forward.inputs import BY_HAND, D_MODEL, near_the_bend, network
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.numerical import numerical_gradient
from transformer_kit.parameters import FeedForwardParams

STEPS = "Backwards, line by line"
SHARED = "One network, many positions"

FIELDS = ("dX", *FeedForwardParams._fields)

EXERCISE = Exercise(
    reference=reference.ffn_backward,
    asks="return the gradients of a loss with respect to X and to the four parameters, given that of the output.",
    returns=(Output("dX", "(..., n, d_model)"), Output("d_params")),
    calls=calls.FFN_BACKWARD,
    lookalike=lookalikes.FFN_BACKWARD,
)


def _inputs(rng, *leading):
    """Draw d_output, X and a network; no hidden number lies within a step of the bend."""
    params, d_output = network(rng), rng.standard_normal((*leading, 5, D_MODEL))
    while True:
        X = rng.standard_normal(d_output.shape)
        if np.abs(X @ params.W_1 + params.b_1).min() > 1e-4:
            return d_output, X, params


def _gradients_agree(call, rng, *fields):
    """Require that some gradients are right, whatever the others are, also where all five stand in one tuple."""
    for args in (_inputs(rng), _many(rng), (rng.standard_normal((5, D_MODEL)), *near_the_bend(rng))):
        _fields_agree(call, args, fields)


def _many(rng):
    """Draw so many tokens and weights that nobody has the time to move one number after the other."""
    X, d_output = rng.standard_normal((2, 211, 31))
    return d_output, X, network(rng, 31, 127)


def _fields_agree(call, args, fields):
    value, expected = call(*args), _side_by_side(reference.ffn_backward(*args))
    gradients = _side_by_side(value)
    if not isinstance(gradients, tuple | list) or len(gradients) != len(FIELDS):
        raise WrongResult(f"expected dX and the four gradients in a FeedForwardParams, got {describe(value)}.")
    for field in fields:
        number = FIELDS.index(field)
        call.equals(gradients[number], expected[number], Output(f"d_params.{field}" if number else field), args)


def _side_by_side(value):
    """Return dX and the parts of d_params in one tuple, where there are these two; anything else as it is."""
    is_pair = isinstance(value, tuple | list) and len(value) == 2 and isinstance(value[1], tuple | list)
    return (value[0], *value[1]) if is_pair else value


@EXERCISE.claim(0.5)
def d_input(call, rng):
    """dX is right"""
    _gradients_agree(call, rng, "dX")


@EXERCISE.claim(0.5)
def first_map(call, rng):
    """the gradients of W_1 and b_1 are right"""
    _gradients_agree(call, rng, "W_1", "b_1")


@EXERCISE.claim(0.5)
def second_map(call, rng):
    """the gradients of W_2 and b_2 are right"""
    _gradients_agree(call, rng, "W_2", "b_2")


@EXERCISE.claim(0.5)
def central_differences(call, rng):
    """agrees with central differences"""
    d_output, X, params = _inputs(rng)
    dX, d_params = call.agrees(d_output, X, params)

    def loss(X, params):
        return (d_output * reference.position_wise_ffn(X, params)).sum()

    slopes = {"dX": numerical_gradient(lambda X: loss(X, params), X)}
    for field, value in params._asdict().items():
        slopes[field] = numerical_gradient(lambda v, field=field: loss(X, params._replace(**{field: v})), value)
    for (name, slope), gradient in zip(slopes.items(), (dX, *d_params), strict=True):
        gap = np.abs(gradient - slope).max()
        same = bool(gap < bound_for(1e-6, gradient))
        call.holds(same, f"the gradient {name} differs from the central difference by up to {gap:.3g}.")


@EXERCISE.claim(1, side=True)
def leading_axes(call, rng):
    """sums the gradients of the parameters over all leading axes"""
    call.agrees(*_inputs(rng))
    agrees_here(call, *_inputs(rng, 3))
    d_output, X, params = _inputs(rng, 2, 3)
    agrees_here(call, 10 * d_output, 10 * X, params)  # no bound above
    agrees_here(call, d_output.astype(np.float32), X.astype(np.float32), in_float32(params))
    agrees_here(call, *rng.standard_normal((2, 1, 3, 1)), BY_HAND)  # one wide outside


@EXERCISE.claim(0.5, side=True)
def at_the_bend(call, rng):
    """lets nothing pass where the hidden layer is exactly 0"""
    d_output, X, params = _inputs(rng)
    call.agrees(d_output, X, params)
    # Every hidden number of the second token is exactly 0 before the activation.
    X = np.where(np.arange(len(X))[:, None] == 1, 0, X)
    agrees_here(call, d_output, X, params._replace(b_1=np.zeros_like(params.b_1)))


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    args = _inputs(rng)
    call.leaves_inputs_alone(*args)
    call.agrees(*args)


wrong = WrongAnswers(EXERCISE, globals())

wrong.at(STEPS)
wrong("no-gate", {" * (before > 0)": ""}, """
    The gradient passes the activation as if it were not there.
    Where ReLU gave 0, moving its input a little changes nothing, so no gradient passes.""")

wrong("relu-of-the-gradient",
      {"(d_output @ params.W_2.T) * (before > 0)": "np.maximum(d_output @ params.W_2.T, 0)"}, """
    ReLU is applied to the gradient.
    Whether a gradient passes depends on the number that went forward. The sign of the gradient does not matter.""")

wrong("relu-of-the-gradient-too", {
    "(d_output @ params.W_2.T) * (before > 0)": "np.maximum((d_output @ params.W_2.T) * (before > 0), 0)",
}, """
    Negative gradients are stopped as well.
    Whether a gradient passes depends only on the number that went forward. Where it passes, it keeps its sign.""")

wrong("times-the-hidden-layer", {"(before > 0)": "np.maximum(before, 0)"}, """
    The gradient is multiplied by the hidden layer itself.
    The slope of ReLU on the right is 1, however large the number is.""")

wrong("times-the-numbers-before", {"(before > 0)": "before"}, """
    The gradient is multiplied by the hidden layer as it was before its activation.
    Of these numbers only the sign counts: the slope of ReLU is 1 where they are positive, and 0 elsewhere.""")

wrong("open-at-0", {"before > 0": "before >= 0"}, """
    The gradient passes where the hidden layer is exactly 0.
    At the corner ReLU has no slope of its own. By convention it is 0 there, in this course as in most libraries.""")

wrong("half-open-at-0", {"(before > 0)": "np.heaviside(before, 0.5)"}, """
    Half of the gradient passes where the hidden layer is exactly 0.
    One half lies between the slopes on both sides, but by convention the slope is 0 there, as in most libraries.""")

wrong("gate-without-bias", {" + params.b_1": ""}, """
    The hidden layer is computed again without b_1.
    The bias moves the bend. The way back must use exactly the numbers of the forward pass.""")

wrong("hidden-before-activation", {"np.maximum(before, 0)": "before"}, """
    The gradient of W_2 is computed from the hidden layer before its activation.
    W_2 was multiplied by what came out of the activation.""")

wrong("b-1-before-the-gate", {"b_1=d_before_rows.sum(axis=0)": "b_1=(d_output_rows @ params.W_2.T).sum(axis=0)"}, """
    The gradient of b_1 is summed before it has passed the activation.
    b_1 is added before the activation, so its gradient has come back through it.""")

wrong.at(SHARED)
wrong("biases-not-summed",
      {"d_before_rows.sum(axis=0)": "d_before", "d_output_rows.sum(axis=0)": "d_output.copy()"}, """
    The gradients of the biases are not summed.
    One bias is added at every position, so it collects the gradients of all of them. A gradient has the shape of what
    it belongs to.""")

wrong("biases-over-the-first-axis",
      {"before_rows.sum(axis=0)": "before.sum(axis=0)", "output_rows.sum(axis=0)": "output.sum(axis=0)"}, """
    The gradients of the biases are summed over the first axis only.
    With a batch in front there are several axes to sum over: all but the last.""")

wrong("biases-over-one-sequence", {
    "d_before_rows.sum(axis=0)": "d_before.sum(axis=-2)",
    "d_output_rows.sum(axis=0)": "d_output.sum(axis=-2)",
}, """
    The gradients of the biases are summed within each sequence only.
    All sequences of a batch share the biases. Sum over all axes but the last.""")

wrong("weights-for-each-sequence", {
    "W_1=rows.T @ d_before_rows": "W_1=X.swapaxes(-1, -2) @ d_before",
    "hidden_rows.T @ d_output_rows": "np.maximum(before, 0).swapaxes(-1, -2) @ d_output",
}, """
    The gradients of the weights are not summed over the batch.
    All sequences share the weights, so their gradients add up. A gradient has the shape of what it belongs to.""")

wrong("parameters-for-each-sequence", {
    "W_1=rows.T @ d_before_rows": "W_1=X.swapaxes(-1, -2) @ d_before",
    "hidden_rows.T @ d_output_rows": "np.maximum(before, 0).swapaxes(-1, -2) @ d_output",
    "d_before_rows.sum(axis=0)": "d_before.sum(axis=-2)",
    "d_output_rows.sum(axis=0)": "d_output.sum(axis=-2)",
}, """
    Each sequence gets gradients of its own.
    All sequences share the parameters, so their gradients add up. A gradient has the shape of what it belongs to.""")

wrong("mean-over-positions",
      {", d_params": ", FeedForwardParams(*(gradient / rows.shape[0] for gradient in d_params))"}, """
    The gradients of the parameters are averaged over the positions.
    The gradients add up. Whether the loss itself is a mean is settled already in `d_output`.""")

wrong("transposes-everything", {
    "rows.T @ d_before_rows": "X.T @ d_before",
    "hidden_rows.T @ d_output_rows": "np.maximum(before, 0).T @ d_output",
}, """
    All axes are reversed for the gradients of the weights.
    `.T` reverses every axis, the batch included. First turn all positions of all sequences into the rows of one
    matrix.""")

wrong.at(STEPS)
wrong("weights-transposed", {
    "W_1=rows.T @ d_before_rows": "W_1=d_before_rows.T @ rows",
    "hidden_rows.T @ d_output_rows": "d_output_rows.T @ hidden_rows",
}, """
    The gradients of the weights are transposed.
    A gradient has the shape of what it belongs to: that of W_1 is (d_model, d_ff).""")

wrong("w-2-not-transposed", "d_output @ params.W_2", """
    The axes of W_2 are in their old order on the way back.
    On the way back the map goes from d_model numbers to d_ff numbers.""")

wrong("residual-added", {"W_1.T, d_params": "W_1.T + d_output, d_params"}, """
    d_output is added to dX.
    That is the path past the network, which belongs to the layer around it.""")

wrong.at(SHARED)
wrong("biases-averaged", {
    "d_before_rows.sum(axis=0)": "d_before_rows.mean(axis=0)",
    "d_output_rows.sum(axis=0)": "d_output_rows.mean(axis=0)",
}, """
    The gradients of the biases are averaged over the positions.
    The gradients add up. Whether the loss itself is a mean is settled already in `d_output`.""")

wrong.at()
wrong("parameters-first", {"d_before @ params.W_1.T, d_params": "(d_params, d_before @ params.W_1.T)"}, """
    The gradients of the parameters are returned before dX.
    Return dX and then the parameters, in the order of the arguments.""")

wrong("all-five-in-one-tuple", {".T, ": ".T, *"}, """
    All five gradients are returned side by side.
    Return two results: dX, and the four others together in a FeedForwardParams.""")

wrong("fields-in-another-order", {
    "return d_before @ params.W_1.T, d_params":
        "return d_before @ params.W_1.T, params._make(d_params[i] for i in (0, 2, 1, 3))",
}, """
    The gradients stand in another order than their parameters.
    A FeedForwardParams holds W_1, b_1, W_2, b_2. Pass them by name, and you cannot mix them up.""")

wrong.at(SHARED)
wrong("dX-stays-flat", {"return d_before @": "return d_before_rows @"}, """
    dX is one long matrix of all positions.
    That form is for the sums of the parameters. Every token has a gradient of its own, in the shape of X.""")

wrong.at(STEPS)
wrong("first-map-before-the-gate", {
    "W_1=rows.T @ d_before_rows": "W_1=rows.T @ (d_output_rows @ params.W_2.T)",
    "d_before_rows.sum(axis=0)": "(d_output_rows @ params.W_2.T).sum(axis=0)",
}, """
    The gradients of W_1 and b_1 are computed from a gradient that has not passed the activation.
    Where the hidden layer was cut to 0, W_1 and b_1 had no effect. ReLU lies between them and the output.""")

wrong("w-1-before-the-gate", {"W_1=rows.T @ d_before_rows": "W_1=rows.T @ (d_output_rows @ params.W_2.T)"}, """
    The gradient of W_1 is computed from a gradient that has not passed the activation.
    Where the hidden layer was cut to 0, W_1 had no effect. ReLU lies between it and the output.""")

wrong("dx-before-the-gate", {"return d_before @ params.W_1.T": "return d_output @ params.W_2.T @ params.W_1.T"}, """
    dX is computed from a gradient that has not passed the activation.
    Where the hidden layer was cut to 0, X had no effect. ReLU lies between it and the output.""")

wrong.at(STEPS)
wrong("bias-missing-in-the-gate", {"* (before > 0)": "* (X @ params.W_1 > 0)"}, """
    Where the gradient passes the activation is decided without b_1.
    The bias moves the bend. What counts is whether the number that went into ReLU, with its bias, was positive.""")
