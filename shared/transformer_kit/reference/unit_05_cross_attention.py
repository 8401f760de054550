"""Unit 05: attention between two sequences (Vaswani et al. 2017, section 3.2.3)."""

import numpy as np

from transformer_kit.reference.floats import as_float
from transformer_kit.reference.unit_02_scaled_dot_product_attention import scaled_dot_product_attention
from transformer_kit.reference.unit_03_masking import causal_mask, combine_masks, padding_mask
from transformer_kit.reference.unit_04_multi_head_attention import multi_head_attention, split_heads


def context_vector(query, keys, values):
    """Return what one decoder step takes from the source.

    Parameters
    ----------
    query : ndarray of shape (d_k,)
    keys : ndarray of shape (n, d_k)
    values : ndarray of shape (n, d_v)

    Returns
    -------
    context : ndarray of shape (d_v,)
    weights : ndarray of shape (n,)
    """
    output, weights = scaled_dot_product_attention(np.asarray(query)[None, :], keys, values)
    return output[0], weights[0]


def project_memory(memory, params, n_heads):
    """Compute the keys and values of a source sentence, once for all decoder steps.

    Parameters
    ----------
    memory : ndarray of shape (..., n_source, d_model)
    params : AttentionParams
    n_heads : int

    Returns
    -------
    K : ndarray of shape (..., n_heads, n_source, d_k)
    V : ndarray of shape (..., n_heads, n_source, d_v)
    """
    memory = as_float(memory)
    return split_heads(memory @ params.W_K, n_heads), split_heads(memory @ params.W_V, n_heads)


def cross_attention(X_decoder, memory, params, n_heads, memory_is_token=None):
    """Let every position of the target look at the source.

    Parameters
    ----------
    X_decoder : ndarray of shape (..., n_target, d_model)
    memory : ndarray of shape (..., n_source, d_model)
    params : AttentionParams
    n_heads : int
    memory_is_token : ndarray of shape (..., n_source), bool, optional
        False where the source is padding.

    Returns
    -------
    output : ndarray of shape (..., n_target, d_model)
    weights : ndarray of shape (..., n_heads, n_target, n_source)

    Notes
    -----
    Vaswani et al. 2017, section 3.2.3: queries from the decoder, keys and values from the encoder.
    """
    mask = None if memory_is_token is None else padding_mask(memory_is_token)
    return multi_head_attention(X_decoder, memory, params, n_heads, mask)


def alignment(weights):
    """Say where every target position looks, and how undecided it is.

    Parameters
    ----------
    weights : ndarray of shape (..., n_heads, n_target, n_source)

    Returns
    -------
    best_source : ndarray of shape (..., n_target), int64
        The source position of the largest mean weight over the heads; the first one on a tie.
    entropy : ndarray of shape (..., n_target)
        Of the mean weights, in nats.
    """
    mean = as_float(weights).mean(axis=-3)  # (..., n_target, n_source)
    logs = np.log(np.where(mean > 0, mean, 1))  # 0 log 0 = 0
    return mean.argmax(axis=-1).astype(np.int64), -(mean * logs).sum(axis=-1)


def misleading_weights(n, seen, needed):
    """Return a query, keys and values that give one word nearly all the weight, while another one is needed.

    Parameters
    ----------
    n : int
        Number of words, at least 3.
    seen, needed : int
        The word that gets nearly all the weight, though the context stays the same without it; and the word without
        which it changes.

    Returns
    -------
    query : ndarray of shape (1,)
    keys, values : ndarray of shape (n, 1)

    Notes
    -----
    One right answer of many. The context is 0: a third word takes away what the needed one brings, and all others,
    including the one that is seen, have the value 0. Weights are not importance: Jain and Wallace 2019.
    """
    other = next(word for word in range(n) if word not in (seen, needed))
    keys, values = np.zeros((n, 1)), np.zeros((n, 1))
    keys[seen] = np.log(20.0 * n)  # so its weight is 20 n / (20 n + n - 1), more than 0.95
    values[needed] = 100.0 * n
    values[other] = -100.0 * n
    return np.ones(1), keys, values


def translation_masks(source_is_token, target_is_token):
    """Return the three masks of an encoder-decoder Transformer.

    Parameters
    ----------
    source_is_token : ndarray of shape (B, n_source), bool
    target_is_token : ndarray of shape (B, n_target), bool

    Returns
    -------
    encoder : ndarray of shape (B, 1, n_source), bool
        Source padding, for the encoder's self-attention.
    decoder : ndarray of shape (B, n_target, n_target), bool
        Causal and target padding, for the decoder's self-attention.
    cross : ndarray of shape (B, 1, n_source), bool
        Source padding, for the attention from target to source.
    """
    encoder = padding_mask(source_is_token)
    decoder = combine_masks(causal_mask(np.shape(target_is_token)[-1]), padding_mask(target_is_token))
    return encoder, decoder, encoder.copy()
