"""Functions that learners wrote for `top_k_filter`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference


@wrong(
    "keeps all logits that reach the k-th largest value, so ties keep more than k",
    names={"threshold"},
    line="return np.where(logits >= threshold, logits, -np.inf)",
)
def threshold_keeps_ties(logits, k):
    if k < 1:
        raise ValueError(f"k has to be at least 1, got {k}")
    k = min(k, logits.shape[-1])
    threshold = np.sort(logits, axis=-1)[..., -k, None]
    return np.where(logits >= threshold, logits, -np.inf)


@wrong(
    "keeps only logits above the k-th largest value, so the k-th itself is dropped",
    names={"strict"},
    line="return np.where(logits > threshold, logits, -np.inf)",
)
def strictly_above(logits, k):
    if k < 1:
        raise ValueError(f"k has to be at least 1, got {k}")
    if k >= logits.shape[-1]:
        return logits.copy()
    threshold = np.sort(logits, axis=-1)[..., [-k]]
    return np.where(logits > threshold, logits, -np.inf)


@wrong(
    "sorts upwards, so the k smallest logits are kept",
    names={"smallest"},
    line='order = np.argsort(logits, axis=-1, kind="stable")',
)
def keeps_smallest(logits, k):
    if k < 1:
        raise ValueError(f"k = {k} is too small")
    order = np.argsort(logits, axis=-1, kind="stable")
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order[..., :k], True, axis=-1)
    return np.where(keep, logits, -np.inf)


@wrong(
    "reverses an ascending order, so of equal logits the highest ids win",
    names={"highest-ids"},
    line='order = np.argsort(logits, axis=-1, kind="stable")[..., ::-1]',
)
def ties_to_highest(logits, k):
    if k < 1:
        raise ValueError(f"k must be >= 1, got {k}")
    order = np.argsort(logits, axis=-1, kind="stable")[..., ::-1]
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order[..., :k], True, axis=-1)
    return np.where(keep, logits, -np.inf)


@wrong(
    "keeps the k largest of the whole array instead of those of every row",
    names={"all-rows-together"},
    line='order = np.argsort(-logits.ravel(), kind="stable")[:k]',
)
def of_the_whole_array(logits, k):
    if k < 1:
        raise ValueError(f"k must be >= 1, got {k}")
    order = np.argsort(-logits.ravel(), kind="stable")[:k]
    out = np.full(logits.size, -np.inf)
    out[order] = logits.ravel()[order]
    return out.reshape(logits.shape)


@wrong(
    "sets the dropped logits to 0 instead of minus infinity",
    names={"zeros"},
    line="return np.where(keep, logits, 0.0)",
)
def zero_for_dropped(logits, k):
    if k < 1:
        raise ValueError(f"k must be >= 1, got {k}")
    order = np.argsort(-logits, axis=-1, kind="stable")[..., :k]
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order, True, axis=-1)
    return np.where(keep, logits, 0.0)


@wrong(
    "returns only the k largest logits, sorted, not an array of the shape of the logits",
    names={"only-k"},
    line="return np.sort(logits, axis=-1)[..., ::-1][..., :k]",
)
def returns_the_k(logits, k):
    if k < 1:
        raise ValueError(f"k is {k}, but must be 1 or more")
    return np.sort(logits, axis=-1)[..., ::-1][..., :k]


@wrong("does not raise for a k below 1", names={"zero-keeps-nothing"}, line=None)
def no_error(logits, k):
    order = np.argsort(-logits, axis=-1, kind="stable")
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order[..., :k], True, axis=-1)
    return np.where(keep, logits, -np.inf)


@wrong(
    "raises only for a negative k: k = 0 passes and everything is dropped",
    names={"zero-keeps-nothing"},
    line="if k < 0:",
)
def zero_allowed(logits, k):
    if k < 0:
        raise ValueError(f"k must not be negative: {k}")
    order = np.argsort(-logits, axis=-1, kind="stable")
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order[..., :k], True, axis=-1)
    return np.where(keep, logits, -np.inf)


@wrong("the message of the ValueError does not contain k", line='raise ValueError("k must be at least 1")')
def message_without_k(logits, k):
    if k < 1:
        raise ValueError("k must be at least 1")
    order = np.argsort(-logits, axis=-1, kind="stable")
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order[..., :k], True, axis=-1)
    return np.where(keep, logits, -np.inf)


@wrong(
    "writes minus infinity into the argument itself, which changes it",
    names={"in-place"},
    line="np.put_along_axis(logits, dropped, -np.inf, axis=-1)",
)
def changes_logits(logits, k):
    if k < 1:
        raise ValueError(f"k has to be at least 1, got {k}")
    order = np.argsort(-logits, axis=-1, kind="stable")
    dropped = order[..., k:]
    np.put_along_axis(logits, dropped, -np.inf, axis=-1)
    return logits


@wrong(
    "raises an IndexError where k is larger than the number of tokens, instead of keeping all",
    names={"too-large-fails"},
    line="kth = np.sort(row)[-k]",
)
def large_k_fails(logits, k):
    if k < 1:
        raise ValueError(f"k has to be at least 1, got {k}")
    out = np.full(logits.shape, -np.inf)
    for index in np.ndindex(logits.shape[:-1]):
        row = logits[index]
        kth = np.sort(row)[-k]
        above = np.flatnonzero(row > kth)
        equal = np.flatnonzero(row == kth)[: k - len(above)]
        out[index][above] = row[above]
        out[index][equal] = row[equal]
    return out


@wrong(
    "keeps one logit too few: the slice of the order ends at k - 1",
    names={"one-too-few", "strict"},
    line="best = order[..., : k - 1]",
)
def one_too_few(logits, k):
    if k < 1:
        raise ValueError(f"k has to be at least 1, got {k}")
    order = np.argsort(-logits, axis=-1, kind="stable")
    best = order[..., : k - 1]
    out = np.full(logits.shape, -np.inf)
    np.put_along_axis(out, best, np.take_along_axis(logits, best, axis=-1), axis=-1)
    return out


@wrong(
    "sorts along axis 0, across the rows, instead of along the last axis",
    names={"wrong-axis"},
    line='order = np.argsort(-logits, axis=0, kind="stable")',
)
def across_rows(logits, k):
    if k < 1:
        raise ValueError(f"k has to be at least 1, got {k}")
    order = np.argsort(-logits, axis=0, kind="stable")
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order[:k], True, axis=0)
    return np.where(keep, logits, -np.inf)


@wrong(
    "returns the probabilities of the filtered logits instead of logits",
    names={"probabilities"},
    line="return reference.softmax(filtered)",
)
def returns_probabilities(logits, k):
    if k < 1:
        raise ValueError(f"k has to be at least 1, got {k}")
    order = np.argsort(-logits, axis=-1, kind="stable")[..., :k]
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order, True, axis=-1)
    filtered = np.where(keep, logits, -np.inf)
    return reference.softmax(filtered)


@wrong(
    "two: a k below 1 is silently taken as 1 instead of raising, and ties keep more than k because of a threshold",
    names={"threshold", "zero-as-one"},
    line="k = max(k, 1)",
)
def threshold_without_error(logits, k):
    k = max(k, 1)
    first = max(logits.shape[-1] - k, 0)
    threshold = np.sort(logits, axis=-1)[..., first : first + 1]
    keep = logits >= threshold
    return np.where(keep, logits, -np.inf)


@wrong(
    "works for a single row only: with leading axes the ids are used as indices of rows",
    names={"single-row"},
    line="out[best] = logits[best]",
)
def single_row(logits, k):
    if k < 1:
        raise ValueError(f"k has to be at least 1, got {k}")
    best = np.argsort(-logits, kind="stable")[..., :k]
    out = np.full(logits.shape, -np.inf)
    out[best] = logits[best]
    return out


@wrong(
    "two: the k smallest logits are kept instead of the largest, and the others become 0 instead of minus infinity",
    names={"smallest", "zeros", "smallest-among-zeros"},
    line='order = np.argsort(logits, axis=-1, kind="stable")[..., :k]',
)
def smallest_and_zero(logits, k):
    if k < 1:
        raise ValueError(f"k has to be at least 1, got {k}")
    order = np.argsort(logits, axis=-1, kind="stable")[..., :k]
    out = np.zeros(logits.shape)
    np.put_along_axis(out, order, np.take_along_axis(logits, order, axis=-1), axis=-1)
    return out


@right
def marked_by_rank(logits, k):
    if k < 1:
        raise ValueError(f"k has to be at least 1, got {k}")
    order = np.argsort(-logits, axis=-1, kind="stable")
    keep = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(keep, order[..., :k], True, axis=-1)
    return np.where(keep, logits, -np.inf)


@right
def row_by_row(logits, k):
    if k < 1:
        raise ValueError("k must be positive, not " + str(k))
    out = np.full(logits.shape, -np.inf)
    for index in np.ndindex(logits.shape[:-1]):
        row = logits[index]
        best = sorted(range(len(row)), key=lambda i: -row[i])[:k]
        for i in best:
            out[index][i] = row[i]
    return out


@right
def ranks_of_ranks(logits, k):
    if k <= 0:
        raise ValueError(f"cannot keep {k} tokens")
    rank = np.argsort(np.argsort(-logits, axis=-1, kind="stable"), axis=-1, kind="stable")
    out = logits.astype(float)
    out[rank >= k] = -np.inf
    return out


@right
def one_maximum_after_the_other(logits, k):
    if k < 1:
        raise ValueError(f"k = {k}")
    keep = np.zeros(logits.shape, dtype=bool)
    for _ in range(min(k, logits.shape[-1])):
        rest = np.where(keep, -np.inf, logits)
        best = rest.argmax(axis=-1)[..., None]
        keep |= np.arange(logits.shape[-1]) == best
    return np.where(keep, logits, -np.inf)


@wrong("refuses a k larger than the number of tokens, which is allowed", line="if k < 1 or k > logits.shape[-1]:")
def refuses_large_k(logits, k):
    if k < 1 or k > logits.shape[-1]:
        raise ValueError(f"k = {k} is out of range")
    order = np.argsort(-logits, axis=-1, kind="stable")[..., :k]
    kept = np.zeros(logits.shape, bool)
    np.put_along_axis(kept, order, True, axis=-1)
    return np.where(kept, logits, -np.inf)


@wrong(
    "takes the order, which says which id comes at which place, for the places of the ids",
    names={"order-taken-for-places"},
    line='places = np.argsort(-logits, axis=-1, kind="stable")',
)
def order_for_rank(logits, k):
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    places = np.argsort(-logits, axis=-1, kind="stable")
    return np.where(places < k, logits, -np.inf)


@wrong(
    "sets the dropped logits to -1e9 instead of minus infinity",
    names={"large-negative"},
    line="out = np.full(logits.shape, -1e9)",
)
def large_instead_of_infinite(logits, k):
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    top = np.argsort(-logits, axis=-1, kind="stable")[..., :k]
    out = np.full(logits.shape, -1e9)
    np.put_along_axis(out, top, np.take_along_axis(logits, top, -1), -1)
    return out


@wrong("two mistakes: keeps the k smallest, and puts 0 in place of the others", names={"smallest-among-zeros"})
def smallest_and_zeros(logits, k):
    if k < 1:
        raise ValueError(f"{k}")
    out = np.zeros(logits.shape)
    order = np.argsort(logits, axis=-1)[..., :k]
    np.put_along_axis(out, order, np.take_along_axis(logits, order, -1), -1)
    return out


@wrong(
    "keeps k + 1 logits",
    names={"one-too-many"},
    line='keep = np.argsort(-logits, axis=-1, kind="stable")[..., : k + 1]',
)
def slice_one_too_long(logits, k):
    if k < 1:
        raise ValueError(f"k must be at least 1; got {k}")
    keep = np.argsort(-logits, axis=-1, kind="stable")[..., : k + 1]
    out = np.full(logits.shape, -np.inf)
    np.put_along_axis(out, keep, np.take_along_axis(logits, keep, axis=-1), axis=-1)
    return out
