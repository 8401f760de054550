"""The known mistakes of `top_p_filter`."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 8.5: top_p_filter"
BOUNDARY = "Predict: how many tokens are kept?"

MISTAKES = KnownMistakes()


def _descending(logits):
    return np.argsort(-logits, axis=-1, kind="stable")


def _reached(total, value, p):
    return total - value < p - 1e-12


def filtered(logits, p, keep=_reached, order=_descending, of=reference.softmax):
    """Keep what `keep` says of the running totals of `of(logits)` in the given order; right where p is 1 or refused."""
    if p == 1 or not 0 < p <= 1:
        return reference.top_p_filter(logits, p)
    places = order(logits)
    values = np.take_along_axis(of(logits), places, axis=-1)
    kept = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(kept, places, keep(np.cumsum(values, axis=-1), values, p), axis=-1)
    return np.where(kept, logits, -np.inf)


@MISTAKES.add(where=SECTION)
def crossing_dropped(logits, p):
    """The token that crosses p is dropped.

    What you keep then sums to less than p. The tokens that are kept should together reach p, and the crossing one
    is needed for that.
    """
    return filtered(logits, p, lambda total, value, p: (total <= p) | (total == value))


@MISTAKES.add(where=SECTION)
def may_be_empty(logits, p):
    """The token that crosses p is dropped, even if it is the first.

    When the likeliest token alone has more than p, nothing is left at all. The token with which the sum reaches p
    stays.
    """
    return filtered(logits, p, lambda total, value, p: total <= p)


@MISTAKES.add(where=SECTION)
def more_than_p(logits, p):
    """A sum of exactly p does not count as enough.

    The rule says *reached*, so a sum that equals p is enough. You take one token more.
    """
    return filtered(logits, p, lambda total, value, p: total - value <= p)


@MISTAKES.add(where=SECTION)
def not_put_back(logits, p):
    """The choice is made in sorted order and applied to the unsorted logits.

    After sorting, the first entry is the likeliest token, not the token with id 0. Bring the choice back into the
    order of the ids.
    """
    kept = np.isfinite(reference.top_p_filter(logits, p))
    return np.where(np.take_along_axis(kept, _descending(logits), axis=-1), logits, -np.inf)


@MISTAKES.add(where=SECTION, id="sorted")
def left_sorted(logits, p):
    """The logits come back sorted.

    The place of a logit is the id of its token. If you sort, put things back afterwards.
    """
    return -np.sort(-reference.top_p_filter(logits, p), axis=-1)


@MISTAKES.add(where=SECTION)
def ascending(logits, p):
    """The least likely tokens are taken first.

    NumPy sorts in ascending order. The sum has to begin with the largest probability.
    """
    return filtered(logits, p, order=lambda logits: np.argsort(logits, axis=-1, kind="stable"))


@MISTAKES.add(where=SECTION)
def not_sorted(logits, p):
    """The probabilities are added in the order of the ids.

    Whether a token stays would then depend on its number in the vocabulary. Begin with the likeliest.
    """
    return filtered(logits, p, order=lambda logits: np.broadcast_to(np.arange(logits.shape[-1]), logits.shape))


@MISTAKES.add(where=SECTION)
def own_probability(logits, p):
    """The tokens whose own probability is at least p are kept.

    It is the *sum* of the likeliest tokens that has to reach p. Hardly any token does so alone.
    """
    if not 0 < p <= 1:
        return reference.top_p_filter(logits, p)
    return np.where(reference.softmax(logits) >= p, logits, -np.inf)


@MISTAKES.add(where=SECTION)
def rest_of_one(logits, p):
    """Tokens stay whose own probability is at least 1 - p.

    It is the *sum* of the likeliest tokens that has to reach p. What a token has by itself does not decide.
    """
    if not 0 < p <= 1:
        return reference.top_p_filter(logits, p)
    return np.where(reference.softmax(logits) >= 1 - p, logits, -np.inf)


@MISTAKES.add(where=SECTION)
def share_of_tokens(logits, p):
    """The share p of all tokens is kept.

    p is a share of the probability, not of the number of tokens. The number follows from how the probability is
    spread.
    """
    if not 0 < p <= 1:
        return reference.top_p_filter(logits, p)
    return reference.top_k_filter(logits, int(np.ceil(p * logits.shape[-1])))


@MISTAKES.add(where=SECTION)
def logits_added(logits, p):
    """Logits are added up, not probabilities.

    Logits may be negative and sum to anything. Only probabilities can be compared with p.
    """
    return filtered(logits, p, of=lambda logits: logits)


@MISTAKES.add(where=SECTION)
def equals_kept(logits, p):
    """Everything that is as large as the last logit kept is kept, too.

    Of equal logits only as many stay as are needed to reach p. A comparison of values cannot tell them apart; their
    ids can.
    """
    kept = reference.top_p_filter(logits, p)
    least = np.where(np.isfinite(kept), kept, np.inf).min(axis=-1, keepdims=True)
    return np.where(logits >= least, logits, -np.inf)


@MISTAKES.add(where=SECTION)
def highest_ids(logits, p):
    """Of equal logits those of the highest ids are kept.

    Reading an ascending sort backwards reverses the order of equal entries, too.
    """
    return reference.top_p_filter(logits[..., ::-1], p)[..., ::-1].copy()


@MISTAKES.add(where=BOUNDARY)
def tail_lost(logits, p):
    """With p = 1 very unlikely tokens are lost.

    In floating point the sum may be 1 before the last tokens have been added: 1 + 1e-22 is 1. Yet their probability
    is not 0.
    """
    return filtered(logits, np.nextafter(1.0, 0.0) if p == 1 else p)


@MISTAKES.add(where=SECTION)
def all_rows_together(logits, p):
    """All rows are treated as one.

    Every row is a distribution of its own and reaches p on its own.
    """
    return reference.top_p_filter(logits.reshape(-1), p).reshape(logits.shape)


@MISTAKES.add(where=SECTION)
def zeros(logits, p):
    """What is dropped is set to 0.

    A logit of 0 is a perfectly good logit: its exponential is 1. Only minus infinity becomes the probability 0.
    """
    kept = reference.top_p_filter(logits, p)
    return np.where(np.isfinite(kept), kept, 0.0)


@MISTAKES.add(where=SECTION)
def probabilities(logits, p):
    """Probabilities are returned.

    The filter goes from logits to logits, so that filters and temperature can follow one another. The softmax comes
    at the end.
    """
    return reference.softmax(reference.top_p_filter(logits, p))


@MISTAKES.add(where=SECTION)
def log_probabilities(logits, p):
    """The logarithms of the new probabilities are returned.

    They lead to the same probabilities. But where a logit stays, it should stay as it came in.
    """
    kept = reference.top_p_filter(logits, p)
    finite = np.isfinite(kept)
    probs = np.where(finite, reference.softmax(kept), 1.0)
    return np.where(finite, np.log(probs), -np.inf)


@MISTAKES.add(where=SECTION)
def anything_accepted(logits, p):
    """A p of 0 or below, or above 1, is accepted.

    A share of the probability lies between 0 and 1. A caller who passes 90 was thinking in per cent and should be told.
    """
    if p <= 0:
        return reference.top_k_filter(logits, 1)
    return reference.top_p_filter(logits, min(p, 1.0))


@MISTAKES.add(where=SECTION)
def above_one_accepted(logits, p):
    """A p above 1 is accepted.

    No sum of probabilities reaches 1.25. A caller who asks for it has made a mistake and should be told.
    """
    return reference.top_p_filter(logits, min(p, 1.0))


@MISTAKES.add(where=SECTION)
def one_refused(logits, p):
    """p = 1 is refused.

    p = 1 asks for the whole probability, and that is possible: the filter then keeps everything.
    """
    if p == 1:
        raise ValueError(f"p must be between 0 and 1, got {p}")
    return reference.top_p_filter(logits, p)


@MISTAKES.add(where=SECTION)
def in_place(logits, p):
    """The caller's logits are overwritten.

    Work on a copy, or let `np.where` make a new array. (An array of whole numbers cannot hold an infinity anyway.)
    """
    kept = reference.top_p_filter(logits, p)
    logits[~np.isfinite(kept)] = -np.inf
    return logits
