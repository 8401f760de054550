"""Numbers that are right but for their last digits, as they are where something is computed in fewer."""

from collections.abc import Iterator

import numpy as np

from autograder.evaluation.patterns.arithmetic import barely_too_small
from autograder.evaluation.patterns.case import Case, Reading, information, scale

DIGITS = {np.float16: 3, np.float32: 7}  # that a number has
DECIMALS = range(4, 13)  # to which results are rounded
LEAST_OF_SINGLE = 5e-9  # by which numbers are off at least that went through float32, as a share of the largest
MOST_ROUNDED = 1e-3  # by which results that are of such a type may be off
MOST = {np.float16: 5e-3, np.float32: 3e-7}  # by which results may then be off, as a share of the largest number


def short_numbers(case: Case) -> Iterator[Reading]:
    """Numbers of a precision that is lower than their array's."""
    for dtype, digits in DIGITS.items():
        if _are_nearly_right(case, dtype) and _has_digits(case.finite[0], dtype):
            text = (
                f"Your numbers have the digits of {dtype.__name__}, so they are right to about {digits} digits only: "
                "leave out the conversion, or compute in float64."
            )
            yield Reading(dtype, text, information(case.finite[0]))
            return


def _has_digits(numbers, dtype):
    """Return whether numbers, not all of them whole, have no more digits than a type."""
    return np.array_equal(numbers.astype(dtype), numbers) and (numbers != np.round(numbers)).any()


def few_digits(case: Case) -> Iterator[Reading]:
    """Numbers that are right to some digits: those of single precision, or more, which it does not have."""
    if not _are_nearly_right(case, np.float32) or any(barely_too_small(case)):
        return
    got, expected = case.finite
    decimals = next((d for d in DECIMALS if np.array_equal(np.round(expected, d), got)), None)
    if decimals:
        text = f"The numbers are the right ones rounded to {decimals} decimals: leave them as they are."
    elif np.abs(got - expected).max() > LEAST_OF_SINGLE * scale(expected):
        text = (
            "The numbers are right to about 7 digits only: is something on the way computed in float32 instead of "
            "float64, or is a number, such as an eps, slightly another one than it should be?"
        )
    else:
        text = (
            "The last digits are wrong, beyond those of float32: is a small number added to a divisor, under a root or "
            "in a logarithm, or something rounded on the way?"
        )
    yield Reading("digits", text, information(case.expected))


def _are_nearly_right(case, dtype):
    if not case.are_numbers or case.got.dtype != np.float64:
        return False
    got, expected = case.finite
    return not case.right.all() and np.abs(got - expected).max() <= MOST[dtype] * scale(expected)


def rounded_on_the_way(case: Case) -> Iterator[Reading]:
    """A result of lower precision that is farther off than by being rounded."""
    if case.are_numbers and case.got.dtype.type in DIGITS and not case.right.all():
        got, expected = case.finite
        off = np.abs(got - expected).max() / scale(expected)
        if off <= MOST_ROUNDED:
            digits = int(-np.log10(off))
            text = (
                f"The numbers are right to about {digits} digits only: they are computed in {case.got.dtype}. "
                "Compute in float64."
            )
            yield Reading(case.got.dtype.type, text, information(case.expected))


PRECISION = (short_numbers, few_digits, rounded_on_the_way)
