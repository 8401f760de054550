"""Worked examples of masks: right numbers, and the numbers that masking at the wrong place gives."""

from typing import NamedTuple

import numpy as np


class TwoTokens(NamedTuple):
    """Causal attention of two tokens, from given (scaled) scores; `printed_*` is what was published.

    The other wrong weights come from three ways of putting a mask where it does not belong.
    """

    scores: np.ndarray
    V: np.ndarray
    mask: np.ndarray
    weights: np.ndarray
    output: np.ndarray
    printed_weights: np.ndarray
    printed_output: np.ndarray
    unmasked_weights: np.ndarray
    weights_of_scores_times_mask: np.ndarray
    weights_times_mask: np.ndarray
    weights_of_masked_weights: np.ndarray


TWO_TOKENS = TwoTokens(
    scores=np.array([[1.0, 0.8], [0.9, 1.1]]),
    V=np.array([[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8]]),
    mask=np.array([[True, False], [True, True]]),
    weights=np.array([[1.0, 0.0], [0.450166, 0.549834]]),
    output=np.array([[0.1, 0.2, 0.3, 0.4], [0.319934, 0.419934, 0.519934, 0.619934]]),
    printed_weights=np.array([[1.0, 0.0], [0.4, 0.6]]),
    printed_output=np.array([[0.1, 0.2, 0.3, 0.4], [0.34, 0.44, 0.54, 0.64]]),
    unmasked_weights=np.array([[0.549834, 0.450166], [0.450166, 0.549834]]),
    weights_of_scores_times_mask=np.array([[0.731059, 0.268941], [0.450166, 0.549834]]),
    weights_times_mask=np.array([[0.549834, 0.0], [0.450166, 0.549834]]),
    weights_of_masked_weights=np.array([[1.0, 0.0], [0.475104, 0.524896]]),
)


class Uniform(NamedTuple):
    """Causal attention of three tokens whose scores are all equal: every position averages what it sees."""

    scores: np.ndarray
    weights: np.ndarray


UNIFORM = Uniform(
    scores=np.ones((3, 3)),
    weights=np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.333333, 0.333333, 0.333333]]),
)


class MaskedPoem(NamedTuple):
    """Causal attention of the three words of `examples.attention.POEM`.

    `inside` and `outside` are the first row of weights when -10 stands for minus infinity and is added
    before or after the division by the square root of d_k.
    """

    weights: np.ndarray
    output: np.ndarray
    inside: np.ndarray
    outside: np.ndarray


MASKED_POEM = MaskedPoem(
    weights=np.array([[1.0, 0.0, 0.0], [0.361362, 0.638638, 0.0], [0.069094, 0.029973, 0.900933]]),
    output=np.array([[0.5996, 0.7375], [-0.009278, 0.601470], [3.506083, 2.237296]]),
    inside=np.array([0.998469, 0.000947, 0.000585]),
    outside=np.array([0.999918, 0.000051, 0.000031]),
)


class Batch(NamedTuple):
    """Three sentences of different lengths, padded to five tokens, and the masks that belong to them."""

    tokens: tuple
    is_token: np.ndarray
    padding: np.ndarray
    causal: np.ndarray


_IS_TOKEN = np.array([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [1, 1, 1, 1, 0]], dtype=bool)

BATCH = Batch(
    tokens=(
        ("write", "a", "poem", "about", "masks"),
        ("write", "a", "poem", "<pad>", "<pad>"),
        ("hide", "the", "future", "now", "<pad>"),
    ),
    is_token=_IS_TOKEN,
    padding=_IS_TOKEN.reshape(3, 1, 5),
    causal=np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [1, 1, 1, 1, 0], [1, 1, 1, 1, 1]], dtype=bool),
)

POEM_MASK = BATCH.causal[:3, :3]  # causal, for the three words of the poem
