"""Specification of `encoder_layer`."""

import numpy as np

from autograder.execution.precision import bound_for
from autograder.exercises.inputs import agrees_here
from autograder.exercises.unit_07_add_and_layer_norm import calls, encoder_layer_block_mistakes, encoder_layer_mistakes
from autograder.exercises.unit_07_add_and_layer_norm.inputs import small
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import init_encoder_layer

D_MODEL, N_HEADS, D_FF = 12, 3, 20

EXERCISE = Exercise(
    reference=reference.encoder_layer,
    asks="one layer of the encoder: self-attention, then the feed-forward network, each with its sum and its norm.",
    returns=(Output("output", "(..., n, d_model)"),),
    where=encoder_layer_mistakes.SECTION,
    calls=calls.ENCODER_LAYER,
    mistakes=[*encoder_layer_mistakes.MISTAKES, *encoder_layer_block_mistakes.MISTAKES],
)


def _parameters(rng):
    """Draw a layer whose two norms differ and whose biases are not 0."""
    return init_encoder_layer(rng, D_MODEL, N_HEADS, D_FF, noise=0.3)


@EXERCISE.claim(1.5)
def post_norm_by_default(call, rng):
    """post-norm, the default: equals the two sub-layers in their order"""
    call.agrees(rng.standard_normal((5, D_MODEL)), _parameters(rng), N_HEADS)
    call.agrees(rng.standard_normal((7, D_MODEL)), _parameters(rng), N_HEADS, norm_first=False)


@EXERCISE.claim(1)
def pre_norm_where_asked(call, rng):
    """pre-norm, with norm_first=True: equals the two sub-layers in their order"""
    call.agrees(rng.standard_normal((5, D_MODEL)), _parameters(rng), N_HEADS, None, True)
    call.agrees(rng.standard_normal((7, D_MODEL)), _parameters(rng), N_HEADS, norm_first=True)


def _moved(call, rng, place, X, *args):
    """Return how far each output moves when the token at one place is changed."""
    changed = X + rng.standard_normal(D_MODEL) * (np.arange(len(X)) == place)[:, None]
    before, after = (call.array(X.shape, tokens, *args) for tokens in (X, changed))
    return np.abs(after - before).max(axis=-1)


def _hides_padding(call, rng, X, params, norm_first):
    is_token = np.array([True, True, True, False, False])
    padded = reference.padding_mask(is_token)
    moved = _moved(call, rng, 3, X, params, N_HEADS, padded, norm_first)
    leak = moved[is_token].max()
    call.holds(leak < 1e-9, f"changing a hidden token moves the output of a visible one by {leak:.3g}.")
    call.holds(moved[3] > 1e-6, "changing a hidden token does not move its own output.")
    moved = _moved(call, rng, 0, X, params, N_HEADS, padded, norm_first)[1]
    call.holds(moved > 1e-6, "changing visible token 0 does not move token 1: the tokens do not meet.")
    moved = _moved(call, rng, 3, X, params, N_HEADS, None, norm_first)[is_token].max()
    call.holds(moved > 1e-6, "without a mask, the token that it hides does not move the others either.")


def _hides_the_future(call, rng, X, params, norm_first):
    moved = _moved(call, rng, 3, X, params, N_HEADS, reference.causal_mask(len(X)), norm_first)
    listed = np.flatnonzero(moved > 1e-9).tolist()
    call.holds(listed == [3, 4], f"with a causal mask, changing token 3 moves the outputs {listed}, not 3 and 4.")


def _masks_every_sentence(call, X, params, norm_first):
    masks = np.array([[[True, True, False, True, False]], [[False] * 5]])
    together = call.array(X.shape, X, params, N_HEADS, masks, norm_first)
    alone = [call.array(X[i].shape, X[i], params, N_HEADS, masks[i], norm_first) for i in range(len(X))]
    call.holds(
        bool(np.isfinite(together).all()), "a sentence of nothing but padding gives numbers that are not finite."
    )
    slack = bound_for(1e-8, together)
    same = np.allclose(together, alone, atol=slack)
    call.holds(same, "a sentence with its mask gives other numbers in a batch than alone.")
    expected = reference.encoder_layer(X[1], params._replace(attention=_silent(params)), N_HEADS, None, norm_first)
    same = np.allclose(together[1], expected, atol=slack)
    call.holds(same, "a sentence of nothing but padding gets something else than 0 from the attention.")


def _silent(params):
    """Return an attention that gives 0."""
    return params.attention._replace(W_O=np.zeros_like(params.attention.W_O))


@EXERCISE.claim(1)
def mask(call, rng):
    """the mask reaches the attention: hidden tokens do not move visible ones"""
    X, params = rng.standard_normal((2, 5, D_MODEL)), _parameters(rng)
    for norm_first in (False, True):
        _hides_padding(call, rng, X[0], params, norm_first)
        _hides_the_future(call, rng, X[0], params, norm_first)
        _masks_every_sentence(call, X, params, norm_first)


@EXERCISE.claim(0.5, side=True)
def eps(call, rng):
    """passes eps to both norms"""
    X, params = small(rng, 5, D_MODEL), _parameters(rng)
    for norm_first in (False, True):
        call.agrees(X, params, N_HEADS, None, norm_first)
        agrees_here(call, X, params, N_HEADS, None, norm_first, 0.1)


@EXERCISE.claim(0.5, side=True)
def leading_axes(call, rng):
    """works for any leading axes"""
    params = _parameters(rng)
    call.agrees(rng.standard_normal((5, D_MODEL)), params, N_HEADS)
    agrees_here(call, rng.standard_normal((2, 5, D_MODEL)), params, N_HEADS)
    agrees_here(call, rng.standard_normal((2, 3, 4, D_MODEL)), params, N_HEADS)
    agrees_here(call, rng.standard_normal((1, 3, 1, D_MODEL)), params, N_HEADS)


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    X, params = rng.standard_normal((5, D_MODEL)), _parameters(rng)
    mask = reference.causal_mask(5)
    for norm_first in (False, True):
        call.leaves_inputs_alone(X, params, N_HEADS, mask, norm_first)
    call.agrees(X, params, N_HEADS)
