"""Specification of `attention_rollout`."""

import numpy as np

from autograder.exercises.unit_11_inside_the_model import calls, lookalikes
from autograder.exercises.unit_11_inside_the_model.inputs import attention_weights
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

LAYER = "One layer: half stays where it is"
LAYERS = "Several layers: a product"

EXERCISE = Exercise(
    reference=reference.attention_rollout,
    asks="how much of every position at the top comes from each token at the bottom.",
    returns=(Output("rollout", "(n, n)"),),
    calls=calls.ATTENTION_ROLLOUT,
    lookalike=lookalikes.ATTENTION_ROLLOUT,
)


@EXERCISE.claim(1)
def one_layer(call, rng):
    """one layer: the mean over the heads and the identity, half and half"""
    call.agrees(attention_weights(rng, 1, 3, 5, 5))
    call.agrees(attention_weights(rng, 1, 1, 4, 4))


@EXERCISE.claim(1)
def order(call, rng):
    """several layers: the product, with the highest layer on the left"""
    call.agrees(np.array([[[[0.5, 0.5], [0.0, 1.0]]], [[[1.0, 0.0], [0.5, 0.5]]]]))  # by hand
    call.agrees(attention_weights(rng, 2, 3, 5, 5))
    call.agrees(attention_weights(rng, 3, 4, 6, 6))


@EXERCISE.claim(0.5)
def deep(call, rng):
    """after many causal layers the rows still sum to 1, and nothing comes from later tokens"""
    weights = attention_weights(rng, 30, 2, 5, 5, causal=True)
    rollout = call.array((5, 5), weights, kinds="f")
    sums, later = rollout.sum(axis=-1), np.abs(np.triu(rollout, 1)).max()
    call.holds(np.allclose(sums, 1), f"the rows should sum to 1; they sum to {sums.round(4)}.")
    call.holds(later < 1e-12, f"the weights are causal, but {later:.3g} comes from a later token.")
    call.agrees(weights)


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its input alone, and also takes float32"""
    weights = attention_weights(rng, 3, 2, 5, 5)
    call.leaves_inputs_alone(weights)
    call.agrees(weights)
    call.agrees(attention_weights(rng, 2, 3, 4, 4).astype(np.float32))


def _rolled(layers, start=None):
    """Multiply matrices, each from the left to those before."""
    rollout = np.eye(layers.shape[-1]) if start is None else start
    for layer in layers:
        rollout = layer @ rollout
    return rollout


def _half(layers):
    return (layers + np.eye(layers.shape[-1])) / 2


wrong = WrongAnswers(EXERCISE, globals())

wrong.at(LAYER)
wrong("no-identity", "_rolled(weights.mean(axis=1))", """
    The residual connections are left out.
    Each layer adds to what a position already holds. Without the identity the position itself is forgotten.""")

wrong("not-halved", "_rolled(weights.mean(axis=1) + np.eye(weights.shape[-1]))", """
    The identity is added, and the sum is not halved.
    The rows then sum to 2 after one layer, and to more after each further one. Shares have to sum to 1.""")


@wrong.function
def divided_by_sum_of_columns(weights):
    """The columns are made to sum to 1, not the rows.
    A row belongs to a position, and its entries are the shares of what it is made of."""
    layers = weights.mean(axis=1) + np.eye(weights.shape[-1])
    return _rolled(layers / layers.sum(axis=-2, keepdims=True))


wrong("heads-added", "_rolled(_half(weights.sum(axis=1)))", """
    The heads are added up, not averaged.
    The sum of the heads has rows that sum to n_heads. Attention then counts too much compared with the identity.""")

wrong("largest-head", "_rolled(_half(weights.max(axis=1)))", """
    The largest weight of the heads is taken, not the mean.
    Then the rows sum to more than 1. The original takes the mean; others have tried the maximum, and divide by the sums
    afterwards.""")

wrong("first-head", "_rolled(_half(weights[:, 0]))", """
    Only the first head is followed.
    What a layer passes on comes from all of its heads.""")

wrong.at(LAYERS)
wrong("heads-apart", "np.mean([_rolled(_half(weights[:, head])) for head in range(weights.shape[1])], axis=0)", """
    Each head is followed separately, and the mean is taken at the end.
    A head of the second layer reads what all heads of the first one wrote. Take the mean before the product.""")

wrong("opposite-order", "_rolled(_half(weights.mean(axis=1))[::-1])", """
    The product has the lowest layer on the left.
    The rows of the result belong to the top, so the top layer comes first. The order of a matrix product matters.""")

wrong("entry-by-entry", "_half(weights.mean(axis=1)).prod(axis=0)", """
    The layers are multiplied entry by entry.
    That follows the same pair through all layers. What goes from i to k and then from k to j needs the sum over k.""")

wrong("mean-of-layers", "_half(weights.mean(axis=(0, 1)))", """
    The layers are averaged.
    The second layer looks at vectors that the first one has already mixed. That is a product, not a mean.""")

wrong("last-layer", "_half(weights[-1].mean(axis=0))", """
    Only the last layer is used.
    Its rows say where the top layer looks, but the vectors there are already mixtures of tokens.""")

wrong("identity-once", "_half(_rolled(weights.mean(axis=1)))", """
    The identity is added at the end only, not in every layer.
    Every layer has a residual connection of its own.""")

wrong("starts-with-the-bare-first", "_rolled(_half(weights.mean(axis=1)[1:]), weights.mean(axis=1)[0])", """
    In the first layer the identity is missing.
    Begin with the identity, and treat all layers alike.""")

wrong("first-layer-twice", "_rolled(_half(weights.mean(axis=1)), _half(weights.mean(axis=1))[0])", """
    The first layer is used twice.
    If you begin with the first layer, the loop has to begin with the second.""")

wrong.at()
wrong("transposed", "attention_rollout(weights).T.copy()", """
    The result is transposed.
    A row belongs to a position at the top, a column to a token at the bottom, as in the weights.""")

wrong("every-layer", "np.stack([attention_rollout(weights[:k + 1]) for k in range(len(weights))])", """
    The products after every layer are returned.
    The task asks for the last of them, an array of shape (n, n).""")

wrong("layers-for-heads", "_rolled(_half(weights.mean(axis=0)))", """
    The mean is taken over the layers, and the product over the heads.
    The first axis counts the layers, the second one the heads.""")

wrong.at(LAYER)


@wrong.function
def in_place(weights):
    """The identity is written into the given weights.
    The next picture of these weights would show something else. Make a new array."""
    rollout = reference.attention_rollout(weights)
    weights += np.eye(weights.shape[-1])
    weights /= 2
    return rollout


wrong("identity-not-halved", "_rolled(weights.mean(axis=1) / 2 + np.eye(weights.shape[-1]))", """
    Only the attention is halved, not the identity.
    Then the rows sum to 1 1/2 after one layer. Both halves together make 1.""")

wrong("attention-not-halved", "_rolled(weights.mean(axis=1) + np.eye(weights.shape[-1]) / 2)", """
    Only the identity is halved, not the attention.
    Then the rows sum to 1 1/2 after one layer. Both halves together make 1.""")

wrong.at(LAYERS)
wrong("entry-by-entry-from-the-identity", "_half(weights.mean(axis=1)).prod(axis=0) * np.eye(weights.shape[-1])", """
    The layers are multiplied entry by entry, beginning with the identity.
    Everything off the diagonal is 0 then. What goes from i to k and then from k to j needs the sum over k: a matrix
    product.""")

wrong.at(LAYER)
wrong("identity-in-the-first-only", "_rolled(weights.mean(axis=1)[1:], _half(weights.mean(axis=1))[0])", """
    Only in the first layer the identity is added.
    Every layer has a residual connection of its own.""")
