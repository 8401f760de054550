"""The known mistakes of `ffn_backward`."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference
from transformer_kit.parameters import FeedForwardParams

SECTION = "Exercise 6.5: ffn_backward"
STEPS = "Backwards, line by line"
GATE = "The gate"
SHARED = "One network, many positions"


def _rows(array):
    return array.reshape(-1, array.shape[-1])


def _before(X, params):
    return X @ params.W_1 + params.b_1


def _from(d_output, X, params, d_before, hidden=None):
    """The right chain with two exchangeable links: the gradient before the activation, and the hidden layer."""
    hidden = np.maximum(_before(X, params), 0) if hidden is None else hidden
    d_params = FeedForwardParams(
        W_1=_rows(X).T @ _rows(d_before),
        b_1=_rows(d_before).sum(axis=0),
        W_2=_rows(hidden).T @ _rows(d_output),
        b_2=_rows(d_output).sum(axis=0),
    )
    return d_before @ params.W_1.T, d_params


def _no_gate(d_output, X, params):
    return _from(d_output, X, params, d_output @ params.W_2.T)


def _relu_of_the_gradient(d_output, X, params):
    return _from(d_output, X, params, np.maximum(d_output @ params.W_2.T, 0))


def _gate_of_the_gradient_and_of_the_hidden_layer(d_output, X, params):
    d_hidden = d_output @ params.W_2.T
    return _from(d_output, X, params, np.maximum(d_hidden * (_before(X, params) > 0), 0))


def _times_the_hidden_layer(d_output, X, params):
    return _from(d_output, X, params, d_output @ params.W_2.T * np.maximum(_before(X, params), 0))


def _open_at_0(d_output, X, params):
    return _from(d_output, X, params, d_output @ params.W_2.T * (_before(X, params) >= 0))


def _half_open_at_0(d_output, X, params):
    gate = np.heaviside(_before(X, params), 0.5)
    return _from(d_output, X, params, d_output @ params.W_2.T * gate)


def _gate_without_bias(d_output, X, params):
    before = X @ params.W_1
    return _from(d_output, X, params, d_output @ params.W_2.T * (before > 0), np.maximum(before, 0))


def _hidden_before_the_activation(d_output, X, params):
    before = _before(X, params)
    return _from(d_output, X, params, d_output @ params.W_2.T * (before > 0), before)


def _b_1_before_the_gate(d_output, X, params):
    dX, d_params = reference.ffn_backward(d_output, X, params)
    return dX, d_params._replace(b_1=_rows(d_output @ params.W_2.T).sum(axis=0))


def _change_biases(how):
    """Make a mistake that is right but for the sums of the biases."""

    def wrong(d_output, X, params):
        dX, d_params = reference.ffn_backward(d_output, X, params)
        d_before = d_output @ params.W_2.T * (_before(X, params) > 0)
        return dX, d_params._replace(b_1=how(d_before), b_2=how(d_output))

    return wrong


def _weights_for_each_sequence(d_output, X, params):
    dX, d_params = reference.ffn_backward(d_output, X, params)
    before = _before(X, params)
    d_before = d_output @ params.W_2.T * (before > 0)
    W_1 = X.swapaxes(-1, -2) @ d_before
    return dX, d_params._replace(W_1=W_1, W_2=np.maximum(before, 0).swapaxes(-1, -2) @ d_output)


def _weights_and_biases_for_each_sequence(d_output, X, params):
    dX, d_params = _weights_for_each_sequence(d_output, X, params)
    d_before = d_output @ params.W_2.T * (_before(X, params) > 0)
    return dX, d_params._replace(b_1=d_before.sum(axis=-2), b_2=d_output.sum(axis=-2))


def _mean_over_positions(d_output, X, params):
    dX, d_params = reference.ffn_backward(d_output, X, params)
    count = _rows(X).shape[0]
    return dX, FeedForwardParams(*(gradient / count for gradient in d_params))


def _transposes_everything(d_output, X, params):
    before = X @ params.W_1 + params.b_1
    d_W_2 = np.maximum(before, 0).T @ d_output
    d_before = d_output @ params.W_2.T * (before > 0)
    d_params = FeedForwardParams(X.T @ d_before, d_before.sum(axis=0), d_W_2, d_output.sum(axis=0))
    return d_before @ params.W_1.T, d_params


def _weights_transposed(d_output, X, params):
    dX, d_params = reference.ffn_backward(d_output, X, params)
    return dX, d_params._replace(W_1=d_params.W_1.T, W_2=d_params.W_2.T)


def _W_2_not_transposed(d_output, X, params):
    return d_output @ params.W_2


def _residual(d_output, X, params):
    dX, d_params = reference.ffn_backward(d_output, X, params)
    return dX + d_output, d_params


def _parameters_first(d_output, X, params):
    dX, d_params = reference.ffn_backward(d_output, X, params)
    return d_params, dX


MISTAKES = (
    Mistake(
        "no-gate",
        "The gradient passes the activation as if it were not there",
        _no_gate,
        "Where ReLU gave 0, moving its input a little changes nothing, so no gradient passes.",
        GATE,
    ),
    Mistake(
        "relu-of-the-gradient",
        "ReLU is applied to the gradient",
        _relu_of_the_gradient,
        "Whether a gradient passes depends on the number that went forward. The sign of the gradient does not matter.",
        GATE,
    ),
    Mistake(
        "relu-of-the-gradient-too",
        "Negative gradients are stopped as well",
        _gate_of_the_gradient_and_of_the_hidden_layer,
        "Whether a gradient passes depends only on the number that went forward. Where it passes, it keeps its sign.",
        GATE,
    ),
    Mistake(
        "times-the-hidden-layer",
        "The gradient is multiplied by the hidden layer itself",
        _times_the_hidden_layer,
        "The slope of ReLU on the right is 1, however large the number is.",
        GATE,
    ),
    Mistake(
        "open-at-0",
        "The gradient passes where the hidden layer is exactly 0",
        _open_at_0,
        "At the corner ReLU has no slope of its own. By agreement it is 0 there, in this course as in most libraries.",
        GATE,
    ),
    Mistake(
        "half-open-at-0",
        "Half of the gradient passes where the hidden layer is exactly 0",
        _half_open_at_0,
        "One half lies between the slopes of both sides, but the agreement here is 0, as in most libraries.",
        GATE,
    ),
    Mistake(
        "gate-without-bias",
        "The hidden layer is computed again without b_1",
        _gate_without_bias,
        "The bias moves the bend. The way back must use the very numbers of the way forward.",
        GATE,
    ),
    Mistake(
        "hidden-before-activation",
        "The gradient of W_2 is computed from the hidden layer before its activation",
        _hidden_before_the_activation,
        "W_2 was multiplied by what came out of the activation.",
        STEPS,
    ),
    Mistake(
        "b-1-before-the-gate",
        "The gradient of b_1 is summed before it has passed the gate",
        _b_1_before_the_gate,
        "b_1 is added before the activation, so its gradient has come back through it.",
        STEPS,
    ),
    Mistake(
        "biases-not-summed",
        "The gradients of the biases are not summed",
        _change_biases(lambda gradient: gradient.copy()),
        "One bias is added at every position, so it collects the gradients of all of them. A gradient has the "
        "shape of what it belongs to.",
        SHARED,
    ),
    Mistake(
        "biases-over-the-first-axis",
        "The gradients of the biases are summed over the first axis only",
        _change_biases(lambda gradient: gradient.sum(axis=0)),
        "With a batch in front there are several axes to sum over: all but the last.",
        SHARED,
    ),
    Mistake(
        "biases-over-one-sequence",
        "The gradients of the biases are summed within each sequence only",
        _change_biases(lambda gradient: gradient.sum(axis=-2)),
        "All sequences of a batch share the biases. Sum over all axes but the last.",
        SHARED,
    ),
    Mistake(
        "weights-for-each-sequence",
        "The gradients of the weights are not summed over the batch",
        _weights_for_each_sequence,
        "All sequences share the weights, so their gradients add up. A gradient has the shape of what it belongs to.",
        SHARED,
    ),
    Mistake(
        "parameters-for-each-sequence",
        "Each sequence gets gradients of its own",
        _weights_and_biases_for_each_sequence,
        "All sequences share the parameters, so their gradients add up. A gradient has the shape of what it "
        "belongs to.",
        SHARED,
    ),
    Mistake(
        "mean-over-positions",
        "The gradients of the parameters are averaged over the positions",
        _mean_over_positions,
        "The gradients add up. Whether the loss itself is a mean is settled already in `d_output`.",
        SHARED,
    ),
    Mistake(
        "transposes-everything",
        "All axes are turned round for the gradients of the weights",
        _transposes_everything,
        "`.T` reverses every axis, the batch included. First turn all positions of all sequences into the rows of "
        "one matrix.",
        SHARED,
    ),
    Mistake(
        "weights-transposed",
        "The gradients of the weights are transposed",
        _weights_transposed,
        "A gradient has the shape of what it belongs to: that of W_1 is (d_model, d_ff).",
        STEPS,
    ),
    Mistake(
        "w-2-not-transposed",
        "The gradient is multiplied by W_2 as it stands",
        _W_2_not_transposed,
        "On the way back the map goes from d_model numbers to d_ff numbers.",
        STEPS,
    ),
    Mistake(
        "residual-added",
        "d_output is added to dX",
        _residual,
        "That is the path past the network, which belongs to the layer around it.",
        STEPS,
    ),
    Mistake(
        "parameters-first",
        "The gradients of the parameters are returned before dX",
        _parameters_first,
        "Asked for are dX and then the parameters, in the order of the arguments.",
        SECTION,
    ),
)
