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
