"""The known mistakes of `top_p_filter`."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference

SECTION = "Exercise 8.5: top_p_filter"
DOWN = "From the top down until p is reached"
BOUNDARY = "Predict: a sum that should be 0.8"


def _descending(logits):
    return np.argsort(-logits, axis=-1, kind="stable")


def _reached(total, value, p):
    return total - value < p - 1e-12


def _filter(logits, p, keep=_reached, order=_descending, of=reference.softmax):
    """Keep what `keep` says of the running totals of `of(logits)` in the given order; right where p is 1 or refused."""
    if p == 1 or not 0 < p <= 1:
        return reference.top_p_filter(logits, p)
    places = order(logits)
    values = np.take_along_axis(of(logits), places, axis=-1)
    kept = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(kept, places, keep(np.cumsum(values, axis=-1), values, p), axis=-1)
    return np.where(kept, logits, -np.inf)


def _crossing_dropped(logits, p):
    return _filter(logits, p, lambda total, value, p: (total <= p) | (total == value))


def _may_be_empty(logits, p):
    return _filter(logits, p, lambda total, value, p: total <= p)


def _more_than_p(logits, p):
    return _filter(logits, p, lambda total, value, p: total - value <= p)


def _ascending(logits, p):
    return _filter(logits, p, order=lambda logits: np.argsort(logits, axis=-1, kind="stable"))


def _not_sorted(logits, p):
    return _filter(logits, p, order=lambda logits: np.broadcast_to(np.arange(logits.shape[-1]), logits.shape))


def _logits_added(logits, p):
    return _filter(logits, p, of=lambda logits: logits)


def _not_put_back(logits, p):
    kept = np.isfinite(reference.top_p_filter(logits, p))
    return np.where(np.take_along_axis(kept, _descending(logits), axis=-1), logits, -np.inf)


def _sorted(logits, p):
    return -np.sort(-reference.top_p_filter(logits, p), axis=-1)


def _own_probability(logits, p):
    if not 0 < p <= 1:
        return reference.top_p_filter(logits, p)
    return np.where(reference.softmax(logits) >= p, logits, -np.inf)


def _share_of_tokens(logits, p):
    if not 0 < p <= 1:
        return reference.top_p_filter(logits, p)
    return reference.top_k_filter(logits, int(np.ceil(p * logits.shape[-1])))


def _equals_kept(logits, p):
    kept = reference.top_p_filter(logits, p)
    least = np.where(np.isfinite(kept), kept, np.inf).min(axis=-1, keepdims=True)
    return np.where(logits >= least, logits, -np.inf)


def _highest_ids(logits, p):
    return reference.top_p_filter(logits[..., ::-1], p)[..., ::-1].copy()


def _tail_lost(logits, p):
    return _filter(logits, np.nextafter(1.0, 0.0) if p == 1 else p)


def _all_rows_together(logits, p):
    return reference.top_p_filter(logits.reshape(-1), p).reshape(logits.shape)


def _zeros(logits, p):
    kept = reference.top_p_filter(logits, p)
    return np.where(np.isfinite(kept), kept, 0.0)


def _probabilities(logits, p):
    return reference.softmax(reference.top_p_filter(logits, p))


def _log_probs(logits, p):
    kept = reference.top_p_filter(logits, p)
    finite = np.isfinite(kept)
    probs = np.where(finite, reference.softmax(kept), 1.0)
    return np.where(finite, np.log(probs), -np.inf)


def _anything_accepted(logits, p):
    if p <= 0:
        return reference.top_k_filter(logits, 1)
    return reference.top_p_filter(logits, min(p, 1.0))


def _above_one_accepted(logits, p):
    return reference.top_p_filter(logits, min(p, 1.0))


def _one_refused(logits, p):
    if p == 1:
        raise ValueError(f"p must be between 0 and 1, got {p}")
    return reference.top_p_filter(logits, p)


def _in_place(logits, p):
    kept = reference.top_p_filter(logits, p)
    logits[~np.isfinite(kept)] = -np.inf
    return logits


MISTAKES = (
    Mistake(
        "crossing-dropped",
        "The token that crosses p is dropped",
        _crossing_dropped,
        "What you keep then sums to less than p. The tokens that are kept should together reach p, and the "
        "crossing one is needed for that.",
        DOWN,
    ),
    Mistake(
        "may-be-empty",
        "The token that crosses p is dropped, even if it is the first",
        _may_be_empty,
        "When the likeliest token alone has more than p, nothing is left at all. Keep tokens until p is reached, "
        "not while it is not exceeded.",
        DOWN,
    ),
    Mistake(
        "more-than-p",
        "A sum of exactly p does not count as enough",
        _more_than_p,
        "The rule says *reached*, so a sum that equals p is enough. You take one token more.",
        DOWN,
    ),
    Mistake(
        "not-put-back",
        "The choice is made in sorted order and applied to the unsorted logits",
        _not_put_back,
        "After sorting, the first entry is the likeliest token, not the token with id 0. Bring the choice back "
        "into the order of the ids.",
        DOWN,
    ),
    Mistake(
        "sorted",
        "The logits come back sorted",
        _sorted,
        "The place of a logit is the id of its token. Whoever sorts must put things back afterwards.",
        DOWN,
    ),
    Mistake(
        "ascending",
        "The least likely tokens are taken first",
        _ascending,
        "NumPy sorts in ascending order. The sum has to begin with the largest probability.",
        DOWN,
    ),
    Mistake(
        "not-sorted",
        "The probabilities are added in the order of the ids",
        _not_sorted,
        "Whether a token stays would then depend on its number in the vocabulary. Begin with the likeliest.",
        DOWN,
    ),
    Mistake(
        "own-probability",
        "Tokens stay whose own probability is at least p",
        _own_probability,
        "It is the *sum* of the likeliest tokens that has to reach p. Hardly any token does so alone.",
        DOWN,
    ),
    Mistake(
        "share-of-tokens",
        "The share p of all tokens is kept",
        _share_of_tokens,
        "p is a share of the probability, not of the number of tokens. The number follows from how the "
        "probability is spread.",
        DOWN,
    ),
    Mistake(
        "logits-added",
        "Logits are added up, not probabilities",
        _logits_added,
        "Logits may be negative and sum to anything. Only probabilities can be compared with p.",
        DOWN,
    ),
    Mistake(
        "equals-kept",
        "Everything that is as large as the last logit kept is kept, too",
        _equals_kept,
        "Of equal logits only as many stay as are needed to reach p. A comparison of values cannot tell them "
        "apart; their ids can.",
        DOWN,
    ),
    Mistake(
        "highest-ids",
        "Of equal logits those of the highest ids are kept",
        _highest_ids,
        "Reading an ascending sort backwards turns the order of equal entries round, too.",
        DOWN,
    ),
    Mistake(
        "tail-lost",
        "With p = 1 very unlikely tokens are lost",
        _tail_lost,
        "In floating point the sum may be 1 before the last tokens have been added: 1 + 1e-22 is 1. Yet their "
        "probability is not 0.",
        BOUNDARY,
    ),
    Mistake(
        "all-rows-together",
        "All rows are treated as one",
        _all_rows_together,
        "Every row is a distribution of its own and reaches p on its own.",
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
        "log-probabilities",
        "The logarithms of the new probabilities are returned",
        _log_probs,
        "They lead to the same probabilities. But where a logit stays, it should stay as it came in.",
        SECTION,
    ),
    Mistake(
        "anything-accepted",
        "A p of 0 or below, or above 1, is accepted",
        _anything_accepted,
        "A share of the probability lies between 0 and 1. Whoever passes 90 has thought of per cent and should "
        "hear of it.",
        SECTION,
    ),
    Mistake(
        "above-one-accepted",
        "A p above 1 is accepted",
        _above_one_accepted,
        "No sum of probabilities reaches 1.25. Whoever asks for it has made a mistake and should hear of it.",
        SECTION,
    ),
    Mistake(
        "one-refused",
        "p = 1 is refused",
        _one_refused,
        "p = 1 asks for the whole probability, and that is possible: the filter then keeps everything.",
        SECTION,
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
