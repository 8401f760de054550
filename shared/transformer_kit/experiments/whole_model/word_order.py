"""The trained translator with somebody's positions, or with an encoder that has none."""

import math

from transformer_kit import reference
from transformer_kit.corpus.text import spanish_text
from transformer_kit.experiments.whole_model.ablations import replaced
from transformer_kit.experiments.whole_model.one_sentence import watched
from transformer_kit.trained.model import load_model


def translate_with(positional_encoding, add_positions, *sentences):
    """Translate sentences with the trained model and somebody's functions of unit 01.

    Parameters
    ----------
    positional_encoding, add_positions : callable
    *sentences : str

    Returns
    -------
    list of str
    """
    functions = replaced(reference, positional_encoding=positional_encoding, add_positions=add_positions)
    return _translations(functions, load_model(), sentences)


def translate_without_order(*sentences):
    """Translate sentences with the trained model, whose encoder gets no positions; the decoder still has its own.

    Parameters
    ----------
    *sentences : str

    Returns
    -------
    list of str
    """
    model = load_model()

    def embed(token_ids, E):
        X = reference.embed(token_ids, E)
        if E is not model.target_embedding:
            return X
        n, d_model = X.shape[-2:]  # the vectors will be multiplied by the root of d_model
        return X + (reference.positional_encoding(n, d_model) / math.sqrt(d_model)).astype(X.dtype)

    return _translations(replaced(reference, embed=embed, add_positions=lambda X, P: X), model, sentences)


def _translations(functions, model, sentences):
    return [spanish_text([w for w in watched(s, model, functions).written if w != "<eos>"]) for s in sentences]
