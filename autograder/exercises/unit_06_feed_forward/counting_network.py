"""Specification of `counting_network`, an open task: what counts is what the network says to every row of bits."""

import numpy as np

from autograder.evaluation.trials import WrongResult
from autograder.execution.describe import describe, number_text
from autograder.exercises.inputs import finite_array
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.experiments.counting import every_row
from transformer_kit.parameters import FeedForwardParams

MAX_UNITS = 40
ATOL = 1e-6  # by which an answer may miss 0 or 1

EXERCISE = Exercise(
    reference=reference.counting_network,
    asks="build a network of ReLUs that says 1 if the number of ones in a row is among counts, and 0 if not.",
    returns=(Output("params"),),
    is_open=True,
)


def _network(call, n_bits, counts):
    """Call the function, and require the parameters of a network that can be run."""
    result = call(n_bits, counts)
    if not isinstance(result, tuple | list) or len(result) != len(FeedForwardParams._fields):
        raise WrongResult(f"expected FeedForwardParams(W_1, b_1, W_2, b_2), got {describe(result)}.")
    units = np.shape(result[0])[-1:] or (0,)
    call.holds(units[0] <= MAX_UNITS, f"the network has {units[0]} hidden units; at most {MAX_UNITS} are allowed.")
    shapes = (n_bits, *units), units, (*units, 1), (1,)
    parts = zip(result, shapes, FeedForwardParams._fields, strict=True)
    return FeedForwardParams(*(finite_array(call, *part) for part in parts))


def _counts(call, n_bits, counts):
    """Require the right answer to every row of bits."""
    rows = every_row(n_bits)
    params = _network(call, n_bits, counts)
    answers = reference.position_wise_ffn(rows, params)[:, 0]
    ones = rows.sum(axis=1).astype(int)
    right = np.isin(ones, counts).astype(int)
    wrong = np.flatnonzero(~(np.abs(answers - right) <= ATOL))
    if wrong.size:
        first, few = wrong[0], sorted(set(ones[wrong].tolist()))
        bits = " ".join(str(int(bit)) for bit in rows[first])
        raise WrongResult(
            f"{wrong.size} of {len(rows)} rows of bits {'gets' if wrong.size == 1 else 'get'} a wrong answer: "
            f"for {bits} the network says {number_text(answers[first], 4)}, and {right[first]} is right. "
            f"It goes wrong with {_listed(few)}."
        )


def _listed(numbers):
    *others, last = map(str, numbers)
    return f"{', '.join(others)} or {last} ones" if others else f"{last} {'one' if last == '1' else 'ones'}"


@EXERCISE.claim(1)
def one_count(call, rng):
    """says 1 for one count and 0 for all others, however many bits there are"""
    for n_bits in (2, *rng.permutation([3, 4, 5, 6, 7, 8, 9])[:3].tolist()):
        for count in (int(rng.integers(1, n_bits)), n_bits, 0):
            _counts(call, n_bits, (count,))


@EXERCISE.claim(0.5)
def several_counts(call, rng):
    """says 1 for several counts: neighbours, or every second one"""
    for n_bits in rng.permutation([6, 7, 8, 9])[:2].tolist():
        count = int(rng.integers(1, n_bits - 2))
        _counts(call, n_bits, (count + 1, count))
        _counts(call, n_bits, tuple(range(count % 2, n_bits + 1, 2)))


@EXERCISE.claim(0.5)
def ends(call, rng):
    """says 1 for both ends, and for all counts"""
    for n_bits in rng.permutation([6, 7, 8, 9])[:2].tolist():
        _counts(call, n_bits, (n_bits, 0))
        _counts(call, n_bits, tuple(rng.permutation(n_bits + 1).tolist()))


wrong = WrongAnswers(EXERCISE, globals())

wrong("never-back", {"[1.0, -2.0, 1.0]": "[1.0, -2.0, 0.0]"}, """
    Beyond a count the answer falls and goes on falling.
    After the top the slope is -1, and nothing bends it back to 0. So there is one more corner.""")

wrong("at-least", {"[1.0, -2.0, 1.0]": "[1.0, -1.0, 0.0]"}, """
    Whoever has the count or more ones gets a 1.
    That is a step: it goes up and stays there. After the count the answer has to come back down.""")

wrong("one-too-many", {"(count - 1.0, count, count + 1)": "(count, count + 1.0, count + 2)"}, """
    The top lies at one more than the count.
    A unit is 0 at its corner and positive only beyond it. So what has its top at the count begins earlier.""")

wrong("half-as-high", {"[1.0, -2.0, 1.0]": "[0.5, -1.0, 0.5]"}, """
    The top has a height of one half.
    All slopes are half of what they should be: from one number of ones to the next the answer has to rise by 1.""")

wrong("too-wide", {"(count - 1.0, count, count + 1)": "(count - 2.0, count, count + 2)",
                   "[1.0, -2.0, 1.0]": "[0.5, -1.0, 0.5]"}, """
    The neighbours of a count get one half.
    The answer rises over two steps. The corners have to lie so close together that the next number of ones gets 0.""")

wrong("first-count-only", "counting_network(n_bits, counts[:1])", """
    Only the first of the counts is recognised.
    With several counts, each of them needs corners of its own.""")

wrong("signs-of-biases", {"-corners": "corners"}, """
    The biases have the wrong sign.
    A unit has its corner where the number of ones plus its bias is 0. So the bias is minus that number.""")

wrong("zero-lost", "counting_network(n_bits, tuple(filter(None, counts)))", """
    A count of 0 is forgotten.
    A row without a single one has 0 ones, and 0 may be among the counts. In Python a 0 is taken for nothing.""")

wrong("first-two-bits", {"len(corners)))": "len(corners))) * (np.arange(n_bits) < 2)[:, None]"}, """
    Only the first two bits are looked at.
    That is enough for an exclusive or of two. A longer row has ones elsewhere, too.""")

wrong("read-as-a-number", {"len(corners)))": "len(corners))) * 2.0 ** np.arange(n_bits)[:, None]"}, """
    The bits are weighted by their places.
    That reads the row as a binary number. Where the ones stand does not matter: each of them counts as much as any.""")

wrong("average", {"np.ones((n_bits, len(corners)))": "np.full((n_bits, len(corners)), 1 / n_bits)"}, """
    The corners lie at numbers of ones, but the units see the average of the bits.
    The average runs from 0 to 1, and the sum from 0 to n_bits. Corners and slopes have to fit what the units see.""")


@wrong.function
def a_unit_for_every_row(n_bits, counts):
    """There is a hidden unit for every row that gets a 1.
    That gives right answers, by a table. For ten bits it has hundreds of units, though three for each count are
    enough."""
    rows = every_row(n_bits)
    rows = rows[np.isin(rows.sum(axis=1), counts)]
    return FeedForwardParams(2 * rows.T - 1, 1 - rows.sum(axis=1), np.ones((len(rows), 1)), np.zeros(1))


@wrong.function
def flat_second_map(n_bits, counts):
    """W_2 is a vector, and b_2 a plain number.
    A network returns a row for every row, here of length 1. So the second map has one column, and its bias one
    entry."""
    W_1, b_1, W_2, b_2 = reference.counting_network(n_bits, counts)
    return FeedForwardParams(W_1, b_1, W_2[:, 0], b_2[0])


@wrong.function
def each_bit_by_itself(n_bits, counts):
    """Each hidden unit looks at one bit only.
    What one unit says is then known from one bit, and their sum is straight: nothing bends at a number of ones."""
    return FeedForwardParams(np.eye(n_bits), np.zeros(n_bits), np.full((n_bits, 1), 1 / max(counts[0], 1)), np.zeros(1))
