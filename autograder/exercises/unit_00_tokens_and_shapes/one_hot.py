"""Specification of `one_hot`."""

import numpy as np

from autograder.exercises.unit_00_tokens_and_shapes import lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

RULES = "One row per token, one column per word"

EXERCISE = Exercise(
    reference=reference.one_hot,
    asks="for every id a row of vocab_size floats: 1 at the place of the id, 0 elsewhere.",
    returns=(Output("rows", "(..., vocab_size)"),),
    where=RULES,
    lookalike=lookalikes.ONE_HOT,
)


@EXERCISE.claim(0.5)
def values(call, rng):
    """each row has its 1 at the place of the id, and vocab_size entries"""
    call.agrees(np.array([2, 0, 2]), 4)  # by hand
    vocab_size = int(rng.integers(8, 12))
    call.agrees(rng.integers(1, vocab_size - 1, 5), vocab_size)  # neither the first nor the last id
    call.agrees(np.array([0, vocab_size - 1, 0]), vocab_size)
    call.agrees(np.array([1, 700, 999]), 1000)


@EXERCISE.claim(0.25)
def any_shape(call, rng):
    """takes ids of any shape, and leaves them alone"""
    token_ids = rng.permutation(15)[:6].reshape(2, 3)
    call.leaves_inputs_alone(token_ids, 15)
    call.agrees(token_ids, 15)
    call.agrees(rng.integers(0, 7, (2, 3, 4)), 7)
    call.agrees(np.array(int(rng.integers(1, 6))), 7)  # a single id
    call.agrees(np.array([[4], [2]]), 6)  # two sentences of one word
    call.agrees(np.array([[0, 0]]), 1)  # one sentence, and a vocabulary of one word


wrong = WrongAnswers(EXERCISE, globals())

wrong("width-from-ids", "one_hot(token_ids, np.max(token_ids) + 1)", """
    The rows are only as wide as the largest id requires.
    Then two sentences get rows of different widths. The width is the size of the vocabulary, whichever words happen to
    come.""")

wrong("counted-from-1", "one_hot((token_ids - 1) % vocab_size, vocab_size)", """
    Every 1 stands one place too far to the left.
    Ids count from 0, and so do columns. For the id 0 your 1 even wraps around to the last column.""")

wrong("axes-of-one-lost", "np.squeeze(one_hot(token_ids, vocab_size))", """
    Axes of length 1 are removed.
    `squeeze` removes every one of them, even that of a batch with a single sentence. Name the axis that you put in.""")

wrong.at()
wrong("integers", "one_hot(token_ids, vocab_size).astype(np.int64)", """
    The entries are integers.
    The numbers are right, but these rows are vectors: they will be multiplied by floats, and no number stays whole for
    long in a network. Ask for floats.""")

wrong("booleans", "one_hot(token_ids, vocab_size).astype(bool)", """
    The entries are True and False.
    A comparison gives booleans, in the right places. Turn them into the numbers 1 and 0.""")

wrong.at(RULES)
wrong("vocabulary-first", "np.moveaxis(one_hot(token_ids, vocab_size), -1, 0)", """
    The axis of the vocabulary comes first.
    Tokens are rows in this course. So the entries of one token's vector lie along the last axis.""")


@wrong.function
def every_id_in_every_row(token_ids, vocab_size):
    """Every row has a 1 for every token of the sequence.
    With a colon or dots for the rows, an assignment goes to *all* rows. You want the first row with the first id, the
    second row with the second id, and so on."""
    output = np.zeros((*token_ids.shape, vocab_size))
    output[..., token_ids] = 1
    return output


@wrong.function
def one_row_for_all(token_ids, vocab_size):
    """There is one row for the whole sequence.
    Such a row says which words occur, but no longer in which order or how often. Each token needs a row of its own."""
    output = np.zeros(vocab_size)
    output[token_ids] = 1
    return output


wrong("counts", "one_hot(token_ids, vocab_size).reshape(-1, vocab_size).sum(axis=0)", """
    The rows are added up to counts of words.
    A bag of word counts has lost the order of the words. Each token needs a row of its own.""")


@wrong.function
def one_sentence_indexed(token_ids, vocab_size):
    """Only the ids of a single sentence find their rows.
    `np.arange(len(token_ids))` numbers the first axis, and a batch has more than one. The ids may have any shape: an
    index such as `np.eye(vocab_size)[token_ids]` takes whatever shape comes."""
    output = np.zeros((*token_ids.shape, vocab_size))
    output[np.arange(len(token_ids)), token_ids] = 1
    return output


@wrong.function
def first_axis_only(token_ids, vocab_size):
    """Only a single sequence gets one row per token.
    With a batch, a loop over the first axis visits whole sequences. The ids may have any shape."""
    output = np.zeros((len(token_ids), vocab_size))
    for i, token_id in enumerate(token_ids):
        output[i, token_id] = 1
    return output


wrong("flattened", "one_hot(token_ids, vocab_size).reshape(-1, vocab_size)", """
    The shape of the ids is lost.
    All tokens are put into one long list. The result should have the shape of the ids, with one axis more at the
    end.""")

wrong("id-in-place-of-1", "one_hot(token_ids, vocab_size) * np.asarray(token_ids)[..., None]", """
    The id itself is written into the row.
    The *place* of the entry already says which word it is. A larger id must not mean a longer vector.""")

wrong("opposite", "1 - one_hot(token_ids, vocab_size)", """
    Ones and zeros are swapped.
    One entry is hot, that is 1, and all others are 0.""")
