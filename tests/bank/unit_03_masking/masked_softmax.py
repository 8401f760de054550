"""Functions that learners wrote for `masked_softmax`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference
from transformer_kit.reference import softmax


@wrong(
    "multiplies the scores by the mask, so a hidden score becomes 0 and still earns exp(0)",
    names={"scores-times-mask"},
    line="scores = scores * mask",
)
def scores_times_mask(scores, mask=None, axis=-1):
    if mask is not None:
        scores = scores * mask
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "multiplies the weights by the mask after the softmax, so the hidden scores stay in the denominator and rows do "
    "not sum to 1",
    names={"weights-times-mask"},
    line="weights = weights * mask",
)
def mask_after_softmax(scores, mask=None, axis=-1):
    weights = reference.softmax(scores, axis=axis)
    if mask is not None:
        weights = weights * mask
    return weights


@wrong(
    "takes the softmax twice: of the scores, and again of the weights with -inf written over the hidden ones",
    names={"softmax-twice"},
    line="weights = reference.softmax(scores, axis)",
)
def softmax_twice(scores, mask=None, axis=-1):
    weights = reference.softmax(scores, axis)
    if mask is None:
        return weights
    weights = np.where(mask, weights, -np.inf)
    empty = ~np.broadcast_to(mask, scores.shape).any(axis=axis, keepdims=True)
    again = reference.softmax(np.where(empty, 0.0, weights), axis)
    return np.where(empty, 0.0, again)


@wrong(
    "hides with -1e9 instead of -inf, so a row in which nothing is visible gets equal weights instead of 0",
    names={"large-number"},
    line="scores = np.where(mask, scores, -1e9)",
)
def large_negative(scores, mask=None, axis=-1):
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    e = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


@wrong(
    "takes no care of a row in which nothing is visible: it becomes NaN instead of 0",
    names={"minus-infinity-only"},
    line=None,
)
def empty_rows_are_nan(scores, mask=None, axis=-1):
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    with np.errstate(invalid="ignore"):
        shifted = scores - scores.max(axis=axis, keepdims=True)
        e = np.exp(shifted)
        return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "shifts by the largest of all scores, hidden ones too: a high hidden score pushes the visible weights to 0",
    names={"largest-hidden"},
    line="e = np.exp(scores - scores.max(axis=axis, keepdims=True))",
)
def shift_by_hidden(scores, mask=None, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    if mask is not None:
        e = e * mask
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total == 0, 1.0, total)


@wrong(
    "ignores the parameter axis: always works along the last axis",
    names={"always-last-axis"},
    line="top = masked.max(axis=-1, keepdims=True)",
)
def last_axis_only(scores, mask=None, axis=-1):
    masked = scores if mask is None else np.where(mask, scores, -np.inf)
    top = masked.max(axis=-1, keepdims=True)
    top = np.where(np.isinf(top), 0, top)
    e = np.exp(masked - top)
    total = e.sum(axis=-1, keepdims=True)
    total[total == 0] = 1
    return e / total


@wrong(
    "writes -inf into the scores that it was given (changes its argument, and raises for whole numbers)",
    names={"in-place"},
    line="scores[~np.broadcast_to(mask, scores.shape)] = -np.inf",
)
def writes_into_scores(scores, mask=None, axis=-1):
    if mask is not None:
        scores[~np.broadcast_to(mask, scores.shape)] = -np.inf
    top = np.max(scores, axis=axis, keepdims=True)
    top = np.where(top == -np.inf, 0, top)
    e = np.exp(scores - top)
    s = e.sum(axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)


@wrong(
    "takes True for hidden: gives weights to the hidden keys and 0 to the visible ones",
    names={"inverted"},
    line="scores = np.where(mask, -np.inf, scores)",
)
def inverted(scores, mask=None, axis=-1):
    if mask is not None:
        scores = np.where(mask, -np.inf, scores)
    top = scores.max(axis=axis, keepdims=True)
    top[np.isneginf(top)] = 0
    e = np.exp(scores - top)
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1.0)


@wrong(
    "shifts every row by one maximum of the whole array, so rows of much lower scores underflow to 0",
    names={"one-largest-for-all"},
    line="biggest = visible.max()",
)
def one_maximum(scores, mask=None, axis=-1):
    visible = scores.astype(float) if mask is None else np.where(mask, scores, -np.inf)
    biggest = visible.max()
    if biggest == -np.inf:
        return np.zeros(scores.shape)
    e = np.exp(visible - biggest)
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total == 0, 1, total)


@wrong(
    "leaves out keepdims in its maximum and its sum, so for several rows they do not line up with the scores",
    names={"axis-dropped"},
    line="top = masked.max(axis=axis)",
)
def without_keepdims(scores, mask=None, axis=-1):
    masked = scores if mask is None else np.where(mask, scores, -np.inf)
    top = masked.max(axis=axis)
    top = np.where(top == -np.inf, 0.0, top)
    e = np.exp(masked - top)
    total = e.sum(axis=axis)
    return e / np.where(total == 0.0, 1.0, total)


@wrong(
    "does not handle a mask of None: NumPy takes it for False, and all weights are 0",
    names={"mask-needed"},
    line="masked = np.where(mask, scores, -np.inf)",
)
def none_hides_all(scores, mask=None, axis=-1):
    masked = np.where(mask, scores, -np.inf)
    top = masked.max(axis=axis, keepdims=True)
    top = np.where(top == -np.inf, 0, top)
    e = np.exp(masked - top)
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total == 0, 1, total)


@wrong(
    "gets NaN in a row in which nothing is visible and replaces it afterwards, so NumPy warns, which is forbidden",
    names={"minus-infinity-only"},
    line="e = np.exp(scores - scores.max(axis=axis, keepdims=True))",
)
def repairs_nan(scores, mask=None, axis=-1):
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    weights = e / e.sum(axis=axis, keepdims=True)
    return np.nan_to_num(weights)


@wrong(
    "does not shift by the largest score, so large scores overflow to infinity and NaN (and very low ones to 0)",
    names={"no-largest-subtracted"},
    line="e = np.exp(scores)",
)
def unshifted(scores, mask=None, axis=-1):
    e = np.exp(scores)
    if mask is not None:
        e = np.where(mask, e, 0.0)
    total = np.sum(e, axis=axis, keepdims=True)
    total[total == 0] = 1.0
    return e / total


@wrong(
    "cares for an empty row in the maximum but not in the sum: it divides 0 by 0 and gets NaN",
    names={"minus-infinity-only"},
    line="return e / e.sum(axis=axis, keepdims=True)",
)
def half_a_guard(scores, mask=None, axis=-1):
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    m = scores.max(axis=axis, keepdims=True)
    m = np.where(np.isfinite(m), m, 0)
    e = np.exp(scores - m)
    return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "looks only for a mask in which nothing at all is visible: a single empty row among others becomes NaN",
    names={"minus-infinity-only"},
    line="if not mask.any():",
)
def whole_mask_empty(scores, mask=None, axis=-1):
    if mask is not None:
        if not mask.any():
            return np.zeros(scores.shape)
        scores = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "hides with -10 only, so hidden keys keep a small weight, and an empty row gets weights",
    names={"minus-10"},
    line="scores = scores - 10.0 * ~mask",
)
def minus_ten(scores, mask=None, axis=-1):
    if mask is not None:
        scores = scores - 10.0 * ~mask
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@wrong(
    "gives a row in which nothing is visible equal weights instead of 0",
    names={"large-number"},
    line="out = np.where(empty, 1 / n, out)",
)
def equal_shares_for_empty(scores, mask=None, axis=-1):
    if mask is None:
        return reference.softmax(scores, axis)
    mask = np.broadcast_to(mask, scores.shape)
    n = scores.shape[axis]
    empty = ~mask.any(axis=axis, keepdims=True)
    out = reference.softmax(np.where(mask | empty, scores, -np.inf), axis)
    out = np.where(empty, 1 / n, out)
    return out


@wrong(
    "two: takes True for hidden, and takes no care of a row in which nothing is visible (NaN)",
    names={"inverted", "minus-infinity-only"},
    line="scores[np.broadcast_to(mask, scores.shape)] = -np.inf",
)
def inverted_and_nan(scores, mask=None, axis=-1):
    scores = np.array(scores, dtype=float)
    if mask is not None:
        scores[np.broadcast_to(mask, scores.shape)] = -np.inf
    scores -= scores.max(axis=axis, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=axis, keepdims=True)
    return scores


@wrong(
    "two: does not shift by the largest score (overflow), and adds 1e-6 to the sum, so rows do not quite sum to 1",
    names={"no-largest-subtracted"},
    line="e = np.exp(scores)",
)
def small_epsilon(scores, mask=None, axis=-1):
    e = np.exp(scores)
    if mask is not None:
        e = e * mask
    return e / (e.sum(axis=axis, keepdims=True) + 1e-6)


@wrong(
    "divides by the sum over the whole array instead of the sum along the axis",
    names={"sum-of-everything"},
    line="total = e.sum()",
)
def sum_of_everything(scores, mask=None, axis=-1):
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    m = scores.max(axis=axis, keepdims=True)
    m = np.where(m == -np.inf, 0.0, m)
    e = np.exp(scores - m)
    total = e.sum()
    return e / (total if total > 0 else 1.0)


@wrong(
    "half-finished: returns the exponentials without dividing by their sum", names={"not-normalised"}, line="return e"
)
def never_divides(scores, mask=None, axis=-1):
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top = scores.max(axis=axis, keepdims=True)
    e = np.exp(scores - np.where(top == -np.inf, 0.0, top))
    return e


@right
def with_minus_infinity(scores, mask=None, axis=-1):
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top = np.max(scores, axis=axis, keepdims=True)
    top = np.where(top == -np.inf, 0.0, top)
    e = np.exp(scores - top)
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total == 0, 1.0, total)


@right
def visible_maximum(scores, mask=None, axis=-1):
    scores = np.asarray(scores, dtype=float)
    visible = np.ones(scores.shape, bool) if mask is None else np.broadcast_to(mask, scores.shape)
    top = np.max(scores, axis=axis, keepdims=True, where=visible, initial=-np.inf)
    top[np.isneginf(top)] = 0
    e = np.zeros(scores.shape)
    np.exp(scores - top, out=e, where=visible)
    return e / np.maximum(e.sum(axis=axis, keepdims=True), 1e-300)


@right
def empty_rows_first(scores, mask=None, axis=-1):
    if mask is None:
        return reference.softmax(scores, axis)
    mask = np.broadcast_to(mask, scores.shape)
    some = mask.any(axis=axis, keepdims=True)
    weights = reference.softmax(np.where(mask, scores, np.where(some, -np.inf, 0.0)), axis)
    return np.where(some, weights, 0.0)


@right
def row_by_row(scores, mask=None, axis=-1):
    rows = np.moveaxis(scores, axis, -1)
    visible = np.moveaxis(np.broadcast_to(True if mask is None else mask, scores.shape), axis, -1)
    out = np.zeros(rows.shape)
    for place in np.ndindex(rows.shape[:-1]):
        seen = visible[place]
        if seen.any():
            e = np.exp(rows[place][seen] - rows[place][seen].max())
            out[place][seen] = e / e.sum()
    return np.moveaxis(out, -1, axis)


@wrong(
    "normalises twice: a softmax of everything first, so that visible scores far below hidden ones vanish",
    names={"largest-hidden"},
)
def everything_first(scores, mask=None, axis=-1):
    weights = softmax(scores, axis=axis)
    if mask is None:
        return weights
    weights = np.where(mask, weights, 0.0)
    total = weights.sum(axis=axis, keepdims=True)
    return np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)


@wrong("adds a small number to every sum")
def small_number_in_the_sum(scores, mask=None, axis=-1):
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top = scores.max(axis=axis, keepdims=True)
    e = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    return e / (e.sum(axis=axis, keepdims=True) + 1e-6)


@wrong("looks for empty rows along the last axis, whatever the axis")
def empty_along_the_last(scores, mask=None, axis=-1):
    if mask is None:
        return softmax(scores, axis)
    mask = np.broadcast_to(mask, scores.shape)
    empty = ~mask.any(axis=-1, keepdims=True)
    hidden = np.where(empty, 0.0, np.where(mask, scores, -np.inf))
    return np.where(mask, softmax(hidden, axis), 0.0)


@wrong(
    "fills in -1e-9 where -1e9 was meant, which is nearly 0",
    names={"scores-times-mask"},
    line="scores = np.where(mask, scores, -1e-9)",
)
def tiny_in_place_of_huge(scores, mask=None, axis=-1):
    if mask is None:
        return softmax(scores, axis)
    scores = np.where(mask, scores, -1e-9)
    return softmax(scores, axis)
