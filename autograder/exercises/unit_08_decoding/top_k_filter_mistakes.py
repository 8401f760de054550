"""The known mistakes of `top_k_filter`."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference

SECTION = "Exercise 8.4: top_k_filter"
EXACTLY = "Exactly k"


def _refuse(k):
    """Raise the reference's own error, so that a mistake is wrong in its one respect only."""
    reference.top_k_filter(np.zeros(1), k)


def _threshold(logits, k):
    _refuse(k)
    k = min(k, logits.shape[-1])
    least = np.sort(logits, axis=-1)[..., -k, None]
    return np.where(logits >= least, logits, -np.inf)


def _strict(logits, k):
    _refuse(k)
    if k >= logits.shape[-1]:
        return reference.top_k_filter(logits, k)
    least = np.sort(logits, axis=-1)[..., -k, None]
    return np.where(logits > least, logits, -np.inf)


def _highest_ids(logits, k):
    return reference.top_k_filter(logits[..., ::-1], k)[..., ::-1].copy()


def _smallest(logits, k):
    return -np.where(np.isfinite(reference.top_k_filter(-logits, k)), -logits, np.inf)


def _dropped(logits, k):
    _refuse(k)
    kept = np.isfinite(reference.top_k_filter(logits, k))
    return np.where(kept, -np.inf, logits)


def _zeros(logits, k):
    kept = reference.top_k_filter(logits, k)
    return np.where(np.isfinite(kept), kept, 0.0)


def _probabilities(logits, k):
    return reference.softmax(reference.top_k_filter(logits, k))


def _only_k(logits, k):
    _refuse(k)
    return -np.sort(-logits.astype(float), axis=-1)[..., :k]


def _sorted(logits, k):
    return -np.sort(-reference.top_k_filter(logits, k), axis=-1)


def _all_rows_together(logits, k):
    return reference.top_k_filter(logits.reshape(-1), k).reshape(logits.shape)


def _too_large_fails(logits, k):
    _refuse(k)
    np.sort(logits, axis=-1)[..., -k]  # where a learner looks the threshold up
    return reference.top_k_filter(logits, k)


def _kept_without_copy(logits, k):
    return logits if k >= logits.shape[-1] else reference.top_k_filter(logits, k)


def _zero_accepted(logits, k):
    return reference.top_k_filter(logits, max(k, 1))


def _zero_keeps_nothing(logits, k):
    return reference.top_k_filter(logits, k) if k > 0 else np.full(logits.shape, -np.inf)


def _in_place(logits, k):
    kept = reference.top_k_filter(logits, k)
    logits[~np.isfinite(kept)] = -np.inf
    return logits


MISTAKES = (
    Mistake(
        "threshold",
        "Everything that is as large as the k-th largest logit is kept",
        _threshold,
        "Where several logits are equal to that one, more than k stay. A comparison of values cannot tell equal "
        "logits apart; their ids can.",
        EXACTLY,
    ),
    Mistake(
        "strict",
        "The k-th largest logit is dropped",
        _strict,
        "Only what is *larger* than the k-th largest stays, which is one too few (or more where logits are equal).",
        EXACTLY,
    ),
    Mistake(
        "highest-ids",
        "Of equal logits those of the highest ids are kept",
        _highest_ids,
        "Reading an ascending sort backwards turns the order of equal entries round, too.",
        EXACTLY,
    ),
    Mistake(
        "smallest",
        "The k smallest logits are kept",
        _smallest,
        "NumPy sorts in ascending order, so the largest stand at the end.",
        SECTION,
    ),
    Mistake(
        "exchanged",
        "The k largest logits are dropped and the others kept",
        _dropped,
        "The two cases are exchanged.",
        SECTION,
    ),
    Mistake(
        "zeros",
        "What is dropped is set to 0",
        _zeros,
        "A logit of 0 is a perfectly good logit: its exponential is 1. Only minus infinity becomes the probability 0.",
        SECTION,
    ),
    Mistake(
        "probabilities",
        "Probabilities are returned",
        _probabilities,
        "The filter goes from logits to logits, so that filters and temperature can follow one another. The "
        "softmax comes at the end.",
        SECTION,
    ),
    Mistake(
        "only-k",
        "Only the k largest logits are returned",
        _only_k,
        "Then nobody knows which tokens they belong to. Every logit stays at its place, and the shape stays, too.",
        SECTION,
    ),
    Mistake(
        "sorted",
        "The logits come back sorted",
        _sorted,
        "The place of a logit is the id of its token. Whoever sorts must put things back afterwards.",
        SECTION,
    ),
    Mistake(
        "all-rows-together",
        "The k largest logits of the whole array are kept",
        _all_rows_together,
        "Every row is a choice of its own. Sort along the last axis.",
        SECTION,
    ),
    Mistake(
        "too-large-fails",
        "A k above the number of tokens raises an IndexError",
        _too_large_fails,
        "There is nothing wrong with such a k: all tokens are kept.",
        EXACTLY,
    ),
    Mistake(
        "same-array",
        "With a large k the caller's own array is returned",
        _kept_without_copy,
        "Whoever changes the result later also changes the logits. Return a new array in all cases.",
        SECTION,
    ),
    Mistake(
        "zero-as-one",
        "A k below 1 is taken for 1",
        _zero_accepted,
        "Whoever asks for no token at all has made a mistake and should hear of it.",
        EXACTLY,
    ),
    Mistake(
        "zero-keeps-nothing",
        "A k below 1 drops everything",
        _zero_keeps_nothing,
        "A row of minus infinities has no softmax. Say with a ValueError that at least one token must stay.",
        EXACTLY,
    ),
    Mistake(
        "in-place",
        "The caller's logits are overwritten",
        _in_place,
        "Work on a copy, or let `np.where` make a new array. (An array of whole numbers cannot hold an infinity "
        "anyway.)",
        SECTION,
    ),
)
