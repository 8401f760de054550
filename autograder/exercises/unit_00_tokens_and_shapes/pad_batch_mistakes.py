"""The known mistakes of `pad_batch` with the mask."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

IDS = 0
MASK = 1
PLACES = "Padding is a matter of place"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=PLACES)
def mask_from_ids(sequences, pad_id):
    """A real token whose id equals pad_id is mistaken for padding.

    The ids alone cannot tell a token from padding, because both may be the same number. The lengths of the sequences
    can.
    """
    token_ids, _ = reference.pad_batch(sequences, pad_id)
    return token_ids, token_ids != pad_id


@MISTAKES.add(where=PLACES)
def mask_from_zeros(sequences, pad_id):
    """Tokens with the id 0 are mistaken for padding, and padding for tokens.

    The id of the padding is an argument and need not be 0. And even if it is, a real token may have it: only the
    lengths of the sequences can tell.
    """
    token_ids, _ = reference.pad_batch(sequences, pad_id)
    return token_ids, token_ids != 0


@MISTAKES.add(where=PLACES)
def inverted(sequences, pad_id):
    """True and False are swapped in is_token.

    The name says what True means: here *is* a *token*. Some libraries do it the other way round; this course never
    does.
    """
    token_ids, is_token = reference.pad_batch(sequences, pad_id)
    return token_ids, ~is_token


@MISTAKES.add(where=PLACES)
def inverted_from_ids(sequences, pad_id):
    """is_token is True where the id equals pad_id.

    The name says what True means: here *is* a *token*. And the ids alone cannot tell, because a real token may have
    the same id.
    """
    token_ids, _ = reference.pad_batch(sequences, pad_id)
    return token_ids, token_ids == pad_id


@MISTAKES.add(where=PLACES)
def mask_of_numbers(sequences, pad_id):
    """is_token holds the integers 1 and 0.

    Used as an index, 1 and 0 mean row 1 and row 0, not yes and no. A mask is an array of booleans.
    """
    token_ids, is_token = reference.pad_batch(sequences, pad_id)
    return token_ids, is_token.astype(np.int64)


@MISTAKES.add(where=PLACES)
def mask_of_floats(sequences, pad_id):
    """is_token holds the floating-point numbers 1 and 0.

    `np.ones` and `np.zeros` make floats unless they are told the dtype. A mask is an array of booleans.
    """
    token_ids, is_token = reference.pad_batch(sequences, pad_id)
    return token_ids, is_token.astype(np.float64)


@MISTAKES.add(where=PLACES)
def lengths(sequences, pad_id):
    """The lengths are returned instead of the mask.

    The lengths say the same, but one step too early. Turn them into one True or False per place.
    """
    return reference.pad_batch(sequences, pad_id)[IDS], np.array([len(sequence) for sequence in sequences])
