"""Specification of `pad_batch`."""

import numpy as np

from autograder.exercises.inputs import agrees_here
from autograder.exercises.unit_00_tokens_and_shapes import calls, pad_batch_mistakes, pad_batch_rectangle_mistakes
from autograder.exercises.unit_00_tokens_and_shapes.pad_batch_mistakes import IDS, MASK
from autograder.specification import Exercise, Output
from transformer_kit import reference

RETURNS = (Output("token_ids", "(B, n_max)"), Output("is_token", "(B, n_max)"))

EXERCISE = Exercise(
    reference=reference.pad_batch,
    asks="all sequences in one array, filled up with pad_id, and a mask that is True where there is a token.",
    returns=RETURNS,
    where=pad_batch_rectangle_mistakes.RECTANGLE,
    calls=calls.PAD_BATCH,
    mistakes=[*pad_batch_mistakes.MISTAKES, *pad_batch_rectangle_mistakes.MISTAKES],
)


def _sequences(rng, lengths, low=10, high=99):
    return [[int(i) for i in rng.integers(low, high, n)] for n in lengths]


@EXERCISE.claim(1)
def ids(call, rng):
    """token_ids holds every sequence from column 0 on, then pad_id"""
    call.agrees_in(IDS, [[5, 8], [7, 5, 6, 9], [4]], 0)  # by hand
    call.agrees_in(IDS, _sequences(rng, (3, 6, 2, 5)), int(rng.integers(1, 9)))
    call.agrees_in(IDS, _sequences(rng, (1,)), 0)  # a single token
    call.agrees_in(IDS, [[0, 7, 6, 0], [6, 0]], 7)  # tokens with the id 0 and with that of the padding


@EXERCISE.claim(0.5)
def mask(call, rng):
    """is_token is True for tokens and False for padding"""
    call.agrees_in(MASK, [[5, 8], [7, 5, 6, 9], [4]], 0)
    call.agrees_in(MASK, _sequences(rng, (3, 6, 2, 5)), int(rng.integers(1, 9)))
    call.agrees_in(MASK, _sequences(rng, (1,)), 0)  # a single token


@EXERCISE.claim(1)
def disguised(call, rng):
    """a token whose id is 0 or equal to pad_id is still a token"""
    # Some tokens have the id of the padding, and some have the id 0.
    pad_id = int(rng.integers(3, 9))
    sequences = _sequences(rng, (3, 6, 4))
    for sequence, place in zip(sequences, (-1, 3, -1), strict=True):
        sequence[place] = pad_id
        sequence[1] = 0
    call.agrees_in(MASK, sequences, pad_id)


@EXERCISE.claim(0.5, side=True)
def arrays(call, rng):
    """takes the arrays that `encode` returns, also an empty one, and leaves lists and arrays alone"""
    lists, pad_id = _sequences(rng, (4, 6, 1, 5)), int(rng.integers(1, 9))
    call.leaves_inputs_alone(lists, pad_id)
    call.agrees(lists, pad_id)
    sequences = [np.array(sequence, dtype=np.int64) for sequence in _sequences(rng, (4, 6, 0, 5))]
    agrees_here(call, sequences, pad_id)
    call.leaves_inputs_alone(sequences, pad_id)
    call.leaves_inputs_alone(sequences[:1], pad_id)  # nothing to fill up, and a new array all the same
