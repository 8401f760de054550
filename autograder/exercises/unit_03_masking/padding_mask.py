"""Specification of `padding_mask`."""

import numpy as np

from autograder.exercises.inputs import random_mask
from autograder.exercises.unit_03_masking import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

CONVENTION = "The convention of this course"

EXERCISE = Exercise(
    reference=reference.padding_mask,
    asks="hide the padding among the keys from every query, in a shape that broadcasts to the scores.",
    returns=(Output("mask", "(..., 1, n_keys)"),),
    calls=calls.PADDING_MASK,
    may_be_view=True,
    lookalike=lookalikes.PADDING_MASK,
)


@EXERCISE.claim(0.5)
def one_sequence(call, rng):
    """hides the padding of one sequence"""
    call.agrees(np.array([True, True, True, False]))  # by hand: one row that hides the last key
    call.agrees(random_mask(rng, 7))


@EXERCISE.claim(0.5)
def a_batch(call, rng):
    """gives every sequence of a batch its own mask"""
    call.agrees(random_mask(rng, 3, 5))


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for any leading axes"""
    call.agrees(random_mask(rng, 2, 3, 5))
    call.agrees(random_mask(rng, 3, 2, 4, 6))


@EXERCISE.claim(0.5, side=True)
def input_left_alone(call, rng):
    """leaves its input alone"""
    is_token = random_mask(rng, 3, 6)
    call.leaves_inputs_alone(is_token)
    call.agrees(is_token)


wrong = WrongAnswers(EXERCISE, globals())

wrong("no-new-axis", "is_token", """
    The axis for the queries is missing.
    Scores of a batch have three axes. Without the new one, NumPy lines the batch up with the queries: an error if you
    are lucky, wrong rows if both have the same length.""")

wrong("hides-queries", "is_token[..., :, None]", """
    The padding is hidden among the queries, not among the keys.
    The last axis of a mask is the keys. Here every real token would still attend to the padding.""")

wrong("hides-both", {"np.asarray(is_token, dtype=bool)": "is_token[..., :, None] & is_token"}, """
    Padding is hidden as a key and as a query.
    What a padding query computes is thrown away later, so nothing is gained, and rows in which nothing is visible are a
    risk of their own.""")

wrong("repeated-rows", "np.repeat(is_token[..., None, :], is_token.shape[-1], axis=-2)", """
    The row is copied once for every key.
    The number of queries is not known here, and in cross-attention it differs from the number of keys. An axis of
    length 1 fits any number.""")

wrong("only-a-batch", "is_token[:, None, :]", """
    Exactly one batch axis is taken for granted.
    One sequence alone has no batch axis, and heads bring another one. Count axes from the end.""")

wrong("axis-in-front", "is_token[None]", """
    The new axis stands in front of all others.
    The batch then lines up with the queries. The axis for the queries is the second to last.""")

wrong.at(CONVENTION)
wrong("inverted", {"np.asarray(is_token, dtype=bool)": "~is_token"}, """
    Padding is visible and tokens are hidden.
    In this course True means “may attend”, and `is_token` is already True where there is a token.""")

wrong("ones-and-zeros", "is_token[..., None, :].astype(float)", """
    The mask holds the numbers 1 and 0.
    Masks are boolean here, so that `~` and `&` work on them.""")

wrong("additive", "additive_mask(is_token[..., None, :])", """
    The mask holds 0 and minus infinity.
    That is the form that is added to the scores. It comes later, in an exercise of its own.""")

wrong.at()
wrong("axis-for-heads", "is_token[..., None, None, :]", """
    There is one axis of length 1 too many.
    Some libraries add an axis for the heads at once. Here heads come in unit 04, which adds that axis itself.""")

wrong("second-axis", "is_token[:, None]", """
    The new axis is always the second one.
    `[:, None]` counts from the front, which fits a batch and nothing else. The new axis stands just before the keys, so
    count from the end.""")

wrong("counted", "np.arange(is_token.shape[-1]) < is_token.sum(axis=-1)[..., None, None]", """
    The tokens are counted, and that many places from the left count as visible.
    Padding may stand anywhere, also in front. `is_token` says of each place what it holds.""")


@wrong.function
def shape_set(is_token):
    """The caller's array gets a new shape.
    Setting `shape` changes the array itself, for everybody who uses it. An index with `None` leaves it as it is."""
    is_token.shape = (*is_token.shape[:-1], 1, is_token.shape[-1])
    return is_token
