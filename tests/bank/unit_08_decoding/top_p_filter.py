"""Functions that learners wrote for `top_p_filter`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference
from transformer_kit.reference import softmax


@wrong(
    "drops the token that crosses p: keeps a place only where the sum including it is at most p, so even the "
    "likeliest token may go",
    names={"crossing-dropped", "may-be-empty"},
    line="keep_sorted = total <= p",
)
def crossing_token_dropped(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"p has to be in (0, 1], got {p}")
    order = np.argsort(-logits, axis=-1, kind="stable")
    probs = np.take_along_axis(reference.softmax(logits), order, axis=-1)
    total = np.cumsum(probs, axis=-1)
    keep_sorted = total <= p
    if p == 1:
        keep_sorted = probs > 0
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order, keep_sorted, axis=-1)
    return np.where(keep, logits, -np.inf)


@wrong(
    "keeps one token too many where the sum is exactly p: compares with <= instead of <",
    names={"more-than-p"},
    line="keep_sorted = before <= p",
)
def exact_boundary(logits, p):
    if p <= 0 or p > 1:
        raise ValueError(f"p = {p} is not in (0, 1]")
    order = np.argsort(-logits, axis=-1, kind="stable")
    probs = np.take_along_axis(reference.softmax(logits), order, axis=-1)
    before = np.cumsum(probs, axis=-1) - probs
    keep_sorted = before <= p
    if p == 1:
        keep_sorted = probs > 0
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order, keep_sorted, axis=-1)
    return np.where(keep, logits, -np.inf)


@wrong(
    "has no case for p = 1: very unlikely tokens are dropped once the sum has been rounded to 1",
    names={"tail-lost", "total-trusted-at-one"},
    line=None,
)
def no_case_for_one(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"p has to be in (0, 1], got {p}")
    order = np.argsort(-logits, axis=-1, kind="stable")
    probs = np.take_along_axis(reference.softmax(logits), order, axis=-1)
    before = np.zeros_like(probs)
    before[..., 1:] = np.cumsum(probs, axis=-1)[..., :-1]
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order, before < p, axis=-1)
    return np.where(keep, logits, -np.inf)


@wrong(
    "goes through the tokens in ascending order of probability, so the unlikeliest are kept",
    names={"ascending"},
    line='order = np.argsort(logits, axis=-1, kind="stable")',
)
def from_the_bottom(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"p has to be in (0, 1], got {p}")
    order = np.argsort(logits, axis=-1, kind="stable")
    probs = np.take_along_axis(reference.softmax(logits), order, axis=-1)
    before = np.cumsum(probs, axis=-1) - probs
    keep_sorted = probs > 0 if p == 1 else before < p
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order, keep_sorted, axis=-1)
    return np.where(keep, logits, -np.inf)


@wrong(
    "does not bring the marks back into the order of the ids: marks of sorted places are used for unsorted logits",
    names={"not-put-back"},
    line="return np.where(keep, logits, -np.inf)",
)
def marks_not_brought_back(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"p has to be in (0, 1], got {p}")
    probs = -np.sort(-reference.softmax(logits), axis=-1)
    before = np.cumsum(probs, axis=-1) - probs
    keep = before < p
    if p == 1:
        keep = probs > 0
    return np.where(keep, logits, -np.inf)


@wrong(
    "does not sort: adds the probabilities up in the order of the ids",
    names={"not-sorted"},
    line="before = np.cumsum(probs, axis=-1) - probs",
)
def not_sorted(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"p has to be in (0, 1], got {p}")
    probs = reference.softmax(logits)
    if p == 1:
        return np.where(probs > 0, logits, -np.inf)
    before = np.cumsum(probs, axis=-1) - probs
    return np.where(before < p, logits, -np.inf)


@wrong(
    "keeps every token whose own probability is at least p, without adding anything up",
    names={"own-probability"},
    line="keep = probs >= p",
)
def own_probability(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"p has to be in (0, 1], got {p}")
    probs = reference.softmax(logits)
    keep = probs >= p
    if p == 1:
        keep = probs > 0
    return np.where(keep, logits, -np.inf)


@wrong(
    "the running total has no axis, so it goes on over all rows of a batch and has the wrong shape",
    names={"total-without-axis"},
    line="total = np.cumsum(probs)",
)
def total_over_all_rows(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"p has to be in (0, 1], got {p}")
    order = np.argsort(-logits, axis=-1, kind="stable")
    probs = np.take_along_axis(reference.softmax(logits), order, axis=-1)
    total = np.cumsum(probs)
    before = total - probs
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order, (probs > 0) if p == 1 else (before < p), axis=-1)
    return np.where(keep, logits, -np.inf)


@wrong("refuses p = 1, which is allowed", names={"one-refused"}, line="if p <= 0 or p >= 1:")
def one_refused(logits, p):
    if p <= 0 or p >= 1:
        raise ValueError(f"p must be between 0 and 1, got {p}")
    order = np.argsort(-logits, axis=-1, kind="stable")
    probs = np.take_along_axis(reference.softmax(logits), order, axis=-1)
    before = np.cumsum(probs, axis=-1) - probs
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order, before < p, axis=-1)
    return np.where(keep, logits, -np.inf)


@wrong("does not raise for a p above 1", names={"above-one-accepted"}, line="if p <= 0:")
def above_one_accepted(logits, p):
    if p <= 0:
        raise ValueError(f"p has to be positive, got {p}")
    order = np.argsort(-logits, axis=-1, kind="stable")
    probs = np.take_along_axis(reference.softmax(logits), order, axis=-1)
    before = np.cumsum(probs, axis=-1) - probs
    keep_sorted = before < p
    if p >= 1:
        keep_sorted = probs > 0
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order, keep_sorted, axis=-1)
    return np.where(keep, logits, -np.inf)


@wrong(
    "returns log-probabilities shared out anew instead of leaving the kept logits unchanged",
    names={"log-probabilities"},
    line="return np.log(reference.softmax(out))",
)
def normalised_again(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"p has to be in (0, 1], got {p}")
    order = np.argsort(-logits, axis=-1, kind="stable")
    probs = np.take_along_axis(reference.softmax(logits), order, axis=-1)
    before = np.cumsum(probs, axis=-1) - probs
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order, (probs > 0) if p == 1 else (before < p), axis=-1)
    out = np.where(keep, logits, -np.inf)
    return np.log(reference.softmax(out))


@wrong(
    "adds up the logits instead of the probabilities",
    names={"logits-added"},
    line="ordered = np.take_along_axis(logits, order, axis=-1)",
)
def sums_logits(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"p has to be in (0, 1], got {p}")
    order = np.argsort(-logits, axis=-1, kind="stable")
    ordered = np.take_along_axis(logits, order, axis=-1)
    before = np.cumsum(ordered, axis=-1) - ordered
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order, before < p, axis=-1)
    if p == 1:
        keep = reference.softmax(logits) > 0
    return np.where(keep, logits, -np.inf)


@wrong(
    "keeps all tokens as likely as the last one that is kept, so ties are not cut by id",
    names={"equals-kept"},
    line="keep = probs >= limit",
)
def threshold_keeps_ties(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"p has to be in (0, 1], got {p}")
    probs = reference.softmax(logits)
    if p == 1:
        return np.where(probs > 0, logits, -np.inf)
    ordered = -np.sort(-probs, axis=-1)
    before = np.cumsum(ordered, axis=-1) - ordered
    limit = np.where(before < p, ordered, np.inf).min(axis=-1, keepdims=True)
    keep = probs >= limit
    return np.where(keep, logits, -np.inf)


@wrong(
    "two: the token that crosses p is dropped, and there is no case for p = 1",
    names={"crossing-dropped", "may-be-empty", "tail-lost"},
    line="inside = np.cumsum(probs, axis=-1) < p",
)
def crossing_and_one(logits, p):
    if p <= 0 or p > 1:
        raise ValueError(f"p is {p}")
    order = np.argsort(-logits, axis=-1, kind="stable")
    probs = np.take_along_axis(reference.softmax(logits), order, axis=-1)
    inside = np.cumsum(probs, axis=-1) < p
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order, inside, axis=-1)
    return np.where(keep, logits, -np.inf)


@wrong(
    "of equal logits the highest ids come first, because an ascending order is reversed",
    names={"highest-ids"},
    line='order = np.argsort(logits, axis=-1, kind="stable")[..., ::-1]',
)
def ties_to_highest(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"p has to be in (0, 1], got {p}")
    order = np.argsort(logits, axis=-1, kind="stable")[..., ::-1]
    probs = np.take_along_axis(reference.softmax(logits), order, axis=-1)
    before = np.cumsum(probs, axis=-1) - probs
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order, (probs > 0) if p == 1 else (before < p), axis=-1)
    return np.where(keep, logits, -np.inf)


@wrong(
    "works for a single row only: with leading axes the loop over the ids meets whole rows and raises",
    line="for i in order:",
)
def single_row_loop(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"p has to be in (0, 1], got {p}")
    probs = reference.softmax(logits)
    out = np.full(logits.shape, -np.inf)
    order = np.argsort(-logits, kind="stable")
    total = 0.0
    for i in order:
        if probs[i] == 0 or (total >= p and p < 1):
            break
        out[i] = logits[i]
        total += probs[i]
    return out


@wrong(
    "sets what is dropped to minus infinity in the argument itself, which changes it",
    names={"in-place"},
    line="logits[~keep] = -np.inf",
)
def changes_logits(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"p has to be in (0, 1], got {p}")
    order = np.argsort(-logits, axis=-1, kind="stable")
    probs = np.take_along_axis(reference.softmax(logits), order, axis=-1)
    before = np.cumsum(probs, axis=-1) - probs
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order, (probs > 0) if p == 1 else (before < p), axis=-1)
    logits[~keep] = -np.inf
    return logits


@wrong(
    "two: p is not checked, so nothing raises, and the dropped logits become 0 instead of minus infinity",
    names={"anything-accepted", "zeros"},
    line="return np.where(keep, logits, 0)",
)
def unchecked_and_zero(logits, p):
    order = np.argsort(-logits, axis=-1, kind="stable")
    probs = np.take_along_axis(reference.softmax(logits), order, axis=-1)
    before = np.cumsum(probs, axis=-1) - probs
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order, (probs > 0) if p == 1 else (before < p), axis=-1)
    return np.where(keep, logits, 0)


@right
def sum_before_each_place(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"p has to be in (0, 1], got {p}")
    order = np.argsort(-logits, axis=-1, kind="stable")
    probs = np.take_along_axis(reference.softmax(logits), order, axis=-1)
    before = np.cumsum(probs, axis=-1) - probs
    keep_sorted = probs > 0 if p == 1 else before < p - 1e-12
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order, keep_sorted, axis=-1)
    return np.where(keep, logits, -np.inf)


@right
def row_by_row(logits, p):
    if p <= 0 or p > 1:
        raise ValueError("p must be above 0 and at most 1, not " + str(p))
    out = np.full(logits.shape, -np.inf)
    probs = reference.softmax(logits)
    for index in np.ndindex(logits.shape[:-1]):
        row, total = probs[index], 0.0
        for i in sorted(range(len(row)), key=lambda i: (-logits[index][i], i)):
            if (p < 1 and total >= p - 1e-12) or row[i] == 0:
                break
            out[index][i] = logits[index][i]
            total += row[i]
    return out


@right
def how_many_stay(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"{p} is not in (0, 1]")
    probs = reference.softmax(logits)
    if p == 1:
        return np.where(probs == 0, -np.inf, logits)
    order = np.argsort(-logits, axis=-1, kind="stable")
    total = np.cumsum(np.take_along_axis(probs, order, axis=-1), axis=-1)
    count = 1 + np.sum(total < p, axis=-1, keepdims=True)
    rank = np.argsort(order, axis=-1, kind="stable")
    return np.where(rank < count, logits, -np.inf)


@wrong("keeps tokens that are likelier than 1 - p each", names={"rest-of-one"})
def each_above(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"p = {p}")
    return np.where(softmax(logits) >= 1 - p, logits, -np.inf)


@wrong(
    "adds up in the order of the ids, without sorting",
    names={"not-sorted"},
    line="reached = np.cumsum(probs, axis=-1)",
)
def unsorted(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"p = {p}")
    probs = softmax(logits)
    reached = np.cumsum(probs, axis=-1)
    return np.where(reached - probs < p, logits, -np.inf)


@wrong(
    "two: keeps every token as likely as the last one that stays, so that ties keep too many; has no case for p = 1",
    names={"equals-kept", "total-trusted-at-one"},
)
def threshold(logits, p):
    if p <= 0 or p > 1:
        raise ValueError(f"p must be in (0, 1], got {p}")
    probs = softmax(logits)
    falling = -np.sort(-probs, axis=-1)
    before = np.cumsum(falling, axis=-1) - falling
    least = np.where(before < p, falling, np.inf).min(axis=-1, keepdims=True)
    return np.where(probs >= least, logits, -np.inf)


@wrong("does not refuse p = 0", line="if p < 0 or p > 1:")
def zero_allowed(logits, p):
    if p < 0 or p > 1:
        raise ValueError(f"p = {p} is no probability")
    order = np.argsort(-logits, axis=-1, kind="stable")
    probs = np.take_along_axis(reference.softmax(logits), order, -1)
    keep = (np.cumsum(probs, -1) - probs < p) | (p == 1)
    kept = np.zeros(logits.shape, bool)
    np.put_along_axis(kept, order, keep, -1)
    return np.where(kept, logits, -np.inf)


@wrong(
    "keeps the tokens that are at least p times as likely as the likeliest",
    line="keep = probs >= p * probs.max(axis=-1, keepdims=True)",
)
def share_of_the_likeliest(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"p must be above 0 and at most 1, not {p}")
    probs = reference.softmax(logits)
    keep = probs >= p * probs.max(axis=-1, keepdims=True)
    return np.where(keep, logits, -np.inf)


@wrong(
    "returns the new probabilities instead of logits",
    names={"probabilities"},
    line="return reference.softmax(np.where(kept, logits, -np.inf))",
)
def probabilities_returned(logits, p):
    if not 0 < p <= 1:
        raise ValueError(f"p must be above 0 and at most 1, not {p}")
    order = np.argsort(-logits, axis=-1, kind="stable")
    probs = np.take_along_axis(reference.softmax(logits), order, -1)
    before = np.cumsum(probs, -1) - probs
    kept = np.zeros(logits.shape, bool)
    np.put_along_axis(kept, order, (before < p) | (p == 1), -1)
    return reference.softmax(np.where(kept, logits, -np.inf))
