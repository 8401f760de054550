"""Specification of `shift_matrix`."""

import numpy as np

from autograder.execution.precision import bound_for
from autograder.exercises.inputs import agrees_here, table_of
from autograder.exercises.unit_01_positional_encoding import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

BLOCKS = "From one pair to the whole matrix"

EXERCISE = Exercise(
    reference=reference.shift_matrix,
    asks="the matrix R with P[p + offset] = P[p] @ R.T for every position p.",
    returns=(Output("R", "(d_model, d_model)"),),
    where=BLOCKS,
    calls=calls.SHIFT_MATRIX,
    lookalike=lookalikes.SHIFT_MATRIX,
)


@EXERCISE.claim(2)
def values(call, rng):
    """moves every position vector by the offset"""
    call.agrees(1, 2)  # by hand: one turn by 1 radian
    call.agrees(int(rng.integers(2, 9)), int(rng.choice([6, 10, 14])))
    call.agrees(700, 64)


@EXERCISE.claim(1)
def turns(call, rng):
    """is a rotation, and R(a) R(b) = R(a + b)"""
    d_model = int(rng.choice([6, 8]))
    a, b = (int(k) for k in rng.choice([2, 3, 4, 5], 2, replace=False))
    by_a, by_b, by_both = (table_of(call, (d_model, d_model), k, d_model) for k in (a, b, a + b))
    identity, slack = np.eye(d_model), bound_for(1e-8, by_a, by_b, by_both)
    call.holds(not np.allclose(by_a, identity), f"R({a}) is the identity: it moves nothing.")
    call.holds(
        np.allclose(by_a @ by_a.T, identity, atol=slack),
        f"R({a}) @ R({a}).T is not the identity, so R({a}) changes lengths or angles. A rotation does not.",
    )
    mirrored = ", ".join(f"R({k})" for k, R in ((a, by_a), (b, by_b)) if np.linalg.det(R) < 0)
    call.holds(not mirrored, f"{mirrored} has the determinant -1, so there is a reflection in it.")
    call.holds(np.allclose(by_a @ by_b, by_both, atol=slack), f"R({a}) @ R({b}) is not R({a + b}).")


@EXERCISE.claim(1)
def nowhere_and_backwards(call, rng):
    """offset 0 moves nothing, and a negative offset moves back"""
    call.agrees(0, 6)
    d_model, offset = int(rng.choice([6, 8])), int(rng.integers(2, 6))
    there, back = (table_of(call, (d_model, d_model), k, d_model) for k in (offset, -offset))
    identity, slack = np.eye(d_model), bound_for(1e-8, there, back)
    call.holds(not np.allclose(there, identity), f"R({offset}) is the identity: it moves nothing.")
    call.holds(np.allclose(back @ there, identity, atol=slack), f"R({-offset}) @ R({offset}) is not the identity.")


@EXERCISE.claim(0.25, side=True)
def base(call, rng):
    """the argument `base` reaches the angles, and every call makes a new matrix"""
    call.agrees(3, 8)
    base = float(rng.integers(20, 500))
    agrees_here(call, 3, 8, base)
    call.leaves_inputs_alone(3, 8, base)


@EXERCISE.claim(0.25, side=True)
def odd(call, rng):
    """an odd d_model raises a ValueError that mentions it"""
    odd = 2 * int(rng.integers(6, 40)) + 1
    call.refuses(4, odd, mentions=[odd])
    table_of(call, (6, 6), 4, 6)


wrong = WrongAnswers(EXERCISE, globals())


def _blocks(offset, frequencies, block):
    """Put block(sine, cosine) of every pair on the diagonal."""
    R = np.zeros((2 * len(frequencies), 2 * len(frequencies)))
    for i, angle in enumerate(offset * frequencies):
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block(np.sin(angle), np.cos(angle))
    return R


wrong("transposed", "shift_matrix(offset, d_model, base).T.copy()", """
    The matrix turns the other way.
    Your R moves by -offset. The rule has R.T on the right of a row vector, so the rows of R, not its columns, hold the
    factors of the two addition formulas.""")

wrong("minus-lost", "_blocks(offset, angular_frequencies(d_model, base), lambda s, c: [[c, s], [s, c]])", """
    Both sines have the same sign.
    One of the two addition formulas has a minus. Without it the block stretches vectors, and lengths change.""")

wrong("sine-on-diagonal", "_blocks(offset, angular_frequencies(d_model, base), lambda s, c: [[s, c], [-c, s]])", """
    Sines and cosines are swapped inside the blocks.
    For offset 0 nothing may move, so the matrix must then be the identity. Which of sine and cosine is 1 at 0?""")

wrong("halves", {
    "np.arange(0, d_model, 2), np.arange(1, d_model, 2)": "np.arange(d_model // 2), np.arange(d_model // 2, d_model)",
}, """
    The matrix is built for a table with all sines first.
    Your own table has each cosine right beside its sine, so the two columns that belong together are neighbours.""")

wrong("one-angle",
      "_blocks(offset, np.ones_like(angular_frequencies(d_model, base)), lambda s, c: [[c, s], [-s, c]])", """
    Every pair of columns is turned by the same angle.
    Each pair has its own frequency, and so its own angle for the same offset.""")

wrong("frequencies-to-a-power",
      "_blocks(1, angular_frequencies(d_model, base) ** float(offset), lambda s, c: [[c, s], [-s, c]])", """
    The frequencies are raised to the power of the offset.
    Every step turns by the same angle, so the angles add up: the offset *times* the frequency.""")

wrong("offset-ignored", "shift_matrix(1, d_model, base)", """
    The offset is ignored.
    Your matrix moves by one position, whatever the offset.""")

wrong.at()
wrong("zero-taken-for-missing", "shift_matrix(offset or 1, d_model, base)", """
    An offset of 0 is mistaken for no offset.
    `or` and `if not` treat 0 like nothing at all. But 0 is an offset like any other: it leaves every position where it
    is.""")

wrong("loop-of-steps", {"angles = offset": "angles = max(offset, 0)"}, """
    A negative offset moves nothing, as where steps of one position are counted.
    A loop over `range(-3)` makes no step. The angle can be computed directly, without steps, and may be negative.""")

wrong("sign-of-offset-lost", "shift_matrix(abs(offset), d_model, base)", """
    A negative offset moves forward.
    The sign of the offset is the sign of the angle. The sine changes its sign with it, the cosine does not.""")

wrong.at(BLOCKS)
wrong("columns-moved", {"return R": "return np.eye(d_model, k=offset)"}, """
    The matrix moves columns, not positions.
    Ones off the diagonal push the entries of one vector sideways. Here the entries stay in their pairs, and each pair
    is turned.""")

wrong.at()
wrong("base-ignored", "shift_matrix(offset, d_model)", """
    The argument `base` is ignored.
    A table with another base has other frequencies, and your matrix does not fit it.""")


@wrong.function
def odd_crashes(offset, d_model, base=10000.0):
    """An odd d_model is noticed only when the last block does not fit.
    NumPy's message is about two shapes and not about d_model. Check the width first and say what is wrong with it."""
    frequencies = base ** (-np.arange(0, d_model, 2) / d_model)
    R = np.zeros((d_model, d_model))
    for i, angle in enumerate(offset * frequencies):
        s, c = np.sin(angle), np.cos(angle)
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    return R


wrong("odd-left-over", {
    "angular_frequencies(d_model, base)": "base ** (-2 * np.arange(d_model // 2) / d_model)",
    "np.arange(0, d_model, 2)": "np.arange(0, d_model - 1, 2)",
}, """
    An odd d_model is accepted, and the last column is set to 0.
    A column without a partner cannot be turned; yours is wiped out. Such a width has to be refused.""")

wrong.at(BLOCKS)
wrong("degrees", "_blocks(offset, np.deg2rad(angular_frequencies(d_model, base)), lambda s, c: [[c, s], [-s, c]])", """
    The angles are treated as degrees.
    NumPy's sine and cosine take radians, and offset times frequency is a number of radians already.""")

wrong("into-degrees",
      "_blocks(offset, np.rad2deg(angular_frequencies(d_model, base)), lambda s, c: [[c, s], [-s, c]])", """
    The angles are turned into degrees.
    NumPy's sine and cosine take radians, and offset times frequency is a number of radians already.""")


@wrong.function
def blocks_overlap(offset, d_model, base=10000.0):
    """The blocks overlap.
    Block i begins at row and column 2i, because every pair takes two. Yours begins at i, and the next one overwrites a
    part of it."""
    R = np.zeros((d_model, d_model))
    for i, angle in enumerate(offset * reference.angular_frequencies(d_model, base)):
        s, c = np.sin(angle), np.cos(angle)
        R[i : i + 2, i : i + 2] = [[c, s], [-s, c]]
    return R


wrong("offset-outside", "offset * shift_matrix(1, d_model, base)", """
    The offset is outside the sine and the cosine.
    It then stretches the vectors. Multiply it by the frequency first, and take the sine and the cosine of the
    product.""")

wrong("cosines-only", "_blocks(offset, angular_frequencies(d_model, base), lambda s, c: [[c, 0], [0, c]])", """
    The sines are missing.
    A turn mixes the two columns of a pair. Next to each cosine there is a sine, one of them with a minus.""")

wrong("first-block-only", {"    return R": "    R[2:] = 0\n    return R"}, """
    Only the first block is filled.
    A `return` inside the loop ends the function with the first pair. There is one block for each of the pairs.""")

wrong("reflected", "_blocks(offset, angular_frequencies(d_model, base), lambda s, c: [[c, s], [s, -c]])", """
    The blocks reflect instead of turning.
    Both cosines of a block have the same sign, and of the two sines one has a minus. Yours has its minus at a
    cosine.""")


@wrong.function
def fitted_to_few_positions(offset, d_model, base=10000.0):
    """The matrix is fitted to the vectors of four positions, which do not determine it.
    Many matrices move four vectors rightly, and least squares takes the smallest of them. The rule for the blocks gives
    the one that moves every position."""
    P = reference.positional_encoding(4 + abs(offset), d_model, base)
    R, *_ = np.linalg.lstsq(P[:4], P[offset : offset + 4], rcond=None)
    return R.T
