"""How many of 40 new sentences the trained translator gets right after one change."""

from functools import cache

import numpy as np

from transformer_kit import reference
from transformer_kit.experiments.whole_model.ablations import Trial, replaced
from transformer_kit.trained.model import load_model

N_SENTENCES = 40


@cache
def trial():
    """Return the sentences to measure with: one batch, in which the short ones are padded."""
    return Trial(load_model(), N_SENTENCES)


def count_right(model=None, **functions):
    """Count the right translations of the trained model.

    Parameters
    ----------
    model : Model, optional
        Another one, with the same words.
    **functions : callable
        Each takes the place of the course's function of this name.

    Returns
    -------
    int
        Out of 40.
    """
    return round(N_SENTENCES * trial().effect(replaced(reference, **functions), model).acceptable)


def cross_attention_to_padding(X_decoder, memory, params, n_heads, memory_is_token):
    """Let the decoder look at the English words without a mask on their padding.

    Takes and returns what `cross_attention` of unit 05 does.
    """
    return reference.cross_attention(X_decoder, memory, params, n_heads, np.ones_like(memory_is_token))


def only_in_the_first_layer(network):
    """Return a `position_wise_ffn` that is another one in the encoder's first layer.

    Parameters
    ----------
    network : callable
        Takes tokens of shape (..., n, d_model) and their FeedForwardParams, and returns the shape of the tokens.

    Returns
    -------
    callable
    """
    first = trial().model.encoder[0].ffn

    def position_wise_ffn(X, params):
        return network(X, params) if params.W_1 is first.W_1 else reference.position_wise_ffn(X, params)

    return position_wise_ffn


def counted_from(first, positional_encoding):
    """Return a `positional_encoding` whose first row belongs to another position than 0.

    Parameters
    ----------
    first : int
    positional_encoding : callable
        The learner's function of unit 01.

    Returns
    -------
    callable
    """
    return lambda n, d_model: positional_encoding(first + n, d_model)[first:]
