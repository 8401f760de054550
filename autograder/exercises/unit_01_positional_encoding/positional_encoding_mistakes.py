"""The known mistakes of `positional_encoding` with its layout, with the frequencies, and with an odd d_model."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 1.2: positional_encoding"
LAYOUT = "From frequencies to the table"
FREQUENCIES = "From the formula to the frequencies"

MISTAKES = KnownMistakes()


def angles_of(seq_len, frequencies):
    """Return position times frequency, one row per position."""
    return np.arange(seq_len)[:, None] * frequencies


def interleaved(sines, cosines):
    """Put sines into the even columns and cosines into the odd ones."""
    return np.stack([sines, cosines], axis=-1).reshape(len(sines), -1)


def waves_of(angles):
    """Return the sines and cosines of these angles in the right columns."""
    return interleaved(np.sin(angles), np.cos(angles))


@MISTAKES.add(where=LAYOUT)
def halves(seq_len, d_model, base=10000.0):
    """All sines stand first and all cosines after them.

    Here the sine and the cosine of one frequency are neighbours: even columns hold sines, odd columns cosines. The
    other order is used too, but a model trained with one order cannot read the other.
    """
    angles = angles_of(seq_len, reference.angular_frequencies(d_model, base))
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


@MISTAKES.add(where=LAYOUT)
def swapped(seq_len, d_model, base=10000.0):
    """Sines and cosines are swapped.

    Columns are counted from 0, so the first column is an even one, and even columns hold sines.
    """
    angles = angles_of(seq_len, reference.angular_frequencies(d_model, base))
    return interleaved(np.cos(angles), np.sin(angles))


@MISTAKES.add(where=FREQUENCIES)
def exponent_doubled(seq_len, d_model, base=10000.0):
    """The exponent is twice as large as it should be.

    In the formula `2i` is already the number of the pair's first column. Counting 0, 2, 4, ... and multiplying by 2
    again makes the waves far too long.
    """
    return waves_of(angles_of(seq_len, reference.angular_frequencies(d_model, base) ** 2))


@MISTAKES.add(where=FREQUENCIES)
def exponent_halved(seq_len, d_model, base=10000.0):
    """The exponent is half as large as it should be.

    The exponents should run almost from 0 to 1 over the columns; yours stop half way.
    """
    return waves_of(angles_of(seq_len, reference.angular_frequencies(d_model, base) ** 0.5))


@MISTAKES.add(where=LAYOUT)
def own_exponent(seq_len, d_model, base=10000.0):
    """The cosine columns have an exponent of their own.

    Both columns of a pair belong to the same angle. A cosine of another angle does not fit its sine: their squares
    no longer sum to 1.
    """
    frequencies = reference.angular_frequencies(d_model, base)
    next_column = frequencies * base ** (-1 / d_model)
    return interleaved(np.sin(angles_of(seq_len, frequencies)), np.cos(angles_of(seq_len, next_column)))


@MISTAKES.add(where=FREQUENCIES)
def column_as_i(seq_len, d_model, base=10000.0):
    """The number of the column is used as i.

    In the formula `i` counts pairs, so columns 0 and 1 have i = 0, and columns 2 and 3 have i = 1. Your waves
    become slow twice as fast, and a cosine no longer fits its sine.
    """
    frequencies = reference.angular_frequencies(d_model, base) ** 2
    next_column = frequencies * base ** (-2 / d_model)
    return interleaved(np.sin(angles_of(seq_len, frequencies)), np.cos(angles_of(seq_len, next_column)))


@MISTAKES.add(where=LAYOUT)
def one_frequency(seq_len, d_model, base=10000.0):
    """Every pair of columns has frequency 1.

    All pairs then repeat the first one, and positions that are a little more than six apart look almost alike.
    Every pair needs its own frequency.
    """
    return waves_of(angles_of(seq_len, np.ones_like(reference.angular_frequencies(d_model, base))))


@MISTAKES.add(where=LAYOUT)
def divided_by_frequency(seq_len, d_model, base=10000.0):
    """The positions are divided by the frequencies.

    An angle is position times frequency. Dividing makes the waves faster from pair to pair; they should become
    slower.
    """
    return waves_of(angles_of(seq_len, 1 / reference.angular_frequencies(d_model, base)))


@MISTAKES.add(where=LAYOUT)
def positions_from_1(seq_len, d_model, base=10000.0):
    """Positions are counted from 1.

    The first token has position 0. What you return as row 0 is the vector of position 1.
    """
    return reference.positional_encoding(seq_len + 1, d_model, base)[1:]


@MISTAKES.add(where=SECTION)
def base_ignored(seq_len, d_model, base=10000.0):
    """The argument `base` is ignored.

    Your table uses 10000, whatever the caller says. Does `base` get all the way to the frequencies?
    """
    return reference.positional_encoding(seq_len, d_model)


@MISTAKES.add(where=SECTION)
def transposed(seq_len, d_model, base=10000.0):
    """Rows and columns are swapped.

    Tokens are rows in this course, and so are their positions: row p belongs to position p.
    """
    return reference.positional_encoding(seq_len, d_model, base).T.copy()


@MISTAKES.add(where=SECTION)
def odd_crashes(seq_len, d_model, base=10000.0):
    """An odd d_model is noticed only when the cosines do not fit.

    NumPy's message is about two shapes and not about d_model. Check the width first and say what is wrong with it.
    """
    angles = angles_of(seq_len, base ** (-np.arange(0, d_model, 2) / d_model))
    P = np.zeros((seq_len, d_model))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.cos(angles)
    return P


@MISTAKES.add(where=SECTION)
def odd_runs_over(seq_len, d_model, base=10000.0):
    """An odd d_model is noticed only when a cosine falls outside the table.

    The exercise wants a ValueError, and this is an IndexError. Check the width first, and name it in the message.
    """
    P = np.zeros((seq_len, d_model))
    for column in range(0, d_model, 2):
        angles = np.arange(seq_len) * base ** (-column / d_model)
        P[:, column] = np.sin(angles)
        P[:, column + 1] = np.cos(angles)
    return P


@MISTAKES.add(where=SECTION)
def odd_unpaired(seq_len, d_model, base=10000.0):
    """An odd d_model is accepted, with a last sine that has no cosine.

    Without its cosine the last column cannot take part in what makes this encoding useful (Exercise 1.5). Such a width
    has to be refused.
    """
    angles = angles_of(seq_len, base ** (-np.arange(0, d_model, 2) / d_model))
    P = np.zeros((seq_len, d_model))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.cos(angles[:, : d_model // 2])
    return P


@MISTAKES.add(where=SECTION)
def odd_cut(seq_len, d_model, base=10000.0):
    """An odd d_model is accepted: the next even table, cut to size.

    The last sine has no cosine any more, and the frequencies belong to another width. Such a width has to be refused.
    """
    return reference.positional_encoding(seq_len, d_model + d_model % 2, base)[:, :d_model]
