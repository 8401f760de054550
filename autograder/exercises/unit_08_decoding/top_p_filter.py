"""Specification of `top_p_filter`."""

import numpy as np

from autograder.exercises.inputs import telling
from autograder.exercises.unit_08_decoding import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

BOUNDARY = "Predict: how many tokens are kept?"

# Multiples of ln 2 that start at 0: every way of writing a softmax gives exactly 1/8, 1/2, 1/8, 1/4.
EIGHTHS = np.array([0.0, 2.0, 0.0, 1.0]) * np.log(2)

EXERCISE = Exercise(
    reference=reference.top_p_filter,
    asks="the logits with only the likeliest tokens kept, as many as it takes to reach p, and -inf elsewhere.",
    returns=(Output("logits", "(..., V)"),),
    calls=calls.TOP_P_FILTER,
    lookalike=lookalikes.TOP_P_FILTER,
)


@EXERCISE.claim(0.75)
def values(call, rng):
    """keeps the likeliest tokens until their probabilities reach p"""
    call.agrees(np.log([1.0, 4.0, 2.0, 3.0]), 0.8)  # by hand: tenths; 4 + 3 fall short of 8, 4 + 3 + 2 reach it
    for p in (0.4, 0.7, 0.9):
        call.agrees(rng.standard_normal(8), p)
    call.agrees(rng.standard_normal(6).astype(np.float32), 0.6)
    logits = rng.permutation([0.0, 0.5, 1.0, 1.5, 2.0]) + rng.uniform(-0.1, 0.1, 5)
    reached = float(-np.sort(-reference.softmax(logits))[:2].sum())
    for little in (-5e-7, 5e-7):  # two tokens just reach p, or just do not
        call.agrees(logits, reached + little)
    for level in (-1000.0, 1000.0):
        call.agrees(level + rng.standard_normal(5), 0.8)  # a softmax that is not stable gives NaN here


@EXERCISE.claim(0.5)
def boundaries(call, rng):
    """the token that crosses p is kept; a sum of exactly p is enough"""
    for p in (0.5, 0.75, 0.6):
        call.agrees(np.insert(rng.permutation(EIGHTHS), rng.integers(5, size=2), -np.inf), p)


@EXERCISE.claim(0.5)
def at_least_one(call, rng):
    """keeps at least one token, however small p is"""
    logits, p = telling(EXERCISE, lambda: (rng.standard_normal(7), 1e-3), alike=["logits-added"])
    call.agrees(logits, p)
    call.agrees(np.append(logits, 9.0), 0.05)


@EXERCISE.claim(0.25)
def everything(call, rng):
    """p = 1 keeps every token of non-zero probability, and a smaller p does not"""
    call.agrees(rng.permutation([0.0, -50.0, 0.0, -40.0]), 1.0)  # 1e-22 vanishes beside 1/2 + 1/2, but it is not 0
    call.agrees(rng.permutation([0.0, -50.0, 1.0, -40.0, 2.0]), 1.0)  # a sum that rounding leaves a little below 1
    call.agrees(rng.permutation([0.5, -np.inf, 1.5, 0.0, -np.inf]), 1.0)

    def draw():
        return rng.permutation([0.0, 0.5, 9.0, 0.25]), 0.9

    call.agrees(*telling(EXERCISE, draw, "not-put-back", "not-sorted"))  # unlike any other p


@EXERCISE.claim(0.25)
def ties(call, rng):
    """of equal logits keeps those of the lowest ids"""
    call.agrees(np.zeros(4), 0.5)
    call.agrees(np.array([0.0, 1.0, 0.0, 1.0, 0.0]), 0.8)
    call.agrees(np.full(20, 0.5), float(rng.integers(7, 12)) / 20 + 0.02)
    call.agrees(rng.integers(0, 3, 500) / 2, 0.6)  # a sort that is not stable shows


@EXERCISE.claim(0.25)
def rows(call, rng):
    """treats every row by itself, for any leading axes"""
    call.agrees(rng.standard_normal((4, 7)), 0.7)
    call.agrees(np.array([rng.permutation(np.arange(5.0)) for _ in range(3)]), 0.9)
    call.agrees(rng.standard_normal((2, 3, 6)), 0.6)
    call.agrees(rng.standard_normal((1, 3, 1, 5)), 0.8)


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone and returns a new array, also when all logits stay"""
    logits = rng.standard_normal(6)
    for p in (0.6, 1.0):
        call.leaves_inputs_alone(logits, p)
    call.agrees(logits, 0.6)


@EXERCISE.claim(0.25, side=True)
def outside(call, rng):
    """a p outside (0, 1] raises a ValueError that mentions it"""
    logits = rng.standard_normal(5)
    call.refuses(logits, 0.0, mentions=[0])
    call.refuses(logits, -0.25, mentions=[-0.25])
    call.refuses(logits, 1.25, mentions=[1.25])
    call.agrees(logits, 0.5)


wrong = WrongAnswers(EXERCISE, globals())


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


wrong("crossing-dropped", {
    "before < p - ROUNDING if p < 1 else probs > 0": "(before + probs <= p) | (before == 0) if p < 1 else probs > 0",
}, """
    The token that crosses p is dropped.
    What you keep then sums to less than p. The tokens that are kept should together reach p, and the crossing one is
    needed for that.""")

wrong("may-be-empty", {
    "before < p - ROUNDING if p < 1 else probs > 0": "before + probs <= p if p < 1 else probs > 0",
    "    needed[..., 0] = True  # even where p is smaller than the rounding\n": "",
}, """
    The token that crosses p is dropped, even if it is the first.
    When the likeliest token alone has more than p, nothing is left at all. The token with which the sum reaches p
    stays.""")

wrong("more-than-p", {"before < p - ROUNDING if p < 1 else probs > 0": "before <= p if p < 1 else probs > 0"}, """
    A sum of exactly p does not count as enough.
    The rule says *reached*, so a sum that equals p is enough. You take one token more.""")

wrong("not-put-back", {"    return _keep": "    kept = np.take_along_axis(kept, order, axis=-1)\n    return _keep"}, """
    The choice is made in sorted order and applied to the unsorted logits.
    After sorting, the first entry is the likeliest token, not the token with id 0. Bring the choice back into the order
    of the ids.""")

wrong("sorted", "-np.sort(-top_p_filter(logits, p), axis=-1)", """
    The logits come back sorted.
    The place of a logit is the id of its token. If you sort, put things back afterwards.""")

wrong("ascending", {"order = _descending(logits)": "order = _descending(-logits)"}, """
    The least likely tokens are taken first.
    NumPy sorts in ascending order. The sum has to begin with the largest probability.""")

wrong("not-sorted",
      {"order = _descending(logits)": "order = np.broadcast_to(np.arange(logits.shape[-1]), logits.shape)"}, """
    The probabilities are added in the order of the ids.
    Whether a token stays would then depend on its number in the vocabulary. Begin with the likeliest.""")

wrong("own-probability", {"return _keep(logits, kept)": "return _keep(logits, softmax(logits) >= p)"}, """
    The tokens whose own probability is at least p are kept.
    It is the *sum* of the likeliest tokens that has to reach p. Hardly any token does so alone.""")

wrong("rest-of-one", {"return _keep(logits, kept)": "return _keep(logits, softmax(logits) >= 1 - p)"}, """
    Tokens stay whose own probability is at least 1 - p.
    It is the *sum* of the likeliest tokens that has to reach p. What a token has by itself does not decide.""")

wrong("share-of-tokens",
      {"return _keep(logits, kept)": "return top_k_filter(logits, int(np.ceil(p * logits.shape[-1])))"}, """
    The share p of all tokens is kept.
    p is a share of the probability, not of the number of tokens. The number follows from how the probability is
    spread.""")

wrong("logits-added", "filtered(logits, p, of=lambda logits: logits)", """
    Logits are added up, not probabilities.
    Logits may be negative and sum to anything. Only probabilities can be compared with p.""")

wrong("equals-kept", {
    "return _keep(logits, kept)":
        "return _keep(logits, logits >= np.where(kept, logits, np.inf).min(axis=-1, keepdims=True))",
}, """
    Everything that is as large as the last logit kept is kept, too.
    Of equal logits only as many stay as are needed to reach p. A comparison of values cannot tell them apart; their ids
    can.""")

wrong("highest-ids", "top_p_filter(logits[..., ::-1], p)[..., ::-1].copy()", """
    Of equal logits those of the highest ids are kept.
    Reading an ascending sort backwards reverses the order of equal entries, too.""")

wrong.at(BOUNDARY)
wrong("tail-lost", {"before < p - ROUNDING if p < 1 else probs > 0": "before < p - ROUNDING"}, """
    With p = 1 very unlikely tokens are lost.
    In floating point the sum may be 1 before the last tokens have been added: 1 + 1e-22 is 1. Yet their probability is
    not 0.""")

wrong.at()
wrong("all-rows-together", "top_p_filter(logits.reshape(-1), p).reshape(logits.shape)", """
    All rows are treated as one.
    Every row is a distribution of its own and reaches p on its own.""")

wrong("zeros", "np.where(np.isfinite(top_p_filter(logits, p)), top_p_filter(logits, p), 0.0)", """
    What is dropped is set to 0.
    A logit of 0 is a perfectly good logit: its exponential is 1. Only minus infinity becomes the probability 0.""")

wrong("probabilities", "softmax(top_p_filter(logits, p))", """
    Probabilities are returned.
    The filter goes from logits to logits, so that filters and temperature can follow one another. The softmax comes at
    the end.""")

wrong("log-probabilities",
      {"return _keep(logits, kept)": "return np.log(np.where(kept, softmax(_keep(logits, kept)), 0.0))"}, """
    The logarithms of the new probabilities are returned.
    They lead to the same probabilities. But where a logit stays, it should stay as it came in.""")

wrong("anything-accepted", {"not 0 < p <= 1": "False"}, """
    A p of 0 or below, or above 1, is accepted.
    A share of the probability lies between 0 and 1. A caller who passes 90 was thinking in per cent and should be
    told.""")

wrong("above-one-accepted", "top_p_filter(logits, min(p, 1.0))", """
    A p above 1 is accepted.
    No sum of probabilities reaches 1.25. A caller who asks for it has made a mistake and should be told.""")

wrong("one-refused", {"0 < p <= 1": "0 < p < 1"}, """
    p = 1 is refused.
    p = 1 asks for the whole probability, and that is possible: the filter then keeps everything.""")


@wrong.function
def in_place(logits, p):
    """The caller's logits are overwritten.
    Work on a copy, or let `np.where` make a new array. (An array of whole numbers cannot hold an infinity anyway.)"""
    kept = reference.top_p_filter(logits, p)
    logits[~np.isfinite(kept)] = -np.inf
    return logits


wrong("wrong-axis", "np.swapaxes(top_p_filter(np.swapaxes(logits, 0, -1), p), 0, -1).copy()", """
    Every column is filtered, not every row.
    The tokens lie along the last axis, whatever comes before it.""")

wrong("total-without-axis", {"np.cumsum(probs, axis=-1)": "np.cumsum(probs)"}, """
    The running total has no axis.
    Without an axis, `np.cumsum` makes one long row of all rows and goes on from each to the next.""")

wrong("total-trusted-at-one",
      {"before < p - ROUNDING if p < 1 else probs > 0": "before < (p - ROUNDING if p < 1 else p)"}, """
    At p = 1 tokens are lost to rounding.
    The running total reaches 1 before the least likely tokens are counted. p = 1 keeps everything: treat it as a case
    of its own.""")


@wrong.function
def unstable(logits, p):
    """The exponentials overflow, or all of them are 0, where the logits are large.
    exp(1000) is too large a number, and exp(-1000) is 0. The softmax of unit 02 can cope with both."""

    def softmax(logits):
        return np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)

    return filtered(logits, p, of=softmax)


wrong("large-negative", "np.where(np.isfinite(top_p_filter(logits, p)), top_p_filter(logits, p), -1000000000.0)", """
    What is dropped is set to a large negative number.
    A logit may be lower still, and then what was dropped is the likelier choice. Nothing is below minus infinity.""")

wrong.at(BOUNDARY)
wrong("same-array", "logits if p == 1 else top_p_filter(logits, p)", """
    With p = 1 the caller's own array is returned.
    Anyone who changes the result later changes the logits, too. Always return a new array.""")

wrong.at()
wrong("probabilities-of-all", {"return _keep(logits, kept)": "return _keep(softmax(logits), kept)"}, """
    Where a logit stays, the probability of its token is returned in its place.
    The filter takes logits and returns logits: probabilities only say which tokens stay, and their logits do not
    change.""")

wrong("probabilities-below-one",
      {"return _keep(logits, kept)": "return _keep(softmax(logits) if p < 1 else logits, kept)"}, """
    With p below 1, the probabilities of the tokens that stay are returned, not their logits.
    The filter takes logits and returns logits: probabilities only say which tokens stay, and their logits do not
    change.""")

wrong("probabilities-and-zeros", {"return _keep(logits, kept)": "return np.where(kept, softmax(logits), 0.0)"}, """
    Probabilities are returned, and 0 where a token is dropped.
    The filter takes logits and returns logits: those of the tokens that stay do not change, and all others become
    minus infinity.""")

wrong("log-probabilities-of-all",
      {"return _keep(logits, kept)": "return _keep(np.log(np.where(kept, softmax(logits), 1.0)), kept)"}, """
    Where a logit stays, the logarithm of its token's probability is returned.
    The two differ by the same number in the whole row. But a logit that stays should not change at all.""")
