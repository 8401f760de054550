"""Specification of `masked_attention`."""

import numpy as np

from autograder.exercises.inputs import agrees_here, random_mask
from autograder.exercises.unit_03_masking import calls
from autograder.exercises.unit_03_masking.masked_attention_mistakes import MISTAKES, SECTION
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.masked_attention,
    asks="scaled dot-product attention in which a query sees only what the mask lets through.",
    returns=(Output("output", "(..., n_queries, d_v)"), Output("weights", "(..., n_queries, n_keys)")),
    where=SECTION,
    calls=calls.MASKED_ATTENTION,
    mistakes=MISTAKES,
)


def _draw(rng, lengths, leading=(), d_k=3, d_v=8):
    """Draw Q, K and V with scores of standard deviation 1."""
    n_queries, n_keys = lengths
    shapes = (n_queries, d_k), (n_keys, d_k), (n_keys, d_v)
    return tuple(rng.standard_normal((*leading, *shape)) for shape in shapes)


def _require_right(call, rng, result):
    """Require one of the two results, whatever the other is."""
    V = np.array([[1.0, 10.0, 0.0], [3.0, 20.0, 1.0]])
    hand = np.ones((2, 4)), np.zeros((2, 4)), V, reference.causal_mask(2)  # row 0 of the values, then the mean
    call.agrees_in(result, *hand)
    call.agrees_in(result, *_draw(rng, (4, 6)), random_mask(rng, 4, 6))


@EXERCISE.claim(0.5)
def values(call, rng):
    """averages the visible values"""
    _require_right(call, rng, 0)


@EXERCISE.claim(0.5)
def weights(call, rng):
    """returns the weights, which are 0 where the mask hides"""
    _require_right(call, rng, 1)


@EXERCISE.claim(0.5)
def extreme_scores(call, rng):
    """survives scores of ±1000"""
    Q, K, V = _draw(rng, (4, 6))
    levels = np.array([1000.0, 0.0, -1000.0, 500.0])  # of the scores of each query
    Q[:, -1], K[:, -1] = levels * np.sqrt(Q.shape[-1]), 1.0
    call.agrees(Q, K, V, random_mask(rng, 4, 6))
    call.agrees(Q, K, V)


def _changed(A, rows, new):
    return np.where(rows[:, None], new, A)


def _output(call, Q, K, V, mask):
    output, _ = call.results(Q, K, V, mask)
    return call.is_array(output, (*Q.shape[:-1], V.shape[-1]), "f")


def _hidden_tokens_do_not_matter(call, rng, tokens, mask, query):
    """Change what is hidden from one query (from all where `query` is None); nothing it gets may move."""
    Q, K, V = tokens
    rows = slice(None) if query is None else slice(query, query + 1)
    hidden = ~mask[rows][0]
    before = _output(call, Q, K, V, mask)[rows]
    K_changed, V_changed = (_changed(A, hidden, 100 * rng.standard_normal(A.shape)) for A in (K, V))
    after = _output(call, Q, K_changed, V_changed, mask)[rows]
    with np.errstate(invalid="ignore"):
        moved = np.abs(after - before).max()
    message = f"changing tokens that are hidden from a query moves its output by {moved:.6g}; it must not move."
    call.holds(moved <= 1e-12, message)
    after = _output(call, Q, K, _changed(V, ~hidden, V + 1), mask)[rows]
    with np.errstate(invalid="ignore"):
        moved = np.abs(after - before).max()
    call.holds(moved > 1e-3, "changing visible tokens does not move the output, so it cannot be attention.")


@EXERCISE.claim(0.5)
def nothing_leaks(call, rng):
    """no hidden token moves an output (the leak test)"""
    Q, K, V = _draw(rng, (4, 6))
    for mask, hidden in ((random_mask(rng, 6)[None], None), (reference.causal_mask(4, 6), 1)):
        _hidden_tokens_do_not_matter(call, rng, (Q, K, V), mask, hidden)


@EXERCISE.claim(0.5)
def nothing_visible(call, rng):
    """a query that may attend to nothing gets weights 0 and output 0"""
    mask = random_mask(rng, 4, 6)
    mask[int(rng.integers(4))] = False
    call.agrees_quietly(*_draw(rng, (4, 6)), mask)


@EXERCISE.claim(0.5)
def no_mask(call, rng):
    """without a mask it is ordinary attention"""
    call.agrees(*_draw(rng, (3, 5)))


@EXERCISE.claim(0.5)
def causal_and_padding(call, rng):
    """takes causal and padding masks together, with any leading axes"""
    is_token = np.arange(6) < np.array([6, 4, 5])[:, None]
    mask = reference.combine_masks(reference.causal_mask(4, 6), reference.padding_mask(is_token))
    call.agrees(*_draw(rng, (4, 6), (3,)), mask)
    call.agrees(*_draw(rng, (4, 6), (2, 3)), mask)  # one mask per sequence, for two sets of them
    call.agrees(*_draw(rng, (5, 7), (2, 3)), random_mask(rng, 2, 1, 5, 7))
    call.agrees(*_draw(rng, (1, 6), (1, 3)), random_mask(rng, 1, 6))


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone, and also takes whole numbers and float32"""
    tokens, mask = _draw(rng, (4, 7)), random_mask(rng, 4, 7)
    call.leaves_inputs_alone(*tokens, mask)
    call.agrees(*tokens, mask)
    agrees_here(call, *(rng.integers(-1, 2, A.shape) for A in tokens), mask)
    agrees_here(call, *(A.astype(np.float32) for A in tokens), mask)
