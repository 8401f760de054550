"""The known mistakes of `position_wise_ffn`."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference
from transformer_kit.reference import relu

ffn = reference.position_wise_ffn
SECTION = "Exercise 6.3: position_wise_ffn"
ORDER = "Two maps and a bend between them"
ALONE = "Every position alone"


def _no_activation(X, params, activation=relu):
    return ffn(X, params, lambda hidden: hidden)


def _activation_last_too(X, params, activation=relu):
    return activation(ffn(X, params, activation))


def _activation_last_only(X, params, activation=relu):
    return activation(_no_activation(X, params))


def _activation_first(X, params, activation=relu):
    return _no_activation(activation(X), params)


def _always_relu(X, params, activation=relu):
    return ffn(X, params)


def _default_is_gelu(X, params, activation=reference.gelu):
    return ffn(X, params, activation)


def _bias_after_activation(X, params, activation=relu):
    return (activation(X @ params.W_1) + params.b_1) @ params.W_2 + params.b_2


def _no_b_1(X, params, activation=relu):
    return activation(X @ params.W_1) @ params.W_2 + params.b_2


def _no_b_2(X, params, activation=relu):
    return activation(X @ params.W_1 + params.b_1) @ params.W_2


def _no_biases(X, params, activation=relu):
    return activation(X @ params.W_1) @ params.W_2


def _residual(X, params, activation=relu):
    return X + ffn(X, params, activation)


def _flattened(X, params, activation=relu):
    return ffn(X.reshape(X.shape[0], -1), params, activation)


def _all_flattened(X, params, activation=relu):
    return ffn(X.reshape(-1), params, activation)


def _mean_position(X, params, activation=relu):
    output = ffn(X.mean(axis=-2, keepdims=True), params, activation)
    return np.repeat(output, X.shape[-2], axis=-2)


def _first_position(X, params, activation=relu):
    return ffn(X[..., 0, :], params, activation)


def _mixed(X, params, activation=relu):
    hidden = activation(X @ params.W_1 + params.b_1)
    return (hidden - hidden.mean(axis=-2, keepdims=True)) @ params.W_2 + params.b_2


def _transposed(X, params, activation=relu):
    return activation(X @ params.W_1.T + params.b_1) @ params.W_2.T + params.b_2


def _weights_first(X, params, activation=relu):
    return params.W_2 @ activation(params.W_1 @ X + params.b_1) + params.b_2


def _tokens_as_columns(X, params, activation=relu):
    hidden = activation(params.W_1.T @ X.T + params.b_1[:, None])
    return (params.W_2.T @ hidden).T + params.b_2


def _two_axes_only(X, params, activation=relu):
    n, _ = X.shape
    return np.array([ffn(X[i : i + 1], params, activation)[0] for i in range(n)])


def _fractions_cut(X, params, activation=relu):
    output = np.empty_like(X)
    output[...] = ffn(X, params, activation)
    return output


MISTAKES = (
    Mistake(
        "no-activation",
        "There is no activation at all",
        _no_activation,
        "Without a bend between them the two maps are one linear map, and all of d_ff is wasted.",
        ORDER,
    ),
    Mistake(
        "activation-last-too",
        "The activation is applied a second time, to the output",
        _activation_last_too,
        "The output is added to the token's vector, so it must be able to be negative. The second map has no "
        "activation behind it.",
        ORDER,
    ),
    Mistake(
        "activation-last-only",
        "The activation stands behind the second map instead of the first",
        _activation_last_only,
        "The bend has to lie between the two maps. Behind both, they are one linear map with a corner at the end.",
        ORDER,
    ),
    Mistake(
        "activation-first",
        "The activation is applied to X, before the first map",
        _activation_first,
        "It belongs to the hidden layer. Applied to X, everything negative in the token is lost at once.",
        ORDER,
    ),
    Mistake(
        "always-relu",
        "The argument `activation` is ignored",
        _always_relu,
        "ReLU is only the default. A function that takes an argument must use it.",
        SECTION,
    ),
    Mistake(
        "default-is-gelu",
        "GELU is used when no activation is named",
        _default_is_gelu,
        "The original Transformer has ReLU here; GELU came with later models.",
        SECTION,
    ),
    Mistake(
        "bias-after-activation",
        "The first bias is added after the activation",
        _bias_after_activation,
        "The bias decides where the bend lies. Behind the activation it is only a constant.",
        ORDER,
    ),
    Mistake(
        "no-b-1",
        "The bias b_1 is missing",
        _no_b_1,
        "Without it every hidden unit has its bend at the origin.",
        ORDER,
    ),
    Mistake(
        "no-b-2",
        "The bias b_2 is missing",
        _no_b_2,
        "Both maps have a bias. It is easily missed, since a fresh network has zeros there.",
        ORDER,
    ),
    Mistake(
        "no-biases",
        "Both biases are missing",
        _no_biases,
        "Each of the two maps has a bias of its own.",
        ORDER,
    ),
    Mistake(
        "residual-added",
        "X is added to the output",
        _residual,
        "The sum with the input belongs to the layer around this network, which is the subject of the next notebook.",
        SECTION,
    ),
    Mistake(
        "flattened",
        "The axes behind the first one are flattened into one",
        _flattened,
        "That puts the positions of a sequence side by side, as if they were features of one long vector. Only the "
        "last axis holds features; a matrix product leaves all axes before it alone.",
        ALONE,
    ),
    Mistake(
        "all-flattened",
        "X is flattened into one long vector",
        _all_flattened,
        "Then positions are features. Only the last axis holds features, and W_1 has d_model rows.",
        ALONE,
    ),
    Mistake(
        "mean-position",
        "All positions are averaged, and all get the same output",
        _mean_position,
        "Nothing is summed over positions here. Attention has done the mixing already.",
        ALONE,
    ),
    Mistake(
        "first-position",
        "Only the first position goes through the network",
        _first_position,
        "Every position does. The result has the shape of X.",
        ALONE,
    ),
    Mistake(
        "mixed",
        "The mean over the positions is subtracted from the hidden layer",
        _mixed,
        "Then every position depends on all others. In this network no position knows of another.",
        ALONE,
    ),
    Mistake(
        "transposed",
        "The weights are transposed first",
        _transposed,
        "In this course a weight matrix has one row for every input and one column for every output, so a row of X "
        "can be multiplied by it as it stands. (PyTorch stores the transpose.)",
        SECTION,
    ),
    Mistake(
        "weights-first",
        "The weights stand on the left of X",
        _weights_first,
        "Tokens are rows, so they stand on the left. On the right they would be columns, and a product with X on "
        "the right mixes rows, which are positions.",
        ALONE,
    ),
    Mistake(
        "tokens-as-columns",
        "X is transposed so that tokens are columns",
        _tokens_as_columns,
        "`.T` reverses every axis, the batch included, so it works for one sequence only. Tokens are rows and can "
        "stay rows.",
        ALONE,
    ),
    Mistake(
        "two-axes-only",
        "X must have exactly two axes",
        _two_axes_only,
        "There may be a batch, or more, in front. A matrix product takes any axes in front, so no loop is needed.",
        ALONE,
    ),
    Mistake(
        "fractions-cut",
        "The results are cut to whole numbers when X is whole",
        _fractions_cut,
        "An array made like X has the dtype of X, and integers have no room for fractions.",
        SECTION,
    ),
)
