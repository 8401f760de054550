"""Find the first expression of a function that leaves the right path: with another value there, the rest is right."""

import itertools
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from autograder.learner.locating.cases import Case
from autograder.learner.locating.doubts import (
    is_doubtful,
    is_idle_then,
    is_one_use_enough,
    skips_the_rest,
    takes_a_twin,
    twins,
)
from autograder.learner.locating.instrumented import Instrumented
from autograder.learner.locating.noter import Home, Site
from autograder.learner.locating.place import Place, are_equal, returned
from autograder.learner.locating.right_path import NEW, RIGHT, TURNED, UNSURE, are_same_numbers, is_trivial, leaves
from autograder.learner.locating.roles import takes_nothing_else, takes_the_right_values

MAX_RUNS = 120
MAX_SECONDS = 0.4  # of computing
MAX_OTHER_SHAPES = 12  # substitutes of another shape that are tried


class Search:
    """Looks for the place in a function, given what its expressions came to in some failing calls.

    Parameters
    ----------
    copy : Instrumented
        Of the learner's function.
    cases : list of Case
    every : callable
        Returns, for each of all calls that failed, a Case or None.
    """

    def __init__(self, copy: Instrumented, cases: list[Case], every: Callable[[], Iterable[Case | None]]) -> None:
        self.copy, self.sites, self.cases, self.every = copy, copy.sites, cases, every
        self.runs, self.until = MAX_RUNS, time.process_time() + MAX_SECONDS
        self.grades: dict[int, int] = {}
        self.case_of: dict[int, Case] = {}
        self.parts: dict[int | None, list[int]] = {}
        for case in cases:
            for number, passes in case.values.items():
                grade = RIGHT if self.sites[number].code.endswith(".shape") else case.path.grade(passes)
                if grade < self.grades.get(number, RIGHT + 1):
                    self.grades[number], self.case_of[number] = grade, case
        for site in self.sites:
            self.parts.setdefault(site.parent, []).append(site.number)

    @property
    def is_over(self) -> bool:
        return self.runs < 0 or time.process_time() > self.until

    def find(self) -> Place | None:
        """Return a Place, or None where it is not sure."""
        repairs: list[tuple[int, tuple[str, int, str]]] = []
        first = None
        for number in [number for number in self.grades if self._is_candidate(number)]:
            grade, site = self.grades[number], self.sites[number]
            if site.kind == "return":
                if grade == RIGHT and not repairs and (place := returned(self, number)):
                    return place
            elif grade <= TURNED:
                first = number if first is None and grade == NEW else first
                inner = set(self.below(number))
                if any(other in inner for other, _ in repairs):
                    continue  # of what is right there, this is made right
                if key := self._repair(number, partly=first in (None, number)):
                    repairs.append((number, key))
        if self.is_over or len(repairs) != 1 or skips_the_rest(self, *repairs[0]):
            return None  # what was not tried might be right as well
        return self._origin(*repairs[0])

    def _is_candidate(self, number):
        """Return whether a site is no name, and takes nothing that is off the path already, but for single numbers."""
        off = (part for part in self.below(number) if self.grades.get(part) == NEW)
        return self.sites[number].kind != "Name" and not any(
            self.sites[part].kind == "Name" or not self._is_one_number(part) for part in off
        )

    def _is_one_number(self, number):
        return not any(np.ndim(leaf) for leaf in leaves(self.case_of[number].values[number]))

    def below(self, number: int) -> Iterator[int]:
        """Yield the numbers of the sites within a site."""
        for part in self.parts.get(number, ()):
            yield part
            yield from self.below(part)

    def values(self, number: int) -> Iterator[Any]:
        """Yield the arrays and numbers that a site came to, in all cases and passes."""
        yield from (leaf for case in self.cases for value in case.values.get(number, ()) for leaf in leaves(value))

    def is_known(self, number: int) -> bool:
        """Return whether a value is recognised beyond doubt."""
        return self.grades.get(number) == RIGHT and not all(map(is_trivial, self.values(number)))

    def shape(self, number: int) -> tuple[int, ...]:
        """Return the last shape of a value in the smallest call; empty where it is no array."""
        passes = self.cases[0].values.get(number, ())
        return passes[-1].shape if passes and isinstance(passes[-1], np.ndarray) else ()

    def _repair(self, number, is_number=False, partly=True):
        """Return the substitute that makes the result right in every case, or None."""
        case = self.case_of[number]
        path, values = case.path, case.values
        seen = set()
        others = MAX_OTHER_SHAPES
        for key, substitute in path.substitutes(values[number], is_number).items():
            if self.grades[number] == TURNED and not are_same_numbers(substitute, values[number]):
                continue
            numbers = [leaf for value in substitute for leaf in leaves(value)]
            if is_number and not all(np.isfinite(leaf).all() for leaf in numbers):
                continue
            if not is_number and all(map(is_trivial, numbers)):
                continue
            text = repr([(np.shape(leaf), np.asarray(leaf).tobytes()) for leaf in numbers])
            others -= _shapes(substitute) != _shapes(values[number])
            if text in seen or others < 0:
                continue
            seen.add(text)
            if self.helps(case, number, substitute, partly) and self._helps_everywhere(case, number, key, is_number):
                return None if self._is_vain(number, substitute, path) else key
        return None

    def _is_vain(self, number, substitute, path):
        """Return whether a substitute is a result itself, and nothing sure leads to its place."""
        ends = [leaf for leaf in leaves(path.result) if np.ndim(leaf)]
        is_end = any(are_equal(leaf, end) for leaf in leaves(substitute[-1]) for end in ends)
        if self.sites[number].kind == "Name" or not is_end:
            return False
        below = list(self.below(number))
        grades = {self.grades.get(part) for part in below}
        known_parts = [part for part in below if self.is_known(part)]
        is_made = any(not path.is_given(values) for part in known_parts for values in self.case_of[part].values[part])
        return TURNED in grades or not known_parts or (UNSURE in grades and not is_made)

    def helps(self, case: Case, number: int, substitute: Any, partly: bool = True) -> bool:
        """Return whether more of the results are right with other values at a site, or all of them unless `partly`."""
        path = case.path
        self.runs -= 1
        if self.is_over:
            return False
        status, value, _ = self.copy.run(path.call, number, substitute)
        self.runs = -1 if status == "timeout" else self.runs
        right = path.right_results(value) if status == "returned" else set()
        return case.right < right and (partly or None in right)

    def _helps_everywhere(self, case, number, key, is_number):
        for other in self.cases:
            if other is case or other.breaks(number):
                continue
            substitute = self.substitute(other, number, key, is_number)
            if substitute is None or not self.helps(other, number, substitute):
                return False
        return True

    def substitute(self, case: Case, number: int, key: tuple[str, int, str], is_number: bool = False) -> Any:
        """Return what stands in for the values of a site in a call; None if that one does not come there."""
        passes = case.values.get(number)
        return case.path.substitutes(passes, is_number).get(key) if passes else None

    def _origin(self, number, key):
        """Return whether the fault is at a site or in what it takes from an earlier line."""
        site = self.sites[number]
        homes = self.homes_below(number)
        below = list(self.below(number))
        for _, home in homes:
            if home.is_shared and home.site is not None and (order := self._right_order(home.site)):
                return Place(site, "exchanged", home, is_whole=self._is_whole_with(home.site, order))
        for part, home in homes:
            if self._may_be_wrong(part) and (needed := self._repair(part, is_number=True)):
                is_clear = self._has_the_axes_of(part, needed) and not is_idle_then(self, part, needed)
                is_clear = is_clear and self._is_first_wrong(part, home, needed, below)
                if not is_clear:
                    return None
                is_whole = any(self._is_whole(at, needed, True) for at in (part, home.site) if at is not None)
                return Place(site, "needs", home, self.sites[part].code, is_whole=is_whole)
        if not takes_the_right_values(self, number, key) or is_doubtful(self, number) or takes_a_twin(self, number):
            return None
        if is_one_use_enough(self, number, key):
            return None
        values, substitute = self.case_of[number].values, self.substitute(self.case_of[number], number, key)
        shapes = _shapes(values[number]), _shapes(substitute)
        shapes = shapes if len(shapes[0]) == len(shapes[1]) == 1 else ()
        return Place(site, "repaired", *self._taken(number), shapes=shapes, is_whole=self._is_whole(number, key))

    def _is_whole(self, number, key, is_number=False):
        """Return whether a substitute makes all results right, in every call."""
        return self._is_whole_with(number, partial(self.substitute, number=number, key=key, is_number=is_number))

    def _is_whole_with(self, number, others):
        """Return whether the values that `others(case)` gives a site make all results right, in every call."""
        self.runs, self.until = MAX_RUNS, time.process_time() + MAX_SECONDS
        cases = ((case, case and others(case)) for case in self.every())
        return all(values and self.helps(case, number, values, partly=False) for case, values in cases)

    def homes_below(self, number: int) -> list[tuple[int, Home]]:
        """Return the names within a site that got their values on earlier lines: the number and the home of each."""
        names = (part for part in self.below(number) if self.sites[part].kind == "Name")
        return [(part, home) for part in names if (home := self.home(self.sites[part], self.sites[number]))]

    def _has_the_axes_of(self, number, key):
        """Return whether a site has as many axes as it should have: otherwise one may be missing after it."""
        case = self.case_of[number]
        both = case.values[number], self.substitute(case, number, key, is_number=True)
        ours, theirs = ([len(shape) for shape in _shapes(passes)] for passes in both)
        return ours == theirs

    def _is_first_wrong(self, part, home, key, beside):
        """Return whether the line that made the name at a site may be at fault, and nothing else beside it."""
        if any(self._may_be_wrong(twin) and self._repair(twin, is_number=True) for twin in twins(self, part, beside)):
            return False  # either of the two may be the wrong one
        return home.site is None or (self._may_be_wrong(home.site) and takes_nothing_else(self, home.site, key))

    def _taken(self, number):
        """Return the last home, and the name, of what a site takes as it stands from the only line that makes it."""
        parts = {part for part in self.parts.get(number, ()) if not all(map(is_trivial, self.values(part)))}
        homes = [(home, self.sites[part].code) for part, home in self.homes_below(number) if part in parts]
        once = [(home, name) for home, name in homes if len(self.copy.homes[name]) == 1]
        return max(once, key=lambda pair: pair[0].line, default=())

    def _may_be_wrong(self, number):
        """Return whether a name holds numbers that can be replaced: arrays, or an integer such as a width."""
        values = list(self.values(number))
        return bool(values) and all(type(leaf) is int or not is_trivial(leaf) for leaf in values)

    def home(self, child: Site, user: Site) -> Home | None:
        """Return where the name at a site got its value, before the line of another site; None if it was given."""
        homes = [home for home in self.copy.homes.get(child.code, ()) if home.line < user.line]
        return next((home for home in reversed(homes) if home.site is None or home.site in self.grades), None)

    def _right_order(self, number):
        """Return what brings the values that are handed to several names into the right order in a call, or None."""
        first, *others = self.case_of[number].values[number]
        is_row = isinstance(first, tuple | list) and 2 <= len(first) <= 3
        if others or not is_row or not all(isinstance(entry, np.ndarray) for entry in first):
            return None
        cases = [case for case in self.cases if number in case.values]
        for order in list(itertools.permutations(range(len(first))))[1:]:
            ordered = partial(_ordered, number=number, order=order)
            if all(self.helps(case, number, ordered(case)) for case in cases):
                return ordered
        return None


def _ordered(case, number, order):
    return [[case.values[number][0][i] for i in order]] if number in case.values else None


def _shapes(passes):
    return [np.shape(leaf) for leaf in leaves(passes[-1])]
