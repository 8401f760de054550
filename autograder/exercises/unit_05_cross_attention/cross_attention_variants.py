"""What the wrong versions of `cross_attention` are made of."""

import math

from transformer_kit.reference import masked_softmax, merge_heads, padding_mask, project_memory, split_heads


def projected(X_decoder, memory, params, n_heads):
    """Return Q, K and V of all heads."""
    return split_heads(X_decoder @ params.W_Q, n_heads), *project_memory(memory, params, n_heads)


def attend(X_query, X_memory, params, n_heads, mask, axis=-1, divisor=None):
    """Attend with this mask for the scores of all heads; what else is not given is right."""
    Q, K, V = projected(X_query, X_memory, params, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(divisor or Q.shape[-1])
    weights = masked_softmax(scores, mask, axis)
    return merge_heads(weights @ V) @ params.W_O, weights


def for_heads(is_token):
    """Return the mask of the scores of all heads."""
    return None if is_token is None else padding_mask(is_token)[..., None, :, :]
