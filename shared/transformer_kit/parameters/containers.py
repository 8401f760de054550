"""The parameters of a Transformer, by name, and what a decoder keeps from step to step."""

from typing import NamedTuple

import numpy as np


class AttentionParams(NamedTuple):
    """Projections of multi-head attention; no biases, as in the paper. Heads are contiguous slices of columns.

    Attributes
    ----------
    W_Q, W_K : ndarray of shape (d_model, n_heads * d_k)
    W_V : ndarray of shape (d_model, n_heads * d_v)
    W_O : ndarray of shape (n_heads * d_v, d_model)
    """

    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray
    W_O: np.ndarray


class BiasedAttentionParams(NamedTuple):
    """Projections of multi-head attention with a bias each, as BERT and GPT-2 have them.

    Attributes
    ----------
    W_Q, W_K : ndarray of shape (d_model, n_heads * d_k)
    W_V : ndarray of shape (d_model, n_heads * d_v)
    W_O : ndarray of shape (n_heads * d_v, d_model)
    b_Q, b_K : ndarray of shape (n_heads * d_k,)
    b_V : ndarray of shape (n_heads * d_v,)
    b_O : ndarray of shape (d_model,)
    """

    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray
    W_O: np.ndarray
    b_Q: np.ndarray
    b_K: np.ndarray
    b_V: np.ndarray
    b_O: np.ndarray


class FeedForwardParams(NamedTuple):
    """The two linear maps of the position-wise feed-forward network.

    Attributes
    ----------
    W_1 : ndarray of shape (d_model, d_ff)
    b_1 : ndarray of shape (d_ff,)
    W_2 : ndarray of shape (d_ff, d_model)
    b_2 : ndarray of shape (d_model,)
    """

    W_1: np.ndarray
    b_1: np.ndarray
    W_2: np.ndarray
    b_2: np.ndarray


class LayerNormParams(NamedTuple):
    """Scale and shift of a layer normalisation.

    Attributes
    ----------
    gamma, beta : ndarray of shape (d_model,)
    """

    gamma: np.ndarray
    beta: np.ndarray


class EncoderLayerParams(NamedTuple):
    """One encoder layer, in the order of computation with the norm last.

    Attributes
    ----------
    attention : AttentionParams
        In a layer of BERT or GPT-2, BiasedAttentionParams.
    norm_1 : LayerNormParams
    ffn : FeedForwardParams
    norm_2 : LayerNormParams
    """

    attention: AttentionParams
    norm_1: LayerNormParams
    ffn: FeedForwardParams
    norm_2: LayerNormParams


class DecoderLayerParams(NamedTuple):
    """One decoder layer, in the order of computation with the norm last.

    Attributes
    ----------
    self_attention : AttentionParams
    norm_1 : LayerNormParams
    cross_attention : AttentionParams
    norm_2 : LayerNormParams
    ffn : FeedForwardParams
    norm_3 : LayerNormParams
    """

    self_attention: AttentionParams
    norm_1: LayerNormParams
    cross_attention: AttentionParams
    norm_2: LayerNormParams
    ffn: FeedForwardParams
    norm_3: LayerNormParams


class Model(NamedTuple):
    """A Transformer as in the paper, with its words: post-norm, sinusoidal positions, ReLU; eps is 1e-5.

    Attributes
    ----------
    source_embedding : ndarray of shape (V_source, d_model)
    target_embedding : ndarray of shape (V, d_model)
    encoder : tuple of EncoderLayerParams
    decoder : tuple of DecoderLayerParams
    output_projection : ndarray of shape (d_model, V), or None
        None: the logits are made with the target's embedding, transposed.
    n_heads : int
    source_vocabulary : dict from str to int
        The id of every English word.
    target_words : tuple of str
        The Spanish word of every id. On both sides "<pad>" is 0, "<unk>" 1, "<bos>" 2 and "<eos>" 3.
    longest_source : int
        Words and marks of the longest sentence that it was trained on.
    max_len : int
        The largest number of tokens that it writes, "<eos>" included.
    """

    source_embedding: np.ndarray
    target_embedding: np.ndarray
    encoder: tuple
    decoder: tuple
    output_projection: np.ndarray | None
    n_heads: int
    source_vocabulary: dict
    target_words: tuple
    longest_source: int
    max_len: int


class DecoderOnly(NamedTuple):
    """A stack of layers without a source, which continues a text: post-norm, sinusoidal positions, ReLU; eps is 1e-5.

    Attributes
    ----------
    embedding : ndarray of shape (V, d_model)
        Also makes the logits, transposed.
    layers : tuple of EncoderLayerParams
        Without attention to a source, a decoder layer has the parameters of an encoder layer; its mask is causal.
    n_heads : int
    """

    embedding: np.ndarray
    layers: tuple
    n_heads: int


class LayerCache(NamedTuple):
    """Keys and values of one layer of the decoder.

    Attributes
    ----------
    K : ndarray of shape (B, n_heads, n_before, d_k)
    V : ndarray of shape (B, n_heads, n_before, d_v)
        Of the target's tokens so far.
    K_source : ndarray of shape (B, n_heads, n_source, d_k)
    V_source : ndarray of shape (B, n_heads, n_source, d_v)
        Of the memory; the same at every step.
    """

    K: np.ndarray
    V: np.ndarray
    K_source: np.ndarray
    V_source: np.ndarray


class KeysAndValues(NamedTuple):
    """What one layer of a decoder without a source keeps of the tokens so far.

    Attributes
    ----------
    K : ndarray of shape (..., n_kv_heads, n_before, d_k)
    V : ndarray of shape (..., n_kv_heads, n_before, d_v)
        As many heads as there are of queries, where none are shared.
    """

    K: np.ndarray
    V: np.ndarray


class SentencePairs(NamedTuple):
    """A batch of sentence pairs, as `pad_batch` makes them.

    Attributes
    ----------
    source_ids : ndarray of shape (B, n_source), int
    target_ids : ndarray of shape (B, n_target), int
        What the model should say.
    is_token : ndarray of shape (B, n_target), bool
        False where the target is padding.
    """

    source_ids: np.ndarray
    target_ids: np.ndarray
    is_token: np.ndarray


class TrainingState(NamedTuple):
    """All that one step of training leaves to the next.

    Attributes
    ----------
    step : int
        How many steps have been made.
    params, m, v : ndarray of shape (n_parameters,)
        All parameters of the model end to end, and the two running means of Adam.
    """

    step: int
    params: np.ndarray
    m: np.ndarray
    v: np.ndarray


class TrainingSettings(NamedTuple):
    """What is decided before a training run.

    Attributes
    ----------
    bos_id : int
        The start symbol.
    epsilon : float
        The share of label smoothing.
    d_model, warmup_steps : int
        Of the learning rate.
    """

    bos_id: int
    epsilon: float
    d_model: int
    warmup_steps: int
