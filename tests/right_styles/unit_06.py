"""Right functions of unit 06 in other styles than the reference's."""

import math

import numpy as np
from scipy import special, stats

from transformer_kit.parameters import FeedForwardParams
from transformer_kit.reference import relu


def relu_by_a_product(x):
    return x * (x > 0)


def relu_with_where(x):
    return np.where(x > 0, x, 0)


def relu_by_clipping(x):
    return np.clip(x, 0, None)


def relu_from_the_absolute_value(x):
    return (np.abs(x) + x) / 2


def relu_on_a_copy(x):
    output = x.copy()
    output[output < 0] = 0
    return output


def relu_one_by_one(x):
    return np.array([max(0.0, number) for number in x.ravel()]).reshape(x.shape)


def gelu_from_the_normal_distribution(x):
    return x * stats.norm.cdf(x)


def gelu_from_ndtr(x):
    return x * special.ndtr(x)


def gelu_from_the_complement(x):
    return x * special.erfc(-x / np.sqrt(2)) / 2


def gelu_one_by_one(x):
    probability = np.vectorize(lambda number: 0.5 * (1 + math.erf(number / math.sqrt(2))), otypes=[float])
    return x * probability(x)


def ffn_by_einsum(X, params, activation=relu):
    hidden = activation(np.einsum("...d,df->...f", X, params.W_1) + params.b_1)
    return np.einsum("...f,fd->...d", hidden, params.W_2) + params.b_2


def ffn_position_by_position(X, params, activation=relu):
    W_1, b_1, W_2, b_2 = params
    output = np.zeros(X.shape, dtype=W_1.dtype)
    for place in np.ndindex(X.shape[:-1]):
        output[place] = activation(X[place] @ W_1 + b_1) @ W_2 + b_2
    return output


def ffn_as_a_memory(X, params, activation=relu):
    """The sum over the hidden units: how well a key matches, times its value."""
    output = np.zeros(X.shape) + params.b_2
    for key, bias, value in zip(params.W_1.T, params.b_1, params.W_2, strict=True):
        output = output + activation(X @ key + bias)[..., None] * value
    return output


def ffn_in_rows(X, params, activation=relu):
    rows = X.reshape(-1, X.shape[-1])
    hidden = np.dot(rows, params.W_1)
    hidden = hidden + params.b_1[None, :]
    return (np.dot(activation(hidden), params.W_2) + params.b_2).reshape(X.shape)


def ffn_with_columns(X, params, activation=relu):
    """Tokens as columns, as in many books."""
    columns = np.swapaxes(X, -1, -2)
    hidden = activation(params.W_1.T @ columns + params.b_1[:, None])
    return np.swapaxes(params.W_2.T @ hidden + params.b_2[:, None], -1, -2)


def collapse_by_einsum(params):
    W = np.einsum("df,fe->de", params.W_1, params.W_2)
    return W, np.einsum("f,fe->e", params.b_1, params.W_2) + params.b_2


def collapse_by_probing(params):
    """The bias is what becomes of 0, and the rows of W what becomes of the unit vectors."""

    def both(X):
        return (X @ params.W_1 + params.b_1) @ params.W_2 + params.b_2

    d_model = params.W_1.shape[0]
    b = both(np.zeros(d_model))
    return both(np.eye(d_model)) - b, b


def collapse_with_an_extra_column(params):
    """Affine maps as matrices: the bias is the last row."""
    W_1, b_1, W_2, b_2 = params
    first = np.block([[W_1, np.zeros((len(W_1), 1))], [b_1[None, :], np.ones((1, 1))]])
    both = first @ np.vstack([W_2, b_2])
    return [both[:-1], both[-1]]


def backward_by_einsum(d_output, X, params):
    before = X @ params.W_1 + params.b_1
    d_before = np.where(before > 0, np.einsum("...d,fd->...f", d_output, params.W_2), 0)
    rows = [a.reshape(-1, a.shape[-1]) for a in (X, d_before, relu(before), d_output)]
    d_params = FeedForwardParams(
        W_1=np.einsum("nd,nf->df", rows[0], rows[1]),
        b_1=np.einsum("nf->f", rows[1]),
        W_2=np.einsum("nf,nd->fd", rows[2], rows[3]),
        b_2=np.einsum("nd->d", rows[3]),
    )
    return np.einsum("...f,df->...d", d_before, params.W_1), d_params


def backward_position_by_position(d_output, X, params):
    """Four sums that grow, in a plain tuple."""
    W_1, b_1, W_2, _ = params
    dX = np.zeros(X.shape)
    d_W_1, d_b_1, d_W_2, d_b_2 = (np.zeros(array.shape) for array in params)
    for place in np.ndindex(X.shape[:-1]):
        before = X[place] @ W_1 + b_1
        d_before = W_2 @ d_output[place]
        d_before[before <= 0] = 0
        dX[place] = W_1 @ d_before
        d_W_1 += np.outer(X[place], d_before)
        d_b_1 += d_before
        d_W_2 += np.outer(np.maximum(before, 0), d_output[place])
        d_b_2 += d_output[place]
    return dX, (d_W_1, d_b_1, d_W_2, d_b_2)


def backward_by_sequences(d_output, X, params):
    """Products of the last two axes, then sums over all axes in front."""
    before = np.matmul(X, params.W_1) + params.b_1
    d_before = np.matmul(d_output, params.W_2.T) * np.heaviside(before, 0)
    leading = tuple(range(X.ndim - 1))
    d_W_1 = np.sum(np.swapaxes(X, -1, -2) @ d_before, axis=leading[:-1])
    d_W_2 = np.sum(np.swapaxes(relu(before), -1, -2) @ d_output, axis=leading[:-1])
    d_params = FeedForwardParams(d_W_1, d_before.sum(axis=leading), d_W_2, d_output.sum(axis=leading))
    return [d_before @ params.W_1.T, d_params]


def backward_with_tensordot(d_output, X, params):
    axes = tuple(range(X.ndim - 1))
    hidden = relu(X @ params.W_1 + params.b_1)
    d_before = (d_output @ params.W_2.T) * (hidden > 0)
    return d_before @ params.W_1.T, FeedForwardParams(
        W_1=np.tensordot(X, d_before, axes=(axes, axes)),
        b_1=d_before.sum(axis=axes),
        W_2=np.tensordot(hidden, d_output, axes=(axes, axes)),
        b_2=d_output.sum(axis=axes),
    )


def count_by_terms(d_model, d_ff):
    attention = sum(rows * columns for rows, columns in [(d_model, d_model)] * 4)
    return attention, d_model * d_ff + d_ff + d_ff * d_model + d_model


def count_by_making_them(d_model, d_ff):
    attention = np.broadcast_to(0, (4, d_model, d_model)).size
    shapes = ((d_model, d_ff), (d_ff,), (d_ff, d_model), (d_model,))
    return attention, sum(math.prod(shape) for shape in shapes)


def count_with_numpy(d_model, d_ff):
    return np.int64(4) * d_model**2, np.sum([2 * d_model * d_ff, d_ff, d_model])


def swiglu_with_one_exponential(X, W_gate, W_up, W_down):
    """Overflows to infinity far out, and the quotient is right nevertheless."""
    gate = X @ W_gate
    return (gate / (1 + np.exp(-gate)) * (X @ W_up)) @ W_down


def swiglu_with_tanh(X, W_gate, W_up, W_down):
    gate = np.einsum("...d,df->...f", X, W_gate)
    silu = 0.5 * gate * (1 + np.tanh(gate / 2))
    return np.matmul(silu * np.einsum("...d,df->...f", X, W_up), W_down)


def swiglu_with_two_cases(X, W_gate, W_up, W_down):
    gate = X @ W_gate
    small = np.exp(-np.abs(gate))
    sigmoid = np.where(gate >= 0, 1, small) / (1 + small)
    return (gate * sigmoid * (X @ W_up)) @ W_down


def swiglu_fused(X, W_gate, W_up, W_down):
    """One product for both branches."""
    gate, up = np.split(X @ np.hstack([W_gate, W_up]), 2, axis=-1)
    return (special.expit(gate) * gate * up) @ W_down


def swiglu_unit_by_unit(X, W_gate, W_up, W_down):
    output = np.zeros(X.shape)
    for k_gate, k_up, v in zip(W_gate.T, W_up.T, W_down, strict=True):
        gate = X @ k_gate
        output += (gate * special.expit(gate) * (X @ k_up))[..., None] * v
    return output


STYLES = {
    "relu": (
        relu_by_a_product,
        relu_with_where,
        relu_by_clipping,
        relu_from_the_absolute_value,
        relu_on_a_copy,
        relu_one_by_one,
    ),
    "gelu": (gelu_from_the_normal_distribution, gelu_from_ndtr, gelu_from_the_complement, gelu_one_by_one),
    "position_wise_ffn": (
        ffn_by_einsum,
        ffn_position_by_position,
        ffn_as_a_memory,
        ffn_in_rows,
        ffn_with_columns,
    ),
    "collapse_linear": (collapse_by_einsum, collapse_by_probing, collapse_with_an_extra_column),
    "ffn_backward": (
        backward_by_einsum,
        backward_position_by_position,
        backward_by_sequences,
        backward_with_tensordot,
    ),
    "count_layer_parameters": (count_by_terms, count_by_making_them, count_with_numpy),
    "swiglu": (
        swiglu_with_one_exponential,
        swiglu_with_tanh,
        swiglu_with_two_cases,
        swiglu_fused,
        swiglu_unit_by_unit,
    ),
}
