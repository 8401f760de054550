"""Specification of `positional_encoding`."""

import numpy as np

from autograder.exercises.inputs import agrees_here, table_of
from autograder.exercises.unit_01_positional_encoding import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

LAYOUT = "From frequencies to the table"
FREQUENCIES = "From the formula to the frequencies"

EXERCISE = Exercise(
    reference=reference.positional_encoding,
    asks="the table with one row per position: sines in the even columns, cosines in the odd ones.",
    returns=(Output("P", "(seq_len, d_model)"),),
    where=LAYOUT,
    calls=calls.POSITIONAL_ENCODING,
    lookalike=lookalikes.POSITIONAL_ENCODING,
)


@EXERCISE.claim(2)
def values(call, rng):
    """equals the definition"""
    call.agrees(3, 4)  # by hand: sines and cosines of p and of p / 100
    call.agrees(int(rng.choice([5, 7, 11])), int(rng.choice([6, 10, 14])))
    call.agrees(2500, 4)
    call.agrees(2, 1024)
    call.agrees(1, 6)


@EXERCISE.claim(0.75, side=True)
def base(call, rng):
    """the argument `base` reaches the table, and every call makes a new one"""
    call.agrees(5, 8)
    base = float(rng.integers(20, 500))
    agrees_here(call, 5, 8, base)
    call.leaves_inputs_alone(5, 8, base)


@EXERCISE.claim(1)
def first_row(call, rng):
    """positions count from 0: row 0 is 0, 1, 0, 1, ..."""
    n, d_model = int(rng.choice([5, 7])), int(rng.choice([6, 8]))
    first = table_of(call, (n, d_model), n, d_model)[0]
    pattern = np.tile([0.0, 1.0], d_model // 2)
    call.holds(
        np.allclose(first, pattern),
        f"row 0 is {first.round(4)}. At position 0 every angle is 0: sines are 0 and cosines are 1.",
    )


@EXERCISE.claim(1)
def pairs(call, rng):
    """columns 2i and 2i + 1 are sine and cosine of one angle: their squares sum to 1"""
    n, d_model = int(rng.choice([7, 9])), int(rng.choice([6, 8]))
    P = table_of(call, (n, d_model), n, d_model)
    call.holds(not np.allclose(P[0], P[1]), "rows 0 and 1 are equal, so two positions cannot be told apart.")
    squares = P[:, 0::2] ** 2 + P[:, 1::2] ** 2  # (n, d_model / 2)
    wrong = np.argwhere(~np.isclose(squares, 1))
    row, pair = (int(i) for i in wrong[0]) if len(wrong) else (0, 0)
    call.holds(
        not len(wrong),
        f"in row {row} the squares of columns {2 * pair} and {2 * pair + 1} sum to {squares[row, pair]:.6g}, not to 1.",
    )


@EXERCISE.claim(0.5, side=True)
def odd(call, rng):
    """an odd d_model raises a ValueError that mentions it"""
    odd = 2 * int(rng.integers(6, 40)) + 1
    call.refuses(4, odd, mentions=[odd])
    table_of(call, (4, 12), 4, 12)


wrong = WrongAnswers(EXERCISE, globals())


def angles_of(seq_len, frequencies):
    """Return position times frequency, one row per position."""
    return np.arange(seq_len)[:, None] * frequencies


def interleaved(sines, cosines):
    """Put sines into the even columns and cosines into the odd ones."""
    return np.stack([sines, cosines], axis=-1).reshape(len(sines), -1)


def waves_of(angles):
    """Return the sines and cosines of these angles in the right columns."""
    return interleaved(np.sin(angles), np.cos(angles))


wrong("halves", {"P[:, 0::2]": "P[:, : d_model // 2]", "P[:, 1::2]": "P[:, d_model // 2 :]"}, """
    All sines stand first and all cosines after them.
    Here the sine and the cosine of one frequency are neighbours: even columns hold sines, odd columns cosines. The
    other order is used too, but a model trained with one order cannot read the other.""")

wrong("swapped", {"np.sin": "np.cos", "np.cos": "np.sin"}, """
    Sines and cosines are swapped.
    Columns are counted from 0, so the first column is an even one, and even columns hold sines.""")

wrong.at(FREQUENCIES)
wrong("exponent-doubled", "waves_of(angles_of(seq_len, angular_frequencies(d_model, base) ** 2))", """
    The exponent is twice as large as it should be.
    In the formula `2i` is already the number of the pair's first column. Counting 0, 2, 4, ... and multiplying by 2
    again makes the waves far too long.""")

wrong("exponent-halved", "waves_of(angles_of(seq_len, angular_frequencies(d_model, base) ** 0.5))", """
    The exponent is half as large as it should be.
    The exponents should run almost from 0 to 1 over the columns; yours stop half way.""")

wrong.at(LAYOUT)
wrong("own-exponent", {"np.cos(angles)": "np.cos(angles * base ** (-1 / d_model))"}, """
    The cosine columns have an exponent of their own.
    Both columns of a pair belong to the same angle. A cosine of another angle does not fit its sine: their squares no
    longer sum to 1.""")

wrong.at(FREQUENCIES)
wrong("column-as-i", {
    "angular_frequencies(d_model, base)": "angular_frequencies(d_model, base) ** 2",
    "np.cos(angles)": "np.cos(angles * base ** (-2 / d_model))",
}, """
    The number of the column is used as i.
    In the formula `i` counts pairs, so columns 0 and 1 have i = 0, and columns 2 and 3 have i = 1. Your waves become
    slow twice as fast, and a cosine no longer fits its sine.""")

wrong.at(LAYOUT)
wrong("one-frequency", "waves_of(angles_of(seq_len, np.ones_like(angular_frequencies(d_model, base))))", """
    Every pair of columns has frequency 1.
    All pairs then repeat the first one, and positions that are a little more than six apart look almost alike. Every
    pair needs its own frequency.""")

wrong("divided-by-frequency", "waves_of(angles_of(seq_len, 1 / angular_frequencies(d_model, base)))", """
    The positions are divided by the frequencies.
    An angle is position times frequency. Dividing makes the waves faster from pair to pair; they should become
    slower.""")

wrong("positions-from-1", "positional_encoding(seq_len + 1, d_model, base)[1:]", """
    Positions are counted from 1.
    The first token has position 0. What you return as row 0 is the vector of position 1.""")

wrong.at()
wrong("base-ignored", "positional_encoding(seq_len, d_model)", """
    The argument `base` is ignored.
    Your table uses 10000, whatever the caller says. Does `base` get all the way to the frequencies?""")

wrong("transposed", "positional_encoding(seq_len, d_model, base).T.copy()", """
    Rows and columns are swapped.
    Tokens are rows in this course, and so are their positions: row p belongs to position p.""")

wrong("odd-crashes", {"angular_frequencies(d_model, base)": "base ** (-np.arange(0, d_model, 2) / d_model)"}, """
    An odd d_model is noticed only when the cosines do not fit.
    NumPy's message is about two shapes and not about d_model. Check the width first and say what is wrong with it.""")


@wrong.function
def odd_runs_over(seq_len, d_model, base=10000.0):
    """An odd d_model is noticed only when a cosine falls outside the table.
    The exercise wants a ValueError, and this is an IndexError. Check the width first, and name it in the message."""
    P = np.zeros((seq_len, d_model))
    for column in range(0, d_model, 2):
        angles = np.arange(seq_len) * base ** (-column / d_model)
        P[:, column] = np.sin(angles)
        P[:, column + 1] = np.cos(angles)
    return P


wrong("odd-unpaired", {
    "angular_frequencies(d_model, base)": "base ** (-np.arange(0, d_model, 2) / d_model)",
    "np.cos(angles)": "np.cos(angles[:, : d_model // 2])",
}, """
    An odd d_model is accepted, with a last sine that has no cosine.
    Without its cosine the last column cannot take part in what makes this encoding useful (`shift_matrix`). Such a
    width has to be refused.""")

wrong("odd-cut", "positional_encoding(seq_len, d_model + d_model % 2, base)[:, :d_model]", """
    An odd d_model is accepted: the next even table, cut to size.
    The last sine has no cosine any more, and the frequencies belong to another width. Such a width has to be
    refused.""")

wrong.at(LAYOUT)
wrong("degrees", "waves_of(np.deg2rad(angles_of(seq_len, angular_frequencies(d_model, base))))", """
    The angles are treated as degrees.
    NumPy's sine and cosine take radians, and position times frequency is a number of radians already.""")

wrong("sines-only", {"np.cos": "np.sin"}, """
    The odd columns hold sines as well.
    A sine alone takes every height twice per turn. Its partner in the next column is the cosine of the same angle.""")

wrong("cosines-from-sines", {"np.cos(angles)": "np.sqrt(1 - np.sin(angles) ** 2)"}, """
    The cosines are never negative, as where they are made from the sines.
    The squares of both sum to 1, but a root has lost the sign. Take the cosine of the angle itself.""")


@wrong.function
def pairs_overlap(seq_len, d_model, base=10000.0):
    """The pairs of columns overlap.
    Pair i begins at column 2i, because every pair takes two. Yours begins at i, and the next one overwrites a part of
    it."""
    table = np.zeros((seq_len, d_model))
    for i, angles in enumerate(angles_of(seq_len, reference.angular_frequencies(d_model, base)).T):
        table[:, i], table[:, i + 1] = np.sin(angles), np.cos(angles)
    return table


wrong("frequency-outside", {
    "angles = positions[:, None] * angular_frequencies(d_model, base)":
        "frequencies, angles = angular_frequencies(d_model, base), positions[:, None]",
    "np.sin": "frequencies * np.sin",
    "np.cos": "frequencies * np.cos",
}, """
    The frequency is outside the sine and the cosine.
    It then changes the height of the wave and not its speed. Multiply it by the position first, and take the sine and
    the cosine of the product.""")

wrong("cut-to-integers", "positional_encoding(seq_len, d_model, base).astype(np.int64).astype(float)", """
    The table has no room for fractions.
    An array of integers cuts off what comes after the decimal point, so that only -1, 0 and 1 are left. Make an array
    of floats.""")

wrong("share-of-the-length", "waves_of(angles_of(seq_len, angular_frequencies(d_model, base) / seq_len))", """
    The positions are divided by the length of the sequence.
    Then the same position has a different vector in a longer sentence. A position is counted, 0, 1, 2 and so on.""")

wrong("cosines-missing", {"np.cos(angles)": "0"}, """
    The odd columns are 0.
    They have yet to be filled, with the cosines of the same angles.""")


@wrong.function
def rows_alternate(seq_len, d_model, base=10000.0):
    """Sines and cosines take turns down the rows.
    `P[0::2]` takes every second *row*. The columns come after a comma."""
    waves = np.repeat(angles_of(seq_len, reference.angular_frequencies(d_model, base)), 2, axis=1)
    return np.where(np.arange(seq_len)[:, None] % 2, np.cos(waves), np.sin(waves))


wrong("into-degrees", "waves_of(np.rad2deg(angles_of(seq_len, angular_frequencies(d_model, base))))", """
    The angles are turned into degrees.
    NumPy's sine and cosine take radians, and position times frequency is a number of radians already.""")
