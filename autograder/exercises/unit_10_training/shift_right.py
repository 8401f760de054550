"""Specification of `shift_right`."""

import numpy as np

from autograder.exercises.unit_10_training import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

RULES = "What the decoder reads, and what it has to predict"

EXERCISE = Exercise(
    reference=reference.shift_right,
    asks="what the decoder reads in training: the target one place later, behind the start symbol.",
    returns=(Output("decoder_ids", "(B, n)"),),
    where=RULES,
    calls=calls.SHIFT_RIGHT,
    lookalike=lookalikes.SHIFT_RIGHT,
)


def _target_ids(rng, *shape):
    """Draw different ids, so that every place can be told from every other one; they do not fit in 16 bits."""
    return rng.permutation(np.arange(20_000, 80_000, 1000))[: np.prod(shape)].reshape(shape)


def _start(rng):
    return int(rng.integers(10, 19))


@EXERCISE.claim(0.25)
def one_later(call, rng):
    """the start symbol comes first, and every token one place later than in the target"""
    call.agrees(np.array([[5, 6, 7, 3]]), 2)  # by hand
    call.agrees(_target_ids(rng, 3, 5), _start(rng))


@EXERCISE.claim(0.25)
def length(call, rng):
    """is as long as the target, whatever its length"""
    call.agrees(_target_ids(rng, 4, 1), _start(rng))  # a single token: its place is taken
    call.agrees(_target_ids(rng, 2, 6), _start(rng))
    call.agrees(_target_ids(rng, 1, 60), _start(rng))


@EXERCISE.claim(0.25)
def start_symbol(call, rng):
    """takes the start symbol that it is given, and moves padding like everything else"""
    call.agrees(_target_ids(rng, 3, 4), 1)
    padded = np.where(np.tri(3, 4, 1, dtype=bool), _target_ids(rng, 3, 4), 0)
    padded[np.arange(3), np.arange(3) + 1] = 3  # the end of each sentence
    call.agrees(padded, _start(rng))


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone and returns a new array"""
    target_ids, start = _target_ids(rng, 4, 6).astype(np.int32), _start(rng)
    call.leaves_inputs_alone(target_ids, start)
    call.agrees(target_ids, start)


wrong = WrongAnswers(EXERCISE, globals())

wrong("to-the-left", {
    "shifted[:, 0]": "shifted[:, -1]",
    "shifted[:, 1:] = target_ids[:, :-1]": "shifted[:, :-1] = target_ids[:, 1:]",
}, """
    Everything is moved to the left, and the start symbol stands at the end.
    At its first position the decoder would then read the second word, before it has predicted the first. Each token is
    read one place later than it is predicted, not earlier.""")

wrong.at()
wrong("rolled", "np.roll(target_ids, 1, axis=1)", """
    The last token of each sentence comes round to the front.
    `np.roll` loses nothing: what leaves on one side comes in on the other. The start symbol belongs at the front, and
    the last token is not read at all.""")

wrong.at(RULES)
wrong("rolled-to-the-left", "np.roll(target_ids, -1, axis=1)", """
    The sentence is rolled to the left.
    Then every position reads the token after the one that it has to predict. And `np.roll` loses nothing: what leaves
    on one side comes in on the other.""")

wrong("longer", "np.concatenate([np.full((len(target_ids), 1), bos_id), target_ids], axis=1)", """
    The start symbol is put in front, and the last token is kept.
    There is one token to predict at each position, so there is one to read at each. After the last token nothing is
    left to predict, so it is never read.""")

wrong("shorter", "target_ids[:, :-1].copy()", """
    The last token is cut off, and no start symbol is put in front.
    The first word has to be predicted, too. What does the decoder read at that moment?""")

wrong("overwritten", {"shifted[:, 1:] = target_ids[:, :-1]": "shifted[:, 1:] = target_ids[:, 1:]"}, """
    The first token is replaced by the start symbol, and the others stay where they are.
    Then at the second position the decoder reads the very word that it has to predict there: the answer is given
    away.""")

wrong("at-the-end", "np.concatenate([target_ids, np.full((len(target_ids), 1), bos_id)], axis=1)", """
    The start symbol is appended after the sentence.
    It is what the decoder reads before it has written anything, so it comes first.""")

wrong("end-replaced", {
    "shifted[:, 0]": "shifted[:, -1]",
    "shifted[:, 1:] = target_ids[:, :-1]": "shifted[:, :-1] = target_ids[:, :-1]",
}, """
    The last token is replaced by the start symbol.
    The start symbol comes first, and every other token moves by one place.""")

wrong.at()
wrong("other-axis", "np.concatenate([np.full((1, target_ids.shape[1]), bos_id), target_ids[:-1]])", """
    The sentences are moved within the batch, not the tokens within a sentence.
    Rows are sentences, and tokens follow each other along the second axis.""")

wrong("one-sentence", "np.concatenate([[bos_id], target_ids.ravel()[:-1]]).reshape(target_ids.shape)", """
    The batch is moved as if it were one long sentence.
    Every sentence of the batch begins with a start symbol of its own. Here the last token of a sentence becomes the
    first one of the next.""")

wrong("zero-first", "shift_right(target_ids, 0)", """
    The first place holds 0, not the start symbol.
    Places that were never filled hold what they were made with. The start symbol is an argument.""")

wrong("own-start", "shift_right(target_ids, 2)", """
    The start symbol is always 2.
    Vocabularies number their special tokens as they like. Use the id that you are given.""")

wrong("one-after-the-other", {"target_ids[:, :-1]": "bos_id"}, """
    Every place gets the start symbol, as where tokens are copied to the right within one array.
    Each copy overwrites what the next one would have needed. Read from one array and write to another.""")

wrong.at(RULES)
wrong("by-two", "shift_right(shift_right(target_ids, bos_id), bos_id)", """
    Everything is moved by two places.
    At each position the decoder misses the token directly before the one that it has to predict.""")

wrong.at()
wrong("floats", {", dtype=np.int64": ""}, """
    The ids are floating-point numbers.
    Ids are whole numbers: they index a table. A `dtype` says what kind of numbers an array has.""")


@wrong.function
def in_place(target_ids, bos_id):
    """The target itself is changed.
    The target is still needed: it is what the decoder has to predict. Write into a new array."""
    target_ids[:, 1:] = target_ids[:, :-1]
    target_ids[:, 0] = bos_id
    return target_ids


wrong("one-row-of-starts", "np.concatenate([np.array([[bos_id]]), target_ids[:, :-1]], axis=1)", """
    There is one start symbol for the whole batch.
    What is put in front needs as many rows as the batch has sentences: shape (B, 1).""")

wrong("loop-ends-too-early",
      {"    return shifted": "    shifted[:, max(1, shifted.shape[1] - 1) :] = 0\n    return shifted"}, """
    The last place is not filled.
    `range(1, n - 1)` ends before n - 1. The last place to fill has the index n - 1.""")

wrong("first-sentence-only", "shift_right(target_ids, bos_id)[0].copy()", """
    Only the first sentence of the batch is returned.
    Every row of the batch is a sentence, and the result has as many rows as the target.""")

wrong.at(RULES)
wrong("to-the-left-behind-the-start", {"target_ids[:, :-1]": "np.roll(target_ids, -1, axis=1)[:, 1:]"}, """
    Everything is moved to the left, and the start symbol replaces what is then first.
    Each token is read one place later than it is predicted. `np.roll` with 1 goes there, with -1 the other way.""")

wrong("backwards", "shift_right(target_ids[:, ::-1], bos_id)", """
    The sentence stands in reverse order.
    The decoder reads the words in the order in which it has to write them.""")
