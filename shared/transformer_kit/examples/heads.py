"""Worked examples of multi-head attention: one to do by hand, and two printed layers that hold errors.

The right numbers have six decimals; the printed ones are those of a set of lecture notes.
"""

from typing import NamedTuple

import numpy as np

from transformer_kit.parameters import AttentionParams


class ByHand(NamedTuple):
    """One query, two keys and two heads of width 1, so that every number can be worked out on paper.

    `heads` has one row per head, before W_O.
    """

    X_query: np.ndarray
    X_memory: np.ndarray
    params: AttentionParams
    n_heads: int
    weights: np.ndarray
    heads: np.ndarray
    output: np.ndarray


BY_HAND = ByHand(
    X_query=np.array([[1.0, 0.0]]),
    X_memory=np.array([[0.0, 2.0], [np.log(3.0), 4.0]]),
    params=AttentionParams(
        W_Q=np.array([[1.0, 0.0], [0.0, 1.0]]),
        W_K=np.array([[1.0, 0.0], [0.0, 1.0]]),
        W_V=np.array([[0.0, 0.0], [1.0, 1.0]]),
        W_O=np.array([[1.0, 0.0], [1.0, 2.0]]),
    ),
    n_heads=2,
    weights=np.array([[[0.25, 0.75]], [[0.5, 0.5]]]),
    heads=np.array([[3.5], [3.0]]),
    output=np.array([[6.5, 6.0]]),
)


class PrintedLayer(NamedTuple):
    """Two heads of width 2 for two tokens, put side by side and multiplied by W_O, in a model of width 3.

    `output` is the right product of the printed `concat` and W_O, `printed_output` what was published.
    """

    d_model: int
    n_heads: int
    concat: np.ndarray
    W_O: np.ndarray
    output: np.ndarray
    printed_output: np.ndarray


PRINTED_LAYER = PrintedLayer(
    d_model=3,
    n_heads=2,
    concat=np.array([[0.80, 1.04, 0.72, 1.01], [0.79, 1.09, 0.65, 1.12]]),
    W_O=np.array([[0.3, 0.7], [0.6, 0.2], [0.4, 0.5], [0.9, 0.8]]),
    output=np.array([[2.061, 1.936], [2.159, 1.992]]),
    printed_output=np.array([[2.008, 2.032], [2.011, 2.118]]),
)


class WideHeads(NamedTuple):
    """The first rows of two heads that are each as wide as the model, as printed beside each other."""

    d_model: int
    n_heads: int
    head_0: np.ndarray
    head_1: np.ndarray


WIDE_HEADS = WideHeads(
    d_model=4,
    n_heads=2,
    head_0=np.array([0.43, 0.41, 0.50, 0.35]),
    head_1=np.array([0.34, 0.56, 0.57, 0.45]),
)


class MaskedLayer(NamedTuple):
    """Two tokens of width 8 under a causal mask, with two heads of width 4.

    Printed are the tokens, and of the W_Q of head 0 the first and the last row; the rows between them lie on straight
    lines here, and everything else is filled in. `Q_of_head_0` is right for these numbers. `scores` are those that
    the example prints for one of its heads; `wrong_weights` are the masked ones if they are divided by the root of 8,
    as the example says, and not by the root of 4.
    """

    X: np.ndarray
    params: AttentionParams
    Q_of_head_0: np.ndarray
    scores: np.ndarray
    wrong_weights: np.ndarray


def _between(first, last):
    """Return eight rows from the first to the last one, at equal distances."""
    return np.linspace(first, last, 8)


_FIRST, _LAST = [0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8]

MASKED_LAYER = MaskedLayer(
    X=np.arange(1, 17).reshape(2, 8) / 10,
    params=AttentionParams(
        W_Q=np.hstack([_between(_FIRST, _LAST), _between(_LAST, _FIRST)]),
        W_K=np.hstack([_between(_LAST, _FIRST), _between(_FIRST, _LAST)]) / 10,
        W_V=np.eye(8),
        W_O=np.eye(8)[::-1],
    ),
    Q_of_head_0=np.array([[1.32, 1.68, 2.04, 2.40], [3.24, 4.24, 5.24, 6.24]]),
    scores=np.array([[1.0, 0.8], [0.9, 1.1]]),
    wrong_weights=np.array([[1.0, 0.0], [0.464703, 0.535297]]),
)
