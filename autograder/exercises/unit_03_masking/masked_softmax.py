"""Specification of `masked_softmax`."""

import numpy as np

from autograder.exercises.inputs import agrees_here, random_mask
from autograder.exercises.unit_03_masking import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

EMPTY = "Predict: a row with nothing to see"
ON_THE_WEIGHTS = "Find the error: the mask on the weights"
HOW_LARGE = "Predict: a large negative number instead"
CONVENTION = "The convention of this course"

EXERCISE = Exercise(
    reference=reference.masked_softmax,
    asks="the softmax over what the mask lets through, and exactly 0 elsewhere.",
    returns=(Output("weights", "the shape of scores"),),
    calls=calls.MASKED_SOFTMAX,
    lookalike=lookalikes.MASKED_SOFTMAX,
)


@EXERCISE.claim(1)
def values(call, rng):
    """equals the softmax over the visible scores"""
    call.agrees(np.ones((3, 3)), reference.causal_mask(3))  # by hand: 1; 1/2, 1/2; 1/3, 1/3, 1/3
    call.agrees(rng.standard_normal((4, 7)), random_mask(rng, 4, 7))


@EXERCISE.claim(0.5)
def sums(call, rng):
    """hidden weights are exactly 0, and every row sums to 1"""
    mask = random_mask(rng, 4, 8)
    weights = call.array(mask.shape, rng.standard_normal(mask.shape), mask, kinds="f")
    largest = np.abs(weights[~mask]).max()
    call.holds(largest == 0, f"a hidden key has weight {largest:.6g}; it must be exactly 0.")
    sums = weights.sum(axis=-1)
    off = sums[np.abs(sums - 1).argmax()]
    call.holds(np.allclose(sums, 1), f"a row of weights sums to {off:.6g}; it must be 1.")


@EXERCISE.claim(0.5)
def extreme_scores(call, rng):
    """survives scores of ±1000, even hidden ones"""
    mask = reference.causal_mask(3, 5)
    scores = rng.standard_normal(mask.shape)
    call.agrees(scores + 1000.0, mask)
    call.agrees(scores + np.array([[1000.0], [0.0], [-1000.0]]), mask)
    call.agrees(np.where(mask, scores, 1000.0), mask)  # a hidden score must not make the visible ones underflow
    call.agrees(np.where(mask, scores, -1000.0), mask)


@EXERCISE.claim(0.5)
def low_scores(call, rng):
    """a visible score counts, however low it is"""
    mask = reference.causal_mask(3, 5)
    call.agrees(rng.integers(-2, 3, mask.shape) - 2e9, mask)


@EXERCISE.claim(1)
def nothing_visible(call, rng):
    """where nothing is visible, along any axis, the weights are 0, without NaN or a warning"""
    mask = random_mask(rng, 4, 6)
    mask[int(rng.integers(4))] = False
    call.agrees_quietly(rng.standard_normal(mask.shape), mask)
    call.agrees_quietly(rng.standard_normal((2, 3, 5)), np.zeros((2, 3, 5), dtype=bool))
    mask = random_mask(rng, 5, 3).T
    mask[:, int(rng.integers(5))] = False
    call.agrees_quietly(rng.standard_normal(mask.shape), mask, axis=0)
    call.agrees_quietly(rng.standard_normal((2, *mask.shape)), mask, axis=1)


@EXERCISE.claim(0.5)
def no_mask(call, rng):
    """without a mask it is the ordinary softmax, stable at ±1000"""
    call.agrees(rng.standard_normal((3, 5)))
    call.agrees(rng.standard_normal((2, 3, 7)))
    call.agrees(rng.standard_normal((3, 5)) + np.array([[1000.0], [0.0], [-1000.0]]))


@EXERCISE.claim(0.5)
def any_axis(call, rng):
    """works along any axis, with one mask for a whole batch"""
    mask = random_mask(rng, 5, 3).T
    call.agrees(rng.standard_normal((3, 5)), mask, axis=0)
    call.agrees(rng.standard_normal((2, 3, 5)), mask, axis=-2)  # one mask for a whole batch
    call.agrees(rng.standard_normal((2, 3, 4, 6)), random_mask(rng, 2, 1, 1, 6))
    call.agrees(rng.standard_normal((1, 3, 1, 6)), random_mask(rng, 6))


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone, and also takes whole numbers and float32"""
    mask = random_mask(rng, 4, 7)
    scores = rng.standard_normal(mask.shape)
    call.leaves_inputs_alone(scores, mask)
    call.agrees(scores, mask)
    agrees_here(call, rng.integers(-2, 3, mask.shape), mask)
    agrees_here(call, scores.astype(np.float32), mask)


wrong = WrongAnswers(EXERCISE, globals())


def normalised(weights, axis):
    """Divide by the sum, except where it is 0."""
    total = weights.sum(axis=axis, keepdims=True)
    return weights / np.where(total == 0, 1, total)


def full_mask(scores, mask):
    """Return the mask in the shape of the scores; without one everything is visible."""
    return np.broadcast_to(True if mask is None else mask, scores.shape)


wrong("mask-ignored", "softmax(scores, axis)", """
    The mask has no effect.
    The argument is accepted but never used, so every key stays visible.""")

wrong.at(CONVENTION)
wrong("inverted", "masked_softmax(scores, None if mask is None else ~mask, axis)", """
    What should be hidden is visible, and the reverse.
    In this course True means “may attend”. Look at which of the two numbers goes where the mask is True.""")

wrong.at(ON_THE_WEIGHTS)
wrong("scores-times-mask", "softmax(scores if mask is None else scores * mask, axis)", """
    Hidden scores count as 0, or nearly 0, instead of minus infinity.
    A score of 0 is nothing special: exp(0) = 1, so the hidden key keeps a weight. So it does with -1e-9, which is
    nearly 0 and easily typed for -1e9.""")

wrong.at(CONVENTION)
wrong("mask-added", "softmax(scores if mask is None else scores + mask, axis)", """
    The boolean mask is added to the scores.
    In a sum True counts as 1 and False as 0, so a hidden score is lower by 1 and its key keeps a weight. What is added
    must be minus infinity where a key is hidden.""")

wrong.at(ON_THE_WEIGHTS)
wrong("weights-times-mask", "softmax(scores, axis) if mask is None else softmax(scores, axis) * mask", """
    The mask is put on the weights, after the softmax.
    The rows no longer sum to 1, and the hidden scores still act through the sum that the softmax divided by.""")

wrong("softmax-twice", "masked_softmax(softmax(scores, axis), mask, axis)", """
    The mask is put on the weights and the softmax is taken a second time.
    The softmax of weights is much flatter than the softmax of scores. Mask the scores, then take one softmax.""")

wrong("infinite-weights", "np.where(full_mask(scores, mask), softmax(scores, axis), -np.inf)", """
    Minus infinity is written into the weights.
    Minus infinity belongs to the scores, where the exponential turns it into 0. As a weight it makes every output
    infinite or NaN.""")

wrong("renormalised",
      "(weights := softmax(scores, axis) * full_mask(scores, mask)) / weights.sum(axis=axis, keepdims=True)", """
    The weights are masked and divided by their sum, although all of them may be 0.
    This equals masking the scores only as long as something is left. A hidden score far above the others pushes every
    visible weight to 0 first, and an empty row has no sum to divide by.""")

wrong.at("How large scores stay harmless")
wrong("largest-hidden", "normalised(softmax(scores, axis) * full_mask(scores, mask), axis)", """
    The largest score is looked for among the hidden ones too.
    A hidden score far above the visible ones then makes all the visible exponentials 0. Only what is visible may decide
    by how much the scores are shifted.""")

wrong.at(EMPTY)
wrong("large-number", "softmax(np.where(full_mask(scores, mask), scores, -1000000000.0), axis)", """
    A row in which nothing is visible gets equal weights.
    A large negative number such as -1e9 in place of minus infinity does that: when all scores are equal, so are the
    weights. The query then attends to everything that was hidden from it.""")

wrong("minus-infinity-only", "softmax(np.where(full_mask(scores, mask), scores, -np.inf), axis)", """
    A row in which nothing is visible comes out as NaN.
    Its largest score is -∞, and -∞ - (-∞) has no value. With another number in the place of the largest the sum is 0,
    and 0 / 0 has no value either. Treat such a row by itself.""")

wrong.at(HOW_LARGE)
wrong("nan-replaced",
      "np.nan_to_num(softmax(np.where(full_mask(scores, mask), scores, -np.inf), axis))", """
    Where nothing is visible, the weights are computed as NaN and replaced by 0 afterwards.
    The numbers are right, but NumPy warns on the way, and a NaN from anywhere else silently becomes a 0.
    Keep the NaN from arising: it comes from `-inf - (-inf)`, or from 0 / 0.""")

wrong("minus-10", "softmax(np.where(full_mask(scores, mask), scores, -10.0), axis)", """
    Minus 10 stands for minus infinity.
    exp(-10) is small, but not 0: a hidden key keeps a weight, and a large one where all scores are low.""")

wrong.at()
wrong("zero-times-infinity", "softmax(scores + (1 - full_mask(scores, mask)) * -np.inf, axis)", """
    Infinity is multiplied by 0.
    0 · ∞ is NaN, so every visible entry turns into NaN. Choose between the score and -∞ instead.""")

wrong.at("How large scores stay harmless")
wrong("no-largest-subtracted", "normalised(np.exp(np.where(full_mask(scores, mask), scores, -np.inf)), axis)", """
    The exponentials overflow or vanish.
    exp(1000) is too large for a float, and exp(-1000) is 0. Shift every row before you take exponentials.""")

wrong("unstable-without-mask", {
    "scores - largest": "scores - (0 if mask is None else largest)",
    "np.maximum(total, 1)": "np.where(total == 0, 1, total)",
}, """
    Without a mask the exponentials overflow or vanish.
    You shift the rows only where there is a mask. Scores can be as large without one, so shift them always.""")

wrong.at(EMPTY)


@wrong.function
def empty_along_last_axis(scores, mask=None, axis=-1):
    """Empty rows are looked for along the last axis, whatever `axis` is.
    With another `axis` the weights are shared out along that one, so that is where a row can be empty. Look along
    it."""
    visible = full_mask(scores, mask)
    empty = ~visible.any(axis=-1, keepdims=True)
    return reference.softmax(np.where(visible | empty, scores, -np.inf), axis) * visible


@wrong.function
def empty_in_mask(scores, mask=None, axis=-1):
    """Empty rows are looked for in the mask as it was given, which may have fewer axes than the scores.
    Axis 1 of the scores is then another axis of the mask, or none at all. Give the mask the shape of the scores first,
    or look for rows whose largest score is -∞."""
    if mask is None:
        return reference.softmax(scores, axis)
    visible = mask.any(axis=axis, keepdims=True)
    return np.where(visible, reference.softmax(np.where(visible, np.where(mask, scores, -np.inf), 0), axis), 0)


wrong.at("How large scores stay harmless")
wrong("one-largest-for-all", {
    "scores.max(axis=axis, keepdims=True)": "scores.max()",
    "np.maximum(total, 1)": "np.where(total == 0, 1, total)",
}, """
    One largest score is subtracted from all rows.
    A row whose scores are far below those of another row then vanishes. Every row needs its own.""")

wrong.at()
wrong("always-last-axis", "masked_softmax(scores, mask)", """
    The argument `axis` is ignored.
    Both the largest score and the sum have to be taken along `axis`.""")

wrong("not-normalised", {" / np.maximum(total, 1)": ""}, """
    The exponentials are not divided by their sum.
    Weights have to sum to 1, and exponentials alone do not.""")

wrong("mask-needed", "masked_softmax(np.where(mask, scores, -np.inf), None, axis)", """
    Without a mask everything is hidden.
    NumPy takes None for False, so every score becomes minus infinity. None means that there is no mask.""")

wrong("boolean-index",
      {"scores = np.where(mask, scores, -np.inf)": "scores = scores.copy()\n        scores[~mask] = -np.inf"}, """
    The function only works when the mask has the full shape of the scores.
    A mask may have fewer or shorter axes than the scores. Broadcasting takes care of that; a mask in square brackets,
    as an index, does not.""")

wrong("in-place", {
    "    scores = as_float(scores)\n": "",
    "scores = np.where(mask, scores, -np.inf)": "scores[~np.broadcast_to(mask, scores.shape)] = -np.inf",
}, """
    Minus infinity is written into the caller's scores.
    The scores are not yours to change, and whole numbers have no infinity. Make a new array.""")

wrong("axis-dropped", {
    "exponentials.sum(axis=axis, keepdims=True)": "exponentials.sum(axis=axis)",
    "np.maximum(total, 1)": "total",
}, """
    A sum or a maximum has lost the axis that it ran along.
    Then NumPy lines the sums up with another axis, or refuses. `keepdims=True` keeps an axis of length 1 in its
    place.""")

wrong("sum-of-everything", {"exponentials.sum(axis=axis, keepdims=True)": "exponentials.sum()"}, """
    Everything is divided by the sum of the whole array.
    Every query has a budget of its own: each set of scores along `axis` is divided by its own sum.""")

wrong("sum-of-everything-may-be-0",
      {"exponentials.sum(axis=axis, keepdims=True)": "exponentials.sum()", "np.maximum(total, 1)": "total"}, """
    Everything is divided by the sum of the whole array, even if that is 0.
    Every query has a budget of its own: divide by the sum along `axis`. Where nothing is visible, that sum is 0.""")

wrong("everything-together", {
    "np.maximum(scores.max(axis=axis, keepdims=True), np.finfo(scores.dtype).min)": "scores.max()",
    "exponentials.sum(axis=axis, keepdims=True)": "exponentials.sum()",
    "np.maximum(total, 1)": "total",
}, """
    The largest score and the sum are those of the whole array.
    Every query has a budget of its own: both have to be taken along `axis`, for each set of scores by itself.""")


@wrong.function
def visible_together(scores, mask=None, axis=-1):
    """All visible scores go into one softmax.
    `scores[mask]` puts them into one long list, and nobody knows any more which query they belong to. Every query has a
    budget of its own."""
    if mask is None:
        mask = np.ones(scores.shape, dtype=bool)
    visible = np.exp(scores[mask] - scores[mask].max())
    weights = np.zeros(scores.shape)
    weights[mask] = visible / visible.sum()
    return weights


wrong.at(HOW_LARGE)
wrong("large-number-mended",
      "softmax(scores, axis) if mask is None else np.where(mask, softmax(np.where(mask, scores, -1e9), axis), 0)", """
    A large negative number stands for minus infinity, and the hidden weights are set to 0 afterwards.
    That mends the rows in which nothing is visible. But a visible score may be lower than your number: then the hidden
    ones win, and nothing is left for the visible ones. Only minus infinity is below all numbers.""")
