"""Specification of `one_hot`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from transformer_kit import reference


def _values(call, rng):
    call.agrees(np.array([2, 0, 2]), 4)  # by hand
    vocab_size = int(rng.integers(8, 12))
    call.agrees(rng.integers(1, vocab_size - 1, 5), vocab_size)  # neither the first nor the last id


def _any_shape(call, rng):
    token_ids = rng.permutation(15)[:6].reshape(2, 3)
    call.agrees(token_ids, 15)
    call.leaves_inputs_alone(token_ids, 15)
    call.agrees(rng.integers(0, 7, (2, 3, 4)), 7)
    call.agrees(np.array(int(rng.integers(1, 6))), 7)  # a single id


def _width_from_ids(token_ids, vocab_size):
    return reference.one_hot(token_ids, np.max(token_ids) + 1)


def _counted_from_one(token_ids, vocab_size):
    return reference.one_hot((token_ids - 1) % vocab_size, vocab_size)


def _integers(token_ids, vocab_size):
    return reference.one_hot(token_ids, vocab_size).astype(np.int64)


def _booleans(token_ids, vocab_size):
    return reference.one_hot(token_ids, vocab_size).astype(bool)


def _vocabulary_first(token_ids, vocab_size):
    return np.moveaxis(reference.one_hot(token_ids, vocab_size), -1, 0)


def _every_id_in_every_row(token_ids, vocab_size):
    output = np.zeros((*token_ids.shape, vocab_size))
    output[..., token_ids] = 1
    return output


def _one_row_for_all(token_ids, vocab_size):
    output = np.zeros(vocab_size)
    output[token_ids] = 1
    return output


def _counts(token_ids, vocab_size):
    return reference.one_hot(token_ids, vocab_size).reshape(-1, vocab_size).sum(axis=0)


def _first_axis_only(token_ids, vocab_size):
    output = np.zeros((len(token_ids), vocab_size))
    for i, token_id in enumerate(token_ids):
        output[i, token_id] = 1
    return output


def _flattened(token_ids, vocab_size):
    return reference.one_hot(token_ids, vocab_size).reshape(-1, vocab_size)


def _id_in_place_of_one(token_ids, vocab_size):
    return reference.one_hot(token_ids, vocab_size) * np.asarray(token_ids)[..., None]


def _opposite(token_ids, vocab_size):
    return 1 - reference.one_hot(token_ids, vocab_size)


SECTION = "Exercise 0.2: one_hot"
RULES = "One row per token, one column per word"

EXERCISE = Exercise(
    reference=reference.one_hot,
    asks="for every id a row of vocab_size floats: 1 at the place of the id, 0 elsewhere.",
    returns=(Returned("rows", "(..., vocab_size)"),),
    where=RULES,
    claims=(
        Claim("each row has its 1 at the place of the id, and vocab_size entries", 0.5, _values),
        Claim("takes ids of any shape, and leaves them alone", 0.5, _any_shape),
    ),
    mistakes=(
        Mistake(
            "width-from-ids",
            "The rows are only as wide as the largest id requires",
            _width_from_ids,
            "Then two sentences get rows of two widths. The width is the size of the vocabulary, whichever words "
            "happen to come.",
            RULES,
        ),
        Mistake(
            "counted-from-1",
            "Every 1 stands one place too far to the left",
            _counted_from_one,
            "Ids count from 0, and so do columns. For the id 0 your 1 even goes round to the last column.",
            RULES,
        ),
        Mistake(
            "integers",
            "The entries are integers",
            _integers,
            "The numbers are right, but these rows are vectors: they will be multiplied with floats, and no whole "
            "number stays whole for long in a network. Ask for floats.",
            SECTION,
        ),
        Mistake(
            "booleans",
            "The entries are True and False",
            _booleans,
            "A comparison gives booleans, at the right places. Asked for are the numbers 1 and 0.",
            SECTION,
        ),
        Mistake(
            "vocabulary-first",
            "The axis of the vocabulary comes first",
            _vocabulary_first,
            "Tokens are rows in this course. So the entries of one token's vector lie along the last axis.",
            RULES,
        ),
        Mistake(
            "every-id-in-every-row",
            "Every row has a 1 for every token of the sequence",
            _every_id_in_every_row,
            "With a colon or dots for the rows, an assignment goes to *all* rows. You want the first row with the "
            "first id, the second row with the second id, and so on.",
            RULES,
        ),
        Mistake(
            "one-row-for-all",
            "There is one row for the whole sequence",
            _one_row_for_all,
            "Such a row says which words occur, but no longer in which order or how often. Each token needs a row of "
            "its own.",
            RULES,
        ),
        Mistake(
            "counts",
            "The rows are added up to counts of words",
            _counts,
            "A bag of word counts has lost the order of the words. Each token needs a row of its own.",
            RULES,
        ),
        Mistake(
            "first-axis-only",
            "Only a single sequence gets one row per token",
            _first_axis_only,
            "With a batch, a loop over the first axis visits whole sequences. The ids may have any shape.",
            RULES,
        ),
        Mistake(
            "flattened",
            "The shape of the ids is lost",
            _flattened,
            "All tokens are put into one long list. The result should have the shape of the ids, with one axis more "
            "at the end.",
            RULES,
        ),
        Mistake(
            "id-in-place-of-1",
            "The id itself is written into the row",
            _id_in_place_of_one,
            "The *place* of the entry already says which word it is. A larger id must not mean a longer vector.",
            RULES,
        ),
        Mistake(
            "opposite",
            "Ones and zeros have changed places",
            _opposite,
            "One entry is hot, that is 1, and all others are 0.",
            RULES,
        ),
    ),
)
