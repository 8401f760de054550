"""Specification of `sample_token`."""

import numpy as np

from autograder.exercises.inputs import telling
from autograder.exercises.unit_08_decoding import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

BELOW_ONE = float(np.nextafter(1.0, 0.0))

EXERCISE = Exercise(
    reference=reference.sample_token,
    asks="the id of the token on whose part of the line from 0 to 1 the number u falls.",
    returns=(Output("token"),),
    calls=calls.SAMPLE_TOKEN,
    lookalike=lookalikes.SAMPLE_TOKEN,
)


@EXERCISE.claim(0.5)
def values(call, rng):
    """returns the smallest id whose cumulative probability exceeds u"""
    probs = rng.dirichlet(np.full(6, 3.0))
    call.agrees(np.array([0.25, 0.5, 0.125, 0.125]), 0.4)  # by hand: 0.25 is not above 0.4, 0.75 is
    numbers = ((np.arange(12) + rng.uniform(0.2, 0.8)) / 12).tolist()
    for u in numbers:
        call(probs, u)  # all of them first: together they tell the mistakes apart
    for u in numbers:
        call.agrees(probs, u)
    many = rng.dirichlet(np.full(700, 3.0))  # most of them below one in a hundred
    call.agrees(*telling(EXERCISE, lambda: (many, float(rng.uniform(0.2, 0.8))), "sums-rounded"))
    for u in rng.uniform(0.2, 0.8, 2).tolist():
        call.agrees(many, u)
    for end in np.cumsum(many)[rng.integers(500, 690, 8)].tolist():
        for little in (-1e-11, 1e-11):  # just before the end of a part, and just behind it
            call.agrees(many, end + little)


@EXERCISE.claim(0.5)
def boundaries(call, rng):
    """a u on a boundary belongs to the next token; probability 0 is never drawn"""
    zeros = (0, 2, *rng.integers(4, size=3))  # always one in front, and one in the middle
    probs = np.insert(np.array([0.25, 0.25, 0.5]), zeros, 0.0)
    for u in (0.25, 0.5, 0.0):
        call.agrees(probs, u)
    call.agrees(np.array([0.5, 0.5]), 0.5)


@EXERCISE.claim(0.5)
def end(call, rng):
    """where rounding leaves no such id, returns the last id of positive probability"""
    tenths = np.insert(np.full(10, 0.1), rng.integers(11, size=3), 0.0)
    call.agrees(np.append(tenths, [0.0, 0.0]), BELOW_ONE)  # their sum in floating point is a little below 1
    call.agrees(np.insert(np.array([0.75, 0.25, 0.0]), rng.integers(3, size=2), 0.0), BELOW_ONE)
    likeliest_third = np.array([0.1, 0.1, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1])  # their sum, too, is a little below 1
    call.agrees(likeliest_third, BELOW_ONE)


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    probs = rng.dirichlet(np.full(5, 3.0))
    call.leaves_inputs_alone(probs, 0.5)
    for u in (0.05, 0.5, 0.95):
        call.agrees(probs, u)


@EXERCISE.claim(0.25)
def certain(call, rng):
    """draws what is certain, also where the probabilities are whole numbers"""
    probs = np.eye(9, dtype=np.int64)[rng.integers(1, 8)]
    for u in (0.5, 0.0, BELOW_ONE):
        call.agrees(probs, u)


wrong = WrongAnswers(EXERCISE, globals())


@wrong.function
def reached(probs, u):
    """A cumulative probability that only equals u counts as enough.
    With u = 0 a first token of probability 0 would be drawn. A part of the line contains its lower end and not its
    upper one."""
    above = np.flatnonzero(np.cumsum(probs) >= u)
    return int(above[0]) if above.size else reference.sample_token(probs, u)


@wrong.function
def falls_out(probs, u):
    """Where rounding leaves no id, the result is an id that does not exist.
    Probabilities that should sum to 1 may stop just below it in floating point, and u may lie above that."""
    return int(np.searchsorted(np.cumsum(probs), u, side="right"))


wrong("last-id", "min(falls_out(probs, u), len(probs) - 1)", """
    Where rounding leaves no id, the last one is taken, whatever its probability.
    After a filter the last ids often have probability 0, and such a token must never be drawn.""")

wrong("falls-to-zero", "int(np.argmax(np.cumsum(probs) > u))", """
    Where rounding leaves no id, the result is 0.
    `argmax` of nothing but False is 0. So a number near 1 draws the first token instead of the last.""")

wrong("falls-to-the-likeliest", "sample_token(probs, u) if np.cumsum(probs)[-1] > u else int(np.argmax(probs))", """
    Where rounding leaves no id, the result is the likeliest one.
    A number just below 1 falls on the last part of the line, not on the longest.""")

wrong("likeliest", "int(np.argmax(probs))", """
    The likeliest token is returned, whatever u is.
    That is greedy decoding. Over many numbers u each token should come as often as its probability says.""")

wrong("uniform", "int(u * len(probs))", """
    All tokens are drawn equally often.
    The line from 0 to 1 is cut into parts of equal length, but they should be as long as the probabilities.""")


@wrong.function
def by_probability(probs, u):
    """The tokens are laid on the line in the order of their probabilities.
    Each token would still be drawn as often as it should. But the rule says in the order of the ids, so that a given u
    has one answer."""
    order = np.argsort(-probs, kind="stable")
    return int(order[reference.sample_token(probs[order], u)])


wrong("sorted-place", "sample_token(-np.sort(-probs), u)", """
    The place in the sorted list is returned, not the id.
    Sorting forgets which probability belonged to which token. There is no need to sort.""")

wrong("own-probability", {
    "(above[0] if above.size else np.flatnonzero(probs)[-1])":
        "(np.flatnonzero(probs > u)[0]) if np.flatnonzero(probs > u).size else int(np.flatnonzero(probs)[-1])",
}, """
    Each token's own probability is compared with u.
    What counts is where a token's part of the line ends: its probability and all those before it.""")

wrong("one-behind", "max(sample_token(probs, u) - 1, 0)", """
    The id before the right one is returned.
    You want the first token whose part ends above u, not the last whose part ends below it.""")

wrong("from-1", "sample_token(probs, u) + 1", """
    Ids are counted from 1.
    The first token has id 0.""")

wrong("backwards", "len(probs) - 1 - sample_token(probs[::-1], u)", """
    The parts are laid out from the other end of the line.
    The first token's part begins at 0, the last one's ends at 1.""")

wrong("returns-probability", "float(probs[sample_token(probs, u)])", """
    The probability of the token is returned, not its id.
    The next step needs to know which token it was.""")

wrong("one-hot", "(np.arange(len(probs)) == sample_token(probs, u)).astype(int)", """
    An array is returned in place of an id.
    Return one whole number.""")


@wrong.function
def in_place(probs, u):
    """The caller's probabilities are overwritten.
    `out=` or `+=` writes into the array that you were given. Put the sums into a new one."""
    token = reference.sample_token(probs, u)
    np.cumsum(probs, out=probs)
    return token


wrong("fails-at-the-end", {" if above.size else np.flatnonzero(probs)[-1]": ""}, """
    Where rounding leaves no id, there is an IndexError.
    Probabilities that should sum to 1 may stop just below it in floating point, and u may lie above that.""")

wrong("nothing-at-the-end",
      {"(above[0] if above.size else np.flatnonzero(probs)[-1])": "(above[0]) if above.size else None"}, """
    Where rounding leaves no id, nothing is returned.
    Probabilities that should sum to 1 may stop just below it in floating point, and u may lie above that.""")


@wrong.function
def beginnings(probs, u):
    """The beginnings of the parts are compared with u, not their ends.
    The first part that begins above u is the one after the part on which u falls."""
    above = np.flatnonzero(np.cumsum(probs) - probs > u)
    return int(above[0]) if above.size else reference.sample_token(probs, u)


wrong("place-among-the-positive", {"probs = as_float(probs)": "probs = as_float(probs)[np.asarray(probs) > 0]"}, """
    The ids are counted among the tokens of positive probability.
    Whatever is left out moves all later ids forward. A token of probability 0 has an id all the same.""")

wrong("nearest-end", "int(np.argmin(np.abs(np.cumsum(probs) - u)))", """
    The token whose part ends nearest to u is returned.
    A long part reaches far to the left of its end. What counts is on which part u falls.""")


@wrong.function
def sums_rounded(probs, u):
    """The cumulative probabilities are rounded.
    With many tokens most parts are shorter than one in a hundred. Compare the sums as they are."""
    above = np.flatnonzero(np.cumsum(probs).round(2) > u)
    return int(above[0]) if above.size else int(np.flatnonzero(probs)[-1])
