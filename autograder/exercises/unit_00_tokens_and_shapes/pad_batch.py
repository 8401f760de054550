"""Specification of `pad_batch`."""

import numpy as np

from autograder.call import Failed
from autograder.compare import compare_one
from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_00_tokens_and_shapes.pad_batch_mistakes import IDS, MASK, MISTAKES, RECTANGLE
from transformer_kit import reference

RETURNS = (Returned("token_ids", "(B, n_max)"), Returned("is_token", "(B, n_max)"))


def _agrees_in(call, part, *args):
    """Require one of the two results to be right, whatever the other one is."""
    value = call(*args)
    both = isinstance(value, tuple | list) and len(value) == 2
    call.holds(both, "expected two results in this order: token_ids, is_token.")
    difference = compare_one(value[part], reference.pad_batch(*args)[part], RETURNS[part], {"rtol": 0, "atol": 0})
    if difference:
        raise Failed(difference.text, difference)


def _sequences(rng, lengths, low=10, high=99):
    return [[int(i) for i in rng.integers(low, high, n)] for n in lengths]


def _ids(call, rng):
    _agrees_in(call, IDS, [[5, 8], [7, 5, 6, 9], [4]], 0)  # by hand
    _agrees_in(call, IDS, _sequences(rng, (3, 6, 2, 5)), int(rng.integers(1, 9)))


def _mask(call, rng):
    _agrees_in(call, MASK, [[5, 8], [7, 5, 6, 9], [4]], 0)
    _agrees_in(call, MASK, _sequences(rng, (3, 6, 2, 5)), int(rng.integers(1, 9)))


def _disguised(call, rng):
    """Some tokens have the id of the padding, and some have the id 0."""
    pad_id = int(rng.integers(3, 9))
    sequences = _sequences(rng, (3, 6, 4))
    for sequence in sequences:
        sequence[-1] = pad_id
        sequence[1] = 0
    _agrees_in(call, MASK, sequences, pad_id)


def _arrays(call, rng):
    sequences = [np.array(sequence, dtype=np.int64) for sequence in _sequences(rng, (4, 6, 0, 5))]
    pad_id = int(rng.integers(1, 9))
    call.agrees(sequences, pad_id)
    call.leaves_inputs_alone(sequences, pad_id)


EXERCISE = Exercise(
    reference=reference.pad_batch,
    asks="all sequences in one array, filled up with pad_id, and a mask that is True where there is a token.",
    returns=RETURNS,
    where=RECTANGLE,
    claims=(
        Claim("token_ids holds every sequence from column 0 on, then pad_id", 1, _ids),
        Claim("is_token is True for tokens and False for padding", 0.5, _mask),
        Claim("a token whose id is 0 or equal to pad_id is still a token", 1, _disguised),
        Claim("takes the arrays that `encode` returns, also an empty one, and leaves them alone", 0.5, _arrays),
    ),
    mistakes=MISTAKES,
)
