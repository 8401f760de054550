"""Reasons for not being sure that the fault is where another value makes the result right."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from autograder.learner.locating.place import are_equal
from autograder.learner.locating.right_path import NEW, is_number, is_trivial, leaves

if TYPE_CHECKING:  # it imports this module
    from autograder.learner.locating.search import Search


def is_doubtful(search: "Search", number: int) -> bool:
    """Return whether another value at a site may make up for a fault elsewhere.

    That may be so where functions defined within the learner's take part, where nothing shows whether an operand is
    right, where there are only single numbers, and where something beside the site is off the path as well.

    Parameters
    ----------
    search : Search
    number : int
        Of a site that another value repairs.
    """
    words = set(re.findall(r"\w+", search.sites[number].code))
    below = list(search.below(number))
    names = [part for part in below if search.sites[part].kind == "Name"]
    return (
        not words.isdisjoint(search.copy.inner)
        or not any(np.ndim(leaf) for part in below for leaf in search.values(part))
        or any(_says_nothing(search, part) for part in names)
        or any(_is_off(search, part) for part in _beside(search, number))
    )


def takes_a_twin(search: "Search", number: int) -> bool:
    """Return whether a site takes a variable of the function that has the same values as another name."""
    names = [part for part in (number, *search.below(number)) if search.sites[part].kind == "Name"]
    everywhere = range(len(search.sites))
    return any(search.sites[part].code in search.copy.homes and any(twins(search, part, everywhere)) for part in names)


def skips_the_rest(search: "Search", number: int, key: tuple[str, int, str]) -> bool:
    """Return whether a substitute is a result already, although the function goes on computing with it.

    What comes after it changes nothing then, so that a fault beside it or behind it may be hidden.
    """
    case = search.case_of[number]
    others = [np.asarray(leaf) for leaf in leaves(search.substitute(case, number, key)[-1])]
    ends = [leaf for leaf in leaves(case.path.result) if np.ndim(leaf)]
    if len(others) != 1 or others[0].dtype.kind != "f" or not any(are_equal(others[0], end) for end in ends):
        return False
    changed = others[0] * np.linspace(1, 2, others[0].size).reshape(others[0].shape)
    status, value, _ = search.copy.run(case.path.call, number, [changed] * len(case.values[number]))
    return status != "returned" or not any(are_equal(leaf, changed) for leaf in leaves(value))


def is_one_use_enough(search: "Search", number: int, key: tuple[str, int, str]) -> bool:
    """Return whether a substitute for a named value helps in one of its uses alone, which may be what is wrong."""
    case = search.case_of[number]
    last = search.substitute(case, number, key)[-1]
    names = [site for site in search.sites if site.kind == "Name" and site.number in case.values]
    uses = [site.number for site in names if (home := search.home(site, site)) and home.site == number]
    return len(uses) > 1 and any(search.helps(case, use, [last] * len(case.values[use]), partly=False) for use in uses)


def is_idle_then(search: "Search", number: int, key: tuple[str, int, str]) -> bool:
    """Return whether what is done with a name, and changes it, leaves its substitute as it is: that may be wrong."""
    case, parent = search.case_of[number], search.sites[number].parent
    if parent is None or _is_kept(case.values, number, parent):
        return False
    substitute = search.substitute(case, number, key, is_number=True)
    search.copy.run(case.path.call, number, substitute)
    return _is_kept(search.copy.values, number, parent)


def _is_kept(values, number, parent):
    """Return whether the operation at `parent` comes to just what it took at `number`, an array."""
    pair = [values[site][-1] for site in (number, parent) if site in values]
    return len(pair) == 2 and isinstance(pair[1], np.ndarray) and are_equal(*pair)


def twins(search: "Search", number: int, sites: Iterable[int]) -> Iterator[int]:
    """Yield those of some sites where another name holds the array that the name at a site holds, in any call."""
    cases = [case for case in search.cases if number in case.values]
    for other in sites:
        is_other = search.sites[other].kind == "Name" and search.sites[other].code != search.sites[number].code
        if is_other and any(_are_twins(case, number, other) for case in cases):
            yield other


def _are_twins(case, number, other):
    """Return whether two names hold the same array, in the last pass of each."""
    value = case.values[number][-1]
    twin = case.values.get(other, [None])[-1]
    return isinstance(value, np.ndarray) and not is_trivial(value) and twin is not None and are_equal(value, twin)


def _says_nothing(search, number):
    """Return whether a name stands for an array full of 0 or of 1 that the learner has made."""
    arrays = [leaf for leaf in search.values(number) if np.ndim(leaf) and is_number(leaf)]
    return search.sites[number].code in search.copy.homes and bool(arrays) and all(map(is_trivial, arrays))


def _beside(search, number):
    """Yield the sites of the same statement that neither hold a site nor are held by it."""
    parent = search.sites[number].parent
    while parent is not None:
        yield from (part for part in search.parts[parent] if part != number)
        number, parent = parent, search.sites[parent].parent


def _is_off(search, number):
    return search.grades.get(number) == NEW and any(map(np.ndim, search.values(number)))
