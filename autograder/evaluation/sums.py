"""Two numbers that stand for all numbers of a result: they are short, and two results can be compared by them."""

import functools
from typing import Any

import numpy as np

from autograder.execution.nested import leaves


def sums(value: Any, right: Any = None) -> tuple[float, float]:
    """Return a weighted sum of all finite numbers, less those of the right result, and the sum of their sizes.

    On a scale that is linear near 0 and logarithmic far from it: so the largest numbers do not hide the others.
    """
    numbers = _numbers(value) if right is None else _numbers(value) - _numbers(right)
    return float(numbers @ _weights(len(numbers))), float(np.abs(numbers).sum())


def _numbers(value):
    kinds = np.ndarray | np.generic | bool | int | float
    arrays = [np.asarray(leaf) for leaf in leaves(value) if isinstance(leaf, kinds)]
    flat = [array.ravel().real.astype(float) for array in arrays if array.dtype.kind in "biufc"]
    return np.arcsinh(np.nan_to_num(np.concatenate([np.zeros(0), *flat]), nan=0, posinf=0, neginf=0))


@functools.lru_cache(maxsize=64)
def _weights(size):
    return np.random.default_rng(size).uniform(0.5, 1.5, size)
