"""Unit 12: what BERT and GPT-2 have that the Transformer of the paper has not."""

import math
from itertools import pairwise

import numpy as np

from transformer_kit.reference.floats import as_float
from transformer_kit.reference.unit_00_tokens_and_shapes import linear
from transformer_kit.reference.unit_03_masking import masked_attention
from transformer_kit.reference.unit_04_multi_head_attention import merge_heads, split_heads
from transformer_kit.reference.unit_06_feed_forward import position_wise_ffn
from transformer_kit.reference.unit_07_add_and_layer_norm import pre_norm


def word_pieces(word, vocabulary, unknown="[UNK]"):
    """Cut a word into pieces of a vocabulary, from the left, each as long as possible.

    Parameters
    ----------
    word : str
    vocabulary : dict from str to int
        The id of every piece; "##" marks those that continue a word.
    unknown : str
        Stands for a word that cannot be cut in this way.

    Returns
    -------
    list of str

    Notes
    -----
    Devlin et al. 2019, section 3; Wu et al. 2016, section 4.1. A cut that leads nowhere is not taken back.
    """
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        ends = (end for end in range(len(word), start, -1) if mark + word[start:end] in vocabulary)
        end = next(ends, None)
        if end is None:
            return [unknown]
        pieces.append(mark + word[start:end])
        start = end
    return pieces


def byte_pair_merge(symbols, ranks):
    """Join neighbouring symbols, the pair of the lowest rank first, until no pair has a rank.

    Parameters
    ----------
    symbols : list of str
    ranks : dict from (str, str) to int
        The lower the rank of a pair, the earlier it was learned.

    Returns
    -------
    list of str

    Notes
    -----
    Sennrich, Haddow and Birch 2016, section 3.2; Radford et al. 2019, section 2.2.
    """
    symbols = list(symbols)
    while known := [pair for pair in pairwise(symbols) if pair in ranks]:
        symbols = _joined(symbols, min(known, key=ranks.get))
    return symbols


def _joined(symbols, pair):
    """Join a pair at all its places, from the left."""
    result, i = [], 0
    while i < len(symbols):
        is_pair = tuple(symbols[i : i + 2]) == pair
        result.append("".join(pair) if is_pair else symbols[i])
        i += 2 if is_pair else 1
    return result


def biased_attention(X_query, X_key, params, n_heads, mask=None):
    """Multi-head attention whose four projections have biases.

    Parameters
    ----------
    X_query : ndarray of shape (..., n_queries, d_model)
    X_key : ndarray of shape (..., n_keys, d_model)
        Where the keys and values come from.
    params : BiasedAttentionParams
    n_heads : int
    mask : ndarray of bool, optional
        At least two axes, broadcastable to (..., n_queries, n_keys); shared by all heads.

    Returns
    -------
    output : ndarray of shape (..., n_queries, d_model)
    weights : ndarray of shape (..., n_heads, n_queries, n_keys)

    Notes
    -----
    Vaswani et al. 2017, section 3.2.2, with the biases that BERT and GPT-2 add.
    """
    X_query, X_key = as_float(X_query), as_float(X_key)
    Q = split_heads(linear(X_query, params.W_Q, params.b_Q), n_heads)
    K = split_heads(linear(X_key, params.W_K, params.b_K), n_heads)
    V = split_heads(linear(X_key, params.W_V, params.b_V), n_heads)
    if mask is not None:
        mask = np.asarray(mask)[..., None, :, :]  # (..., 1, n_queries, n_keys): one mask for all heads
    heads, weights = masked_attention(Q, K, V, mask)
    return linear(merge_heads(heads), params.W_O, params.b_O), weights


def gpt2_block(X, params, n_heads, mask=None):
    """Apply one layer of GPT-2: attention and network, each with its norm before it and its residual around it.

    Parameters
    ----------
    X : ndarray of shape (..., n, d_model)
    params : EncoderLayerParams
        With BiasedAttentionParams.
    n_heads : int
    mask : ndarray of bool, optional
        For the attention; broadcastable to (..., n, n).

    Returns
    -------
    ndarray of shape (..., n, d_model)

    Notes
    -----
    Radford et al. 2019, section 2.3; eps is 1e-5, and the network's GELU is the one with tanh of Hendrycks and
    Gimpel 2016, section 2.
    """
    X = pre_norm(X, lambda Z: biased_attention(Z, Z, params.attention, n_heads, mask)[0], *params.norm_1)
    return pre_norm(X, lambda Z: position_wise_ffn(Z, params.ffn, _gelu_with_tanh), *params.norm_2)


def _gelu_with_tanh(x):
    """Return x Φ(x), nearly."""
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def sentence_vector(X, is_token):
    """Make one vector of length 1 of all tokens of a sentence: the direction of their mean.

    Parameters
    ----------
    X : ndarray of shape (..., n, d)
    is_token : ndarray of shape (..., n), bool
        False for padding.

    Returns
    -------
    ndarray of shape (..., d)
        Zeros for a sentence without tokens.

    Notes
    -----
    Reimers and Gurevych 2019, section 3: the mean of the tokens, here brought to length 1.
    """
    X = as_float(X)
    total = np.where(np.asarray(is_token)[..., None], X, 0).sum(axis=-2)  # the direction of the mean
    length = np.linalg.norm(total, axis=-1, keepdims=True)
    return total / np.where(length > 0, length, 1)
