"""Factors that are made of the sizes in a call: the lengths of axes, and numbers among the arguments."""

import math
import re
from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

import numpy as np

COMMON = (2, 1 / 2)  # factors that come up everywhere, whatever the sizes are
PARTS = (*range(1, 9), *(1 / n for n in range(2, 9)))  # of a root that is divided by a number that is written out
LEADING = re.compile(r"\[-[4-9]\]$")  # of axes that nobody divides by
SMALL = 4  # a factor or divisor up to it is not taken for the root of a square number


def factors(ratio: float, arguments: Mapping[str, Any], digits: float) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield what a factor may be made of: a size, its root, or the root of a fraction of two sizes.

    Parameters
    ----------
    ratio : float
    arguments : dict of str to object
    digits : float
        By how much the ratio may be off, relative to its size.

    Yields
    ------
    key : tuple
        The same in calls in which the factor is made of sizes at the same places.
    text : str
        The end of a sentence.
    """

    def fits(value):
        return math.isclose(ratio, value, rel_tol=digits)

    sizes = _sizes(arguments)
    for name, size in sizes:
        sum_or_mean = mean_or_sum = ""
        if isinstance(size, int):
            sum_or_mean = ": a sum where a mean is asked for, or a mean in a divisor?"
            mean_or_sum = ": a mean where a sum is asked for, or a sum in a divisor?"
        if fits(size) and size not in COMMON:
            yield (name, "size"), f"; {size:g} is `{name}`{sum_or_mean}"
        elif fits(1 / size) and size not in COMMON:
            yield (name, "part"), f"; {size:g} is `{name}`{mean_or_sum}"
    lengths = [(name, size) for name, size in sizes if not (math.sqrt(size).is_integer() or LEADING.search(name))]
    for (name, size), (other_name, other) in permutations(lengths, 2):
        if fits(math.sqrt(size / other)) and _is_rare(math.sqrt(size / other)):
            ends = f"; {size:g} is `{name}`, {other:g} is `{other_name}`: which did you divide by?"
            yield (name, other_name), ends
    for name, size in sizes:
        multiples = (math.sqrt(size) ** sign * part for sign in (1, -1) for part in PARTS)
        if any(map(fits, multiples)) and _is_rare(ratio):
            yield (name, "root"), f"; {size:g} is `{name}`"


def _is_rare(root):
    """Return whether a root is no small whole number and no part of one, which come from elsewhere as well."""
    return not any((2 * n).is_integer() and n <= SMALL for n in (root, 1 / root))


def _sizes(arguments):
    """Return the lengths of the arguments' axes and the numbers among the arguments, each with its code."""
    sizes = []
    for name, value in arguments.items():
        if isinstance(value, np.ndarray):
            sizes += [(f"{name}.shape[{axis}]", value.shape[axis]) for axis in range(-1, -value.ndim - 1, -1)]
        elif isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf:
            sizes.append((name, value))
    return [(name, size) for name, size in sizes if size not in (0, 1)]
