"""Specification of `embed`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.inputs import table_of
from autograder.exercises.unit_00_tokens_and_shapes.embed_mistakes import MISTAKES, ROWS
from transformer_kit import reference


def _rows(call, rng):
    E = rng.standard_normal((9, 4))
    call.agrees(np.array([2, 0]), np.array([[0.5, -1.0, 2.0], [4.0, 1.5, 0.0], [0.25, 3.0, -2.5]]))  # by hand
    token_ids = rng.choice(np.arange(1, 8), 5, replace=False)
    call.agrees(token_ids, E)
    call.leaves_inputs_alone(token_ids, E)
    call.agrees(token_ids, E.astype(np.float32))


def _leading_axes(call, rng):
    E = rng.standard_normal((9, 5))
    call.agrees(_ids(rng, 8, (2, 3)), E)
    call.agrees(_ids(rng, 8, (2, 4, 3)), E)


def _ids(rng, end, shape):
    """Draw ids from 1 to `end` - 1, as the integers that NumPy indexes with: in a browser np.take refuses int64."""
    return rng.integers(1, end, shape, dtype=np.intp)


def _one_bad(call, rng, vocab_size, *bad_ids):
    """Require that a batch with one bad id is refused, although the same batch with a good one is not."""
    E, token_ids = rng.standard_normal((vocab_size, 4)), _ids(rng, vocab_size - 1, (2, 3))
    table_of(call, (2, 3, 4), token_ids, E)
    for bad in bad_ids:
        with_bad = token_ids.copy()
        with_bad[1, 0] = bad
        call.refuses(with_bad, E, mentions=[bad])


def _too_large(call, rng):
    vocab_size = int(rng.integers(7, 10))
    _one_bad(call, rng, vocab_size, vocab_size, vocab_size + 20)


def _negative(call, rng):
    _one_bad(call, rng, int(rng.integers(7, 10)), -1, -3)


EXERCISE = Exercise(
    reference=reference.embed,
    asks="row number t of the table E for every token id t.",
    returns=(Returned("vectors", "(..., n, d_model)"),),
    where=ROWS,
    claims=(
        Claim("every token gets its row of the table, as in one_hot @ E", 0.5, _rows),
        Claim("works for a batch and for any further leading axes", 0.5, _leading_axes),
        Claim("an id that is too large raises a ValueError that mentions it", 0.5, _too_large),
        Claim("an id below 0 raises a ValueError that mentions it", 0.5, _negative),
    ),
    mistakes=MISTAKES,
)
