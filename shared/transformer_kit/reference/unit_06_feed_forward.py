"""Unit 06: the position-wise feed-forward network (Vaswani et al. 2017, section 3.3)."""

import math

import numpy as np
import scipy

from transformer_kit.parameters import FeedForwardParams
from transformer_kit.reference.floats import as_float


def relu(x):
    """Replace negative numbers by 0.

    Parameters
    ----------
    x : ndarray of any shape

    Returns
    -------
    ndarray of the shape of `x`
    """
    return np.maximum(as_float(x), 0)


def gelu(x):
    """Multiply every number by the probability that a standard normal one is smaller.

    Parameters
    ----------
    x : ndarray of any shape

    Returns
    -------
    ndarray of the shape of `x`

    Notes
    -----
    Hendrycks and Gimpel 2016; the exact form, not the one with tanh.
    """
    x = as_float(x)
    return x * 0.5 * (1 + scipy.special.erf(x / math.sqrt(2)))


def position_wise_ffn(X, params, activation=relu):
    """Apply the same two-layer network to every position by itself.

    Parameters
    ----------
    X : ndarray of shape (..., n, d_model)
    params : FeedForwardParams
    activation : callable
        Applied to the hidden layer.

    Returns
    -------
    ndarray of shape (..., n, d_model)

    Notes
    -----
    Vaswani et al. 2017, equation 2.
    """
    hidden = activation(as_float(X) @ params.W_1 + params.b_1)  # (..., n, d_ff)
    return hidden @ params.W_2 + params.b_2


def collapse_linear(params):
    """Return the one linear map that the two are without the activation between them.

    Parameters
    ----------
    params : FeedForwardParams

    Returns
    -------
    W : ndarray of shape (d_model, d_model)
    b : ndarray of shape (d_model,)
    """
    W_1, b_1, W_2, b_2 = map(as_float, params)
    return W_1 @ W_2, b_1 @ W_2 + b_2


def counting_network(n_bits, counts):
    """Return the weights of a network with ReLU that says whether the number of ones in a row is one of `counts`.

    Parameters
    ----------
    n_bits : int
        Length of the rows.
    counts : tuple of int
        Different numbers from 0 to `n_bits`.

    Returns
    -------
    FeedForwardParams
        With one output, so `W_2` has the shape (d_ff, 1): 1 for yes, and 0 for no.

    Notes
    -----
    One right answer of many. For each count it has a hat: three units, whose corners lie one before, at and one after
    it, where the slope becomes 1, -1 and 0 again.
    """
    corners = np.array([(count - 1.0, count, count + 1) for count in counts]).ravel()  # (3 * len(counts),)
    bends = np.tile([1.0, -2.0, 1.0], len(counts))
    return FeedForwardParams(np.ones((n_bits, len(corners))), -corners, bends[:, None], np.zeros(1))


def ffn_backward(d_output, X, params):
    """Return the gradients of a loss through the feed-forward network with ReLU.

    Parameters
    ----------
    d_output : ndarray of shape (..., n, d_model)
        Gradient of the loss with respect to the network's output.
    X : ndarray of shape (..., n, d_model)
        The network's input.
    params : FeedForwardParams

    Returns
    -------
    dX : ndarray of shape (..., n, d_model)
    d_params : FeedForwardParams
        Gradients of the loss with respect to the parameters, summed over all positions. The gradient of
        ReLU at 0 is 0.
    """
    d_output, X = as_float(d_output), as_float(X)
    before = X @ params.W_1 + params.b_1
    d_before = (d_output @ params.W_2.T) * (before > 0)  # (..., n, d_ff)
    rows = X.reshape(-1, X.shape[-1])  # (all positions, d_model)
    d_output_rows, d_before_rows = (d.reshape(-1, d.shape[-1]) for d in (d_output, d_before))
    hidden_rows = np.maximum(before, 0).reshape(d_before_rows.shape)
    d_params = FeedForwardParams(
        W_1=rows.T @ d_before_rows,
        b_1=d_before_rows.sum(axis=0),
        W_2=hidden_rows.T @ d_output_rows,
        b_2=d_output_rows.sum(axis=0),
    )
    return d_before @ params.W_1.T, d_params


def count_layer_parameters(d_model, d_ff):
    """Count the parameters of the two sub-layers of an encoder layer.

    Parameters
    ----------
    d_model : int
    d_ff : int

    Returns
    -------
    attention : int
        The four projections, which have no biases.
    ffn : int
        The two linear maps with their biases.
    """
    return 4 * d_model**2, 2 * d_model * d_ff + d_ff + d_model


def swiglu(X, W_gate, W_up, W_down):
    """Apply the feed-forward network in which one branch gates the other.

    Parameters
    ----------
    X : ndarray of shape (..., n, d_model)
    W_gate, W_up : ndarray of shape (d_model, d_ff)
    W_down : ndarray of shape (d_ff, d_model)

    Returns
    -------
    ndarray of shape (..., n, d_model)

    Notes
    -----
    Shazeer 2020, *GLU Variants Improve Transformer*; SiLU is x times its logistic sigmoid.
    """
    gate = as_float(X) @ W_gate
    return (gate * scipy.special.expit(gate) * (X @ W_up)) @ W_down
