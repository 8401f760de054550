"""Specification of `sample_token`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from transformer_kit import reference

BELOW_ONE = float(np.nextafter(1.0, 0.0))


def _values(call, rng):
    probs = rng.dirichlet(np.full(6, 3.0))
    call.agrees(np.array([0.25, 0.5, 0.125, 0.125]), 0.4)  # by hand: 0.25 is not above 0.4, 0.75 is
    numbers = ((np.arange(12) + rng.uniform(0.2, 0.8)) / 12).tolist()
    for u in numbers:
        call(probs, u)  # all of them first: together they tell the mistakes apart
    for u in numbers:
        call.agrees(probs, u)


def _boundaries(call, rng):
    zeros = (0, 2, *rng.integers(4, size=3))  # always one in front, and one in the middle
    probs = np.insert(np.array([0.25, 0.25, 0.5]), zeros, 0.0)
    for u in (0.25, 0.5, 0.0):
        call.agrees(probs, u)
    call.agrees(np.array([0.5, 0.5]), 0.5)


def _end(call, rng):
    tenths = np.insert(np.full(10, 0.1), rng.integers(11, size=3), 0.0)
    call.agrees(np.append(tenths, [0.0, 0.0]), BELOW_ONE)  # their sum in floating point is a little below 1
    call.agrees(np.insert(np.array([0.75, 0.25, 0.0]), rng.integers(3, size=2), 0.0), BELOW_ONE)


def _inputs(call, rng):
    probs = rng.dirichlet(np.full(5, 3.0))
    for u in (0.05, 0.5, 0.95):
        call.agrees(probs, u)
    call.agrees(np.eye(9, dtype=np.int64)[rng.integers(8)], 0.5)
    call.leaves_inputs_alone(probs, 0.5)


def _side(probs, u):
    above = np.flatnonzero(np.cumsum(probs) >= u)
    return int(above[0]) if above.size else reference.sample_token(probs, u)


def _falls_out(probs, u):
    return int(np.searchsorted(np.cumsum(probs), u, side="right"))


def _last_id(probs, u):
    return min(_falls_out(probs, u), len(probs) - 1)


def _falls_to_zero(probs, u):
    return int(np.argmax(np.cumsum(probs) > u))


def _likeliest(probs, u):
    return int(np.argmax(probs))


def _uniform(probs, u):
    return int(u * len(probs))


def _by_probability(probs, u):
    order = np.argsort(-probs, kind="stable")
    return int(order[reference.sample_token(probs[order], u)])


def _sorted_place(probs, u):
    return reference.sample_token(-np.sort(-probs), u)


def _own_probability(probs, u):
    above = np.flatnonzero(probs > u)
    return int(above[0]) if above.size else int(np.flatnonzero(probs)[-1])


def _one_behind(probs, u):
    return max(reference.sample_token(probs, u) - 1, 0)


def _from_one(probs, u):
    return reference.sample_token(probs, u) + 1


def _backwards(probs, u):
    return len(probs) - 1 - reference.sample_token(probs[::-1], u)


def _returns_probability(probs, u):
    return float(probs[reference.sample_token(probs, u)])


def _one_hot(probs, u):
    return (np.arange(len(probs)) == reference.sample_token(probs, u)).astype(int)


def _in_place(probs, u):
    token = reference.sample_token(probs, u)
    np.cumsum(probs, out=probs)
    return token


SECTION = "Exercise 8.6: sample_token"
LINE = "From a number to a token"

EXERCISE = Exercise(
    reference=reference.sample_token,
    asks="the id of the token on whose part of the line from 0 to 1 the number u falls.",
    returns=(Returned("token"),),
    where=LINE,
    claims=(
        Claim("returns the smallest id whose cumulative probability exceeds u", 0.5, _values),
        Claim("a u on a boundary belongs to the next token; probability 0 is never drawn", 0.5, _boundaries),
        Claim("where rounding leaves no such id, returns the last id of positive probability", 0.5, _end),
        Claim("leaves its inputs alone, and also takes whole numbers", 0.5, _inputs),
    ),
    mistakes=(
        Mistake(
            "reached",
            "A cumulative probability that only equals u counts as enough",
            _side,
            "With u = 0 a first token of probability 0 would be drawn. A part of the line contains its lower end and "
            "not its upper one.",
            LINE,
        ),
        Mistake(
            "falls-out",
            "Where rounding leaves no id, the result is an id that does not exist",
            _falls_out,
            "Probabilities that should sum to 1 may stop just below it in floating point, and u may lie above that.",
            LINE,
        ),
        Mistake(
            "last-id",
            "Where rounding leaves no id, the last one is taken, whatever its probability",
            _last_id,
            "After a filter the last ids often have probability 0, and such a token must never be drawn.",
            LINE,
        ),
        Mistake(
            "falls-to-zero",
            "Where rounding leaves no id, the result is 0",
            _falls_to_zero,
            "`argmax` of nothing but False is 0. So a number near 1 draws the first token instead of the last.",
            LINE,
        ),
        Mistake(
            "likeliest",
            "The likeliest token is returned, whatever u is",
            _likeliest,
            "That is greedy decoding. Over many numbers u each token should come as often as its probability says.",
            SECTION,
        ),
        Mistake(
            "uniform",
            "All tokens are drawn equally often",
            _uniform,
            "The line from 0 to 1 is cut into parts of equal length, but they should be as long as the probabilities.",
            LINE,
        ),
        Mistake(
            "by-probability",
            "The tokens are laid on the line in the order of their probabilities",
            _by_probability,
            "Each token would still be drawn as often as it should. But the rule says in the order of the ids, so that "
            "one u gives one answer.",
            LINE,
        ),
        Mistake(
            "sorted-place",
            "The place in the sorted list is returned, not the id",
            _sorted_place,
            "Sorting forgets which probability belonged to which token. There is no need to sort.",
            LINE,
        ),
        Mistake(
            "own-probability",
            "Each token's own probability is compared with u",
            _own_probability,
            "What counts is where a token's part of the line ends: its probability and all those before it.",
            LINE,
        ),
        Mistake(
            "one-behind",
            "The id before the right one is returned",
            _one_behind,
            "You want the first token whose part ends above u, not the last whose part ends below it.",
            LINE,
        ),
        Mistake(
            "from-1",
            "Ids are counted from 1",
            _from_one,
            "The first token has id 0.",
            LINE,
        ),
        Mistake(
            "backwards",
            "The line is cut from its other end",
            _backwards,
            "The first token's part begins at 0, the last one's ends at 1.",
            LINE,
        ),
        Mistake(
            "returns-probability",
            "The probability of the token is returned, not its id",
            _returns_probability,
            "The next step needs to know which token it was.",
            SECTION,
        ),
        Mistake(
            "one-hot",
            "An array is returned in place of an id",
            _one_hot,
            "Asked for is one whole number.",
            SECTION,
        ),
        Mistake(
            "in-place",
            "The caller's probabilities are overwritten",
            _in_place,
            "`out=` or `+=` writes into the array that was handed in. Let the sums go into a new one.",
            SECTION,
        ),
    ),
)
