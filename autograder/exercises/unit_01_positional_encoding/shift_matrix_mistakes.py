"""The known mistakes of `shift_matrix`."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 1.5: shift_matrix"
BLOCKS = "From one pair to the whole matrix"

MISTAKES = KnownMistakes()


def _blocks(offset, frequencies, block):
    """Put block(sine, cosine) of every pair on the diagonal."""
    R = np.zeros((2 * len(frequencies), 2 * len(frequencies)))
    for i, angle in enumerate(offset * frequencies):
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block(np.sin(angle), np.cos(angle))
    return R


@MISTAKES.add(where=BLOCKS)
def transposed(offset, d_model, base=10000.0):
    """The matrix turns the other way.

    Your R moves by -offset. The rule has R.T on the right of a row vector, so the rows of R, not its columns, hold
    the factors of the two addition formulas.
    """
    return reference.shift_matrix(offset, d_model, base).T.copy()


@MISTAKES.add(where=BLOCKS)
def minus_lost(offset, d_model, base=10000.0):
    """Both sines have the same sign.

    One of the two addition formulas has a minus. Without it the block stretches vectors, and lengths change.
    """
    return _blocks(offset, reference.angular_frequencies(d_model, base), lambda s, c: [[c, s], [s, c]])


@MISTAKES.add(where=BLOCKS)
def sine_on_diagonal(offset, d_model, base=10000.0):
    """Sines and cosines are swapped inside the blocks.

    For offset 0 nothing may move, so the matrix must then be the identity. Which of sine and cosine is 1 at 0?
    """
    return _blocks(offset, reference.angular_frequencies(d_model, base), lambda s, c: [[s, c], [-c, s]])


@MISTAKES.add(where=BLOCKS)
def halves(offset, d_model, base=10000.0):
    """The matrix is built for a table with all sines first.

    Your own table has each cosine right beside its sine, so the two columns that belong together are neighbours.
    """
    angles = offset * reference.angular_frequencies(d_model, base)
    sines, cosines = np.diag(np.sin(angles)), np.diag(np.cos(angles))
    return np.block([[cosines, sines], [-sines, cosines]])


@MISTAKES.add(where=BLOCKS)
def one_angle(offset, d_model, base=10000.0):
    """Every pair of columns is turned by the same angle.

    Each pair has its own frequency, and so its own angle for the same offset.
    """
    return _blocks(offset, np.ones_like(reference.angular_frequencies(d_model, base)), lambda s, c: [[c, s], [-s, c]])


@MISTAKES.add(where=BLOCKS)
def frequencies_to_a_power(offset, d_model, base=10000.0):
    """The frequencies are raised to the power of the offset.

    Every step turns by the same angle, so the angles add up: the offset *times* the frequency.
    """
    angles = reference.angular_frequencies(d_model, base) ** float(offset)
    return _blocks(1, angles, lambda s, c: [[c, s], [-s, c]])


@MISTAKES.add(where=BLOCKS)
def offset_ignored(offset, d_model, base=10000.0):
    """The offset is ignored.

    Your matrix moves by one position, whatever the offset.
    """
    return reference.shift_matrix(1, d_model, base)


@MISTAKES.add(where=SECTION)
def zero_taken_for_missing(offset, d_model, base=10000.0):
    """An offset of 0 is mistaken for no offset.

    `or` and `if not` treat 0 like nothing at all. But 0 is an offset like any other: it leaves every position where it
    is.
    """
    return reference.shift_matrix(offset or 1, d_model, base)


@MISTAKES.add(where=SECTION)
def loop_of_steps(offset, d_model, base=10000.0):
    """A negative offset moves nothing, as where steps of one position are counted.

    A loop over `range(-3)` makes no step. The angle can be computed directly, without steps, and may be negative.
    """
    step, R = reference.shift_matrix(1, d_model, base), np.eye(d_model)
    for _ in range(offset):
        R = R @ step
    return R


@MISTAKES.add(where=SECTION)
def sign_of_offset_lost(offset, d_model, base=10000.0):
    """A negative offset moves forward.

    The sign of the offset is the sign of the angle. The sine changes its sign with it, the cosine does not.
    """
    return reference.shift_matrix(abs(offset), d_model, base)


@MISTAKES.add(where=BLOCKS)
def columns_moved(offset, d_model, base=10000.0):
    """The matrix moves columns, not positions.

    Ones off the diagonal push the entries of one vector sideways. Here the entries stay in their pairs, and each pair
    is turned.
    """
    reference.angular_frequencies(d_model, base)
    return np.eye(d_model, k=offset)


@MISTAKES.add(where=SECTION)
def base_ignored(offset, d_model, base=10000.0):
    """The argument `base` is ignored.

    A table with another base has other frequencies, and your matrix does not fit it.
    """
    return reference.shift_matrix(offset, d_model)


@MISTAKES.add(where=SECTION)
def odd_crashes(offset, d_model, base=10000.0):
    """An odd d_model is noticed only when the last block does not fit.

    NumPy's message is about two shapes and not about d_model. Check the width first and say what is wrong with it.
    """
    frequencies = base ** (-np.arange(0, d_model, 2) / d_model)
    R = np.zeros((d_model, d_model))
    for i, angle in enumerate(offset * frequencies):
        s, c = np.sin(angle), np.cos(angle)
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    return R


@MISTAKES.add(where=SECTION)
def odd_left_over(offset, d_model, base=10000.0):
    """An odd d_model is accepted, and the last column is set to 0.

    A column without a partner cannot be turned; yours is wiped out. Such a width has to be refused.
    """
    frequencies = base ** (-2 * np.arange(d_model // 2) / d_model)
    R = np.zeros((d_model, d_model))
    for i, angle in enumerate(offset * frequencies):
        s, c = np.sin(angle), np.cos(angle)
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    return R


@MISTAKES.add(where=BLOCKS)
def degrees(offset, d_model, base=10000.0):
    """The angles are treated as degrees.

    NumPy's sine and cosine take radians, and offset times frequency is a number of radians already.
    """
    frequencies = np.deg2rad(reference.angular_frequencies(d_model, base))
    return _blocks(offset, frequencies, lambda s, c: [[c, s], [-s, c]])


@MISTAKES.add(where=BLOCKS)
def into_degrees(offset, d_model, base=10000.0):
    """The angles are turned into degrees.

    NumPy's sine and cosine take radians, and offset times frequency is a number of radians already.
    """
    frequencies = np.rad2deg(reference.angular_frequencies(d_model, base))
    return _blocks(offset, frequencies, lambda s, c: [[c, s], [-s, c]])


@MISTAKES.add(where=BLOCKS)
def blocks_overlap(offset, d_model, base=10000.0):
    """The blocks overlap.

    Block i begins at row and column 2i, because every pair takes two. Yours begins at i, and the next one overwrites a
    part of it.
    """
    R = np.zeros((d_model, d_model))
    for i, angle in enumerate(offset * reference.angular_frequencies(d_model, base)):
        s, c = np.sin(angle), np.cos(angle)
        R[i : i + 2, i : i + 2] = [[c, s], [-s, c]]
    return R


@MISTAKES.add(where=BLOCKS)
def offset_outside(offset, d_model, base=10000.0):
    """The offset is outside the sine and the cosine.

    It then stretches the vectors. Multiply it by the frequency first, and take the sine and the cosine of the product.
    """
    return offset * reference.shift_matrix(1, d_model, base)


@MISTAKES.add(where=BLOCKS)
def cosines_only(offset, d_model, base=10000.0):
    """The sines are missing.

    A turn mixes the two columns of a pair. Next to each cosine there is a sine, one of them with a minus.
    """
    return _blocks(offset, reference.angular_frequencies(d_model, base), lambda s, c: [[c, 0], [0, c]])


@MISTAKES.add(where=BLOCKS)
def first_block_only(offset, d_model, base=10000.0):
    """Only the first block is filled.

    A `return` inside the loop ends the function with the first pair. There is one block for each of the pairs.
    """
    R = reference.shift_matrix(offset, d_model, base)
    R[2:] = 0
    return R


@MISTAKES.add(where=BLOCKS)
def reflected(offset, d_model, base=10000.0):
    """The blocks reflect instead of turning.

    Both cosines of a block have the same sign, and of the two sines one has a minus. Yours has its minus at a cosine.
    """
    return _blocks(offset, reference.angular_frequencies(d_model, base), lambda s, c: [[c, s], [s, -c]])


@MISTAKES.add(where=BLOCKS)
def fitted_to_few_positions(offset, d_model, base=10000.0):
    """The matrix is fitted to the vectors of four positions, which do not determine it.

    Many matrices move four vectors rightly, and least squares takes the smallest of them. The rule for the blocks gives
    the one that moves every position.
    """
    P = reference.positional_encoding(4 + abs(offset), d_model, base)
    R, *_ = np.linalg.lstsq(P[:4], P[offset : offset + 4], rcond=None)
    return R.T
