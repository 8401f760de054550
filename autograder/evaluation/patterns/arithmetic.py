"""Wrong numbers that follow from the right ones: a factor, an offset, a function."""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain

import numpy as np

from autograder.evaluation.patterns.case import ENOUGH, Case, Reading, close, digits_of, information, scale
from autograder.evaluation.patterns.sizes import factors
from autograder.execution.describe import number_text

LARGEST_PART = 12  # of a fraction that is simple
LARGEST_SQUARE = 1024  # whose root is recognised
LEAST = 1e-4  # share of the largest number, below which a deviation is no factor and no offset
LITTLE = 0.01  # share of an entry that is hardly missed
CONSTANTS = {
    "pi": math.pi,
    "1/pi": 1 / math.pi,
    "2 pi": 2 * math.pi,
    "180/pi": 180 / math.pi,
    "pi/180": math.pi / 180,
    "ln(2)": math.log(2),
    "1/ln(2)": 1 / math.log(2),
    "ln(10)": math.log(10),
    "1/ln(10)": 1 / math.log(10),
}
FUNCTIONS = (
    ("the logarithm", np.log),
    ("the exponential", np.exp),
    ("the square", np.square),
    ("the square root", np.sqrt),
    ("the reciprocal", np.reciprocal),
    ("one minus", lambda x: 1 - x),
)
ROUNDING = (("cut off", np.trunc), ("rounded down", np.floor), ("rounded", np.round))


def constant(case: Case) -> Iterator[Reading]:
    """One number everywhere, where there should be many."""
    if case.are_numbers and np.ptp(case.finite[0]) == 0:
        text = f"Every entry is {number_text(float(case.finite[0][0]))}; the right ones differ."
        yield Reading("constant", text, information(case.expected))


def factor(case: Case) -> Iterator[Reading]:
    """The same factor everywhere."""
    if not case.are_numbers or not all(map(np.any, case.finite)):
        return
    got, expected = case.finite
    large = np.abs(expected) > LEAST * scale(expected)
    ratio = float(np.median(got[large] / expected[large]))
    if not ratio or abs(ratio - 1) < LEAST or not close(got, ratio * expected):
        return
    digits = digits_of(got, expected)
    entries = information(np.abs(expected[large]))
    if math.isclose(ratio, -1, rel_tol=digits):
        yield Reading("sign", "Every entry has the wrong sign.", entries)
    for key, text in chain(factors(ratio, case.arguments, digits), [("factor", "")]):
        number = _number(ratio, digits)
        end = "" if text.endswith("?") else "."
        yield Reading(key, f"Every entry is {number} times what it should be{text}{end}", entries)


def _number(ratio, digits):
    """Write a factor as a simple fraction or as a root where it is one."""
    fraction = Fraction(ratio).limit_denominator(LARGEST_PART)
    if math.isclose(fraction, ratio, rel_tol=digits) and abs(fraction.numerator) <= LARGEST_SQUARE:
        return str(fraction)
    if abs(ratio) < 1 and math.isclose(1 / ratio, round(1 / ratio), rel_tol=digits):
        return f"1/{round(1 / ratio)}"
    for name, value in CONSTANTS.items():
        if math.isclose(ratio, value, rel_tol=digits):
            return f"{name} ({number_text(ratio)})"
    square = Fraction(ratio * ratio).limit_denominator(LARGEST_SQUARE)
    is_simple = min(square.numerator, square.denominator) <= LARGEST_PART
    if is_simple and math.isclose(square, ratio * ratio, rel_tol=digits) and square.numerator <= LARGEST_SQUARE:
        return f"{'-' if ratio < 0 else ''}sqrt({square})"
    return number_text(ratio)


def barely_too_small(case: Case) -> Iterator[Reading]:
    """A small part is missing everywhere, as where a small number is added to a divisor."""
    if not case.are_numbers or not np.any(case.finite[1]):
        return
    got, expected = case.finite
    large = np.abs(expected) > LEAST * scale(expected)
    missing = 1 - got[large] / expected[large]
    if missing.min() > 0 and missing.max() < LITTLE and close(got[~large], expected[~large]):
        share = f"{missing.max():.1g} of their size"
        what = f"Entries are too small, by at most {share}, and none is too large"
        text = f"{what}: is a small number added to a divisor?"
        yield Reading("barely too small", text, information(np.abs(expected[large])))


def offset(case: Case) -> Iterator[Reading]:
    """The same amount too much everywhere."""
    if not case.are_numbers:
        return
    got, expected = case.finite
    amount = float(np.median(got - expected))
    if abs(amount) > LEAST * scale(expected) and close(got - amount, expected):
        text = f"Every entry is off by the same amount, {number_text(amount)}."
        yield Reading("offset", text, information(expected))


def by_row(case: Case) -> Iterator[Reading]:
    """A factor or an amount for each row, or for each column."""
    if not case.are_numbers or case.got.ndim < 2 or not np.isfinite(case.expected).all():
        return
    for axis, singular, plural in ((-1, "row", "rows"), (-2, "column", "columns")):
        got, expected = (np.moveaxis(a, axis, -1).reshape(-1, a.shape[axis]) for a in (case.got, case.expected))
        if (expected.any(axis=1) & ~got.any(axis=1)).any() or np.abs(got - expected).max() < LEAST * scale(expected):
            continue  # rows that are 0, or rounding
        for name, of_rows, other in (("factor", *_scaled(got, expected)), ("amount", *_moved(got, expected))):
            if close(got, other) and np.ptp(of_rows) > LEAST * scale(of_rows):
                text = f"In each {singular} all entries are off by one {name}; the {plural} have different {name}s."
                telling = sum(information(row) >= ENOUGH for row in expected)
                needed = 2 if axis == -1 else ENOUGH
                yield Reading((name, axis), text, ENOUGH if telling >= needed else 0)


def _scaled(got, expected):
    """Return the factors that bring the right rows closest to the wrong ones, and what they make of them."""
    squares = np.sum(expected * expected, axis=1, keepdims=True)
    products = np.sum(got * expected, axis=1, keepdims=True)
    factors = products / np.where(squares, squares, 1)
    return factors[squares > 0], expected * factors


def _moved(got, expected):
    amounts = np.mean(got - expected, axis=1, keepdims=True)
    return amounts, expected + amounts


def function(case: Case) -> Iterator[Reading]:
    """A function of the right result, such as its logarithm."""
    if case.are_numbers:
        got, expected = case.finite
    elif isinstance(case.got, float) and isinstance(case.expected, float):
        got, expected = np.array([case.got]), np.array([case.expected])
    else:
        return
    for name, apply in FUNCTIONS:
        with np.errstate(all="ignore"):
            other = apply(expected)
        if np.isfinite(other).all() and close(got, other) and not close(got, expected):
            entries = information(got) if case.are_numbers else (ENOUGH if expected[0] % 1 else 0)
            verb = "Your result is" if not case.are_numbers else "Every entry is"
            yield Reading(name, f"{verb} {name} of what it should be.".replace("minus of", "minus"), entries)


def one_sign(case: Case) -> Iterator[Reading]:
    """Right in size or in one sign only."""
    if not case.are_numbers:
        return
    got, expected = case.finite
    for key, other, text in (
        ("size", np.abs(expected), "The entries are right in size, but none is negative."),
        ("positive", np.maximum(expected, 0), "The positive entries are right; the negative ones have become 0."),
        ("negative", np.minimum(expected, 0), "The negative entries are right; the positive ones have become 0."),
    ):
        if close(got, other) and not close(got, expected):
            yield Reading(key, text, min(information(expected[expected < 0]), information(expected[expected > 0])))


def rounded(case: Case) -> Iterator[Reading]:
    """Cut to integers, as in an array that was made for integers."""
    if not case.are_arrays or case.got.shape != case.expected.shape or case.expected.dtype.kind != "f":
        return
    for name, cut in ROUNDING:
        if np.array_equal(case.got, cut(case.expected)):
            entries = information(case.got) // (1 if case.got.dtype.kind in "iu" else 2)
            yield Reading(name, f"Every entry is the right one, but {name} to an integer.", entries)


def flags_as_numbers(case: Case) -> Iterator[Reading]:
    """The right flags, as numbers in place of booleans."""
    if not case.are_arrays or case.expected.dtype != bool or case.got.dtype == bool:
        return
    if np.array_equal(case.got, case.expected):
        text = "The result is right, with 1 for True and 0 for False: booleans are asked for."
        yield Reading("flags", text, case.got.size)


def degrees(case: Case) -> Iterator[Reading]:
    """Sines and cosines of angles that were divided by 180 / pi, recognised where all are of angles below 90."""
    if not case.are_numbers or np.any(np.abs(case.got) > 1) or np.any(np.abs(case.expected) > 1):
        return
    got, expected = case.finite
    with np.errstate(all="ignore"):
        sines = np.isclose(np.sin(np.rad2deg(np.arcsin(got))), expected, atol=1e-6)
        cosines = np.isclose(np.cos(np.rad2deg(np.arccos(got))), expected, atol=1e-6)
    plain = np.isin(expected, (0, 1))
    if np.all(sines | cosines):
        text = "Every entry is the sine or cosine of the right number taken as degrees: NumPy counts in radians."
        entries = min(information(expected[sines & ~plain]), information(expected[cosines & ~plain]))
        yield Reading("degrees", text, entries)


def normalised_elsewhere(case: Case) -> Iterator[Reading]:
    """Weights that sum to 1 along another axis than they should."""
    if not case.are_numbers or not np.isfinite(case.expected).all() or information(case.expected) < ENOUGH:
        return
    got, expected = case.got, case.expected
    if np.any(got < 0) or np.any(expected < 0) or not (expected_axes := _unit_axes(expected)):
        return
    got_axes = _unit_axes(got)
    axis = expected_axes[-1] - got.ndim
    if set(got_axes) & set(expected_axes):
        return
    yours = f"yours do so along axis {got_axes[-1] - got.ndim}" if got_axes else "yours do not"
    if math.isclose(got.sum(), 1, rel_tol=1e-4) and np.ptp(got.sum(axis=expected_axes[-1])) > 1e-4:
        got_axes = "all"
        yours = "yours do so all together"
    if got_axes:
        text = f"The entries should sum to 1 along axis {axis}; {yours}."
        yield Reading((str(got_axes), axis), text, information(got))
    else:
        yield Reading(axis, f"The entries should sum to 1 along axis {axis}; yours do not.", information(got))


def _unit_axes(array):
    axes = (axis for axis in range(array.ndim) if array.shape[axis] > 1 and array.size > array.shape[axis])
    return [axis for axis in axes if np.allclose(array.sum(axis=axis), 1, atol=1e-4)]


KINDS = (rounded, flags_as_numbers)  # the right numbers, as numbers of another kind
NUMBERS = (constant, factor, barely_too_small, offset, function, one_sign, degrees, by_row, normalised_elsewhere)
