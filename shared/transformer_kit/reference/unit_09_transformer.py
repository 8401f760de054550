"""Unit 09: the whole Transformer (Vaswani et al. 2017, section 3 and figure 1)."""

import math
from functools import cache

import numpy as np

from transformer_kit.corpus.sentences import prepare_sentence, written_sentence
from transformer_kit.corpus.vocabulary import BOS, EOS
from transformer_kit.reference.unit_00_tokens_and_shapes import embed, encode
from transformer_kit.reference.unit_01_positional_encoding import add_positions, positional_encoding
from transformer_kit.reference.unit_02_scaled_dot_product_attention import scaled_dot_product_attention
from transformer_kit.reference.unit_03_masking import causal_mask, masked_attention, padding_mask
from transformer_kit.reference.unit_04_multi_head_attention import merge_heads, multi_head_attention, split_heads
from transformer_kit.reference.unit_05_cross_attention import project_memory
from transformer_kit.reference.unit_06_feed_forward import position_wise_ffn
from transformer_kit.reference.unit_07_add_and_layer_norm import encoder_layer, layer_norm, post_norm, pre_norm
from transformer_kit.reference.unit_08_decoding import beam_search, greedy_decode


def decoder_layer(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """Apply one layer of the decoder: self-attention, attention to the source, then the feed-forward network.

    Parameters
    ----------
    X : ndarray of shape (..., n_target, d_model)
    memory : ndarray of shape (..., n_source, d_model)
        What the encoder returned.
    params : DecoderLayerParams
    n_heads : int
    self_mask, cross_mask : ndarray of bool, optional
        Broadcastable to (..., n_target, n_target) and to (..., n_target, n_source).
    norm_first : bool
        False: post-norm, as in the paper. True: pre-norm; the memory is not normalised.
    eps : float

    Returns
    -------
    ndarray of shape (..., n_target, d_model)

    Notes
    -----
    Vaswani et al. 2017, figure 1, right.
    """
    add_and_norm = pre_norm if norm_first else post_norm

    def attend_to_self(Z):
        return multi_head_attention(Z, Z, params.self_attention, n_heads, self_mask)[0]

    def attend_to_source(Z):
        return multi_head_attention(Z, memory, params.cross_attention, n_heads, cross_mask)[0]

    X = add_and_norm(X, attend_to_self, *params.norm_1, eps)
    X = add_and_norm(X, attend_to_source, *params.norm_2, eps)
    return add_and_norm(X, lambda Z: position_wise_ffn(Z, params.ffn), *params.norm_3, eps)


def encode_source(source_ids, source_is_token, model):
    """Run the encoder: embeddings times the root of d_model, plus positions, through all layers.

    Parameters
    ----------
    source_ids : ndarray of shape (B, n_source), int
    source_is_token : ndarray of shape (B, n_source), bool
        False where the source is padding.
    model : Model

    Returns
    -------
    ndarray of shape (B, n_source, d_model)
        The memory, which every layer of the decoder attends to.
    """
    X = _embedded(source_ids, model.source_embedding)  # (B, n_source, d_model)
    mask = padding_mask(source_is_token)
    for params in model.encoder:
        X = encoder_layer(X, params, model.n_heads, mask)
    return X


def _embedded(token_ids, E):
    """Return embeddings and positions, added; section 3.4 of the paper for the factor."""
    n, d_model = np.shape(token_ids)[-1], E.shape[-1]
    X = embed(token_ids, E) * math.sqrt(d_model)
    return add_positions(X, _positions(n, d_model).astype(X.dtype))


@cache
def _positions(n, d_model):
    """Keep the table, which every step of decoding needs again."""
    return positional_encoding(n, d_model)


def decode_target(target_ids, memory, source_is_token, model):
    """Run the decoder, which predicts for every position of the target the token that comes next.

    Parameters
    ----------
    target_ids : ndarray of shape (B, n_target), int
        Rows start with the start symbol.
    memory : ndarray of shape (B, n_source, d_model)
    source_is_token : ndarray of shape (B, n_source), bool
    model : Model

    Returns
    -------
    ndarray of shape (B, n_target, V)
        Logits.
    """
    X = _embedded(target_ids, model.target_embedding)  # (B, n_target, d_model)
    self_mask, cross_mask = causal_mask(X.shape[-2]), padding_mask(source_is_token)
    for params in model.decoder:
        X = decoder_layer(X, memory, params, model.n_heads, self_mask, cross_mask)
    return X @ _output_projection(model)


def _output_projection(model):
    """Return the matrix of shape (d_model, V) that makes logits: its own, or the target's embedding again."""
    return model.target_embedding.T if model.output_projection is None else model.output_projection


def translate(sentence, model, beam_width=1, alpha=0.0):
    """Translate an English sentence into Spanish.

    Parameters
    ----------
    sentence : str
    model : Model
    beam_width : int
        1 for greedy decoding.
    alpha : float
        Strength of the beam search's length penalty.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If the sentence is empty or too long, or holds a word that the model does not know.
    """
    source_ids = encode(prepare_sentence(sentence, model), model.source_vocabulary)[None]  # (1, n_source)
    is_token = np.ones(source_ids.shape, dtype=bool)
    memory = encode_source(source_ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        logits = decode_target(prefixes, np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0), model)[:, -1]
        shifted = logits - logits.max(axis=-1, keepdims=True)
        return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))

    if beam_width == 1:
        token_ids = greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    else:
        token_ids = beam_search(next_log_probs, BOS, EOS, beam_width, model.max_len, alpha)[0][1]
    return written_sentence(token_ids, model)


def count_transformer_parameters(vocab_size, d_model, d_ff, n_layers):
    """Count the parameters of a Transformer with one table for source, target and output.

    Parameters
    ----------
    vocab_size, d_model, d_ff : int
    n_layers : int
        Of the encoder, and as many of the decoder.

    Returns
    -------
    int
    """
    attention, ffn, norm = 4 * d_model**2, 2 * d_model * d_ff + d_ff + d_model, 2 * d_model
    encoder, decoder = attention + ffn + 2 * norm, 2 * attention + ffn + 3 * norm
    return vocab_size * d_model + n_layers * (encoder + decoder)


def cached_decode_step(token_ids, cache, source_is_token, model):
    """Run the decoder for one more token of every sequence, with the keys and values of all earlier ones kept.

    Parameters
    ----------
    token_ids : ndarray of shape (B,), int
        The newest token of every sequence.
    cache : tuple of LayerCache
        One per layer of the decoder; at the beginning ``start_cache(memory, model)``.
    source_is_token : ndarray of shape (B, n_source), bool
    model : Model

    Returns
    -------
    logits : ndarray of shape (B, V)
        For the token that comes next: the last position of `decode_target` for the whole sequences.
    cache : tuple of LayerCache
        With the new token's keys and values.
    """
    n_before, E = cache[0].K.shape[-2], model.target_embedding
    P = _positions(n_before + 1, E.shape[-1])[-1:]  # (1, d_model): the position of the new token
    X = embed(np.asarray(token_ids)[:, None], E) * math.sqrt(E.shape[-1])  # (B, 1, d_model)
    X = X + P.astype(X.dtype)
    mask, kept = padding_mask(source_is_token)[:, None], []  # (B, 1, 1, n_source): for all heads
    for params, layer in zip(model.decoder, cache, strict=True):
        own, cross = params.self_attention, params.cross_attention
        K, V = project_memory(X, own, model.n_heads)  # of the new token: (B, n_heads, 1, d_k)
        layer = layer._replace(K=np.concatenate([layer.K, K], axis=-2), V=np.concatenate([layer.V, V], axis=-2))
        # the new token may see all tokens so far: no mask
        attended, _ = scaled_dot_product_attention(split_heads(X @ own.W_Q, model.n_heads), layer.K, layer.V)
        X = layer_norm(X + merge_heads(attended) @ own.W_O, *params.norm_1)
        attended, _ = masked_attention(split_heads(X @ cross.W_Q, model.n_heads), layer.K_source, layer.V_source, mask)
        X = layer_norm(X + merge_heads(attended) @ cross.W_O, *params.norm_2)
        X = layer_norm(X + position_wise_ffn(X, params.ffn), *params.norm_3)
        kept.append(layer)
    return (X @ _output_projection(model))[:, 0], tuple(kept)
