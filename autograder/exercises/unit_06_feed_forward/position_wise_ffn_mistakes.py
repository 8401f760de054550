"""The known mistakes of `position_wise_ffn`."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import relu

ffn = reference.position_wise_ffn


SECTION = "Exercise 6.3: position_wise_ffn"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=SECTION)
def no_activation(X, params, activation=relu):
    """There is no activation at all.

    Without a bend between them the two maps are one linear map, and all of d_ff is wasted.
    """
    return ffn(X, params, lambda hidden: hidden)


@MISTAKES.add(where=SECTION)
def activation_last_too(X, params, activation=relu):
    """The activation is applied a second time, to the output.

    The output is added to the token's vector, so negative numbers must be possible. No activation follows the second
    map.
    """
    return activation(ffn(X, params, activation))


@MISTAKES.add(where=SECTION)
def activation_last_only(X, params, activation=relu):
    """The activation comes after the second map instead of the first.

    The bend has to lie between the two maps. Without one there they are a single linear map, with a corner only at the
    end.
    """
    return activation(no_activation(X, params))


@MISTAKES.add(where=SECTION)
def activation_first(X, params, activation=relu):
    """The activation is applied to X, before the first map.

    It belongs to the hidden layer. Applied to X, everything negative in the token is lost at once.
    """
    return no_activation(activation(X), params)


@MISTAKES.add(where=SECTION)
def always_relu(X, params, activation=relu):
    """The argument `activation` is ignored.

    ReLU is only the default. A function that takes an argument must use it.
    """
    return ffn(X, params)


@MISTAKES.add(where=SECTION)
def default_is_gelu(X, params, activation=reference.gelu):
    """GELU is used when no activation is named.

    The original Transformer has ReLU here; GELU came with later models.
    """
    return ffn(X, params, activation)


@MISTAKES.add(where=SECTION)
def bias_after_activation(X, params, activation=relu):
    """The first bias is added after the activation.

    The bias decides where the bend lies. After the activation it is only a constant.
    """
    return (activation(X @ params.W_1) + params.b_1) @ params.W_2 + params.b_2


@MISTAKES.add(where=SECTION)
def no_b_1(X, params, activation=relu):
    """The bias b_1 is missing.

    Without it every hidden unit has its bend at the origin.
    """
    return activation(X @ params.W_1) @ params.W_2 + params.b_2


@MISTAKES.add(where=SECTION)
def no_b_2(X, params, activation=relu):
    """The bias b_2 is missing.

    Both maps have a bias. It is easily missed, since a fresh network has zeros there.
    """
    return activation(X @ params.W_1 + params.b_1) @ params.W_2


@MISTAKES.add(where=SECTION)
def no_biases(X, params, activation=relu):
    """Both biases are missing.

    Each of the two maps has a bias of its own.
    """
    return activation(X @ params.W_1) @ params.W_2


@MISTAKES.add(where=SECTION)
def residual_added(X, params, activation=relu):
    """X is added to the output.

    The sum with the input belongs to the layer around this network, which is the subject of unit 07.
    """
    return X + ffn(X, params, activation)


@MISTAKES.add(where=SECTION)
def flattened(X, params, activation=relu):
    """The axes after the first one are flattened into one.

    That puts the positions of a sequence side by side, as if they were features of one long vector. Only the last
    axis holds features; a matrix product leaves all axes before it alone.
    """
    return ffn(X.reshape(X.shape[0], -1), params, activation)


@MISTAKES.add(where=SECTION)
def all_flattened(X, params, activation=relu):
    """X is flattened into one long vector.

    Then positions are features. Only the last axis holds features, and W_1 has d_model rows.
    """
    return ffn(X.reshape(-1), params, activation)


@MISTAKES.add(where=SECTION)
def mean_position(X, params, activation=relu):
    """All positions are averaged, and all get the same output.

    Nothing is summed over positions here. Attention has done the mixing already.
    """
    output = ffn(X.mean(axis=-2, keepdims=True), params, activation)
    return np.repeat(output, X.shape[-2], axis=-2)


@MISTAKES.add(where=SECTION)
def first_position(X, params, activation=relu):
    """Only the first position goes through the network.

    Every position does. The result has the shape of X.
    """
    return ffn(X[..., 0, :], params, activation)


@MISTAKES.add(where=SECTION)
def mixed(X, params, activation=relu):
    """The mean over the positions is subtracted from the hidden layer.

    Then every position depends on all others. In this network no position knows of another.
    """
    hidden = activation(X @ params.W_1 + params.b_1)
    return (hidden - hidden.mean(axis=-2, keepdims=True)) @ params.W_2 + params.b_2


@MISTAKES.add(where=SECTION)
def transposed(X, params, activation=relu):
    """The weights are transposed first.

    In this course a weight matrix has one row for every input and one column for every output, so a row of X can be
    multiplied by it as it stands. (PyTorch stores the transpose.)
    """
    return activation(X @ params.W_1.T + params.b_1) @ params.W_2.T + params.b_2


@MISTAKES.add(where=SECTION)
def weights_first(X, params, activation=relu):
    """The weights stand on the left of X.

    Tokens are rows, so X stands on the left. A product with X on the right mixes its rows, which are positions.
    """
    return params.W_2 @ activation(params.W_1 @ X + params.b_1) + params.b_2


@MISTAKES.add(where=SECTION)
def tokens_as_columns(X, params, activation=relu):
    """X is transposed so that tokens are columns.

    `.T` reverses every axis, the batch included, so it works for one sequence only. Tokens are rows and can stay
    rows.
    """
    hidden = activation(params.W_1.T @ X.T + params.b_1[:, None])
    return (params.W_2.T @ hidden).T + params.b_2


@MISTAKES.add(where=SECTION)
def two_axes_only(X, params, activation=relu):
    """The function only works when X has exactly two axes.

    There may be a batch, or more, in front. A matrix product takes any axes in front, so no loop is needed.
    """
    n, _ = X.shape
    return np.array([ffn(X[i : i + 1], params, activation)[0] for i in range(n)])


@MISTAKES.add(where=SECTION)
def fractions_cut(X, params, activation=relu):
    """The results are cut to whole numbers when X is whole.

    An array made like X has the dtype of X, and integers have no room for fractions.
    """
    output = np.empty_like(X)
    output[...] = ffn(X, params, activation)
    return output
