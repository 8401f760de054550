"""Specification of `top_k_filter`."""

import numpy as np

from autograder.exercises.inputs import telling
from autograder.exercises.unit_08_decoding import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.top_k_filter,
    asks="the logits with only the k largest of every row kept, and -inf in place of the others.",
    returns=(Output("logits", "(..., V)"),),
    calls=calls.TOP_K_FILTER,
    lookalike=lookalikes.TOP_K_FILTER,
)


@EXERCISE.claim(0.5)
def values(call, rng):
    """keeps the k largest logits where they are and sets the others to -inf"""
    call.agrees(np.array([0.5, 3.0, -1.0, 2.0]), 2)  # by hand: ids 1 and 3 stay
    call.agrees(rng.standard_normal(9), int(rng.integers(3, 6)))
    call.agrees(rng.standard_normal(7).astype(np.float32), 4)
    call.agrees(1e10 * rng.standard_normal(6), 4)  # below any number that might stand for minus infinity


@EXERCISE.claim(0.25)
def rows(call, rng):
    """treats every row by itself, for any leading axes"""
    call.agrees(rng.standard_normal((4, 6)), 2)
    call.agrees(np.array([rng.permutation(np.arange(5.0)) for _ in range(3)]), 3)
    call.agrees(rng.standard_normal((2, 3, 7)), 3)
    call.agrees(rng.standard_normal((1, 3, 1, 5)), 2)


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone and returns a new array, also when all logits stay"""
    logits = rng.standard_normal(7)
    for k in (3, 7, 9):
        call.leaves_inputs_alone(logits, k)
    call.agrees(logits, 3)


@EXERCISE.claim(0.5)
def ties(call, rng):
    """keeps exactly k, of equal logits those of the lowest ids"""
    call.agrees(np.array([1.5, 2.5, 1.5, 0.0, 1.5]), 2)
    call.agrees(np.array([[0.0, 0.0, 0.0, 0.0], [3.0, 1.0, 3.0, 3.0]]), 3)
    call.agrees(np.array([-np.inf, 1.0, -np.inf, 2.0, -np.inf]), 3)  # as another filter leaves them
    call.agrees(rng.integers(0, 3, 300) / 2, int(rng.integers(130, 170)))  # a sort that is not stable shows


@EXERCISE.claim(0.25)
def limits(call, rng):
    """keeps all when k is V or more, and the largest alone when k is 1"""
    logits, _ = telling(EXERCISE, lambda: (rng.standard_normal(4), 1), "sorted", "order-taken-for-places")
    for k in (4, 9, 1):
        call.agrees(logits, k)


@EXERCISE.claim(0.25, side=True)
def below_one(call, rng):
    """a k below 1 raises a ValueError that mentions it"""
    logits = rng.standard_normal(4)
    call.refuses(logits, 0, mentions=[0])
    call.refuses(logits, -2, mentions=[-2])
    call.agrees(logits, 2)


wrong = WrongAnswers(EXERCISE, globals())


def _refuse(k):
    """Raise the reference's own error, so that a mistake is wrong in its one respect only."""
    reference.top_k_filter(np.zeros(1), k)


wrong("threshold", {
    "np.put_along_axis(kept, _descending(logits)[..., :k], True, axis=-1)":
        "kept = logits >= np.sort(logits, axis=-1)[..., -min(k, logits.shape[-1]), None]",
}, """
    Everything that is as large as the k-th largest logit is kept.
    Where several logits are equal to that one, more than k stay. A comparison of values cannot tell equal logits apart;
    their ids can.""")

wrong("threshold-alone", "np.where(logits >= np.sort(logits, axis=-1)[..., -k, None], logits, -np.inf)", """
    Everything that is as large as the k-th largest logit is kept, and k is not checked.
    Where several logits are equal to that one, more than k stay: their ids can tell them apart. A k above V keeps all
    logits, and a k below 1 is a mistake of the caller.""")

wrong("threshold-for-any-k",
      "np.where(logits >= np.sort(logits, axis=-1)[..., -min(k, logits.shape[-1]), None], logits, -np.inf)", """
    Everything that is as large as the k-th largest logit is kept, and a k below 1 is not refused.
    Where several logits are equal to that one, more than k stay: their ids can tell them apart. A k below 1 is a
    mistake of the caller, who should be told.""")

wrong("strict", {
    "np.put_along_axis(kept, _descending(logits)[..., :k], True, axis=-1)":
        "kept = (logits > np.sort(logits, axis=-1)[..., -min(k, logits.shape[-1]), None]) | (k >= logits.shape[-1])",
}, """
    The k-th largest logit is dropped.
    Only what is *larger* than the k-th largest stays, which is one too few (or more where logits are equal).""")

wrong("highest-ids", "top_k_filter(logits[..., ::-1], k)[..., ::-1].copy()", """
    Of equal logits those of the highest ids are kept.
    Reading an ascending sort backwards reverses the order of equal entries, too.""")

wrong("smallest", "-np.where(np.isfinite(top_k_filter(-logits, k)), -logits, np.inf)", """
    The k smallest logits are kept.
    NumPy sorts in ascending order, so the largest stand at the end.""")

wrong("exchanged", {"return _keep(logits, kept)": "return _keep(logits, ~kept)"}, """
    The k largest logits are dropped and the others kept.
    The two cases are swapped.""")

wrong("zeros", "np.where(np.isfinite(top_k_filter(logits, k)), top_k_filter(logits, k), 0.0)", """
    What is dropped is set to 0.
    A logit of 0 is a perfectly good logit: its exponential is 1. Only minus infinity becomes the probability 0.""")

wrong("probabilities", "softmax(top_k_filter(logits, k))", """
    Probabilities are returned.
    The filter goes from logits to logits, so that filters and temperature can follow one another. The softmax comes at
    the end.""")

wrong("only-k", {"return _keep(logits, kept)": "return -np.sort(-logits, axis=-1)[..., :k]"}, """
    Only the k largest logits are returned.
    Then nobody knows which tokens they belong to. Every logit stays in its place, and the shape stays, too.""")

wrong("sorted", "-np.sort(-top_k_filter(logits, k), axis=-1)", """
    The logits come back sorted.
    The place of a logit is the id of its token. If you sort, put things back afterwards.""")

wrong("all-rows-together", "top_k_filter(logits.reshape(-1), k).reshape(logits.shape)", """
    The k largest logits of the whole array are kept.
    Every row is a choice of its own. Sort along the last axis.""")

wrong("too-large-fails", {"    return _keep": "    np.sort(logits, axis=-1)[..., -k]\n    return _keep"}, """
    A k above the number of tokens raises an IndexError.
    There is nothing wrong with such a k: all tokens are kept.""")

wrong("same-array", "logits if k >= logits.shape[-1] else top_k_filter(logits, k)", """
    With a large k the caller's own array is returned.
    Anyone who changes the result later changes the logits, too. Always return a new array.""")

wrong("zero-as-one", "top_k_filter(logits, max(k, 1))", """
    A k below 1 is treated as 1.
    A caller who asks for no token at all has made a mistake and should be told.""")

wrong("zero-keeps-nothing", "top_k_filter(logits, k) if k > 0 else np.full(logits.shape, -np.inf)", """
    A k below 1 drops everything.
    A row of minus infinities has no softmax. Raise a ValueError: at least one token must stay.""")


@wrong.function
def in_place(logits, k):
    """The caller's logits are overwritten.
    Work on a copy, or let `np.where` make a new array. (An array of whole numbers cannot hold an infinity anyway.)"""
    kept = reference.top_k_filter(logits, k)
    logits[~np.isfinite(kept)] = -np.inf
    return logits


wrong("large-negative", {"-np.inf": "-1e9"}, """
    What is dropped is set to a large negative number.
    A logit may be lower still, and then what was dropped is the likelier choice. Nothing is below minus infinity.""")

wrong("one-too-few", {":k]": ": k - 1]"}, """
    One logit too few is kept.
    The first k entries of a sorted row are the slice `[:k]`: its end is not included.""")

wrong("wrong-axis", "np.swapaxes(top_k_filter(np.swapaxes(logits, 0, -1), k), 0, -1).copy()", """
    The k largest logits of every column are kept.
    The tokens lie along the last axis, whatever comes before it.""")


@wrong.function
def single_row(logits, k):
    """Only a single row can be filtered.
    With leading axes `logits[ids]` picks whole rows. `np.put_along_axis` writes into each row at its own ids."""
    _refuse(k)
    output = np.full(logits.shape, -np.inf)
    ids = np.argsort(-logits, axis=-1, kind="stable")[..., :k]
    output[ids] = logits[ids]
    return output


wrong("order-taken-for-places", {"return _keep(logits, kept)": "return _keep(logits, _descending(logits) < k)"}, """
    The ids in the order of their logits are taken for the places of the logits.
    `argsort` says which id comes first, second and so on. Its first k entries are the ids to keep; which place an id
    has, only a second `argsort` would tell.""")

wrong("one-too-many", {"[..., :k]": "[..., : k + 1]"}, """
    One logit too many is kept.
    A slice `[:k]` has k entries: its end is not included.""")

wrong("smallest-among-zeros",
      {"_descending(logits)[": "_descending(-logits)[", "(kept, logits, -np.inf)": "(kept, logits, 0.0)"}, """
    The k smallest logits are kept, and the others are set to 0.
    `argsort` begins with the smallest. And a logit of 0 is a possible token: exp(0) = 1. Only minus infinity has the
    probability 0.""")
