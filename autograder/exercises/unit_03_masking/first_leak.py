"""Specification of `first_leak`."""

import numpy as np

from autograder.call import Failed
from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_03_masking.attends import (
    WIDTH,
    backwards,
    leaking,
    looks_back,
    noisy,
    peeking,
    renormalised,
    self_attention,
    shifted,
)
from autograder.exercises.unit_03_masking.first_leak_mistakes import MISTAKES, SECTION
from transformer_kit import reference
from transformer_kit.leaks import mask_on_weights

N = 6  # tokens


def _no_mask_at_all(call, rng):
    X = rng.standard_normal((N, WIDTH))
    _judges(call, "a function that only looks back", looks_back, X)
    _judges(call, "causal attention", self_attention(rng, reference.causal_mask(N)), X)
    _judges(call, "attention without a mask", self_attention(rng, None), X)


def _broken_masks(call, rng):
    X = rng.standard_normal((N, WIDTH))
    causal = reference.causal_mask(N)
    _judges(call, "a mask that is one position too far", self_attention(rng, np.tri(N, k=1, dtype=bool)), X)
    _judges(call, "an inverted mask", self_attention(rng, ~causal), X)
    _judges(call, "a mask on the weights", self_attention(rng, causal, mask_on_weights), X)
    _judges(call, "a mask on the weights, renormalised", self_attention(rng, causal, renormalised), X)


def _hidden_leaks(call, rng):
    X = rng.standard_normal((N, WIDTH))
    causal = self_attention(rng, reference.causal_mask(N))
    _judges(call, "a leak at the last position but one", peeking(causal, at=N - 2, token=N - 1), X)
    _judges(call, "a leak from the last token only", peeking(causal, at=1, token=N - 1), X)
    _judges(call, "two leaks", peeking(peeking(causal, at=4, token=5), at=2, token=3), X)
    _judges(call, "a weak leak", peeking(shifted(causal), at=3, token=4, strength=1e-6), X)
    _judges(call, "causal attention with rounding noise", noisy(causal), X)
    _odd_leaks(call, causal, X)


def _odd_leaks(call, causal, X):
    """Judge leaks that are seen only by changes and comparisons of every kind; none depends on the amounts."""
    last, signs = np.eye(WIDTH)[-1], np.resize([1.0, -1.0], WIDTH)
    begun = np.where(np.arange(N)[:, None] < 3, X, 0.0)
    _judges(call, "a leak in the last feature only", leaking(causal, 1, lambda X: last * X[5]), X)
    _judges(call, "a leak whose entries sum to 0", leaking(causal, 3, lambda X: signs * X[4, 0]), X)
    _judges(call, "a leak of squares", leaking(causal, 2, lambda X: X[3] ** 2), X)
    _judges(call, "a leak from a token of zeros", peeking(causal, at=3, token=4), begun)
    _judges(call, "a leak that only lowers entries", leaking(causal, 2, lambda X: -np.abs(X[4])), begun)
    _judges(call, "a leak of 5e-9", leaking(causal, 4, lambda X: 5e-9 * np.sign(X[5])), begun)


def _input_left_alone(call, rng):
    X = rng.standard_normal((N, WIDTH))
    causal = self_attention(rng, reference.causal_mask(N))
    _judges(call, "causal attention", causal, X)
    _judges(call, "a leak in the middle", peeking(causal, at=2, token=3), X)
    _judges(call, "a function that returns a view of the tokens in reverse order", backwards, X)
    call.leaves_inputs_alone(causal, X)


def _judges(call, what, attend, X):
    """Require the reference's verdict; the message says what was to be judged."""
    try:
        call.agrees(attend, X)
    except Failed as failed:
        raise Failed(f"given {what}: {failed.text}", failed.difference) from None


EXERCISE = Exercise(
    reference=reference.first_leak,
    asks="the first position whose output moves when later tokens are changed, or None.",
    returns=(Returned("position"),),
    where=SECTION,
    claims=(
        Claim("tells causal attention from attention without a mask", 0.5, _no_mask_at_all),
        Claim("judges masks that are off by one, inverted, or put on the weights", 0.5, _broken_masks),
        Claim("finds a leak at any position, from any later token, however weak", 0.5, _hidden_leaks),
        Claim("leaves X alone", 0.5, _input_left_alone),
    ),
    mistakes=MISTAKES,
)
