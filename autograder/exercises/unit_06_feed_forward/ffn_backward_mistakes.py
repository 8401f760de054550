"""The known mistakes of `ffn_backward`."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.parameters import FeedForwardParams

SECTION = "Exercise 6.5: ffn_backward"
STEPS = "Backwards, line by line"
SHARED = "One network, many positions"

MISTAKES = KnownMistakes()


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


def _with_biases(how, d_output, X, params):
    """Return the right gradients, but those of the biases from `how(gradients of all tokens)`."""
    dX, d_params = reference.ffn_backward(d_output, X, params)
    d_before = d_output @ params.W_2.T * (_before(X, params) > 0)
    return dX, d_params._replace(b_1=how(d_before), b_2=how(d_output))


@MISTAKES.add(where=STEPS)
def no_gate(d_output, X, params):
    """The gradient passes the activation as if it were not there.

    Where ReLU gave 0, moving its input a little changes nothing, so no gradient passes.
    """
    return _from(d_output, X, params, d_output @ params.W_2.T)


@MISTAKES.add(where=STEPS)
def relu_of_the_gradient(d_output, X, params):
    """ReLU is applied to the gradient.

    Whether a gradient passes depends on the number that went forward. The sign of the gradient does not matter.
    """
    return _from(d_output, X, params, np.maximum(d_output @ params.W_2.T, 0))


@MISTAKES.add(where=STEPS)
def relu_of_the_gradient_too(d_output, X, params):
    """Negative gradients are stopped as well.

    Whether a gradient passes depends only on the number that went forward. Where it passes, it keeps its sign.
    """
    d_hidden = d_output @ params.W_2.T
    return _from(d_output, X, params, np.maximum(d_hidden * (_before(X, params) > 0), 0))


@MISTAKES.add(where=STEPS)
def times_the_hidden_layer(d_output, X, params):
    """The gradient is multiplied by the hidden layer itself.

    The slope of ReLU on the right is 1, however large the number is.
    """
    return _from(d_output, X, params, d_output @ params.W_2.T * np.maximum(_before(X, params), 0))


@MISTAKES.add(where=STEPS)
def times_the_numbers_before(d_output, X, params):
    """The gradient is multiplied by the hidden layer as it was before its activation.

    Of these numbers only the sign counts: the slope of ReLU is 1 where they are positive, and 0 elsewhere.
    """
    return _from(d_output, X, params, d_output @ params.W_2.T * _before(X, params))


@MISTAKES.add(where=STEPS)
def open_at_0(d_output, X, params):
    """The gradient passes where the hidden layer is exactly 0.

    At the corner ReLU has no slope of its own. By convention it is 0 there, in this course as in most libraries.
    """
    return _from(d_output, X, params, d_output @ params.W_2.T * (_before(X, params) >= 0))


@MISTAKES.add(where=STEPS)
def half_open_at_0(d_output, X, params):
    """Half of the gradient passes where the hidden layer is exactly 0.

    One half lies between the slopes on both sides, but by convention the slope is 0 there, as in most libraries.
    """
    slope = np.heaviside(_before(X, params), 0.5)
    return _from(d_output, X, params, d_output @ params.W_2.T * slope)


@MISTAKES.add(where=STEPS)
def gate_without_bias(d_output, X, params):
    """The hidden layer is computed again without b_1.

    The bias moves the bend. The way back must use exactly the numbers of the forward pass.
    """
    before = X @ params.W_1
    return _from(d_output, X, params, d_output @ params.W_2.T * (before > 0), np.maximum(before, 0))


@MISTAKES.add(where=STEPS)
def hidden_before_activation(d_output, X, params):
    """The gradient of W_2 is computed from the hidden layer before its activation.

    W_2 was multiplied by what came out of the activation.
    """
    before = _before(X, params)
    return _from(d_output, X, params, d_output @ params.W_2.T * (before > 0), before)


@MISTAKES.add(where=STEPS)
def b_1_before_the_gate(d_output, X, params):
    """The gradient of b_1 is summed before it has passed the activation.

    b_1 is added before the activation, so its gradient has come back through it.
    """
    dX, d_params = reference.ffn_backward(d_output, X, params)
    return dX, d_params._replace(b_1=_rows(d_output @ params.W_2.T).sum(axis=0))


@MISTAKES.add(where=SHARED)
def biases_not_summed(d_output, X, params):
    """The gradients of the biases are not summed.

    One bias is added at every position, so it collects the gradients of all of them. A gradient has the shape of
    what it belongs to.
    """
    return _with_biases(lambda gradient: gradient.copy(), d_output, X, params)


@MISTAKES.add(where=SHARED)
def biases_over_the_first_axis(d_output, X, params):
    """The gradients of the biases are summed over the first axis only.

    With a batch in front there are several axes to sum over: all but the last.
    """
    return _with_biases(lambda gradient: gradient.sum(axis=0), d_output, X, params)


@MISTAKES.add(where=SHARED)
def biases_over_one_sequence(d_output, X, params):
    """The gradients of the biases are summed within each sequence only.

    All sequences of a batch share the biases. Sum over all axes but the last.
    """
    return _with_biases(lambda gradient: gradient.sum(axis=-2), d_output, X, params)


@MISTAKES.add(where=SHARED)
def weights_for_each_sequence(d_output, X, params):
    """The gradients of the weights are not summed over the batch.

    All sequences share the weights, so their gradients add up. A gradient has the shape of what it belongs to.
    """
    dX, d_params = reference.ffn_backward(d_output, X, params)
    before = _before(X, params)
    d_before = d_output @ params.W_2.T * (before > 0)
    W_1 = X.swapaxes(-1, -2) @ d_before
    return dX, d_params._replace(W_1=W_1, W_2=np.maximum(before, 0).swapaxes(-1, -2) @ d_output)


@MISTAKES.add(where=SHARED)
def parameters_for_each_sequence(d_output, X, params):
    """Each sequence gets gradients of its own.

    All sequences share the parameters, so their gradients add up. A gradient has the shape of what it belongs to.
    """
    dX, d_params = weights_for_each_sequence(d_output, X, params)
    d_before = d_output @ params.W_2.T * (_before(X, params) > 0)
    return dX, d_params._replace(b_1=d_before.sum(axis=-2), b_2=d_output.sum(axis=-2))


@MISTAKES.add(where=SHARED)
def mean_over_positions(d_output, X, params):
    """The gradients of the parameters are averaged over the positions.

    The gradients add up. Whether the loss itself is a mean is settled already in `d_output`.
    """
    dX, d_params = reference.ffn_backward(d_output, X, params)
    count = _rows(X).shape[0]
    return dX, FeedForwardParams(*(gradient / count for gradient in d_params))


@MISTAKES.add(where=SHARED)
def transposes_everything(d_output, X, params):
    """All axes are reversed for the gradients of the weights.

    `.T` reverses every axis, the batch included. First turn all positions of all sequences into the rows of one matrix.
    """
    before = X @ params.W_1 + params.b_1
    d_W_2 = np.maximum(before, 0).T @ d_output
    d_before = d_output @ params.W_2.T * (before > 0)
    d_params = FeedForwardParams(X.T @ d_before, d_before.sum(axis=0), d_W_2, d_output.sum(axis=0))
    return d_before @ params.W_1.T, d_params


@MISTAKES.add(where=STEPS)
def weights_transposed(d_output, X, params):
    """The gradients of the weights are transposed.

    A gradient has the shape of what it belongs to: that of W_1 is (d_model, d_ff).
    """
    dX, d_params = reference.ffn_backward(d_output, X, params)
    return dX, d_params._replace(W_1=d_params.W_1.T, W_2=d_params.W_2.T)


@MISTAKES.add(where=STEPS)
def w_2_not_transposed(d_output, X, params):
    """The axes of W_2 are in their old order on the way back.

    On the way back the map goes from d_model numbers to d_ff numbers.
    """
    return d_output @ params.W_2


@MISTAKES.add(where=STEPS)
def residual_added(d_output, X, params):
    """d_output is added to dX.

    That is the path past the network, which belongs to the layer around it.
    """
    dX, d_params = reference.ffn_backward(d_output, X, params)
    return dX + d_output, d_params


@MISTAKES.add(where=SHARED)
def biases_averaged(d_output, X, params):
    """The gradients of the biases are averaged over the positions.

    The gradients add up. Whether the loss itself is a mean is settled already in `d_output`.
    """
    return _with_biases(lambda gradient: _rows(gradient).mean(axis=0), d_output, X, params)
