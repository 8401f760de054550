"""Specification of `decoder_layer`."""

import numpy as np

from autograder.exercises.unit_09_transformer import (
    calls,
    decoder_layer_mistakes,
    decoder_layer_norm_mistakes,
    decoder_layer_residual_mistakes,
)
from autograder.exercises.unit_09_transformer.inputs import (
    D_FF,
    D_MODEL,
    N_HEADS,
    trained,
    trained_batch,
)
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import init_decoder_layer

EXERCISE = Exercise(
    reference=reference.decoder_layer,
    asks="one layer of the decoder: self-attention, attention to the memory, then the feed-forward network.",
    returns=(Output("output", "(..., n_target, d_model)"),),
    where=decoder_layer_mistakes.ORDER,
    calls=calls.DECODER_LAYER,
    mistakes=[
        *decoder_layer_mistakes.MISTAKES,
        *decoder_layer_norm_mistakes.MISTAKES,
        *decoder_layer_residual_mistakes.MISTAKES,
    ],
)


def _parameters(rng):
    """Draw a layer whose norms differ and whose biases are not 0."""
    return init_decoder_layer(rng, D_MODEL, N_HEADS, D_FF, noise=0.3)


def _inputs_of(rng, *lead, n_target=5, n_source=7):
    return rng.standard_normal((*lead, n_target, D_MODEL)), rng.standard_normal((*lead, n_source, D_MODEL))


@EXERCISE.claim(1.5)
def post_norm_by_default(call, rng):
    """post-norm, the default: equals the three sub-layers in their order"""
    call.agrees(*_inputs_of(rng), _parameters(rng), N_HEADS)
    call.agrees(*_inputs_of(rng, n_target=3, n_source=4), _parameters(rng), N_HEADS, norm_first=False)


@EXERCISE.claim(1.5)
def pre_norm_where_asked(call, rng):
    """pre-norm, with norm_first=True: equals them, and the memory is not normalised"""
    call.agrees(*_inputs_of(rng), _parameters(rng), N_HEADS, None, None, True)
    call.agrees(*_inputs_of(rng, n_target=3, n_source=4), _parameters(rng), N_HEADS, norm_first=True)


@EXERCISE.claim(1)
def trained_model(call, rng):
    """equals the first decoder layer of the trained model, on sentences"""
    model, (source_ids, is_token, target_ids) = trained(), trained_batch(rng)
    memory = reference.encode_source(source_ids, is_token, model)
    X = reference.embed(target_ids, model.target_embedding) * 8
    X = X + reference.positional_encoding(X.shape[1], X.shape[2]).astype(X.dtype)
    masks = reference.causal_mask(X.shape[1]), reference.padding_mask(is_token)
    call.agrees(X, memory, model.decoder[0], model.n_heads, *masks)


@EXERCISE.claim(1.5)
def self_mask(call, rng):
    """self_mask hides tokens of the target, and nothing else; it may hide all of them"""
    (X, memory), params = _inputs_of(rng, 2), _parameters(rng)
    n, noise = X.shape[1], rng.standard_normal(X.shape)
    hidden = np.arange(n) == np.array([[n - 1], [0]])  # the last token of one sentence, the first one of the other
    mask = ~hidden[:, None] | np.eye(n, dtype=bool)
    places = ~hidden, np.broadcast_to(np.isin(np.arange(n), (1, 3)), hidden.shape)  # of the others; of two of them
    for norm_first in (False, True):
        before, with_hidden, with_visible = (
            call.array(X.shape, changed, memory, params, N_HEADS, mask, None, norm_first)
            for changed in (X, X + noise * hidden[..., None], X + noise * (np.arange(n) == 2)[:, None])
        )
        leak = np.abs(with_hidden - before)[places[0]].max()
        call.holds(leak < 1e-9, f"changing a hidden token of the target moves another one by {leak:.3g}.")
        effect = np.abs(with_visible - before)[places[1]].max(axis=-1).min()
        call.holds(effect > 1e-6, "changing token 2 of the target does not move both token 1 and token 3.")
        plain, shown = (
            call.array(X.shape, changed, memory, params, N_HEADS, None, None, norm_first)
            for changed in (X, X + noise * hidden[..., None])
        )
        effect = np.abs(shown - plain)[places[0]].max(axis=-1).min()
        call.holds(effect > 1e-6, "without self_mask, a token that it would hide does not move all others either.")
        blind = mask & (np.arange(n) != 1)[:, None]
        alone, others = (
            call.array(X.shape, changed, memory, params, N_HEADS, blind, None, norm_first)[:, 1]
            for changed in (X, X + noise * (np.arange(n) != 1)[:, None])
        )
        leak = np.abs(others - alone).max()
        call.holds(leak < 1e-9, f"a token from which all are hidden moves by {leak:.3g} with the others.")


@EXERCISE.claim(1)
def cross_mask(call, rng):
    """cross_mask hides tokens of the source, and nothing else; it may hide all of them"""
    (X, memory), params = _inputs_of(rng, 3), _parameters(rng)
    is_token = np.arange(memory.shape[1]) < np.array([[4], [6], [0]])
    mask, noise = reference.padding_mask(is_token), rng.standard_normal(memory.shape)
    first = np.arange(memory.shape[1])[:, None] == 0
    for norm_first in (False, True):
        before, hidden, visible = (
            call.array(X.shape, X, changed, params, N_HEADS, None, mask, norm_first)
            for changed in (memory, memory + noise * ~is_token[..., None], memory + noise * first)
        )
        leak = np.abs(hidden - before).max()
        call.holds(leak < 1e-9, f"changing the memory where it is hidden moves the output by {leak:.3g}.")
        effect = np.abs(visible - before)[:2].max(axis=-1).min()
        call.holds(effect > 1e-6, "changing the memory where it is visible moves nothing: the source is not read.")
        plain, shown = (
            call.array(X.shape, X, changed, params, N_HEADS, None, None, norm_first)
            for changed in (memory, memory + noise * ~is_token[..., None])
        )
        effect = np.abs(shown - plain).max(axis=-1).min()
        call.holds(effect > 1e-6, "without cross_mask, the memory that it hides moves nothing either.")


@EXERCISE.claim(0.5)
def eps(call, rng):
    """passes eps to all three norms"""
    X, memory = (0.4 * array for array in _inputs_of(rng))
    for norm_first in (False, True):
        call.agrees(X, memory, _parameters(rng), N_HEADS, None, None, norm_first, 0.1)


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for any leading axes"""
    call.agrees(*_inputs_of(rng, 2), _parameters(rng), N_HEADS)
    call.agrees(*_inputs_of(rng, 2, 3, n_target=4, n_source=6), _parameters(rng), N_HEADS)
    call.agrees(*_inputs_of(rng, 1, 3, n_target=1, n_source=4), _parameters(rng), N_HEADS)


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    (X, memory), params = _inputs_of(rng), _parameters(rng)
    for norm_first in (False, True):
        masks = reference.causal_mask(len(X)), reference.padding_mask(np.arange(len(memory)) < 5)
        call.leaves_inputs_alone(X, memory, params, N_HEADS, *masks, norm_first)
    call.agrees(X, memory, params, N_HEADS)
