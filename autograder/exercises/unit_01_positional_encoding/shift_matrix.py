"""Specification of `shift_matrix`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from autograder.exercises.inputs import table_of
from transformer_kit import reference


def _values(call, rng):
    call.agrees(1, 2)  # by hand: one turn by 1 radian
    call.agrees(int(rng.integers(2, 9)), int(rng.choice([6, 8, 10])))
    call.agrees(40, 6)


def _turns(call, rng):
    d_model = int(rng.choice([6, 8]))
    a, b = (int(k) for k in rng.choice([2, 3, 4, 5], 2, replace=False))
    by_a, by_b, by_both = (table_of(call, (d_model, d_model), k, d_model) for k in (a, b, a + b))
    identity = np.eye(d_model)
    call.holds(not np.allclose(by_a, identity), f"R({a}) is the identity: it moves nothing.")
    call.holds(
        np.allclose(by_a @ by_a.T, identity),
        f"R({a}) @ R({a}).T is not the identity, so R({a}) changes lengths or angles. A rotation does not.",
    )
    call.holds(np.allclose(by_a @ by_b, by_both), f"R({a}) @ R({b}) is not R({a + b}).")


def _nowhere_and_backwards(call, rng):
    call.agrees(0, 6)
    d_model, offset = int(rng.choice([6, 8])), int(rng.integers(2, 6))
    there, back = (table_of(call, (d_model, d_model), k, d_model) for k in (offset, -offset))
    identity = np.eye(d_model)
    call.holds(not np.allclose(there, identity), f"R({offset}) is the identity: it moves nothing.")
    call.holds(np.allclose(back @ there, identity), f"R({-offset}) @ R({offset}) is not the identity.")


def _base(call, rng):
    call.agrees(3, 8, float(rng.integers(20, 500)))


def _odd(call, rng):
    table_of(call, (6, 6), 4, 6)
    odd = 2 * int(rng.integers(6, 40)) + 1
    call.refuses(4, odd, mentions=[odd])


def _blocks(offset, frequencies, block):
    """Put block(sine, cosine) of every pair on the diagonal."""
    R = np.zeros((2 * len(frequencies), 2 * len(frequencies)))
    for i, angle in enumerate(offset * frequencies):
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block(np.sin(angle), np.cos(angle))
    return R


def _transposed(offset, d_model, base=10000.0):
    return reference.shift_matrix(offset, d_model, base).T.copy()


def _minus_lost(offset, d_model, base=10000.0):
    return _blocks(offset, reference.angular_frequencies(d_model, base), lambda s, c: [[c, s], [s, c]])


def _sine_on_diagonal(offset, d_model, base=10000.0):
    return _blocks(offset, reference.angular_frequencies(d_model, base), lambda s, c: [[s, c], [-c, s]])


def _halves(offset, d_model, base=10000.0):
    angles = offset * reference.angular_frequencies(d_model, base)
    sines, cosines = np.diag(np.sin(angles)), np.diag(np.cos(angles))
    return np.block([[cosines, sines], [-sines, cosines]])


def _one_angle(offset, d_model, base=10000.0):
    return _blocks(offset, np.ones_like(reference.angular_frequencies(d_model, base)), lambda s, c: [[c, s], [-s, c]])


def _offset_ignored(offset, d_model, base=10000.0):
    return reference.shift_matrix(1, d_model, base)


def _zero_missing(offset, d_model, base=10000.0):
    return reference.shift_matrix(offset or 1, d_model, base)


def _loop_of_steps(offset, d_model, base=10000.0):
    step, R = reference.shift_matrix(1, d_model, base), np.eye(d_model)
    for _ in range(offset):
        R = R @ step
    return R


def _size_only(offset, d_model, base=10000.0):
    return reference.shift_matrix(abs(offset), d_model, base)


def _columns_moved(offset, d_model, base=10000.0):
    reference.angular_frequencies(d_model, base)
    return np.eye(d_model, k=offset)


def _base_ignored(offset, d_model, base=10000.0):
    return reference.shift_matrix(offset, d_model)


def _odd_crashes(offset, d_model, base=10000.0):
    frequencies = base ** (-np.arange(0, d_model, 2) / d_model)
    R = np.zeros((d_model, d_model))
    for i, angle in enumerate(offset * frequencies):
        s, c = np.sin(angle), np.cos(angle)
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    return R


def _odd_left_over(offset, d_model, base=10000.0):
    frequencies = base ** (-2 * np.arange(d_model // 2) / d_model)
    R = np.zeros((d_model, d_model))
    for i, angle in enumerate(offset * frequencies):
        s, c = np.sin(angle), np.cos(angle)
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    return R


SECTION = "Exercise 1.5: shift_matrix"
BLOCKS = "From one pair to the whole matrix"

EXERCISE = Exercise(
    reference=reference.shift_matrix,
    asks="the matrix R with P[p + offset] = P[p] @ R.T for every position p.",
    returns=(Returned("R", "(d_model, d_model)"),),
    where=BLOCKS,
    claims=(
        Claim("moves every position vector by the offset", 2, _values),
        Claim("is a rotation, and R(a) R(b) = R(a + b)", 1, _turns),
        Claim("offset 0 moves nothing, and a negative offset moves back", 1, _nowhere_and_backwards),
        Claim("the argument `base` reaches the angles", 0.5, _base),
        Claim("an odd d_model raises a ValueError that mentions it", 0.5, _odd),
    ),
    mistakes=(
        Mistake(
            "transposed",
            "The matrix turns the other way",
            _transposed,
            "Your R moves by -offset. The rule has R.T on the right of a row vector, so the rows of R, not its "
            "columns, hold the factors of the two addition theorems.",
            BLOCKS,
        ),
        Mistake(
            "minus-lost",
            "Both sines have the same sign",
            _minus_lost,
            "One of the two addition theorems has a minus. Without it the block stretches vectors, and lengths change.",
            BLOCKS,
        ),
        Mistake(
            "sine-on-diagonal",
            "Sines and cosines have changed places inside the blocks",
            _sine_on_diagonal,
            "For offset 0 nothing may move, so the matrix must then be the identity. Which of sine and cosine is 1 "
            "at 0?",
            BLOCKS,
        ),
        Mistake(
            "halves",
            "The matrix is built for a table with all sines first",
            _halves,
            "Your own table has each cosine right beside its sine, so the two columns that belong together are "
            "neighbours.",
            BLOCKS,
        ),
        Mistake(
            "one-angle",
            "Every pair of columns is turned by the same angle",
            _one_angle,
            "Each pair has its own frequency, and so its own angle for the same offset.",
            BLOCKS,
        ),
        Mistake(
            "offset-ignored",
            "The offset is ignored",
            _offset_ignored,
            "Your matrix moves by one position, whatever is asked for.",
            BLOCKS,
        ),
        Mistake(
            "zero-taken-for-missing",
            "An offset of 0 is taken for no offset",
            _zero_missing,
            "`or` and `if not` treat 0 like nothing at all. But 0 is an offset like any other: it leaves every "
            "position where it is.",
            SECTION,
        ),
        Mistake(
            "loop-of-steps",
            "Steps of one position are counted, which goes wrong below 0",
            _loop_of_steps,
            "`range(-3)` is empty, so a negative offset moves nothing. The angle can be had directly, without "
            "steps, and may be negative.",
            SECTION,
        ),
        Mistake(
            "sign-of-offset-lost",
            "A negative offset moves forward",
            _size_only,
            "The sign of the offset is the sign of the angle. Sine changes its sign with it, cosine does not.",
            SECTION,
        ),
        Mistake(
            "columns-moved",
            "The matrix moves columns, not positions",
            _columns_moved,
            "Ones beside the diagonal push the entries of one vector sideways. Here the entries stay in their "
            "pairs, and each pair is turned.",
            BLOCKS,
        ),
        Mistake(
            "base-ignored",
            "The argument `base` is ignored",
            _base_ignored,
            "A table with another base has other frequencies, and your matrix does not fit it.",
            SECTION,
        ),
        Mistake(
            "odd-crashes",
            "An odd d_model is noticed only when the last block does not fit",
            _odd_crashes,
            "NumPy's message speaks of two shapes and not of d_model. Check the width first and say what is wrong "
            "with it.",
            SECTION,
        ),
        Mistake(
            "odd-left-over",
            "An odd d_model is accepted, and the last column is set to 0",
            _odd_left_over,
            "A column without a partner cannot be turned; yours is wiped out. Such a width is to be refused.",
            SECTION,
        ),
    ),
)
