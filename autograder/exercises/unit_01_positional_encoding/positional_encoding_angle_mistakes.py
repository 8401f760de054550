"""The known mistakes of `positional_encoding` with the angles and what becomes of them."""

import numpy as np

from autograder.exercises.unit_01_positional_encoding.positional_encoding_mistakes import (
    LAYOUT,
    angles_of,
    interleaved,
    waves_of,
)
from autograder.specification import KnownMistakes
from transformer_kit import reference

MISTAKES = KnownMistakes()


@MISTAKES.add(where=LAYOUT)
def degrees(seq_len, d_model, base=10000.0):
    """The angles are treated as degrees.

    NumPy's sine and cosine take radians, and position times frequency is a number of radians already.
    """
    return waves_of(np.deg2rad(angles_of(seq_len, reference.angular_frequencies(d_model, base))))


@MISTAKES.add(where=LAYOUT)
def sines_only(seq_len, d_model, base=10000.0):
    """The odd columns hold sines as well.

    A sine alone takes every height twice per turn. Its partner in the next column is the cosine of the same angle.
    """
    sines = np.sin(angles_of(seq_len, reference.angular_frequencies(d_model, base)))
    return interleaved(sines, sines)


@MISTAKES.add(where=LAYOUT)
def cosines_from_sines(seq_len, d_model, base=10000.0):
    """The cosines are never negative, as where they are made from the sines.

    The squares of both sum to 1, but a root has lost the sign. Take the cosine of the angle itself.
    """
    sines = np.sin(angles_of(seq_len, reference.angular_frequencies(d_model, base)))
    return interleaved(sines, np.sqrt(1 - sines**2))


@MISTAKES.add(where=LAYOUT)
def pairs_overlap(seq_len, d_model, base=10000.0):
    """The pairs of columns overlap.

    Pair i begins at column 2i, because every pair takes two. Yours begins at i, and the next one overwrites a part of
    it.
    """
    table = np.zeros((seq_len, d_model))
    for i, angles in enumerate(angles_of(seq_len, reference.angular_frequencies(d_model, base)).T):
        table[:, i], table[:, i + 1] = np.sin(angles), np.cos(angles)
    return table


@MISTAKES.add(where=LAYOUT)
def frequency_outside(seq_len, d_model, base=10000.0):
    """The frequency is outside the sine and the cosine.

    It then changes the height of the wave and not its speed. Multiply it by the position first, and take the sine and
    the cosine of the product.
    """
    frequencies = reference.angular_frequencies(d_model, base)
    angles = angles_of(seq_len, np.ones_like(frequencies))
    return interleaved(frequencies * np.sin(angles), frequencies * np.cos(angles))


@MISTAKES.add(where=LAYOUT)
def cut_to_integers(seq_len, d_model, base=10000.0):
    """The table has no room for fractions.

    An array of integers cuts off what comes after the decimal point, so that only -1, 0 and 1 are left. Make an array
    of floats.
    """
    return reference.positional_encoding(seq_len, d_model, base).astype(np.int64).astype(float)


@MISTAKES.add(where=LAYOUT)
def share_of_the_length(seq_len, d_model, base=10000.0):
    """The positions are divided by the length of the sequence.

    Then the same position has a different vector in a longer sentence. A position is counted, 0, 1, 2 and so on.
    """
    return waves_of(angles_of(seq_len, reference.angular_frequencies(d_model, base) / seq_len))


@MISTAKES.add(where=LAYOUT)
def cosines_missing(seq_len, d_model, base=10000.0):
    """The odd columns are 0.

    They have yet to be filled, with the cosines of the same angles.
    """
    sines = np.sin(angles_of(seq_len, reference.angular_frequencies(d_model, base)))
    return interleaved(sines, np.zeros_like(sines))


@MISTAKES.add(where=LAYOUT)
def rows_alternate(seq_len, d_model, base=10000.0):
    """Sines and cosines take turns down the rows.

    `P[0::2]` takes every second *row*. The columns come after a comma.
    """
    waves = np.repeat(angles_of(seq_len, reference.angular_frequencies(d_model, base)), 2, axis=1)
    return np.where(np.arange(seq_len)[:, None] % 2, np.cos(waves), np.sin(waves))


@MISTAKES.add(where=LAYOUT)
def into_degrees(seq_len, d_model, base=10000.0):
    """The angles are turned into degrees.

    NumPy's sine and cosine take radians, and position times frequency is a number of radians already.
    """
    return waves_of(np.rad2deg(angles_of(seq_len, reference.angular_frequencies(d_model, base))))
