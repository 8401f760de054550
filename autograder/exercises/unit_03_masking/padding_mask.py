"""Specification of `padding_mask`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from autograder.exercises.inputs import random_mask
from transformer_kit import reference


def _one_sequence(call, rng):
    call.agrees(np.array([True, True, True, False]))  # by hand: one row that hides the last key
    call.agrees(random_mask(rng, 7))


def _a_batch(call, rng):
    call.agrees(random_mask(rng, 3, 5))


def _leading_axes(call, rng):
    call.agrees(random_mask(rng, 2, 3, 5))
    call.agrees(random_mask(rng, 3, 2, 4, 6))


def _input_left_alone(call, rng):
    is_token = random_mask(rng, 3, 6)
    call.agrees(is_token)
    call.leaves_inputs_alone(is_token)


def _no_new_axis(is_token):
    return is_token


def _hides_queries(is_token):
    return is_token[..., :, None]


def _hides_both(is_token):
    return is_token[..., :, None] & is_token[..., None, :]


def _repeated(is_token):
    n = is_token.shape[-1]
    return np.repeat(is_token[..., None, :], n, axis=-2)


def _only_a_batch(is_token):
    return is_token[:, None, :]


def _axis_in_front(is_token):
    return is_token[None]


def _inverted(is_token):
    return ~is_token[..., None, :]


def _numbers(is_token):
    return is_token[..., None, :].astype(float)


def _additive(is_token):
    return reference.additive_mask(is_token[..., None, :])


def _axis_for_heads(is_token):
    return is_token[..., None, None, :]


SECTION = "Exercise 3.2: padding_mask"
CONVENTION = "The convention of this course"

EXERCISE = Exercise(
    reference=reference.padding_mask,
    asks="hide the padding among the keys from every query, in a shape that broadcasts to the scores.",
    returns=(Returned("mask", "(..., 1, n_keys)"),),
    where=SECTION,
    may_be_view=True,
    claims=(
        Claim("hides the padding of one sequence", 0.5, _one_sequence),
        Claim("gives every sequence of a batch its own mask", 0.5, _a_batch),
        Claim("works for any leading axes", 0.5, _leading_axes),
        Claim("leaves its input alone", 0.5, _input_left_alone),
    ),
    mistakes=(
        Mistake(
            "no-new-axis",
            "The axis for the queries is missing",
            _no_new_axis,
            "Scores of a batch have three axes. Without the new one, NumPy lines the batch up with the queries: "
            "an error if you are lucky, wrong rows if both have the same length.",
            SECTION,
        ),
        Mistake(
            "hides-queries",
            "The padding is hidden among the queries, not among the keys",
            _hides_queries,
            "The last axis of a mask is the keys. Here every real token would still attend to the padding.",
            SECTION,
        ),
        Mistake(
            "hides-both",
            "Padding is hidden as a key and as a query",
            _hides_both,
            "What a padding query computes is thrown away later, so nothing is gained, and rows in which nothing is "
            "visible are a risk of their own.",
            SECTION,
        ),
        Mistake(
            "repeated-rows",
            "The row is copied once for every key",
            _repeated,
            "The number of queries is not known here, and in cross-attention it differs from the number of keys. "
            "An axis of length 1 fits any number.",
            SECTION,
        ),
        Mistake(
            "only-a-batch",
            "Exactly one batch axis is taken for granted",
            _only_a_batch,
            "One sequence alone has no batch axis, and heads bring another one. Count axes from the end.",
            SECTION,
        ),
        Mistake(
            "axis-in-front",
            "The new axis stands in front of all others",
            _axis_in_front,
            "The batch then lines up with the queries. The axis for the queries is the last but one.",
            SECTION,
        ),
        Mistake(
            "inverted",
            "Padding is visible and tokens are hidden",
            _inverted,
            "In this course True means “may attend”, and `is_token` is already True where there is a token.",
            CONVENTION,
        ),
        Mistake(
            "ones-and-zeros",
            "The mask holds the numbers 1 and 0",
            _numbers,
            "Masks are boolean here, so that `~` and `&` work on them.",
            CONVENTION,
        ),
        Mistake(
            "additive",
            "The mask holds 0 and minus infinity",
            _additive,
            "That is the form that is added to the scores. It comes later, in an exercise of its own.",
            CONVENTION,
        ),
        Mistake(
            "axis-for-heads",
            "There is one axis of length 1 too many",
            _axis_for_heads,
            "Some libraries add an axis for the heads at once. Here heads come in unit 04, which adds that axis "
            "itself.",
            SECTION,
        ),
    ),
)
