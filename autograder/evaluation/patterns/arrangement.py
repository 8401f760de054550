"""The right numbers in other places: axes, rows and columns in another order, moved, missing or too many."""

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from autograder.evaluation.patterns.case import ENOUGH, Case, Reading, close, information, slice_name

MAX_AXES = 5  # whose orders are tried
MAX_SLICES = 64  # whose order is looked for
MAX_LISTED = 8  # rows or columns whose order is written out
MANY = 5  # different numbers before their mere presence tells anything


def permuted_axes(case: Case) -> Iterator[Reading]:
    """The right numbers with their axes in another order, such as transposed."""
    if not case.are_arrays or case.is_in_place or not 2 <= case.expected.ndim == case.got.ndim <= MAX_AXES:
        return
    axes = tuple(range(case.expected.ndim))
    last_two = (*axes[:-2], axes[-1], axes[-2])
    for order in sorted(permutations(axes), key=lambda order: order != last_two):
        if order != axes and close(case.got, other := case.expected.transpose(order)):
            if order == last_two:
                what = "two axes" if len(axes) == 2 else "last two axes"
                text = f"The numbers are right, but the {what} are exchanged: the result is transposed."
            else:
                text = f"The numbers are right, but the axes are there in the order {order} instead of {axes}."
            key = "transposed" if order == last_two else order
            yield Reading(key, text, _moved(other, case.expected))


def _moved(array, unmoved):
    """Return how much speaks for a rearrangement: how many numbers there are, and how many of them it moves."""
    moved = int((array != unmoved).sum()) if array.shape == unmoved.shape else array.size
    return min(information(array), moved)


def other_cuts(case: Case) -> Iterator[Reading]:
    """The same numbers in the same order, with other axes."""
    got, expected = case.got, case.expected
    if not case.are_arrays or got.shape == expected.shape or not close(got.ravel(), expected.ravel()):
        return
    if got.squeeze().shape == expected.squeeze().shape:
        how = "is missing" if got.ndim < expected.ndim else "is too many"
        how = "stands at another place" if got.ndim == expected.ndim else how
        yield Reading(how, f"The numbers are right; only an axis of length 1 {how}.", ENOUGH)
    else:
        text = "The numbers are right and in the right order; only the shape is not: `reshape` gives another one."
        yield Reading("reshape", text, information(expected))


def summed_axes(case: Case) -> Iterator[Reading]:
    """A sum or mean over an axis that is missing or too many."""
    got, expected = case.got, case.expected
    if not case.are_arrays or abs(got.ndim - expected.ndim) != 1 or got.dtype.kind != "f":
        return
    longer, shorter = (got, expected) if got.ndim > expected.ndim else (expected, got)
    for axis in range(longer.ndim):
        for name, reduced in (("sum", longer.sum(axis)), ("mean", longer.mean(axis))):
            if longer.shape[axis] > 1 and close(reduced.astype(shorter.dtype), shorter):
                is_missing = longer is got
                yours = f"The {name} of your result along axis {axis} would be right: it is missing."
                text = yours if is_missing else f"Yours is the {name} of the right result along axis {axis}."
                yield Reading((name, axis, is_missing), text, information(shorter))


def parts(case: Case) -> Iterator[Reading]:
    """The right result without its end or beginning, with something more there, or one entry of the batch alone."""
    got, expected = case.got, case.expected
    if not case.are_arrays or bool in (got.dtype, expected.dtype):
        return
    if got.ndim + 1 == expected.ndim and len(expected) > 1:
        for name, index in (("first", 0), ("last", -1)):
            if close(got, expected[index]):
                text = f"Yours is the right result for the {name} entry along axis 0 alone; the others are missing."
                yield Reading((name, "entry"), text, information(got))
    if got.ndim != expected.ndim:
        return
    unlike = [axis for axis in range(got.ndim) if got.shape[axis] != expected.shape[axis]]
    if len(unlike) == 1:
        yield from _cut_off(got, expected, unlike[0])


def _cut_off(got, expected, axis):
    more = got.shape[axis] - expected.shape[axis]
    longer, shorter = (got, expected) if more > 0 else (expected, got)
    longer, shorter = np.moveaxis(longer, axis, 0), np.moveaxis(shorter, axis, 0)
    name = slice_name(got.ndim, axis, abs(more))
    for side, part in (("end", longer[: len(shorter)]), ("beginning", longer[abs(more) :])):
        if close(shorter, part):
            what = "too many" if more > 0 else "missing"
            verb = "is" if abs(more) == 1 else "are"
            text = f"{abs(more)} {name} {verb} {what} at the {side}; the rest is right."
            yield Reading((axis - got.ndim, side, more > 0), text, information(shorter))


def _is_poor(array):
    """Return whether the entries are booleans or integers of which too few differ: their places tell little."""
    return array.dtype.kind != "f" and information(array) < MANY


def slices_in_other_order(case: Case) -> Iterator[Reading]:
    """Rows, columns or other slices that are all there, but in another order."""
    if not case.are_alike or case.is_in_place or case.got.dtype == bool or _is_poor(case.expected):
        return
    for axis in range(case.got.ndim - 1, -1, -1):
        count = case.got.shape[axis]
        if ENOUGH <= count <= MAX_SLICES:
            order = _order(*(np.moveaxis(a, axis, 0).reshape(count, -1) for a in (case.got, case.expected)))
            if order:
                name = slice_name(case.got.ndim, axis, count)
                key, text = _order_text(order, name)
                yield Reading(key, text, information(case.expected))


def _order(got, expected):
    """Return which row of the right array each row is, or None where that is not clear or nothing has moved."""
    order = []
    for row in got:
        fitting = [number for number, other in enumerate(expected) if close(row, other)]
        if len(fitting) != 1:
            return None
        order += fitting
    return order if sorted(order) == list(range(len(got))) and order != sorted(order) else None


def _order_text(order, name):
    count = len(order)
    if order == list(range(count))[::-1]:
        return (name, "reversed"), f"The {name} are right, but in reverse order."
    if count <= MAX_LISTED:
        return (name, "order"), f"The {name} are right, but in the order {', '.join(map(str, order))}."
    return (name, "order"), f"The {name} are right, but in another order."


def shifted(case: Case) -> Iterator[Reading]:
    """Off by one along an axis."""
    if not case.are_alike or case.is_in_place or _is_poor(case.expected):
        return
    ndim = case.got.ndim
    for axis in range(ndim - 1, -1, -1):
        got, expected = (np.moveaxis(a, axis, 0) for a in (case.got, case.expected))
        if len(got) <= ENOUGH:
            continue
        name = slice_name(ndim, axis)
        for sign, pair in (("+", (got[:-1], expected[1:])), ("-", (got[1:], expected[:-1]))):
            if close(*pair) and not close(*(np.delete(pair[1], end, 0) for end in (0, -1))):
                text = f"Off by one: your {name} i is what {name} i {sign} 1 should be."
                yield Reading((axis - ndim, sign), text, _moved(pair[1], np.roll(pair[1], 1, axis=0)))


def numbers_elsewhere(case: Case) -> Iterator[Reading]:
    """The right numbers, all of them, in other places; for where no simpler rearrangement fits."""
    if not case.are_alike or case.is_in_place or case.got.dtype.kind == "b" or information(case.expected) < MANY:
        return
    if close(np.sort(case.got, axis=None), np.sort(case.expected, axis=None)):
        yield Reading("elsewhere", "All the right numbers are there, but in other places.", information(case.expected))


def shape_alone(case: Case) -> Iterator[Reading]:
    """What the two shapes say where the numbers say nothing."""
    if not case.are_arrays or case.got.shape == case.expected.shape:
        return
    got, expected = case.got.shape, case.expected.shape
    if len(got) > 1 and sorted(got) == sorted(expected) and len(set(got)) == len(got):
        yield Reading("order", "The axes have the right lengths, but in another order.", ENOUGH)
    if 0 < len(got) < len(expected) > 2 and expected[-len(got) :] == got:
        yield Reading("leading", "Axes are missing in front.", ENOUGH)


WHOLE = (permuted_axes, other_cuts, summed_axes, parts, slices_in_other_order)
PLACES = (shifted, numbers_elsewhere)
SHAPES = (shape_alone,)
