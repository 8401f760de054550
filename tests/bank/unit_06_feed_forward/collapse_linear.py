"""Functions that learners wrote for `collapse_linear`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference


@wrong(
    "adds the two biases without sending b_1 through W_2, which raises where d_ff and d_model differ",
    names={"biases-added"},
    line="b = params.b_1 + params.b_2",
)
def biases_added(params):
    W = params.W_1 @ params.W_2
    b = params.b_1 + params.b_2
    return W, b


@wrong(
    "the bias is b_2 alone: what becomes of b_1 in the second map is forgotten",
    names={"no-b-1"},
    line="return W, params.b_2",
)
def only_second_bias(params):
    W = params.W_1 @ params.W_2
    return W, params.b_2


@wrong("forgets to add b_2: the bias is b_1 @ W_2 alone", names={"no-b-2"}, line="b = b_1 @ W_2")
def second_bias_missing(params):
    W_1, b_1, W_2, b_2 = params
    W = W_1 @ W_2
    b = b_1 @ W_2
    return W, b


@wrong(
    "multiplies the matrices in the opposite order, W_2 @ W_1, so W has the shape (d_ff, d_ff)",
    names={"matrix-in-other-order", "other-order"},
    line="W = params.W_2 @ params.W_1",
)
def opposite_order(params):
    W = params.W_2 @ params.W_1
    b = params.b_1 @ params.W_2 + params.b_2
    return W, b


@wrong("returns the bias first and the matrix second", names={"bias-first"}, line="return b, W")
def bias_first(params):
    W = np.matmul(params.W_1, params.W_2)
    b = np.matmul(params.b_1, params.W_2) + params.b_2
    return b, W


@wrong("returns W transposed", names={"transposed"}, line="W = params.W_2.T @ params.W_1.T")
def transposed_product(params):
    W = params.W_2.T @ params.W_1.T
    b = params.W_2.T @ params.b_1 + params.b_2
    return W, b


@wrong(
    "applies ReLU to b_1 before sending it through W_2, although there is no activation",
    names={"relu-on-the-bias"},
    line="b = reference.relu(params.b_1) @ params.W_2 + params.b_2",
)
def relu_on_bias(params):
    W = params.W_1 @ params.W_2
    b = reference.relu(params.b_1) @ params.W_2 + params.b_2
    return W, b


@wrong(
    "W still contains the bias: it is what the whole network makes of the identity, and b was not subtracted",
    names={"bias-in-the-matrix"},
    line="W = (eye @ params.W_1 + params.b_1) @ params.W_2 + params.b_2",
)
def probing_with_bias(params):
    d_model = params.W_1.shape[0]
    eye = np.eye(d_model)
    W = (eye @ params.W_1 + params.b_1) @ params.W_2 + params.b_2
    b = params.b_1 @ params.W_2 + params.b_2
    return W, b


@wrong("returns the matrix only, not the bias", line="return W")
def matrix_only(params):
    first, second = params.W_1, params.W_2
    W = first @ second
    return W


@wrong(
    "multiplies W_1 and W_2 transposed number by number instead of as matrices",
    names={"elementwise"},
    line="W = params.W_1 * params.W_2.T",
)
def number_by_number(params):
    W = params.W_1 * params.W_2.T
    b = params.b_1 @ params.W_2 + params.b_2
    return W, b


@wrong(
    "the bias has the shape (1, d_model) instead of (d_model,)",
    names={"bias-as-a-row"},
    line="b = b_1[None, :] @ W_2 + b_2",
)
def bias_as_row(params):
    W_1, b_1, W_2, b_2 = params
    b = b_1[None, :] @ W_2 + b_2
    return W_1 @ W_2, b


@wrong("the sum over the hidden units leaves the last unit out", line="for i in range(d_ff - 1):")
def last_unit_missing(params):
    d_model, d_ff = params.W_1.shape
    W = np.zeros((d_model, d_model))
    b = params.b_2.copy()
    for i in range(d_ff - 1):
        W += np.outer(params.W_1[:, i], params.W_2[i])
        b += params.b_1[i] * params.W_2[i]
    return W, b


@wrong(
    "adds to params.b_2 in place, which changes the argument", names={"in-place"}, line="b += params.b_1 @ params.W_2"
)
def changes_second_bias(params):
    W = params.W_1 @ params.W_2
    b = params.b_2
    b += params.b_1 @ params.W_2
    return W, b


@wrong(
    "two: the matrices are multiplied in the opposite order, and b_2 is forgotten",
    names={"no-b-2", "other-order"},
    line="W = np.dot(params.W_2, params.W_1)",
)
def order_and_bias(params):
    W = np.dot(params.W_2, params.W_1)
    b = np.dot(params.b_1, params.W_2)
    return W, b


@wrong(
    "adds the sum of b_2 to b_1 before the second map, instead of adding b_2 to b_1 @ W_2",
    line="b = (params.b_1 + params.b_2.sum()) @ params.W_2",
)
def second_bias_inside(params):
    W = params.W_1 @ params.W_2
    b = (params.b_1 + params.b_2.sum()) @ params.W_2
    return W, b


@wrong(
    "adds the bias to the matrix and returns the sum as W",
    names={"bias-in-the-matrix"},
    line="W = params.W_1 @ params.W_2 + b",
)
def bias_in_matrix(params):
    b = params.b_1 @ params.W_2 + params.b_2
    W = params.W_1 @ params.W_2 + b
    return W, b


@wrong(
    "two: the bias comes first in the result, and b_2 is missing in it",
    names={"bias-first", "no-b-2"},
    line="b = params.W_2.T @ params.b_1",
)
def order_and_missing_bias(params):
    b = params.W_2.T @ params.b_1
    W = params.W_1 @ params.W_2
    return b, W


@right
def multiplied_out(params):
    return params.W_1 @ params.W_2, params.b_1 @ params.W_2 + params.b_2


@right
def with_probes(params):
    def net(x):
        return (x @ params.W_1 + params.b_1) @ params.W_2 + params.b_2

    d_model = params.W_1.shape[0]
    b = net(np.zeros(d_model))
    W = net(np.eye(d_model)) - b
    return W, b


@right
def unit_by_unit(params):
    W_1, b_1, W_2, b_2 = params
    W = sum(np.outer(W_1[:, i], W_2[i]) for i in range(len(b_1)))
    b = b_2 + sum(b_1[i] * W_2[i] for i in range(len(b_1)))
    return W, b


@right
def stacked_with_einsum(params):
    stacked = np.vstack([params.W_1, params.b_1])
    both = np.einsum("ij,jk->ik", stacked, params.W_2)
    return both[:-1], both[-1] + params.b_2
