"""The queries, keys and values of one head of the translator, for a sentence that somebody types."""

from typing import NamedTuple

import numpy as np

from transformer_kit import reference
from transformer_kit.experiments.whole_model.one_sentence import watched
from transformer_kit.trained.model import load_model

LAYER, HEAD = 1, 2  # of the encoder, counted from 0


class OneHead(NamedTuple):
    """What one head of an encoder layer works with.

    Attributes
    ----------
    words : list of str
    Q, K, V : ndarray of shape (n, d_k)
    """

    words: list
    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray


def one_head(sentence):
    """Return what head 2 of the encoder's second layer works with.

    Parameters
    ----------
    sentence : str

    Returns
    -------
    OneHead
        In double precision.

    Raises
    ------
    ValueError
        If the model cannot read the sentence.
    """
    model = load_model()
    seen = watched(sentence, model, reference)
    X, params = seen.parts[f"encoder.{LAYER - 1}.norm_2"], model.encoder[LAYER].attention
    heads = [reference.split_heads(X @ W, model.n_heads)[0, HEAD] for W in (params.W_Q, params.W_K, params.W_V)]
    return OneHead(seen.source, *(head.astype(float) for head in heads))
