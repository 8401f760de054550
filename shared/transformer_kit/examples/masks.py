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


class FourTokens(NamedTuple):
    """Causal attention of four tokens with one matrix for queries, keys and values; `printed_*` is what was published.

    The example stores its matrix as (d_k, d_model), so it is transposed before use. `weights` and `output` are right
    for the inputs, `weights_of_printed` and `output_of_printed` for the printed projections.
    """

    X: np.ndarray
    W: np.ndarray
    projections: np.ndarray
    weights: np.ndarray
    output: np.ndarray
    weights_of_printed: np.ndarray
    output_of_printed: np.ndarray
    printed_projections: np.ndarray
    printed_products: np.ndarray
    printed_scores: np.ndarray
    printed_second_weights: np.ndarray
    printed_output: np.ndarray


FOUR_TOKENS = FourTokens(
    X=np.array([[0.5, 0.1, 0.2, 0.3], [0.4, 0.3, 0.7, 0.8], [0.6, 0.8, 0.1, 0.9], [0.2, 0.4, 0.6, 0.5]]),
    W=np.array([[0.1, 0.3, 0.5, 0.2], [0.2, 0.4, 0.6, 0.1], [0.7, 0.1, 0.8, 0.3], [0.6, 0.2, 0.4, 0.5]]),
    projections=np.array(
        [[0.24, 0.29, 0.61, 0.55], [0.64, 0.70, 1.11, 0.98], [0.53, 0.59, 0.85, 1.01], [0.54, 0.61, 0.81, 0.69]]
    ),
    weights=np.array(
        [
            [1.0, 0.0, 0.0, 0.0],
            [0.318711, 0.681289, 0.0, 0.0],
            [0.218514, 0.421344, 0.360142, 0.0],
            [0.175925, 0.315436, 0.269281, 0.239357],
        ]
    ),
    output=np.array(
        [
            [0.24, 0.29, 0.61, 0.55],
            [0.512515, 0.569328, 0.950644, 0.842954],
            [0.512979, 0.570794, 0.907106, 0.896843],
            [0.516073, 0.576708, 0.880217, 0.843017],
        ]
    ),
    weights_of_printed=np.array(
        [
            [1.0, 0.0, 0.0, 0.0],
            [0.399392, 0.600608, 0.0, 0.0],
            [0.276863, 0.388123, 0.335014, 0.0],
            [0.212807, 0.290510, 0.254840, 0.241843],
        ]
    ),
    output_of_printed=np.array(
        [
            [0.43, 0.41, 0.50, 0.35],
            [0.610182, 0.674268, 0.584085, 0.488140],
            [0.603389, 0.687979, 0.550987, 0.476120],
            [0.582242, 0.689508, 0.504265, 0.473871],
        ]
    ),
    printed_projections=np.array(
        [[0.43, 0.41, 0.50, 0.35], [0.73, 0.85, 0.64, 0.58], [0.60, 0.73, 0.49, 0.46], [0.52, 0.70, 0.36, 0.47]]
    ),
    printed_products=np.array([[0.9, 0.4, 0.5, 0.3], [0.8, 0.7, 0.4, 0.6], [0.6, 0.5, 0.6, 0.7], [0.4, 0.3, 0.5, 0.6]]),
    printed_scores=np.array(
        [
            [0.45, -np.inf, -np.inf, -np.inf],
            [0.6, 0.5, -np.inf, -np.inf],
            [0.4, 0.3, 0.6, -np.inf],
            [0.3, 0.4, 0.5, 0.6],
        ]
    ),
    printed_second_weights=np.array([0.67, 0.33]),
    printed_output=np.array(
        [[0.43, 0.41, 0.50, 0.35], [0.56, 0.56, 0.53, 0.47], [0.45, 0.38, 0.53, 0.49], [0.40, 0.41, 0.44, 0.46]]
    ),
)
