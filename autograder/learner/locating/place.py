"""Where a function leaves the right path, and how that shows in its own values, without other ones in their place."""

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.learner.locating.noter import Home, Site
from autograder.learner.locating.right_path import are_same_numbers, is_trivial, leaves

if TYPE_CHECKING:  # it imports this module
    from autograder.learner.locating.search import Search


@dataclass(frozen=True)
class Place:
    """Where a function leaves the right path.

    `kind` says what was found out about the site: "repaired": with a value of the reference in its place the result is
    right, and it takes the right `code` from `home`, if anything; "needs": it needs something else than the `code` that
    it takes from `home`; "exchanged": it needs the values of `home` in another order; "order" and "unfinished": of what
    is returned. `is_whole`: the other value makes all results right in every call, and not only more of them.
    """

    site: Site
    kind: str
    home: Home | None = None
    code: str = ""
    shapes: tuple = ()
    is_whole: bool = True


def returned(search: "Search", number: int) -> Place | None:
    """Return the place where what is returned is known, but is not the result, in all calls that tell."""
    telling = (case for case in search.cases if number in case.values and not _may_be_equal_by_chance(case, number))
    places = {_returned_in(search, case, number) for case in telling}
    return next(iter(places)) if len(places) == 1 else None


def _may_be_equal_by_chance(case, number):
    return any(map(_may_be_chance, _arrays(case.values[number])))


def _arrays(value):
    return [np.asarray(leaf) for leaf in leaves(value)]


def _returned_in(search, case, number):
    site = search.sites[number]
    values = case.values
    got = _arrays(values[number])
    ends = _arrays(case.path.result)
    if len(got) != len(ends) or isinstance(values[number][-1], list):
        return None
    matches = [[i for i, end in enumerate(ends) if are_equal(array, end)] for array in got]
    if len(ends) > 1 and sorted(itertools.chain(*matches)) == list(range(len(ends))):
        return Place(site, "order")
    odd = [i for i, match in enumerate(matches) if i not in match]
    if len(odd) != 1 or any(are_same_numbers([got[odd[0]]], [end]) for end in ends):
        return None
    part = search.parts[number][0]
    if search.sites[part].kind == "Tuple" and len(search.parts[part]) == len(got):
        part = search.parts[part][odd[0]]
    child = search.sites[part]
    home = search.home(search.sites[part], site)
    last = home.site if home else part
    operands = (values.get(operand, [None])[-1] for operand in search.parts.get(last, ()))
    if any(np.ndim(operand) and are_equal(operand, got[odd[0]]) for operand in operands):
        return None  # the last step changes nothing, so its other operand may be wrong
    return Place(site, "unfinished", home, child.code)


def _may_be_chance(array):
    return is_trivial(array) or not array.ndim or array.dtype.kind != "f"


def are_equal(one: Any, other: Any) -> bool:
    """Return whether two arrays or numbers have one shape and are equal up to rounding."""
    return np.shape(one) == np.shape(other) and np.allclose(one, other, equal_nan=True)
