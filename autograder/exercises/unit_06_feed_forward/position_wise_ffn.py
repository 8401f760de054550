"""Specification of `position_wise_ffn`."""

import numpy as np

from autograder.execution.handed import Numbers
from autograder.execution.precision import bound_for
from autograder.exercises.inputs import agrees_here, in_float32
from autograder.exercises.unit_06_feed_forward import calls, lookalikes
from autograder.exercises.unit_06_feed_forward.inputs import BY_HAND, D_MODEL, near_the_bend, network
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.reference import relu

EXERCISE = Exercise(
    reference=reference.position_wise_ffn,
    asks="apply the same two linear maps, with the activation between them, to every position.",
    returns=(Output("output", "(..., n, d_model)"),),
    calls=calls.POSITION_WISE_FFN,
    hands={"activation": (Numbers(),)},
    lookalike=lookalikes.POSITION_WISE_FFN,
)


@EXERCISE.claim(1.5)
def values(call, rng):
    """equals the definition with ReLU"""
    call.agrees(np.array([[0.25], [2.0], [-1.0]]), BY_HAND, relu)  # by hand: 10.25, 16, 7
    call.agrees(rng.standard_normal((5, D_MODEL)), network(rng), relu)
    call.agrees(*near_the_bend(rng), relu)


@EXERCISE.claim(0.5, side=True)
def default(call, rng):
    """uses ReLU when no activation is named"""
    X, params = rng.standard_normal((5, D_MODEL)), network(rng)
    call.agrees(X, params, relu)
    agrees_here(call, X, params)
    agrees_here(call, 100 * X, params)  # no bound above
    agrees_here(call, *near_the_bend(rng))


@EXERCISE.claim(0.5, side=True)
def any_activation(call, rng):
    """uses the activation that it is given"""
    X, params = rng.standard_normal((5, D_MODEL)), network(rng)
    call.agrees(X, params, relu)
    agrees_here(call, X, params, np.tanh)
    agrees_here(call, X, params, activation=np.cos)  # not 0 at 0


def _table(call, X, params):
    return call.array(X.shape, X, params, relu, kinds="f")


@EXERCISE.claim(1)
def every_position_alone(call, rng):
    """treats every position alone, and all alike"""
    # Permute the positions, change one, and leave one alone in the sentence; the numbers need not be right.
    X, params = rng.standard_normal((5, D_MODEL)), network(rng)
    order, place = np.roll(np.arange(5), rng.integers(1, 5)), int(rng.integers(5))
    output = _table(call, X, params)
    call.holds(bool(np.abs(output - X).max() > 1e-3), "what came back is X itself.")
    moved, slack = _table(call, X[order], params), bound_for(1e-8, output)
    call.holds(
        np.allclose(moved, output[order], atol=slack),
        f"with the positions in the order {order.tolist()} the rows of the output are not the same rows in that order.",
    )
    changed = X.copy()
    changed[place] += rng.uniform(1, 3, D_MODEL)
    rows = np.flatnonzero(np.abs(_table(call, changed, params) - output).max(axis=-1) > 1e-9).tolist()
    call.holds(rows == [place], f"position {place} alone was changed, and the rows {rows} of the output moved.")
    alone = _table(call, X[[place]], params)
    call.holds(
        np.allclose(alone, output[[place]], atol=slack),
        f"position {place} gives other numbers when it is the only one in X.",
    )


@EXERCISE.claim(1, side=True)
def leading_axes(call, rng):
    """works for any leading axes, and also takes whole numbers"""
    call.agrees(rng.standard_normal((5, D_MODEL)), network(rng), relu)
    params = network(rng)
    agrees_here(call, rng.integers(-3, 4, (5, D_MODEL)), params, relu)
    agrees_here(call, rng.standard_normal((3, 5, D_MODEL)), params, relu)
    agrees_here(call, rng.standard_normal((2, 3, 6, D_MODEL)).astype(np.float32), in_float32(params), relu)


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    X, params = rng.standard_normal((5, D_MODEL)), network(rng)
    call.leaves_inputs_alone(X, params, relu)
    call.agrees(X, params, relu)


wrong = WrongAnswers(EXERCISE, globals())

ffn = reference.position_wise_ffn


@wrong.function
def no_activation(X, params, activation=relu):
    """There is no activation at all.
    Without a bend between them the two maps are one linear map, and all of d_ff is wasted."""
    return ffn(X, params, lambda hidden: hidden)


wrong("activation-last-too", {"hidden @ params.W_2 + params.b_2": "activation(ffn(X, params, activation))"}, """
    The activation is applied a second time, to the output.
    The output is added to the token's vector, so negative numbers must be possible. No activation follows the second
    map.""")

wrong("activation-last-only", {"hidden @ params.W_2 + params.b_2": "activation(no_activation(X, params))"}, """
    The activation comes after the second map instead of the first.
    The bend has to lie between the two maps. Without one there they are a single linear map, with a corner only at the
    end.""")

wrong("activation-first", {"hidden @ params.W_2 + params.b_2": "no_activation(activation(X), params)"}, """
    The activation is applied to X, before the first map.
    It belongs to the hidden layer. Applied to X, everything negative in the token is lost at once.""")

wrong("always-relu", {"activation(as_float": "relu(as_float"}, """
    The argument `activation` is ignored.
    ReLU is only the default. A function that takes an argument must use it.""")


@wrong.function
def default_is_gelu(X, params, activation=reference.gelu):
    """GELU is used when no activation is named.
    The original Transformer has ReLU here; GELU came with later models."""
    return ffn(X, params, activation)


wrong("bias-after-activation", {"return hidden": "return (activation(X @ params.W_1) + params.b_1)"}, """
    The first bias is added after the activation.
    The bias decides where the bend lies. After the activation it is only a constant.""")

wrong("no-b-1", {"return hidden": "return activation(X @ params.W_1)"}, """
    The bias b_1 is missing.
    Without it every hidden unit has its bend at the origin.""")

wrong("no-b-2", {" + params.b_2": ""}, """
    The bias b_2 is missing.
    Both maps have a bias. It is easily missed, since a fresh network has zeros there.""")

wrong("no-biases", {"hidden @ params.W_2 + params.b_2": "activation(X @ params.W_1) @ params.W_2"}, """
    Both biases are missing.
    Each of the two maps has a bias of its own.""")

wrong("residual-added", "X + ffn(X, params, activation)", """
    X is added to the output.
    The sum with the input belongs to the layer around this network, which is the subject of unit 07.""")

wrong("flattened", {"hidden @ params.W_2 + params.b_2": "ffn(X.reshape(X.shape[0], -1), params, activation)"}, """
    The axes after the first one are flattened into one.
    That puts the positions of a sequence side by side, as if they were features of one long vector. Only the last axis
    holds features; a matrix product leaves all axes before it alone.""")

wrong("all-flattened", {"hidden @ params.W_2 + params.b_2": "ffn(X.reshape(-1), params, activation)"}, """
    X is flattened into one long vector.
    Then positions are features. Only the last axis holds features, and W_1 has d_model rows.""")

wrong("mean-position", "np.repeat(ffn(X.mean(axis=-2, keepdims=True), params, activation), X.shape[-2], axis=-2)", """
    All positions are averaged, and all get the same output.
    Nothing is summed over positions here. Attention has done the mixing already.""")

wrong("first-position", {"hidden @ params.W_2 + params.b_2": "ffn(X[..., 0, :], params, activation)"}, """
    Only the first position goes through the network.
    Every position does. The result has the shape of X.""")

wrong("mixed", {"return hidden": "return (hidden - hidden.mean(axis=-2, keepdims=True))"}, """
    The mean over the positions is subtracted from the hidden layer.
    Then every position depends on all others. In this network no position knows of another.""")

wrong("transposed", {".W_1": ".W_1.T", ".W_2": ".W_2.T"}, """
    The weights are transposed first.
    In this course a weight matrix has one row for every input and one column for every output, so a row of X can be
    multiplied by it as it stands. (PyTorch stores the transpose.)""")

wrong("weights-first", {"hidden @ params.W_2": "params.W_2 @ activation(params.W_1 @ X + params.b_1)"}, """
    The weights stand on the left of X.
    Tokens are rows, so X stands on the left. A product with X on the right mixes its rows, which are positions.""")

wrong("tokens-as-columns", "(params.W_2.T @ activation(params.W_1.T @ X.T + params.b_1[:, None])).T + params.b_2", """
    X is transposed so that tokens are columns.
    `.T` reverses every axis, the batch included, so it works for one sequence only. Tokens are rows and can stay
    rows.""")


@wrong.function
def two_axes_only(X, params, activation=relu):
    """The function only works when X has exactly two axes.
    There may be a batch, or more, in front. A matrix product takes any axes in front, so no loop is needed."""
    n, _ = X.shape
    return np.array([ffn(X[i : i + 1], params, activation)[0] for i in range(n)])


@wrong.function
def fractions_cut(X, params, activation=relu):
    """The results are cut to whole numbers when X is whole.
    An array made like X has the dtype of X, and integers have no room for fractions."""
    output = np.empty_like(X)
    output[...] = ffn(X, params, activation)
    return output


@wrong.function
def unpacked_in_another_order(X, params, activation=relu):
    """The parameters are taken for one another.
    They come as W_1, b_1, W_2, b_2. Ask for them by name, and you cannot mix them up."""
    W_1, W_2, b_1, b_2 = params
    return activation(X @ W_1 + b_1) @ W_2 + b_2


wrong("biases-exchanged", {".b_1": ".b_2", ".b_2": ".b_1"}, """
    The two biases are swapped.
    A bias is as long as the output of its map: b_1 has d_ff numbers and b_2 has d_model.""")

wrong("bias-added-to-the-matrix", {"return hidden": "return activation(X @ (params.W_1 + params.b_1))"}, """
    The first bias is added to the matrix, not to the product.
    It is then multiplied by the sum of the token's features. The product comes first, and the bias is added to its
    result.""")

wrong("second-map-missing", {" @ params.W_2 + params.b_2": ""}, """
    The hidden layer is returned: the second map is missing.
    The second map brings the d_ff numbers back to d_model, so that the result can be added to the token.""")

wrong("stays-flat", {"hidden @ params.W_2 + params.b_2": "ffn(X.reshape(-1, X.shape[-1]), params, activation)"}, """
    All positions of all sequences come back as one long matrix.
    Once you merge the axes in front, you have to restore them. A matrix product leaves them alone anyway.""")
