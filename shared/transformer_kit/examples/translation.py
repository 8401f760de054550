"""Attention from a translation to its source: sentences with vectors set by hand, and a printed example with errors.

The other printed example of unit 05, "I like cats", is `examples.attention.CATS`.
"""

from typing import NamedTuple

import numpy as np

from transformer_kit.parameters import AttentionParams


class Translation(NamedTuple):
    """Two English sentences and their Spanish translations, padded to four and five tokens, d_model = 6.

    Nothing here is learned. Columns 0 to 2 of a token's vector say what it means and columns 3 to 5 what part it
    plays in the sentence, so head 0 compares meanings and head 1 parts. Padding holds numbers, too, as in a real batch.
    `weights` are those of the first sentence, of shape (n_heads, 5, 4), rounded to six decimals.
    """

    source: tuple
    target: tuple
    memory: np.ndarray
    decoder: np.ndarray
    source_is_token: np.ndarray
    target_is_token: np.ndarray
    params: AttentionParams
    n_heads: int
    weights: np.ndarray


_I, _LIKE, _BLACK, _CATS = [1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]
_ANY = [0, 0, 0]  # "los" has no partner in the English sentence
_SPEAKER, _ANIMAL, _OTHER = [1, 0, 0], [0, 1, 0], [0, 0, 1]
_SOURCE_PADDING, _TARGET_PADDING = [-1, 0, 1, 0, 1, 0], [1, 0, -1, 1, 0, 1]

_MEMORY = [
    [_I + _SPEAKER, _LIKE + _OTHER, _BLACK + _OTHER, _CATS + _ANIMAL],
    [_I + _SPEAKER, _LIKE + _OTHER, _CATS + _ANIMAL, _SOURCE_PADDING],
]
_ME_GUSTAN_LOS_GATOS = [_I + _SPEAKER, _LIKE + _ANIMAL, _ANY + _ANIMAL, _CATS + _ANIMAL]
_DECODER = [
    [*_ME_GUSTAN_LOS_GATOS, _BLACK + _ANIMAL],
    [*_ME_GUSTAN_LOS_GATOS, _TARGET_PADDING],
]

TRANSLATION = Translation(
    source=(("I", "like", "black", "cats"), ("I", "like", "cats", "<pad>")),
    target=(("Me", "gustan", "los", "gatos", "negros"), ("Me", "gustan", "los", "gatos", "<pad>")),
    memory=np.array(_MEMORY, dtype=float),
    decoder=np.array(_DECODER, dtype=float),
    source_is_token=np.array([[True, True, True, True], [True, True, True, False]]),
    target_is_token=np.array([[True, True, True, True, True], [True, True, True, True, False]]),
    params=AttentionParams(
        W_Q=np.diag([1.2, 1.2, 1.2, 2.0, 2.0, 2.0]),
        W_K=np.diag([1.2, 1.2, 1.2, 2.0, 2.0, 2.0]),
        W_V=np.eye(6),
        W_O=np.eye(6),
    ),
    n_heads=2,
    weights=np.array(
        [
            [
                [0.902641, 0.032453, 0.032453, 0.032453],
                [0.032453, 0.902641, 0.032453, 0.032453],
                [0.25, 0.25, 0.25, 0.25],
                [0.032453, 0.032453, 0.032453, 0.902641],
                [0.032453, 0.032453, 0.902641, 0.032453],
            ],
            [
                [0.770438, 0.076521, 0.076521, 0.076521],
                [0.076521, 0.076521, 0.076521, 0.770438],
                [0.076521, 0.076521, 0.076521, 0.770438],
                [0.076521, 0.076521, 0.076521, 0.770438],
                [0.076521, 0.076521, 0.076521, 0.770438],
            ],
        ]
    ),
)


class TwoHeads(NamedTuple):
    """Cross-attention with two heads, d_model = 3 and d_k = d_v = 2; `printed_*` is what was published.

    The example stores its matrices as (d_k, d_model), so they are transposed before use; K and V come in from two
    different arrays. Of head 2 only the output is given. Right numbers are rounded to six decimals.
    """

    decoder: np.ndarray
    key_input: np.ndarray
    value_input: np.ndarray
    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray
    W_O: np.ndarray
    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    head_1: np.ndarray
    head_2: np.ndarray
    output: np.ndarray
    printed_transposes: dict
    printed_weights: np.ndarray
    printed_head_1: np.ndarray
    printed_output: np.ndarray


TWO_HEADS = TwoHeads(
    decoder=np.array([[0.2, 0.5, 0.1], [0.7, 0.1, 0.9]]),
    key_input=np.array([[0.3, 0.8, 0.5], [0.1, 0.2, 0.4]]),
    value_input=np.array([[0.9, 1.2, 0.6], [0.5, 0.4, 0.9]]),
    W_Q=np.array([[0.1, 0.3, 0.2], [0.2, 0.4, 0.6]]),
    W_K=np.array([[0.5, 0.1, 0.3], [0.4, 0.7, 0.2]]),
    W_V=np.array([[0.2, 0.6, 0.3], [0.8, 0.2, 0.4]]),
    W_O=np.array([[0.3, 0.7], [0.6, 0.2], [0.4, 0.5], [0.9, 0.8]]),
    Q=np.array([[0.19, 0.30], [0.28, 0.72]]),
    K=np.array([[0.38, 0.78], [0.19, 0.26]]),
    V=np.array([[1.08, 1.20], [0.61, 0.84]]),
    scores=np.array([[0.216516, 0.080681], [0.472347, 0.169988]]),
    weights=np.array([[0.533907, 0.466093], [0.575019, 0.424981]]),
    head_1=np.array([[0.860936, 1.032206], [0.880259, 1.047007]]),
    head_2=np.array([[0.72, 1.01], [0.65, 1.12]]),
    output=np.array([[2.074605, 1.977097], [2.160282, 2.046583]]),
    printed_transposes={
        "W_Q": np.array([[0.1, 0.3], [0.3, 0.2], [0.2, 0.6]]),
        "W_K": np.array([[0.5, 0.1], [0.1, 0.7], [0.3, 0.2]]),
        "W_V": np.array([[0.2, 0.6], [0.6, 0.2], [0.3, 0.4]]),
    },
    printed_weights=np.array([[0.533, 0.467], [0.588, 0.412]]),
    printed_head_1=np.array([[0.80, 1.04], [0.79, 1.09]]),
    printed_output=np.array([[2.008, 2.032], [2.011, 2.118]]),
)
