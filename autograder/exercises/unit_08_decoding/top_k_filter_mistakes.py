"""The known mistakes of `top_k_filter`."""

import numpy as np

from autograder.exercises.edited import edited
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import unit_08_decoding as unit_08

SECTION = "Exercise 8.4: top_k_filter"

MISTAKES = KnownMistakes()


def _refuse(k):
    """Raise the reference's own error, so that a mistake is wrong in its one respect only."""
    reference.top_k_filter(np.zeros(1), k)


@MISTAKES.add(where=SECTION)
def threshold(logits, k):
    """Everything that is as large as the k-th largest logit is kept.

    Where several logits are equal to that one, more than k stay. A comparison of values cannot tell equal logits
    apart; their ids can.
    """
    _refuse(k)
    k = min(k, logits.shape[-1])
    least = np.sort(logits, axis=-1)[..., -k, None]
    return np.where(logits >= least, logits, -np.inf)


@MISTAKES.add(where=SECTION)
def threshold_alone(logits, k):
    """Everything that is as large as the k-th largest logit is kept, and k is not checked.

    Where several logits are equal to that one, more than k stay: their ids can tell them apart. A k above V keeps all
    logits, and a k below 1 is a mistake of the caller.
    """
    least = np.sort(logits, axis=-1)[..., -k, None]
    return np.where(logits >= least, logits, -np.inf)


@MISTAKES.add(where=SECTION)
def threshold_for_any_k(logits, k):
    """Everything that is as large as the k-th largest logit is kept, and a k below 1 is not refused.

    Where several logits are equal to that one, more than k stay: their ids can tell them apart. A k below 1 is a
    mistake of the caller, who should be told.
    """
    least = np.sort(logits, axis=-1)[..., -min(k, logits.shape[-1]), None]
    return np.where(logits >= least, logits, -np.inf)


@MISTAKES.add(where=SECTION)
def strict(logits, k):
    """The k-th largest logit is dropped.

    Only what is *larger* than the k-th largest stays, which is one too few (or more where logits are equal).
    """
    _refuse(k)
    if k >= logits.shape[-1]:
        return reference.top_k_filter(logits, k)
    least = np.sort(logits, axis=-1)[..., -k, None]
    return np.where(logits > least, logits, -np.inf)


@MISTAKES.add(where=SECTION)
def highest_ids(logits, k):
    """Of equal logits those of the highest ids are kept.

    Reading an ascending sort backwards reverses the order of equal entries, too.
    """
    return reference.top_k_filter(logits[..., ::-1], k)[..., ::-1].copy()


def _kept(logits, ids):
    kept = np.full(logits.shape, False)
    np.put_along_axis(kept, ids, True, axis=-1)
    return np.where(kept, logits, -np.inf)


@MISTAKES.add(where=SECTION)
def smallest(logits, k):
    """The k smallest logits are kept.

    NumPy sorts in ascending order, so the largest stand at the end.
    """
    return -np.where(np.isfinite(reference.top_k_filter(-logits, k)), -logits, np.inf)


@MISTAKES.add(where=SECTION)
def exchanged(logits, k):
    """The k largest logits are dropped and the others kept.

    The two cases are swapped.
    """
    _refuse(k)
    kept = np.isfinite(reference.top_k_filter(logits, k))
    return np.where(kept, -np.inf, logits)


@MISTAKES.add(where=SECTION)
def zeros(logits, k):
    """What is dropped is set to 0.

    A logit of 0 is a perfectly good logit: its exponential is 1. Only minus infinity becomes the probability 0.
    """
    kept = reference.top_k_filter(logits, k)
    return np.where(np.isfinite(kept), kept, 0.0)


@MISTAKES.add(where=SECTION)
def probabilities(logits, k):
    """Probabilities are returned.

    The filter goes from logits to logits, so that filters and temperature can follow one another. The softmax comes
    at the end.
    """
    return reference.softmax(reference.top_k_filter(logits, k))


@MISTAKES.add(where=SECTION)
def only_k(logits, k):
    """Only the k largest logits are returned.

    Then nobody knows which tokens they belong to. Every logit stays in its place, and the shape stays, too.
    """
    _refuse(k)
    return -np.sort(-logits.astype(float), axis=-1)[..., :k]


@MISTAKES.add(where=SECTION, id="sorted")
def left_sorted(logits, k):
    """The logits come back sorted.

    The place of a logit is the id of its token. If you sort, put things back afterwards.
    """
    return -np.sort(-reference.top_k_filter(logits, k), axis=-1)


@MISTAKES.add(where=SECTION)
def all_rows_together(logits, k):
    """The k largest logits of the whole array are kept.

    Every row is a choice of its own. Sort along the last axis.
    """
    return reference.top_k_filter(logits.reshape(-1), k).reshape(logits.shape)


@MISTAKES.add(where=SECTION)
def too_large_fails(logits, k):
    """A k above the number of tokens raises an IndexError.

    There is nothing wrong with such a k: all tokens are kept.
    """
    _refuse(k)
    np.sort(logits, axis=-1)[..., -k]  # where a learner looks the threshold up
    return reference.top_k_filter(logits, k)


@MISTAKES.add(where=SECTION)
def same_array(logits, k):
    """With a large k the caller's own array is returned.

    Anyone who changes the result later changes the logits, too. Always return a new array.
    """
    return logits if k >= logits.shape[-1] else reference.top_k_filter(logits, k)


@MISTAKES.add(where=SECTION)
def zero_as_one(logits, k):
    """A k below 1 is treated as 1.

    A caller who asks for no token at all has made a mistake and should be told.
    """
    return reference.top_k_filter(logits, max(k, 1))


@MISTAKES.add(where=SECTION)
def zero_keeps_nothing(logits, k):
    """A k below 1 drops everything.

    A row of minus infinities has no softmax. Raise a ValueError: at least one token must stay.
    """
    return reference.top_k_filter(logits, k) if k > 0 else np.full(logits.shape, -np.inf)


@MISTAKES.add(where=SECTION)
def in_place(logits, k):
    """The caller's logits are overwritten.

    Work on a copy, or let `np.where` make a new array. (An array of whole numbers cannot hold an infinity anyway.)
    """
    kept = reference.top_k_filter(logits, k)
    logits[~np.isfinite(kept)] = -np.inf
    return logits


@MISTAKES.add(where=SECTION)
def large_negative(logits, k):
    """What is dropped is set to a large negative number.

    A logit may be lower still, and then what was dropped is the likelier choice. Nothing is below minus infinity.
    """
    _refuse(k)
    rank = np.argsort(np.argsort(-logits, axis=-1, kind="stable"), axis=-1, kind="stable")
    return np.where(rank < k, logits, -1e9)


@MISTAKES.add(where=SECTION)
def one_too_few(logits, k):
    """One logit too few is kept.

    The first k entries of a sorted row are the slice `[:k]`: its end is not included.
    """
    _refuse(k)
    return reference.top_k_filter(logits, k - 1) if k > 1 else np.full(logits.shape, -np.inf)


@MISTAKES.add(where=SECTION)
def wrong_axis(logits, k):
    """The k largest logits of every column are kept.

    The tokens lie along the last axis, whatever comes before it.
    """
    return np.swapaxes(reference.top_k_filter(np.swapaxes(logits, 0, -1), k), 0, -1).copy()


@MISTAKES.add(where=SECTION)
def single_row(logits, k):
    """Only a single row can be filtered.

    With leading axes `logits[ids]` picks whole rows. `np.put_along_axis` writes into each row at its own ids.
    """
    _refuse(k)
    output = np.full(logits.shape, -np.inf)
    ids = np.argsort(-logits, axis=-1, kind="stable")[..., :k]
    output[ids] = logits[ids]
    return output


@MISTAKES.add(where=SECTION)
def order_taken_for_places(logits, k):
    """The ids in the order of their logits are taken for the places of the logits.

    `argsort` says which id comes first, second and so on. Its first k entries are the ids to keep; which place an id
    has, only a second `argsort` would tell.
    """
    _refuse(k)
    return np.where(np.argsort(-logits, axis=-1, kind="stable") < k, logits, -np.inf)


@MISTAKES.add(where=SECTION)
@edited(reference.top_k_filter, {"[..., :k]": "[..., : k + 1]"})
def one_too_many():
    """One logit too many is kept.

    A slice `[:k]` has k entries: its end is not included.
    """


@MISTAKES.add(where=SECTION)
@edited(
    reference.top_k_filter,
    {"_descending(logits)": "_descending(-logits)", "(kept, logits, -np.inf)": "(kept, logits, 0.0)"},
    unit_08._keep,
)
def smallest_among_zeros():
    """The k smallest logits are kept, and the others are set to 0.

    `argsort` begins with the smallest. And a logit of 0 is a possible token: exp(0) = 1. Only minus infinity has the
    probability 0.
    """
