"""Specification of `sentence_vector`."""

import numpy as np

from autograder.exercises.inputs import judged
from autograder.exercises.unit_12_models_you_know import calls
from autograder.exercises.unit_12_models_you_know.sentence_vector_mistakes import MISTAKES, SECTION
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.sentence_vector,
    asks="one vector of length 1 for a sentence: the direction of the mean of its tokens, without the padding.",
    returns=(Output("vector", "(..., d)"),),
    where=SECTION,
    calls=calls.SENTENCE_VECTOR,
    mistakes=MISTAKES,
)


def _given(rng, *shape):
    """Draw vectors of tokens, and which of them are tokens: two at least in every sentence, in any places."""
    *leading, n = shape[:-1]
    is_token = rng.permuted(np.broadcast_to(np.arange(n), (*leading, n)), axis=-1) < rng.integers(2, n, (*leading, 1))
    return 0.5 + rng.standard_normal(shape), is_token


@EXERCISE.claim(1)
def without_padding(call, rng):
    """has the direction of the mean of all tokens, without the padding"""
    call.agrees(np.array([[3.0, 0.0], [0.0, 4.0], [9.0, 9.0]]), np.array([True, True, False]))  # by hand
    X, _ = _given(rng, 6, 5)
    call.agrees(X, np.ones(6, dtype=bool))
    call.agrees(X, np.arange(6) < 4)
    call.agrees(*_given(rng, 7, 5))


@EXERCISE.claim(1)
def length(call, rng):
    """has the length 1, whatever the lengths of its tokens and however many there are"""
    for factor, n in ((1, 3), (100, 4), (0.01, 6), (1e-7, 5)):
        X, is_token = _given(rng, n, 5)
        X = factor * X
        call.agrees(X, is_token)
    one = rng.permutation(6) == 0
    call.agrees(_given(rng, 6, 5)[0], one)  # a sentence of one token


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """takes any leading axes: every sentence by itself"""
    call.agrees(*_given(rng, 3, 6, 5))
    call.agrees(*_given(rng, 2, 3, 4, 5))
    call.agrees(*_given(rng, 4, 4, 3))


@EXERCISE.claim(1)
def no_tokens(call, rng):
    """a sentence without tokens gives zeros, and the others of its batch stay what they are"""
    X, is_token = _given(rng, 3, 6, 5)
    is_token[int(rng.integers(0, 3))] = False
    call.agrees(X, is_token)
    call.agrees(X[0], np.zeros(6, dtype=bool))
    call.agrees(*_given(rng, 6, 5))


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone, and also takes float32"""
    X, is_token = _given(rng, 3, 6, 5)
    call.leaves_inputs_alone(X, is_token)
    call.agrees(X, is_token)
    with judged():
        call.agrees(X.astype(np.float32), is_token)
