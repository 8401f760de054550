"""Specification of `translation_masks`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_05_cross_attention.inputs import lengths_mask, mask_of
from autograder.exercises.unit_05_cross_attention.translation_masks_mistakes import MISTAKES, PLACES
from transformer_kit import reference

ENCODER, DECODER, CROSS = 0, 1, 2


def _encoder(call, rng):
    _one_mask(call, rng, ENCODER)


def _decoder(call, rng):
    _one_mask(call, rng, DECODER)


def _cross(call, rng):
    _one_mask(call, rng, CROSS)


def _one_mask(call, rng, number):
    call.agrees_in(number, np.array([[True, True, False]]), np.array([[True, False]]))
    call.agrees_in(number, *_batch(rng, 3, 6, 4))
    call.agrees_in(number, *_batch(rng, 2, 4, 7))


def _padding_queries(call, rng):
    source, target = _batch(rng, 3, 6, 5)
    decoder = mask_of(call, DECODER, (3, 5, 5), source, target)
    shown = decoder & ~target[:, None, :]
    call.holds(not shown.any(), f"decoder: padding of the target is visible as a key, in {int(shown.sum())} entries.")
    blind = int((~decoder.any(axis=-1)).sum())
    call.holds(not blind, f"decoder: {blind} queries may attend to nothing. All targets here begin with a token.")


def _inputs(call, rng):
    source, target = _batch(rng, 3, 5, 4)
    target[:2] = target[:2, ::-1]  # padding in front
    call.agrees(source, target)
    call.leaves_inputs_alone(source, target)


def _batch(rng, B, n_source, n_target):
    """Draw a batch in which every length is at least 1, one sentence is full, and one is padded, on both sides."""
    masks = []
    for n in (n_source, n_target):
        lengths = rng.integers(1, n + 1, B)
        lengths[:2] = rng.permutation([n, rng.integers(1, n)])
        masks.append(lengths_mask(lengths, n))
    return masks


EXERCISE = Exercise(
    reference=reference.translation_masks,
    asks="the masks of the three attentions: in the encoder, in the decoder, and from the decoder to the source.",
    returns=(
        Returned("encoder", "(B, 1, n_source)"),
        Returned("decoder", "(B, n_target, n_target)"),
        Returned("cross", "(B, 1, n_source)"),
    ),
    where=PLACES,
    may_be_view=True,
    claims=(
        Claim("encoder: hides the padding of the source", 1, _encoder),
        Claim("decoder: hides the future and the padding of the target", 1, _decoder),
        Claim("cross: hides the padding of the source and nothing else", 1, _cross),
        Claim("padding in the target is hidden as a key only: as a query it still sees tokens", 0.5, _padding_queries),
        Claim("gives all three masks together and leaves its inputs alone", 0.5, _inputs),
    ),
    mistakes=MISTAKES,
)
