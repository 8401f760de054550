"""Functions that learners wrote for `position_wise_ffn`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference
from transformer_kit.reference import relu


@wrong("forgets the first bias b_1", names={"no-b-1"}, line="hidden = activation(X @ params.W_1)")
def no_first_bias(X, params, activation=reference.relu):
    hidden = activation(X @ params.W_1)
    return hidden @ params.W_2 + params.b_2


@wrong("forgets the second bias b_2", names={"no-b-2"}, line="return hidden @ params.W_2")
def no_second_bias(X, params, activation=reference.relu):
    hidden = activation(X @ params.W_1 + params.b_1)
    return hidden @ params.W_2


@wrong("applies the activation to the output as well", names={"activation-last-too"}, line="return activation(out)")
def activation_twice(X, params, activation=reference.relu):
    hidden = X @ params.W_1 + params.b_1
    hidden = activation(hidden)
    out = hidden @ params.W_2 + params.b_2
    return activation(out)


@wrong(
    "always takes the maximum with 0 and ignores the parameter activation",
    names={"always-relu"},
    line="H = np.maximum(0, Z)",
)
def always_relu(X, params, activation=reference.relu):
    Z = X @ params.W_1 + params.b_1
    H = np.maximum(0, Z)
    return H @ params.W_2 + params.b_2


@wrong(
    "leaves the activation out, so the two maps are one linear map",
    names={"no-activation"},
    line="out = hidden @ params.W_2 + params.b_2",
)
def no_activation(X, params, activation=reference.relu):
    hidden = X @ params.W_1 + params.b_1
    out = hidden @ params.W_2 + params.b_2
    return out


@wrong(
    "adds the first bias after the activation instead of before it",
    names={"bias-after-activation"},
    line="hidden = activation(X @ W_1) + b_1",
)
def bias_after_activation(X, params, activation=reference.relu):
    W_1, b_1, W_2, b_2 = params
    hidden = activation(X @ W_1) + b_1
    return hidden @ W_2 + b_2


@wrong(
    "applies the activation to the tokens before the first map, and not to the hidden layer",
    names={"activation-first"},
    line="hidden = activation(X) @ params.W_1 + params.b_1",
)
def activation_on_tokens(X, params, activation=reference.relu):
    hidden = activation(X) @ params.W_1 + params.b_1
    return hidden @ params.W_2 + params.b_2


@wrong(
    "applies the activation after the second map only, and not to the hidden layer",
    names={"activation-last-only"},
    line="return activation(hidden @ params.W_2 + params.b_2)",
)
def activation_at_the_end(X, params, activation=reference.relu):
    hidden = X @ params.W_1 + params.b_1
    return activation(hidden @ params.W_2 + params.b_2)


@wrong(
    "multiplies with the transposed matrices, whose shapes do not fit",
    names={"transposed"},
    line="Z = X @ params.W_1.T + params.b_1",
)
def transposed_weights(X, params, activation=reference.relu):
    Z = X @ params.W_1.T + params.b_1
    H = activation(Z)
    return H @ params.W_2.T + params.b_2


@wrong(
    "does not give the batch axes back: with more than two axes the result is one long matrix of rows",
    names={"stays-flat"},
    line="return activation(rows @ params.W_1 + params.b_1) @ params.W_2 + params.b_2",
)
def stays_flat(X, params, activation=reference.relu):
    d_model = X.shape[-1]
    rows = X.reshape(-1, d_model)
    return activation(rows @ params.W_1 + params.b_1) @ params.W_2 + params.b_2


@wrong(
    "unpacks the parameters in the order W_1, W_2, b_1, b_2, so a bias is used as a matrix and the other way round",
    names={"unpacked-in-another-order"},
    line="W_1, W_2, b_1, b_2 = params",
)
def unpacked_in_wrong_order(X, params, activation=reference.relu):
    W_1, W_2, b_1, b_2 = params
    hidden = activation(X @ W_1 + b_1)
    return hidden @ W_2 + b_2


@wrong(
    "adds the input to the output, which is the residual connection and not part of the network",
    names={"residual-added"},
    line="return X + hidden @ params.W_2 + params.b_2",
)
def adds_the_input(X, params, activation=reference.relu):
    hidden = activation(X @ params.W_1 + params.b_1)
    return X + hidden @ params.W_2 + params.b_2


@wrong(
    "adds b_1 to the matrix W_1 instead of to the product, so the bias is multiplied by the sum of the token",
    names={"bias-added-to-the-matrix"},
    line="hidden = activation(X @ (params.W_1 + params.b_1))",
)
def bias_added_to_matrix(X, params, activation=reference.relu):
    hidden = activation(X @ (params.W_1 + params.b_1))
    return hidden @ params.W_2 + params.b_2


@wrong(
    "never computes the last position: the loop ends one too early and its row stays 0",
    line="for i in range(X.shape[-2] - 1):",
)
def last_position_missing(X, params, activation=reference.relu):
    out = np.zeros(X.shape[:-1] + (params.W_2.shape[1],))
    for i in range(X.shape[-2] - 1):
        h = activation(X[..., i, :] @ params.W_1 + params.b_1)
        out[..., i, :] = h @ params.W_2 + params.b_2
    return out


@wrong(
    "averages the hidden layer over the positions, so the tokens are mixed and all rows are equal",
    names={"mean-position"},
    line="h = h.mean(axis=-2, keepdims=True) * np.ones_like(h)",
)
def mixes_positions(X, params, activation=reference.relu):
    h = activation(X @ params.W_1 + params.b_1)
    h = h.mean(axis=-2, keepdims=True) * np.ones_like(h)
    return h @ params.W_2 + params.b_2


@wrong(
    "two: the first bias is forgotten, and the activation is applied to the output as well",
    names={"activation-last-too", "no-b-1"},
    line="hidden = activation(np.matmul(X, params.W_1))",
)
def two_slips(X, params, activation=reference.relu):
    hidden = activation(np.matmul(X, params.W_1))
    out = np.matmul(hidden, params.W_2) + params.b_2
    return activation(out)


@wrong("the activation is gelu when none is named, and not relu", names={"default-is-gelu"}, line=None)
def other_default(X, params, activation=reference.gelu):
    hidden = activation(X @ params.W_1 + params.b_1)
    return hidden @ params.W_2 + params.b_2


@wrong("swaps the two biases", names={"biases-exchanged"}, line="hidden = activation(X @ params.W_1 + params.b_2)")
def biases_swapped(X, params, activation=reference.relu):
    hidden = activation(X @ params.W_1 + params.b_2)
    return hidden @ params.W_2 + params.b_1


@wrong(
    "two: b_2 is forgotten, and ReLU is always used, whatever activation is",
    names={"always-relu", "no-b-2"},
    line="H = np.where(Z > 0, Z, 0)",
)
def relu_and_no_second_bias(X, params, activation=reference.relu):
    Z = X @ params.W_1 + params.b_1
    H = np.where(Z > 0, Z, 0)
    return H @ params.W_2


@wrong(
    "half finished: returns the hidden layer after the activation, the second map is missing",
    names={"second-map-missing"},
    line="return hidden",
)
def hidden_returned(X, params, activation=reference.relu):
    hidden = np.matmul(X, params.W_1) + params.b_1
    hidden = activation(hidden)
    return hidden


@right
def two_lines(X, params, activation=reference.relu):
    hidden = activation(X @ params.W_1 + params.b_1)
    return hidden @ params.W_2 + params.b_2


@right
def with_einsum(X, params, activation=reference.relu):
    W_1, b_1, W_2, b_2 = params
    Z = np.einsum("...d,df->...f", X, W_1) + b_1
    H = activation(Z)
    return np.einsum("...f,fd->...d", H, W_2) + b_2


@right
def one_token_at_a_time(X, params, activation=reference.relu):
    out = np.empty(X.shape[:-1] + params.b_2.shape)
    for index in np.ndindex(X.shape[:-1]):
        h = activation(params.W_1.T @ X[index] + params.b_1)
        out[index] = params.W_2.T @ h + params.b_2
    return out


@right
def long_matrix_and_back(X, params, activation=reference.relu):
    rows = X.reshape(-1, X.shape[-1])
    H = np.dot(rows, params.W_1)
    H += params.b_1
    Y = np.dot(activation(H), params.W_2)
    Y += params.b_2
    return Y.reshape(X.shape)


@wrong(
    "adds the first bias after the activation",
    names={"bias-after-activation"},
    line="hidden = activation(X @ params.W_1) + params.b_1",
)
def bias_after_the_bend(X, params, activation=relu):
    hidden = activation(X @ params.W_1) + params.b_1
    return hidden @ params.W_2 + params.b_2


@wrong("cuts the results off to whole numbers where the tokens are whole numbers", names={"fractions-cut"})
def filled_in_place(X, params, activation=relu):
    out = np.empty_like(X)
    for index in np.ndindex(X.shape[:-1]):
        hidden = activation(X[index] @ params.W_1 + params.b_1)
        out[index] = hidden @ params.W_2 + params.b_2
    return out


@wrong(
    "applies the activation to one token at a time, and to the output as well",
    names={"activation-last-too"},
    line="return activation(hidden @ params.W_2 + params.b_2)",
)
def bent_twice(X, params, activation=relu):
    hidden = activation(X @ params.W_1 + params.b_1)
    return activation(hidden @ params.W_2 + params.b_2)
