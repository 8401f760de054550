"""One wrong part among right ones: where the wrong entries are."""

import math
from collections.abc import Iterator

import numpy as np

from autograder.evaluation.patterns.case import ENOUGH, Case, Reading, broadcasts, information, slice_name

# Why slices may be empty, by where they are
EMPTY = dict.fromkeys(("first", "up to"), "does a loop begin too late")
EMPTY |= dict.fromkeys(("last", "from"), "does a loop end too early")


def wrong_region(case: Case) -> Iterator[Reading]:
    """Most entries of one part are wrong, and all others are right."""
    if not case.are_alike:
        return
    wrong = ~case.right
    for key, text, region, tells in _regions(case, wrong):
        count = int(wrong[region].sum())
        if 2 * count >= region.sum() and count == wrong.sum() and not region.all():
            yield Reading(key, text, _weight(case.expected[~region], wrong[region]) if tells else 0)


def _weight(right, wrong):
    """Return how much speaks for a part: how much the right entries tell, and how many of the part are wrong."""
    count = int(wrong.sum())
    if right.dtype.kind == "b":
        return min(right.size // 3, 3 * count // (4 if wrong.all() else 8))
    weight = information(right[np.isfinite(right) & (right != 0)])
    return min(weight if right.dtype.kind == "f" else weight // 2, count + 1)


def _regions(case, wrong):
    """Yield parts of the result that may be wrong: a key, a sentence, where it is, and whether it is more than chance.

    One row of two is soon wrong by chance, but does not speak against what larger results say.
    """
    shape = case.expected.shape
    is_float = case.expected.dtype.kind == "f"
    yield from ((*region, True) for region in _masked(case) if is_float)
    if len(shape) >= 2 and shape[-1] == shape[-2] > 1:
        yield from ((*region, shape[-1] >= ENOUGH) for region in _triangles(shape))
    for axis, count in enumerate(shape):
        yield from ((*region, count >= ENOUGH) for region in _runs(wrong, axis))
    yield from ((*region, True) for region in _signs(case) if is_float)


def _masked(case):
    shape = case.expected.shape
    for name, mask in case.arguments.items():
        if isinstance(mask, np.ndarray) and mask.dtype == bool and broadcasts(mask, shape):
            visible = np.broadcast_to(mask, shape)
            empty = np.broadcast_to(~mask.any(axis=-1, keepdims=True), shape) if mask.ndim else ~visible
            yield ("empty", name), _wrong(f"in rows in which `{name}` hides everything"), empty
            yield ("hidden", name), _wrong(f"where `{name}` is False"), ~visible
            yield ("visible", name), _wrong(f"where `{name}` is True"), visible


def _signs(case):
    for name, array in case.arguments.items():
        if isinstance(array, np.ndarray) and array.dtype.kind == "f" and array.shape == case.expected.shape:
            yield ("negative", name), _wrong(f"where `{name}` is negative"), array < 0
            yield ("positive", name), _wrong(f"where `{name}` is positive"), array > 0
            yield ("zero", name), _wrong(f"where `{name}` is 0"), array == 0


def _triangles(shape):
    above = np.broadcast_to(~np.tri(shape[-1], dtype=bool), shape)
    below = np.swapaxes(above, -1, -2)
    yield "diagonal", _wrong("on the diagonal"), ~above & ~below
    yield "above", _wrong("above the diagonal"), above
    yield "below", _wrong("below the diagonal"), below
    yield "off", _wrong("off the diagonal"), above | below


def _runs(wrong, axis):
    """Yield the rows, columns or other slices that are wrong, where a few words say which."""
    count = wrong.shape[axis]
    slices = np.moveaxis(wrong, axis, 0).reshape(count, -1)
    is_wrong = slices.any(axis=1)
    if is_wrong.all() or not is_wrong.any():
        return
    region = np.broadcast_to(_along(is_wrong, axis, wrong.ndim), wrong.shape)
    name = slice_name(wrong.ndim, axis)
    names = slice_name(wrong.ndim, axis, 2)
    sentences = [
        *_only_right(is_wrong, name),
        *((key, _wrong(f"in {run}")) for key, run in _run(is_wrong, name, names)),
    ]
    if slices[is_wrong].all() and slices.shape[1] > 1:
        sentences += _parity(is_wrong, names)
    yield from (((axis - wrong.ndim, key), text, region) for key, text in sentences)


def _along(values, axis, ndim):
    """Return an array with one axis as one that is broadcast along the others."""
    return np.expand_dims(values, tuple(n for n in range(ndim) if n != axis))


def _only_right(is_wrong, name):
    right = np.flatnonzero(~is_wrong)
    ends = {0: "first", len(is_wrong) - 1: "last"}
    if len(right) == 1 and right[0] in ends:
        yield ("right", ends[right[0]]), f"Only the {ends[right[0]]} {name} is right."


def _run(chosen, name, names):
    """Say which slices are chosen, if there is a simple name for them."""
    places, others = np.flatnonzero(chosen), np.flatnonzero(~chosen)
    ends = {0: "first", len(chosen) - 1: "last"}
    if len(places) == 1:
        end = ends.get(places[0])
        yield end or "one", f"the {end} {name}" if end else f"{name} {places[0]} (counted from 0)"
    elif len(others) == 1 and others[0] in ends:
        return
    elif others[-1] < places[0]:
        yield "from", f"the {names} from {places[0]} on (counted from 0)"
    elif places[-1] < others[0]:
        yield "up to", f"the first {len(places)} {names}"


def _parity(is_wrong, names):
    """Say that every second slice is wrong."""
    wrong, right = np.flatnonzero(is_wrong), np.flatnonzero(~is_wrong)
    if len(is_wrong) > ENOUGH and np.ptp(wrong % 2) == np.ptp(right % 2) == 0:
        parity = "odd" if wrong[0] % 2 else "even"
        yield parity, _wrong(f"in the {parity} {names} (counted from 0)")


def _wrong(where):
    return f"Your result is wrong only {where}."


def left_at_zero(case: Case) -> Iterator[Reading]:
    """Nothing but 0, everywhere or in the slices that are wrong: as a new array that is not filled."""
    if not case.are_alike or case.expected.dtype.kind == "b":
        return
    if not case.got.any():
        entries = np.count_nonzero(case.expected) if np.ptp(case.expected) else 0
        text = "Every entry of your result is 0: was it never filled, or does everything cancel?"
        yield Reading("all", text, int(entries))
    for axis, count in enumerate(case.got.shape):
        got, expected = (np.moveaxis(array, axis, 0).reshape(count, -1) for array in (case.got, case.expected))
        empty = ~got.any(axis=1) & expected.any(axis=1)
        right = case.right[np.broadcast_to(~_along(empty, axis, case.got.ndim), case.got.shape)]
        if empty.any() and right.size and right.all():
            for key, place in _run(empty, *(slice_name(case.got.ndim, axis, number) for number in (1, 2))):
                text = f"Your result has nothing but 0 in {place}: {EMPTY.get(key, 'is it ever filled')}?"
                entries = int(np.count_nonzero(case.expected[case.right])) if count >= ENOUGH else 0
                yield Reading((axis - case.got.ndim, key), text, entries)


def batch_entries(case: Case) -> Iterator[Reading]:
    """Only the first entry of a batch of two is right; longer batches are told by `wrong_region`."""
    if not case.are_alike or case.got.ndim < max(3, len(case.shape.split(","))) or len(case.got) != 2:
        return  # or axis 0 has a name of its own, such as that of the heads
    if case.right[0].all() and not case.right[1].all():
        text = "Along axis 0 only the first entry is right: look at the leading axes."
        yield Reading("first", text, _weight(case.expected[0], ~case.right[1]))


def not_a_number(case: Case) -> Iterator[Reading]:
    """NaN where a number should be."""
    if isinstance(case.got, float) and math.isnan(case.got):
        yield Reading("one", "Your result is NaN, not a number: look for 0 / 0, 0 * inf or inf - inf.", ENOUGH)
    if not case.are_alike or case.got.dtype.kind != "f":
        return
    is_nan = np.isnan(case.got) & ~np.isnan(case.expected)
    if is_nan.all():
        yield Reading("all", "Every entry is NaN.", ENOUGH)
    elif is_nan.any():
        verb = "is" if is_nan.sum() == 1 else "are"
        yield Reading("some", f"{int(is_nan.sum())} of {is_nan.size} entries {verb} NaN.", ENOUGH)


def inverted(case: Case) -> Iterator[Reading]:
    """True and False exchanged everywhere."""
    if case.are_alike and case.got.dtype == bool and np.array_equal(case.got, ~case.expected):
        text = "Every entry is the opposite of what it should be: True and False are exchanged."
        yield Reading("inverted", text, case.got.size)


def one_sided(case: Case) -> Iterator[Reading]:
    """Entries of two kinds, such as True and False, that are wrong in one direction only."""
    if not case.are_alike:
        return
    for got, expected, names in _two_kinds(case):
        missing, extra = int((expected & ~got).sum()), int((got & ~expected).sum())
        if bool(missing) != bool(extra):
            yours, right = names if extra else names[::-1]
            count = missing + extra
            verb = "is" if missing + extra == 1 else "are"
            entries = "entry" if count == 1 else "entries"
            text = f"{count} {entries} {verb} {yours} and should be {right}; none is wrong the other way round."
            yield Reading(yours, text, count)


def _two_kinds(case):
    """Yield where a result and the right one have the first of two kinds of entries, and the names of both kinds."""
    got, expected = case.got, case.expected
    if got.dtype == bool:
        yield got, expected, ("True", "False")
    elif np.isin((got, expected), (0, 1)).all():
        yield got == 1, expected == 1, ("1", "0")
    elif got.dtype.kind == "f":
        hidden = np.isneginf(got), np.isneginf(expected)
        if (case.right | (hidden[0] != hidden[1])).all():
            yield *hidden, ("-inf", "a number")


NAMED = (inverted, left_at_zero, wrong_region, batch_entries)
COUNTED = (not_a_number, one_sided)
