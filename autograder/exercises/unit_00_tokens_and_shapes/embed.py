"""Specification of `embed`."""

import numpy as np

from autograder.exercises.inputs import table_of
from autograder.exercises.unit_00_tokens_and_shapes import calls
from autograder.exercises.unit_00_tokens_and_shapes.embed_mistakes import MISTAKES, ROWS
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.embed,
    asks="row number t of the table E for every token id t.",
    returns=(Output("vectors", "(..., n, d_model)"),),
    where=ROWS,
    calls=calls.EMBED,
    mistakes=MISTAKES,
)


def _ids(rng, end, shape):
    """Draw ids from 1 to `end` - 1, as the integers that NumPy indexes with: in a browser np.take refuses int64."""
    return rng.integers(1, end, shape, dtype=np.intp)


def _one_bad(call, rng, vocab_size, *bad_ids):
    """Require that a sentence with one bad id is refused, although the same sentence with a good one is not."""
    E, token_ids = rng.standard_normal((vocab_size, 4)), _ids(rng, vocab_size - 1, 5)
    for bad in bad_ids:
        with_bad = token_ids.copy()
        with_bad[2] = bad
        call.refuses(with_bad, E, mentions=[bad])
    call.refuses(np.array([bad_ids[0]]), E, mentions=bad_ids[:1])
    table_of(call, (5, 4), token_ids, E)


@EXERCISE.claim(0.5)
def rows(call, rng):
    """every token gets its row of the table, as in one_hot @ E"""
    E = rng.standard_normal((9, 4))
    call.agrees(np.array([2, 0]), np.array([[0.5, -1.0, 2.0], [4.0, 1.5, 0.0], [0.25, 3.0, -2.5]]))  # by hand
    token_ids = rng.choice(np.arange(1, 8), 5, replace=False)
    call.agrees(token_ids, E)
    call.leaves_inputs_alone(token_ids, E)
    call.agrees(token_ids, E.astype(np.float32))
    for ends in ([0, 700], [700, 999]):
        call.agrees(np.array(ends, dtype=np.intp), rng.standard_normal((1000, 3)))


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for a batch and for any further leading axes"""
    E = rng.standard_normal((9, 5))
    call.agrees(_ids(rng, 8, (2, 3)), E)
    call.agrees(_ids(rng, 8, (2, 4, 3)), E)
    call.agrees(_ids(rng, 8, (1, 3, 1)), E)


@EXERCISE.claim(0.5, side=True)
def too_large(call, rng):
    """an id that is too large raises a ValueError that mentions it"""
    vocab_size = int(rng.integers(7, 10))
    _one_bad(call, rng, vocab_size, vocab_size, vocab_size + 20)


@EXERCISE.claim(0.5, side=True)
def negative(call, rng):
    """an id below 0 raises a ValueError that mentions it"""
    _one_bad(call, rng, int(rng.integers(7, 10)), -1, -3)
