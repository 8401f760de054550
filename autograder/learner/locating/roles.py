"""Whether an expression takes what the reference takes for the same step, and not only something that occurs there."""

import ast
from typing import TYPE_CHECKING

import numpy as np

from autograder.learner.locating.place import are_equal
from autograder.learner.locating.right_path import is_number, leaves

if TYPE_CHECKING:  # it imports this module
    from autograder.learner.locating.search import Search


def takes_the_right_values(search: "Search", number: int, key: tuple[str, int, str]) -> bool:
    """Return whether all that a site takes from earlier lines is what the reference makes the same step from.

    Then the fault is in the site itself. A value that the reference has somewhere else says nothing: the keys are right
    values, and wrong ones in the place of the values.

    Parameters
    ----------
    search : Search
    number : int
    key : tuple
        The place in the reference whose value makes the result right at the site.
    """
    return _all_take(search, number, key, _is_same_step)


def takes_nothing_else(search: "Search", number: int, key: tuple[str, int, str]) -> bool:
    """Return whether what a site takes from earlier lines, if it takes anything, is what the reference takes there."""
    return _all_take(search, number, key, _takes_operands)


def _all_take(search, number, key, is_so):
    reached = [case for case in search.cases if number in case.values]
    return all(
        any(is_so(search, case, number, made) for made in _makings(search, case, number, key)) for case in reached
    )


def _makings(search, case, number, key):
    """Yield what the reference makes the substitute from: the substitute itself, too, where nothing is left to do."""
    substitute = search.substitute(case, number, key)
    yield [substitute]
    yield from case.path.made_from(substitute)


def _is_same_step(search, case, number, operands):
    values = [case.values[part] for part in search.below(number) if part in case.values]
    is_like = any(_are_same(value, other) for value in values for other in operands)
    return is_like and _takes_operands(search, case, number, operands)


def _takes_operands(search, case, number, operands):
    taken = dict(_taken(search, case, number, operands))
    in_order = search.sites[number].kind == "Call"
    return None not in taken.values() and _are_among(taken.values(), operands, in_order)


def _taken(search, case, number, operands):
    """Yield the code and the values of what a site takes from earlier lines, as a whole where that is an operand."""
    for part in search.parts.get(number, ()):
        site = search.sites[part]
        passes = case.values.get(part)
        if _is_given(search, part):
            continue
        if site.kind == "Name" or (passes and any(_are_same(passes, other) for other in operands)):
            yield site.code, passes
        else:
            yield from _taken(search, case, part, operands)


def _is_given(search, number):
    """Return whether a site is made of parameters, globals and numbers alone."""
    names = {search.sites[part].code for part in (number, *search.below(number)) if search.sites[part].kind == "Name"}
    bound = {node.id for node in ast.walk(ast.parse(search.sites[number].code)) if _is_stored(node)}
    return names - bound <= search.copy.given - set(search.copy.homes)


def _is_stored(node):
    """Return whether a node is the variable of a comprehension."""
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _are_among(taken, operands, in_order):
    """Return whether each of some values is one of the operands, and no two of them are the same one."""
    remaining = list(operands)
    for value in taken:
        index = next((k for k, other in enumerate(remaining) if _are_same(value, other)), None)
        if index is None:
            return False
        remaining = remaining[index + 1 :] if in_order else remaining[:index] + remaining[index + 1 :]
    return True


def _are_same(passes, others):
    """Return whether values are those of the reference in every pass, or a row of them in each."""
    if len(others) == 1 < len(passes):
        first = others[0]
        is_rows = np.ndim(first) and len(first) == len(passes)
        return _match(passes, list(first) if is_rows else list(others) * len(passes))
    return len(passes) <= len(others) and _match(passes, others[-len(passes) :])


def _match(passes, others):
    numbers = list(leaves(list(passes)))
    expected = list(leaves(list(others)))
    return len(numbers) == len(expected) and all(
        is_number(leaf) and is_number(other) and are_equal(leaf, other)
        for leaf, other in zip(numbers, expected, strict=True)
    )
