"""Specification of `translation_masks`."""

import numpy as np

from autograder.exercises.inputs import random_mask
from autograder.exercises.unit_05_cross_attention import translation_masks_form_mistakes, translation_masks_mistakes
from autograder.exercises.unit_05_cross_attention.inputs import lengths_mask, mask_of
from autograder.specification import Exercise, Output
from transformer_kit import reference

ENCODER, DECODER, CROSS = 0, 1, 2

EXERCISE = Exercise(
    reference=reference.translation_masks,
    asks="the masks of the three attentions: in the encoder, in the decoder, and from the decoder to the source.",
    returns=(
        Output("encoder", "(B, 1, n_source)"),
        Output("decoder", "(B, n_target, n_target)"),
        Output("cross", "(B, 1, n_source)"),
    ),
    where=translation_masks_mistakes.PLACES,
    mistakes=[*translation_masks_mistakes.MISTAKES, *translation_masks_form_mistakes.MISTAKES],
    may_be_view=True,
)


def _batch(rng, B, n_source, n_target):
    """Draw a batch in which every length is at least 1, one sentence is full, and one is padded, on both sides."""
    masks = []
    for n in (n_source, n_target):
        lengths = rng.integers(1, n + 1, B)
        lengths[:2] = rng.permutation([n, rng.integers(1, n)])
        masks.append(lengths_mask(lengths, n))
    return masks


def _one_mask(call, rng, number):
    """Require that one of the three masks is right, whatever the others are, wherever there is padding."""
    call.agrees_in(number, np.array([[True, True, False]]), np.array([[True, False]]))
    call.agrees_in(number, *_batch(rng, 3, 6, 4))
    call.agrees_in(number, *_batch(rng, 2, 4, 7))
    call.agrees_in(number, *(is_token[:, ::-1].copy() for is_token in _batch(rng, 3, 5, 4)))  # in front
    call.agrees_in(number, random_mask(rng, 3, 5), random_mask(rng, 3, 6))


@EXERCISE.claim(1)
def encoder(call, rng):
    """encoder: hides the padding of the source"""
    _one_mask(call, rng, ENCODER)


@EXERCISE.claim(1.5)
def decoder(call, rng):
    """decoder: hides the future and the padding of the target"""
    _one_mask(call, rng, DECODER)
    call.agrees_in(DECODER, lengths_mask([2], 3), lengths_mask([390], 400))  # no table of a fixed size


@EXERCISE.claim(1)
def cross(call, rng):
    """cross: hides the padding of the source and nothing else"""
    _one_mask(call, rng, CROSS)


@EXERCISE.claim(1)
def padding_queries(call, rng):
    """padding in the target is hidden as a key only: as a query it still sees tokens"""
    source, target = _batch(rng, 3, 6, 5)
    decoder = mask_of(call, DECODER, (3, 5, 5), source, target)
    shown = decoder & ~target[:, None, :]
    in_front = target[:, ::-1]
    shown |= mask_of(call, DECODER, (3, 5, 5), source, in_front) & ~in_front[:, None, :]
    call.holds(not shown.any(), f"decoder: padding of the target is visible as a key, in {int(shown.sum())} entries.")
    blind = int((~decoder.any(axis=-1)).sum())
    call.holds(not blind, f"decoder: {blind} queries may attend to nothing. All targets here begin with a token.")


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    source, target = _batch(rng, 3, 5, 4)
    call.leaves_inputs_alone(source, target)
    call.agrees_in(ENCODER, source, target)
