"""Specification of `encoder_layer`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_07_add_and_layer_norm.encoder_layer_mistakes import MISTAKES, PARTS
from autograder.exercises.unit_07_add_and_layer_norm.inputs import small
from transformer_kit import reference
from transformer_kit.parameters import init_encoder_layer

D_MODEL, N_HEADS, D_FF = 12, 3, 20


def _parameters(rng):
    """Draw a layer whose two norms differ and whose biases are not 0."""
    return init_encoder_layer(rng, D_MODEL, N_HEADS, D_FF, noise=0.3)


def _post_norm(call, rng):
    call.agrees(rng.standard_normal((5, D_MODEL)), _parameters(rng), N_HEADS)
    call.agrees(rng.standard_normal((7, D_MODEL)), _parameters(rng), N_HEADS, norm_first=False)


def _pre_norm(call, rng):
    call.agrees(rng.standard_normal((5, D_MODEL)), _parameters(rng), N_HEADS, None, True)
    call.agrees(rng.standard_normal((7, D_MODEL)), _parameters(rng), N_HEADS, norm_first=True)


def _mask(call, rng):
    X, params = rng.standard_normal((2, 5, D_MODEL)), _parameters(rng)
    is_token = np.array([[True, True, True, False, False], [True, True, True, True, False]])
    mask = reference.padding_mask(is_token)
    noise = rng.standard_normal(X.shape)
    first = np.arange(5)[:, None] == 0
    for norm_first in (False, True):
        before, hidden, visible = (
            call.array(X.shape, changed, params, N_HEADS, mask, norm_first)
            for changed in (X, X + noise * ~is_token[..., None], X + noise * first)
        )
        leak = np.abs(hidden - before)[is_token].max()
        call.holds(leak < 1e-9, f"changing the hidden tokens moves the output of a visible one by {leak:.3g}.")
        effect = np.abs(visible - before)[:, 1].max()
        call.holds(effect > 1e-6, "changing visible token 0 does not move token 1: the tokens do not meet.")


def _eps(call, rng):
    X, params = small(rng, 5, D_MODEL), _parameters(rng)
    call.agrees(X, params, N_HEADS, None, False, 0.1)
    call.agrees(X, params, N_HEADS, None, True, 0.1)


def _leading_axes(call, rng):
    params = _parameters(rng)
    call.agrees(rng.standard_normal((2, 5, D_MODEL)), params, N_HEADS)
    call.agrees(rng.standard_normal((2, 3, 4, D_MODEL)), params, N_HEADS)


def _inputs(call, rng):
    X, params = rng.standard_normal((5, D_MODEL)), _parameters(rng)
    mask = reference.causal_mask(5)
    for norm_first in (False, True):
        result = call.array(X.shape, X, params, N_HEADS, mask, norm_first)
        call.holds(np.ptp(result) > 0, "every entry of the result is the same.")
        call.leaves_inputs_alone(X, params, N_HEADS, mask, norm_first)
    call.holds(not np.allclose(result, X), "the result is the input: nothing was computed.")


EXERCISE = Exercise(
    reference=reference.encoder_layer,
    asks="one layer of the encoder: self-attention, then the feed-forward network, each with its sum and its norm.",
    returns=(Returned("output", "(..., n, d_model)"),),
    where=PARTS,
    claims=(
        Claim("post-norm, the default: equals the two sub-layers in their order", 1.5, _post_norm),
        Claim("pre-norm, with norm_first=True: equals the two sub-layers in their order", 1, _pre_norm),
        Claim("the mask reaches the attention: hidden tokens do not move visible ones", 1, _mask),
        Claim("hands eps on to both norms", 0.5, _eps),
        Claim("works for any leading axes", 0.5, _leading_axes),
        Claim("leaves its inputs alone", 0.5, _inputs),
    ),
    mistakes=MISTAKES,
)
