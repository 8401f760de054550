"""Worked examples of the feed-forward network: two that are right, and what was printed for one of them."""

from typing import NamedTuple

import numpy as np

from transformer_kit.parameters import FeedForwardParams


class Printed(NamedTuple):
    """The example as printed: its steps and their results; `X` is the input that its table shows.

    `X_in_the_steps` has a third column that comes from nowhere. `hidden` and `output` are right for it; no hidden
    number is negative. `sign_lost` is row 0 of the hidden layer with -0.3 read as 0.3.
    """

    X: np.ndarray
    X_in_the_steps: np.ndarray
    params: FeedForwardParams
    hidden: np.ndarray
    output: np.ndarray
    printed_hidden: np.ndarray
    printed_output: np.ndarray
    output_of_printed_hidden: np.ndarray
    sign_lost: np.ndarray


PRINTED = Printed(
    X=np.array([[0.5, -0.3], [-0.2, 0.8]]),
    X_in_the_steps=np.array([[0.5, -0.3, 0.1], [-0.2, 0.8, 0.3]]),
    params=FeedForwardParams(
        W_1=np.array([[0.5, 0.2], [0.4, -0.1], [0.3, 0.7]]),
        b_1=np.array([0.1, 0.1]),
        W_2=np.array([[0.1, -0.3], [0.6, 0.2]]),
        b_2=np.array([0.05, 0.05]),
    ),
    hidden=np.array([[0.26, 0.30], [0.41, 0.19]]),
    output=np.array([[0.256, 0.032], [0.205, -0.035]]),
    printed_hidden=np.array([[0.49, 0.24], [0.32, 0.41]]),
    printed_output=np.array([[0.197, 0.002], [0.296, 0.041]]),
    output_of_printed_hidden=np.array([[0.243, -0.049], [0.328, 0.036]]),
    sign_lost=np.array([0.50, 0.24]),
)


class Repaired(NamedTuple):
    """The same input with weights whose shapes fit it, and whose ReLU has something to do.

    `output_without_relu` and `output_cut_off` are what comes out when ReLU is forgotten, or applied a second
    time at the end.
    """

    X: np.ndarray
    params: FeedForwardParams
    before: np.ndarray
    hidden: np.ndarray
    output: np.ndarray
    output_without_relu: np.ndarray
    output_cut_off: np.ndarray


REPAIRED = Repaired(
    X=PRINTED.X,
    params=FeedForwardParams(
        W_1=np.array([[0.2, 0.4], [0.1, 0.7]]),
        b_1=np.zeros(2),
        W_2=np.array([[0.6, -0.2], [-0.4, 0.9]]),
        b_2=np.zeros(2),
    ),
    before=np.array([[0.07, -0.01], [0.04, 0.48]]),
    hidden=np.array([[0.07, 0.0], [0.04, 0.48]]),
    output=np.array([[0.042, -0.014], [-0.168, 0.424]]),
    output_without_relu=np.array([[0.046, -0.023], [-0.168, 0.424]]),
    output_cut_off=np.array([[0.042, 0.0], [0.0, 0.424]]),
)
