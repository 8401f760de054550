"""Specification of `decoder_layer`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_09_transformer.decoder_layer_mistakes import MISTAKES, ORDER
from autograder.exercises.unit_09_transformer.inputs import (
    D_FF,
    D_MODEL,
    N_HEADS,
    leaves_inputs_alone,
    trained,
    trained_batch,
)
from transformer_kit import reference
from transformer_kit.parameters import init_decoder_layer


def _parameters(rng):
    """Draw a layer whose norms differ and whose biases are not 0."""
    return init_decoder_layer(rng, D_MODEL, N_HEADS, D_FF, noise=0.3)


def _inputs_of(rng, *lead, n_target=5, n_source=7):
    return rng.standard_normal((*lead, n_target, D_MODEL)), rng.standard_normal((*lead, n_source, D_MODEL))


def _post_norm(call, rng):
    call.agrees(*_inputs_of(rng), _parameters(rng), N_HEADS)
    call.agrees(*_inputs_of(rng, n_target=3, n_source=4), _parameters(rng), N_HEADS, norm_first=False)


def _pre_norm(call, rng):
    call.agrees(*_inputs_of(rng), _parameters(rng), N_HEADS, None, None, True)
    call.agrees(*_inputs_of(rng, n_target=3, n_source=4), _parameters(rng), N_HEADS, norm_first=True)


def _trained(call, rng):
    model, (source_ids, is_token, target_ids) = trained(), trained_batch(rng)
    memory = reference.encode_source(source_ids, is_token, model)
    X = reference.embed(target_ids, model.target_embedding) * 8
    X = X + reference.positional_encoding(X.shape[1], X.shape[2]).astype(X.dtype)
    masks = reference.causal_mask(X.shape[1]), reference.padding_mask(is_token)
    call.agrees(X, memory, model.decoder[0], model.n_heads, *masks)


def _self_mask(call, rng):
    (X, memory), params = _inputs_of(rng, 2), _parameters(rng)
    mask = reference.causal_mask(X.shape[1])
    noise = rng.standard_normal(X.shape)
    last, first = (np.arange(X.shape[1])[:, None] == place for place in (X.shape[1] - 1, 0))
    for norm_first in (False, True):
        before, hidden, visible = (
            call.array(X.shape, changed, memory, params, N_HEADS, mask, None, norm_first)
            for changed in (X, X + noise * last, X + noise * first)
        )
        leak = np.abs(hidden - before)[:, :-1].max()
        call.holds(leak < 1e-9, f"changing the last token of the target moves an earlier one by {leak:.3g}.")
        effect = np.abs(visible - before)[:, 1].max()
        call.holds(effect > 1e-6, "changing token 0 of the target does not move token 1: the tokens do not meet.")


def _cross_mask(call, rng):
    (X, memory), params = _inputs_of(rng, 2), _parameters(rng)
    is_token = np.arange(memory.shape[1]) < np.array([[4], [6]])
    mask, noise = reference.padding_mask(is_token), rng.standard_normal(memory.shape)
    first = np.arange(memory.shape[1])[:, None] == 0
    for norm_first in (False, True):
        before, hidden, visible = (
            call.array(X.shape, X, changed, params, N_HEADS, None, mask, norm_first)
            for changed in (memory, memory + noise * ~is_token[..., None], memory + noise * first)
        )
        leak = np.abs(hidden - before).max()
        call.holds(leak < 1e-9, f"changing the memory where it is hidden moves the output by {leak:.3g}.")
        effect = np.abs(visible - before).min(axis=-1).max()
        call.holds(effect > 1e-6, "changing the memory where it is visible moves nothing: the source is not read.")


def _eps(call, rng):
    X, memory = (0.4 * array for array in _inputs_of(rng))
    for norm_first in (False, True):
        call.agrees(X, memory, _parameters(rng), N_HEADS, None, None, norm_first, 0.1)


def _leading_axes(call, rng):
    call.agrees(*_inputs_of(rng, 2), _parameters(rng), N_HEADS)
    call.agrees(*_inputs_of(rng, 2, 3, n_target=4, n_source=6), _parameters(rng), N_HEADS)


def _inputs(call, rng):
    (X, memory), params = _inputs_of(rng), _parameters(rng)
    for norm_first in (False, True):
        mask = reference.causal_mask(len(X))
        result = leaves_inputs_alone(call, X.shape, X, memory, params, N_HEADS, mask, None, norm_first)
    call.holds(not np.allclose(result, X), "the result is the input: nothing was computed.")


EXERCISE = Exercise(
    reference=reference.decoder_layer,
    asks="one layer of the decoder: self-attention, attention to the memory, then the feed-forward network.",
    returns=(Returned("output", "(..., n_target, d_model)"),),
    where=ORDER,
    claims=(
        Claim("post-norm, the default: equals the three sub-layers in their order", 1.5, _post_norm),
        Claim("pre-norm, with norm_first=True: equals them, and the memory is not normed", 1.5, _pre_norm),
        Claim("equals the first decoder layer of the trained model, on sentences", 1, _trained),
        Claim("self_mask hides tokens of the target, and nothing else", 1.5, _self_mask),
        Claim("cross_mask hides tokens of the source, and nothing else", 1, _cross_mask),
        Claim("hands eps on to all three norms", 0.5, _eps),
        Claim("works for any leading axes", 0.5, _leading_axes),
        Claim("leaves its inputs alone", 0.5, _inputs),
    ),
    mistakes=MISTAKES,
)
