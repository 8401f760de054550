"""Specification of `shift_right`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from transformer_kit import reference


def _target_ids(rng, *shape):
    """Draw different ids, so that every place can be told from every other one."""
    return rng.permutation(np.arange(20, 80))[: np.prod(shape)].reshape(shape)


def _start(rng):
    return int(rng.integers(10, 19))


def _one_later(call, rng):
    call.agrees(np.array([[5, 6, 7, 3]]), 2)  # by hand
    call.agrees(_target_ids(rng, 3, 5), _start(rng))


def _length(call, rng):
    call.agrees(_target_ids(rng, 4, 1), _start(rng))  # a single token: its place is taken
    call.agrees(_target_ids(rng, 2, 6), _start(rng))
    call.agrees(_target_ids(rng, 1, 7), _start(rng))


def _start_symbol(call, rng):
    call.agrees(_target_ids(rng, 3, 4), 1)
    padded = np.where(np.tri(3, 4, 1, dtype=bool), _target_ids(rng, 3, 4), 0)
    call.agrees(padded, _start(rng))  # padding is moved like everything else


def _inputs(call, rng):
    target_ids, start = _target_ids(rng, 4, 6).astype(np.int32), _start(rng)
    call.agrees(target_ids, start)
    call.leaves_inputs_alone(target_ids, start)


def _to_the_left(target_ids, bos_id):
    output = np.empty_like(target_ids)
    output[:, :-1], output[:, -1] = target_ids[:, 1:], bos_id
    return output


def _rolled(target_ids, bos_id):
    return np.roll(target_ids, 1, axis=1)


def _rolled_to_the_left(target_ids, bos_id):
    return np.roll(target_ids, -1, axis=1)


def _longer(target_ids, bos_id):
    return np.concatenate([np.full((len(target_ids), 1), bos_id), target_ids], axis=1)


def _shorter(target_ids, bos_id):
    return target_ids[:, :-1].copy()


def _overwritten(target_ids, bos_id):
    output = target_ids.copy()
    output[:, 0] = bos_id
    return output


def _at_the_end(target_ids, bos_id):
    return np.concatenate([target_ids, np.full((len(target_ids), 1), bos_id)], axis=1)


def _end_replaced(target_ids, bos_id):
    output = target_ids.copy()
    output[:, -1] = bos_id
    return output


def _other_axis(target_ids, bos_id):
    return np.concatenate([np.full((1, target_ids.shape[1]), bos_id), target_ids[:-1]])


def _one_sentence(target_ids, bos_id):
    return np.concatenate([[bos_id], target_ids.ravel()[:-1]]).reshape(target_ids.shape)


def _start_is(fixed):
    """Make a function that always takes the same start symbol."""
    return lambda target_ids, bos_id: reference.shift_right(target_ids, fixed)


def _one_after_the_other(target_ids, bos_id):
    output = target_ids.copy()
    output[:, 0] = bos_id
    for t in range(1, output.shape[1]):
        output[:, t] = output[:, t - 1]
    return output


def _by_two(target_ids, bos_id):
    return reference.shift_right(reference.shift_right(target_ids, bos_id), bos_id)


def _floats(target_ids, bos_id):
    output = np.zeros(target_ids.shape)
    output[:, 0], output[:, 1:] = bos_id, target_ids[:, :-1]
    return output


def _in_place(target_ids, bos_id):
    target_ids[:, 1:] = target_ids[:, :-1]
    target_ids[:, 0] = bos_id
    return target_ids


SECTION = "Exercise 10.1: shift_right"
RULES = "What the decoder reads, and what it has to say"

EXERCISE = Exercise(
    reference=reference.shift_right,
    asks="what the decoder reads in training: the target one place later, behind the start symbol.",
    returns=(Returned("decoder_ids", "(B, n)"),),
    where=RULES,
    claims=(
        Claim("the start symbol comes first, and every token one place later than in the target", 0.75, _one_later),
        Claim("is as long as the target, whatever its length", 0.5, _length),
        Claim("takes the start symbol that it is given, and moves padding like everything else", 0.25, _start_symbol),
        Claim("leaves its inputs alone, and returns new whole numbers", 0.5, _inputs),
    ),
    mistakes=(
        Mistake(
            "to-the-left",
            "Everything is moved to the left, and the start symbol stands at the end",
            _to_the_left,
            "At its first position the decoder would then read the second word, before it has said the first. What it "
            "reads must come later than what it says, not earlier.",
            RULES,
        ),
        Mistake(
            "rolled",
            "The last token of each sentence comes round to the front",
            _rolled,
            "`np.roll` loses nothing: what leaves on one side comes in on the other. At the front belongs the start "
            "symbol, and the last token is not read at all.",
            SECTION,
        ),
        Mistake(
            "rolled-to-the-left",
            "The sentence is rolled to the left",
            _rolled_to_the_left,
            "Then every position reads the token after the one that it has to say. And `np.roll` loses nothing: what "
            "leaves on one side comes in on the other.",
            RULES,
        ),
        Mistake(
            "longer",
            "The start symbol is put in front, and the last token is kept",
            _longer,
            "There is one thing to say at each position, so there is one token to read at each. After the last "
            "token nothing is to be said any more, and nobody needs to read it.",
            RULES,
        ),
        Mistake(
            "shorter",
            "The last token is cut off, and no start symbol is put in front",
            _shorter,
            "The first word has to be said, too. What does the decoder read at that moment?",
            RULES,
        ),
        Mistake(
            "overwritten",
            "The first token is replaced by the start symbol, and the others stay where they are",
            _overwritten,
            "Then at the second position the decoder reads the very word that it has to say there: an answer that is "
            "given away.",
            RULES,
        ),
        Mistake(
            "at-the-end",
            "The start symbol is appended behind the sentence",
            _at_the_end,
            "It is what the decoder reads before it has said anything, so it comes first.",
            RULES,
        ),
        Mistake(
            "end-replaced",
            "The last token is replaced by the start symbol",
            _end_replaced,
            "The start symbol comes first, and every other token moves by one place.",
            RULES,
        ),
        Mistake(
            "other-axis",
            "The sentences are moved within the batch, not the tokens within a sentence",
            _other_axis,
            "Rows are sentences, and tokens follow each other along the second axis.",
            SECTION,
        ),
        Mistake(
            "one-sentence",
            "The batch is moved as if it were one long sentence",
            _one_sentence,
            "Every sentence of the batch begins with a start symbol of its own. Here the last token of a sentence "
            "becomes the first one of the next.",
            SECTION,
        ),
        Mistake(
            "zero-first",
            "The first place holds 0, not the start symbol",
            _start_is(0),
            "Places that were never filled hold what they were made with. The start symbol is an argument.",
            SECTION,
        ),
        Mistake(
            "own-start",
            "The start symbol is always 2",
            _start_is(2),
            "Vocabularies number their special tokens as they like. Use the id that you are given.",
            SECTION,
        ),
        Mistake(
            "one-after-the-other",
            "Tokens are copied from the left to the right within one array, so all become the start symbol",
            _one_after_the_other,
            "Each copy overwrites what the next one would have needed. Read from one array and write to another.",
            SECTION,
        ),
        Mistake(
            "by-two",
            "Everything is moved by two places",
            _by_two,
            "At each position the decoder reads the token directly before the one that it has to say.",
            RULES,
        ),
        Mistake(
            "floats",
            "The ids are floating-point numbers",
            _floats,
            "`np.zeros` makes floats unless it is told otherwise. Ids are whole numbers: they index a table.",
            SECTION,
        ),
        Mistake(
            "in-place",
            "The target itself is changed",
            _in_place,
            "The target is still needed: it is what the decoder has to say. Write into a new array.",
            SECTION,
        ),
    ),
)
