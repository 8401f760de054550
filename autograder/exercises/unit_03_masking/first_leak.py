"""Specification of `first_leak`."""

import numpy as np

from autograder.evaluation.trials import Failed
from autograder.execution.handed import Numbers
from autograder.exercises.inputs import presupposed
from autograder.exercises.unit_03_masking import calls, first_leak_mistakes, first_leak_search_mistakes
from autograder.exercises.unit_03_masking.attends import (
    WIDTH,
    backwards,
    leaking,
    looks_back,
    noisy,
    normalised,
    peeking,
    renormalised,
    self_attention,
    shifted,
    turning,
)
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.experiments.leaks import mask_on_weights

EXERCISE = Exercise(
    reference=reference.first_leak,
    asks="the first position whose output moves when later tokens are changed, or None.",
    returns=(Output("position", may_be_none=True),),
    where=first_leak_mistakes.SECTION,
    calls=calls.FIRST_LEAK,
    mistakes=[*first_leak_mistakes.MISTAKES, *first_leak_search_mistakes.MISTAKES],
    hands={"attend": (Numbers(axes=2),)},
)


def _tokens(rng, n=None):
    """Draw how many tokens there are, and the tokens."""
    n = n or int(rng.integers(6, 10))
    return n, rng.standard_normal((n, WIDTH))


def _later(rng, n):
    """Draw one entry above the diagonal of an n x n mask."""
    mask = np.zeros((n, n), dtype=bool)
    at = rng.integers(n - 1)
    mask[at, rng.integers(at + 1, n)] = True
    return mask


def _drawn(rng, attend, n, strength=1.0):
    """Let one position, anyone, look at a later one."""
    at, token = np.argwhere(_later(rng, n))[0]
    return peeking(attend, at, token, strength)


def _judge_all(call, rng, cases, X):
    """Require the reference's verdicts, in any order, so that none can be known beforehand."""
    names = list(cases)
    for number in rng.permutation(len(names)):
        what = names[number]
        try:
            call.agrees(cases[what], X)
        except Failed as failed:
            raise Failed(f"given {what}: {failed.text}", failed.difference) from None


@EXERCISE.claim(0.5)
def no_mask_at_all(call, rng):
    """tells causal attention from attention without a mask"""
    n, X = _tokens(rng)
    causal = self_attention(rng, reference.causal_mask(n))
    cases = {
        "a function that only looks back": looks_back,
        "causal attention": causal,
        "attention without a mask": self_attention(rng, None),
        "attention with one leak": _drawn(rng, causal, n),
    }
    for attend in cases.values():
        call(attend, _tokens(rng, n)[1])  # all of them first: together they tell the mistakes apart
    _judge_all(call, rng, cases, X)


@EXERCISE.claim(0.5)
def broken_masks(call, rng):
    """judges masks that are off by one, inverted, or put on the weights"""
    n, X = _tokens(rng)
    causal = reference.causal_mask(n)
    cases = {
        "a mask that is one position too far": self_attention(rng, np.tri(n, k=1, dtype=bool)),
        "an inverted mask": self_attention(rng, ~causal),
        "a mask on the weights": self_attention(rng, causal, mask_on_weights),
        "a mask on the weights, renormalised": self_attention(rng, causal, renormalised),
        "a mask with one wrong entry": self_attention(rng, causal | _later(rng, n)),
    }
    _judge_all(call, rng, cases, X)


def _odd_leaks(call, rng, causal, X):
    """Judge leaks that are seen only by changes and comparisons of every kind; none depends on the amounts."""
    last, signs = np.eye(WIDTH)[-1], np.resize([1.0, -1.0], WIDTH)
    cases = {
        "a leak in the last feature only": leaking(causal, 1, lambda X: last * X[5]),
        "a leak whose entries sum to 0": leaking(causal, 3, lambda X: signs * X[4, 0]),
        "a leak of squares": leaking(causal, 2, lambda X: X[3] ** 2),
        "a leak that keeps the length of the output": turning(causal, at=3, token=5),
    }
    _judge_all(call, rng, cases, X)
    begun = np.where(np.arange(len(X))[:, None] < 3, X, 0.0)
    cases = {
        "a leak from a token of zeros": peeking(causal, at=3, token=4),
        "a leak that only lowers entries": leaking(causal, 2, lambda X: -np.abs(X[4])),
        "a leak of 2e-9": leaking(causal, 4, lambda X: 2e-9 * np.sign(X[5])),
    }
    _judge_all(call, rng, cases, begun)
    cases = {  # in each of them, changes of some regular kind cancel, and what rounding leaves of them is cut off
        "a leak behind a layer norm": leaking(causal, 1, lambda X: normalised(X[5]).round(3)),
        "a leak of the sum of a token's entries": leaking(causal, 2, lambda X: X[5].sum().round(3)),
        "a leak of the sum of all later tokens": leaking(causal, 3, lambda X: X[4:].sum(axis=0).round(3)),
        "a leak of the difference of two tokens": leaking(causal, 1, lambda X: (X[5] - X[4]).round(3)),
        "a leak that repeats with every whole number": leaking(causal, 2, lambda X: np.sin(2 * np.pi * X[4]).round(3)),
    }
    _judge_all(call, rng, cases, X)


@EXERCISE.claim(0.5)
def hidden_leaks(call, rng):
    """finds a leak at any position, from any later token, however weak"""
    n, X = _tokens(rng)
    causal = self_attention(rng, reference.causal_mask(n))
    cases = {
        "a leak at the last position but one": peeking(causal, at=n - 2, token=n - 1),
        "a leak from the last token only": peeking(causal, at=1, token=n - 1),
        "two leaks": peeking(peeking(causal, at=4, token=5), at=2, token=3),
        "a weak leak": _drawn(rng, shifted(causal), n, strength=1e-6),
        "causal attention with rounding noise": noisy(causal),
    }
    _judge_all(call, rng, cases, X)
    _odd_leaks(call, rng, causal, X)


@EXERCISE.claim(0.5, side=True)
def input_left_alone(call, rng):
    """leaves X alone"""
    n, X = _tokens(rng)
    causal = self_attention(rng, reference.causal_mask(n))
    cases = {"causal attention": causal, "a leak in the middle": _drawn(rng, causal, n)}
    for attend in cases.values():
        call.leaves_inputs_alone(attend, X)
    with presupposed():
        _judge_all(call, rng, {**cases, "a function that reverses the tokens": lambda X: backwards(X).copy()}, X)
    _judge_all(call, rng, {"a function that returns a view of the tokens in reverse order": backwards}, X)
