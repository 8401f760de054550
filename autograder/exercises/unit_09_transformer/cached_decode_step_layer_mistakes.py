"""The known mistakes of `cached_decode_step` in one of its sub-layers, and with the input of the first layer."""

import numpy as np

from autograder.exercises.unit_09_transformer.cached_decode_step_mistakes import CACHE, POSITION, STEP
from autograder.exercises.unit_09_transformer.cached_decode_step_variants import step
from autograder.specification import KnownMistakes

MISTAKES = KnownMistakes()


@MISTAKES.add(where=STEP)
def no_residual_of_self_attention(token_ids, cache, source_is_token, model):
    """The input of the self-attention is not added to its output.

    Each attention ends with its W_O, a sum and a norm. The sum is that of input and output.
    """
    return step(token_ids, cache, source_is_token, model, residual=lambda X, place: 0 if place == 0 else X)


@MISTAKES.add(where=STEP)
def no_residual_of_cross_attention(token_ids, cache, source_is_token, model):
    """The input of the attention to the source is not added to its output.

    Each attention ends with its W_O, a sum and a norm. The sum is that of input and output.
    """
    return step(token_ids, cache, source_is_token, model, residual=lambda X, place: 0 if place == 1 else X)


@MISTAKES.add(where=STEP)
def no_residual_of_ffn(token_ids, cache, source_is_token, model):
    """The input of the feed-forward network is not added to its output.

    The network has a residual connection, as both attentions do.
    """
    return step(token_ids, cache, source_is_token, model, residual=lambda X, place: 0 if place == 2 else X)


@MISTAKES.add(where=STEP)
def no_output_matrix(token_ids, cache, source_is_token, model):
    """The attentions end without their W_O.

    The heads stand side by side when they are merged. W_O mixes them.
    """
    return step(token_ids, cache, source_is_token, model, mixed=lambda heads, W_O: heads)


def _exchanged(layer, K, V):
    return layer._replace(K=np.concatenate([layer.K, V], axis=-2), V=np.concatenate([layer.V, K], axis=-2))


@MISTAKES.add(where=CACHE)
def keys_and_values_exchanged(token_ids, cache, source_is_token, model):
    """Keys and values of the new token are swapped.

    `project_memory` returns the keys first.
    """

    def kept(layer, extended):
        return _exchanged(layer, extended.K[:, :, -1:], extended.V[:, :, -1:])

    return step(token_ids, cache, source_is_token, model, own=_exchanged, kept=kept)


@MISTAKES.add(where=CACHE)
def joined_along_heads(token_ids, cache, source_is_token, model):
    """Old and new keys are joined along the axis of the heads.

    Keys have the shape (B, n_heads, n, d_k). What grows is the third axis, the one of the tokens.
    """

    def joined(layer, K, V):
        return layer._replace(K=np.concatenate([layer.K, K], axis=1), V=np.concatenate([layer.V, V], axis=1))

    return step(token_ids, cache, source_is_token, model, own=joined)


@MISTAKES.add(where=POSITION)
def half_of_width(token_ids, cache, source_is_token, model):
    """The embeddings are multiplied by half of d_model.

    `d_model ** 1 / 2` divides by 2, because `**` comes before `/`. The root is `d_model ** 0.5`.
    """
    return step(token_ids, cache, source_is_token, model, scale=model.target_embedding.shape[-1] / 2)


@MISTAKES.add(where=POSITION)
def short_table(token_ids, cache, source_is_token, model):
    """The positions come from a table of 100 rows.

    Models differ in how long a sequence may be. Make as many positions as there are tokens.
    """
    return step(token_ids, cache, source_is_token, model, position=lambda n_before: np.arange(100)[n_before])
