"""The whole network, forward and backward."""

from typing import NamedTuple

import numpy as np

from transformer_kit import reference
from transformer_kit.corpus.vocabulary import BOS, PAD
from transformer_kit.parameters import DecoderLayerParams, EncoderLayerParams
from transformer_kit.training.sublayers import (
    NO_DROPOUT,
    add_and_norm,
    add_and_norm_backward,
    attend,
    attend_backward,
    embed_backward,
    embed_with_positions,
    feed_forward,
    feed_forward_backward,
    project,
    token_rows,
)


class Batch(NamedTuple):
    """Sentence pairs, padded.

    Attributes
    ----------
    source_ids : ndarray of shape (B, n_source), int
    target_ids : ndarray of shape (B, n_target), int
        What the decoder should write, with "<eos>" at the end.
    decoder_ids : ndarray of shape (B, n_target), int
        What the decoder reads: the same, shifted right by one, after "<bos>".
    target_is_token : ndarray of shape (B, n_target), bool
    encoder_mask, decoder_mask, cross_mask : ndarray of bool
        As `translation_masks` gives them.
    """

    source_ids: np.ndarray
    target_ids: np.ndarray
    decoder_ids: np.ndarray
    target_is_token: np.ndarray
    encoder_mask: np.ndarray
    decoder_mask: np.ndarray
    cross_mask: np.ndarray


def make_batch(pairs):
    """Put sentence pairs into one batch.

    Parameters
    ----------
    pairs : sequence of (sequence of int, sequence of int)
        Ids of source and target; the target ends with "<eos>" and does not begin with "<bos>".

    Returns
    -------
    Batch
    """
    sources, targets = zip(*pairs, strict=True)
    source_ids, source_is_token = reference.pad_batch(sources, PAD)
    target_ids, target_is_token = reference.pad_batch(targets, PAD)
    masks = reference.translation_masks(source_is_token, target_is_token)
    return Batch(source_ids, target_ids, reference.shift_right(target_ids, BOS), target_is_token, *masks)


def forward(model, batch, dropout=NO_DROPOUT, functions=reference):
    """Run encoder and decoder.

    Parameters
    ----------
    model : Model
    batch : Batch
    dropout : Dropout
    functions : object
        Has the functions of the units as attributes.

    Returns
    -------
    logits : ndarray of shape (B, n_target, V)
    saved : dict
    """
    saved = {"encoder": [], "decoder": []}
    X, saved["source"] = embed_with_positions(batch.source_ids, model.source_embedding, dropout, functions)
    for params in model.encoder:
        X, layer = encoder_layer(X, params, model.n_heads, batch.encoder_mask, dropout, functions)
        saved["encoder"].append(layer)
    memory = X
    X, saved["target"] = embed_with_positions(batch.decoder_ids, model.target_embedding, dropout, functions)
    for params in model.decoder:
        masks = batch.decoder_mask, batch.cross_mask
        X, layer = _decoder_layer(X, memory, params, model.n_heads, masks, dropout, functions)
        saved["decoder"].append(layer)
    saved["output"] = X
    return project(X, _output_projection(model)), saved


def backward(d_logits, saved, model, functions=reference):
    """Go back through `forward`.

    Parameters
    ----------
    d_logits : ndarray of shape (B, n_target, V)
    saved : dict
    model : Model
    functions : object

    Returns
    -------
    Model
        Gradients in the place of parameters.
    """
    dX = project(d_logits, _output_projection(model).T)
    d_projection = token_rows(saved["output"]).T @ token_rows(d_logits)  # (d_model, V)
    d_memory, d_decoder, d_encoder = 0, [], []
    for layer, params in zip(saved["decoder"][::-1], model.decoder[::-1], strict=True):
        dX, d_more, d_params = _decoder_layer_backward(dX, layer, params, model.n_heads, functions)
        d_memory = d_memory + d_more
        d_decoder.insert(0, d_params)
    d_target = embed_backward(dX, saved["target"], model.target_embedding)
    dX = d_memory
    for layer, params in zip(saved["encoder"][::-1], model.encoder[::-1], strict=True):
        dX, d_params = encoder_layer_backward(dX, layer, params, model.n_heads, functions)
        d_encoder.insert(0, d_params)
    tied = model.output_projection is None
    return model._replace(
        source_embedding=embed_backward(dX, saved["source"], model.source_embedding),
        target_embedding=d_target + d_projection.T if tied else d_target,
        encoder=tuple(d_encoder),
        decoder=tuple(d_decoder),
        output_projection=None if tied else d_projection,
    )


def loss_and_gradients(model, batch, epsilon, dropout=NO_DROPOUT):
    """Return the loss of a batch and its gradients with respect to all parameters.

    Parameters
    ----------
    model : Model
    batch : Batch
    epsilon : float
        Label smoothing.
    dropout : Dropout

    Returns
    -------
    loss : float
    gradients : Model
    """
    logits, saved = forward(model, batch, dropout)
    targets = reference.smooth_labels(batch.target_ids, logits.shape[-1], epsilon).astype(logits.dtype)
    loss = reference.cross_entropy(logits, targets, batch.target_is_token)
    d_logits = reference.cross_entropy_backward(logits, targets, batch.target_is_token)
    return loss, backward(d_logits, saved, model)


def _output_projection(model):
    return model.target_embedding.T if model.output_projection is None else model.output_projection


def encoder_layer(X, params, n_heads, mask, dropout, functions=reference):
    """One layer of self-attention and feed-forward network.

    Parameters
    ----------
    X : ndarray of shape (B, n, d_model)
    params : EncoderLayerParams
    n_heads : int
    mask : ndarray of bool
        Broadcastable to (B, n, n).
    dropout : Dropout
    functions : object

    Returns
    -------
    output : ndarray of shape (B, n, d_model)
    saved : tuple
    """
    attended, attention = attend(X, X, params.attention, n_heads, mask, functions)
    middle, norm_1 = add_and_norm(X, attended, params.norm_1, dropout, functions)
    between = feed_forward(middle, params.ffn, functions)
    output, norm_2 = add_and_norm(middle, between, params.norm_2, dropout, functions)
    return output, (attention, norm_1, middle, norm_2)


def encoder_layer_backward(d_output, saved, params, n_heads, functions=reference):
    """Go back through `encoder_layer`.

    Parameters
    ----------
    d_output : ndarray of shape (B, n, d_model)
    saved : tuple
    params : EncoderLayerParams
    n_heads : int
    functions : object

    Returns
    -------
    dX : ndarray of shape (B, n, d_model)
    d_params : EncoderLayerParams
    """
    attention, norm_1, middle, norm_2 = saved
    d_middle, d_sub, d_norm_2 = add_and_norm_backward(d_output, norm_2, params.norm_2, functions)
    d_more, d_ffn = feed_forward_backward(d_sub, middle, params.ffn, functions)
    dX, d_sub, d_norm_1 = add_and_norm_backward(d_middle + d_more, norm_1, params.norm_1, functions)
    d_query, d_key, d_attention = attend_backward(d_sub, attention, params.attention, n_heads, functions)
    return dX + d_query + d_key, EncoderLayerParams(d_attention, d_norm_1, d_ffn, d_norm_2)


def _decoder_layer(X, memory, params, n_heads, masks, dropout, functions):
    attended, self_attention = attend(X, X, params.self_attention, n_heads, masks[0], functions)
    first, norm_1 = add_and_norm(X, attended, params.norm_1, dropout, functions)
    attended, cross_attention = attend(first, memory, params.cross_attention, n_heads, masks[1], functions)
    second, norm_2 = add_and_norm(first, attended, params.norm_2, dropout, functions)
    between = feed_forward(second, params.ffn, functions)
    output, norm_3 = add_and_norm(second, between, params.norm_3, dropout, functions)
    return output, (self_attention, norm_1, cross_attention, norm_2, second, norm_3)


def _decoder_layer_backward(d_output, saved, params, n_heads, functions):
    self_attention, norm_1, cross_attention, norm_2, second, norm_3 = saved
    d_second, d_sub, d_norm_3 = add_and_norm_backward(d_output, norm_3, params.norm_3, functions)
    d_more, d_ffn = feed_forward_backward(d_sub, second, params.ffn, functions)
    d_first, d_sub, d_norm_2 = add_and_norm_backward(d_second + d_more, norm_2, params.norm_2, functions)
    d_more, d_memory, d_cross = attend_backward(d_sub, cross_attention, params.cross_attention, n_heads, functions)
    dX, d_sub, d_norm_1 = add_and_norm_backward(d_first + d_more, norm_1, params.norm_1, functions)
    d_query, d_key, d_self = attend_backward(d_sub, self_attention, params.self_attention, n_heads, functions)
    d_params = DecoderLayerParams(d_self, d_norm_1, d_cross, d_norm_2, d_ffn, d_norm_3)
    return dX + d_query + d_key, d_memory, d_params
