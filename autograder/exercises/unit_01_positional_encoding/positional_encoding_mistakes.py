"""The known mistakes of `positional_encoding`."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference

SECTION = "Exercise 1.2: positional_encoding"
LAYOUT = "From frequencies to the table"
FREQUENCIES = "From the formula to the frequencies"


def _angles(seq_len, frequencies):
    return np.arange(seq_len)[:, None] * frequencies


def _interleaved(sines, cosines):
    return np.stack([sines, cosines], axis=-1).reshape(len(sines), -1)


def _waves(angles):
    return _interleaved(np.sin(angles), np.cos(angles))


def _halves(seq_len, d_model, base=10000.0):
    angles = _angles(seq_len, reference.angular_frequencies(d_model, base))
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def _swapped(seq_len, d_model, base=10000.0):
    angles = _angles(seq_len, reference.angular_frequencies(d_model, base))
    return _interleaved(np.cos(angles), np.sin(angles))


def _exponent_doubled(seq_len, d_model, base=10000.0):
    return _waves(_angles(seq_len, reference.angular_frequencies(d_model, base) ** 2))


def _exponent_halved(seq_len, d_model, base=10000.0):
    return _waves(_angles(seq_len, reference.angular_frequencies(d_model, base) ** 0.5))


def _own_exponent(seq_len, d_model, base=10000.0):
    frequencies = reference.angular_frequencies(d_model, base)
    next_column = frequencies * base ** (-1 / d_model)
    return _interleaved(np.sin(_angles(seq_len, frequencies)), np.cos(_angles(seq_len, next_column)))


def _column_as_i(seq_len, d_model, base=10000.0):
    frequencies = reference.angular_frequencies(d_model, base) ** 2
    next_column = frequencies * base ** (-2 / d_model)
    return _interleaved(np.sin(_angles(seq_len, frequencies)), np.cos(_angles(seq_len, next_column)))


def _one_frequency(seq_len, d_model, base=10000.0):
    return _waves(_angles(seq_len, np.ones_like(reference.angular_frequencies(d_model, base))))


def _divided_by_frequency(seq_len, d_model, base=10000.0):
    return _waves(_angles(seq_len, 1 / reference.angular_frequencies(d_model, base)))


def _from_one(seq_len, d_model, base=10000.0):
    return reference.positional_encoding(seq_len + 1, d_model, base)[1:]


def _base_ignored(seq_len, d_model, base=10000.0):
    return reference.positional_encoding(seq_len, d_model)


def _transposed(seq_len, d_model, base=10000.0):
    return reference.positional_encoding(seq_len, d_model, base).T.copy()


def _odd_crashes(seq_len, d_model, base=10000.0):
    angles = _angles(seq_len, base ** (-np.arange(0, d_model, 2) / d_model))
    P = np.zeros((seq_len, d_model))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.cos(angles)
    return P


def _odd_runs_over(seq_len, d_model, base=10000.0):
    P = np.zeros((seq_len, d_model))
    for column in range(0, d_model, 2):
        angles = np.arange(seq_len) * base ** (-column / d_model)
        P[:, column] = np.sin(angles)
        P[:, column + 1] = np.cos(angles)
    return P


def _odd_accepted(seq_len, d_model, base=10000.0):
    return reference.positional_encoding(seq_len, d_model + d_model % 2, base)[:, :d_model]


def _odd_unpaired(seq_len, d_model, base=10000.0):
    angles = _angles(seq_len, base ** (-np.arange(0, d_model, 2) / d_model))
    P = np.zeros((seq_len, d_model))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.cos(angles[:, : d_model // 2])
    return P


MISTAKES = (
    Mistake(
        "halves",
        "All sines stand first and all cosines after them",
        _halves,
        "Here the sine and the cosine of one frequency are neighbours: even columns hold sines, odd columns "
        "cosines. The other order is used too, but a model trained with one order cannot read the other.",
        LAYOUT,
    ),
    Mistake(
        "swapped",
        "Sines and cosines have changed places",
        _swapped,
        "Columns are counted from 0, so the first column is an even one, and even columns hold sines.",
        LAYOUT,
    ),
    Mistake(
        "exponent-doubled",
        "The exponent is twice as large as it should be",
        _exponent_doubled,
        "In the formula `2i` is already the number of the pair's first column. Whoever counts 0, 2, 4, ... and "
        "multiplies by 2 again makes the waves far too long.",
        FREQUENCIES,
    ),
    Mistake(
        "exponent-halved",
        "The exponent is half as large as it should be",
        _exponent_halved,
        "The exponents should run almost from 0 to 1 over the columns; yours stop half way.",
        FREQUENCIES,
    ),
    Mistake(
        "own-exponent",
        "The cosine columns have an exponent of their own",
        _own_exponent,
        "Both columns of a pair belong to the same angle. A cosine of another angle does not fit its sine: "
        "their squares no longer sum to 1.",
        LAYOUT,
    ),
    Mistake(
        "column-as-i",
        "The number of the column is used as i",
        _column_as_i,
        "In the formula `i` counts pairs, so columns 0 and 1 have i = 0, and columns 2 and 3 have i = 1. Your "
        "waves become slow twice as fast, and a cosine no longer fits its sine.",
        FREQUENCIES,
    ),
    Mistake(
        "one-frequency",
        "Every pair of columns has frequency 1",
        _one_frequency,
        "All pairs then repeat the first one, and positions that are a little more than six apart look almost "
        "alike. Every pair needs its own frequency.",
        LAYOUT,
    ),
    Mistake(
        "divided-by-frequency",
        "The positions are divided by the frequencies",
        _divided_by_frequency,
        "An angle is position times frequency. Dividing makes the waves faster from pair to pair; they should "
        "become slower.",
        LAYOUT,
    ),
    Mistake(
        "positions-from-1",
        "Positions are counted from 1",
        _from_one,
        "The first token has position 0. What you return as row 0 is the vector of position 1.",
        LAYOUT,
    ),
    Mistake(
        "base-ignored",
        "The argument `base` is ignored",
        _base_ignored,
        "Your table uses 10000 whatever is asked for. Does `base` get all the way to the frequencies?",
        SECTION,
    ),
    Mistake(
        "transposed",
        "Rows and columns are exchanged",
        _transposed,
        "Tokens are rows in this course, and so are their positions: row p belongs to position p.",
        SECTION,
    ),
    Mistake(
        "odd-crashes",
        "An odd d_model is noticed only when the cosines do not fit",
        _odd_crashes,
        "NumPy's message speaks of two shapes and not of d_model. Check the width first and say what is wrong with it.",
        SECTION,
    ),
    Mistake(
        "odd-runs-over",
        "An odd d_model is noticed only when a cosine falls outside the table",
        _odd_runs_over,
        "An IndexError is not the ValueError that is asked for. Check the width first, and name it in the message.",
        SECTION,
    ),
    Mistake(
        "odd-unpaired",
        "An odd d_model is accepted, with a last sine that has no cosine",
        _odd_unpaired,
        "Without its cosine the last column cannot take part in what makes this encoding useful (Exercise 1.5). "
        "Such a width is to be refused.",
        SECTION,
    ),
    Mistake(
        "odd-cut",
        "An odd d_model is accepted: the next even table, cut to size",
        _odd_accepted,
        "The last sine has no cosine any more, and the frequencies belong to another width. Such a width is to "
        "be refused.",
        SECTION,
    ),
)
