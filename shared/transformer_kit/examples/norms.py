"""Add and norm: a printed example with two features, one with four that shows more, and two tokens to average.

The right numbers have six decimals and are those of the normalisation alone: gamma 1, beta 0, eps 0.
"""

from typing import NamedTuple

import numpy as np


class AddAndNorm(NamedTuple):
    """What goes into a residual connection, its sum, and the normalised sum."""

    x: np.ndarray
    sublayer: np.ndarray
    total: np.ndarray
    normalised: np.ndarray


# As printed in a set of lecture notes. Every number is right, and any other two features give the same result.
PRINTED = AddAndNorm(
    x=np.array([2.0, 4.0]),
    sublayer=np.array([1.0, 3.0]),
    total=np.array([3.0, 7.0]),
    normalised=np.array([-1.0, 1.0]),
)

# The same with two more features.
REPAIRED = AddAndNorm(
    x=np.array([2.0, 4.0, 1.0, 3.0]),
    sublayer=np.array([1.0, 3.0, -2.0, 0.0]),
    total=np.array([3.0, 7.0, -1.0, 3.0]),
    normalised=np.array([0.000000, 1.414214, -1.414214, 0.000000]),
)

# Two tokens of one sentence; the second is ten times the first.
TOKENS = np.array([[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]])

# TOKENS, each token with its own mean and variance.
PER_TOKEN = np.array([[-1.341641, -0.447214, 0.447214, 1.341641]] * 2)

# TOKENS, with one mean and one variance for the whole sentence: a wrong reading of "per example".
PER_SENTENCE = np.array(
    [
        [-0.925744, -0.853136, -0.780529, -0.707922],
        [-0.272278, 0.453796, 1.179870, 1.905943],
    ]
)
