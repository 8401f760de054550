"""Wrong results that are an argument as it was given, or lack one, or have it twice."""

from collections.abc import Iterator

import numpy as np

from autograder.evaluation.patterns.case import Case, Reading, broadcasts, close, information

OPERATIONS = (("plus", np.add), ("minus", np.subtract), ("times", np.multiply), ("divided by", np.divide))


def argument(case: Case) -> Iterator[Reading]:
    """An argument as it was given, or one whose share is missing or there twice."""
    if not case.are_arrays or case.got.dtype.kind != "f" or case.expected.dtype.kind != "f":
        return
    for name, given in case.arguments.items():
        if isinstance(given, np.ndarray) and given.dtype.kind == "f":
            for key, text in _relations(case.got, case.expected, name, given):
                yield Reading((name, key), text, min(information(case.expected), information(given)))


def _relations(got, expected, name, given):
    """Yield how a result is related to an argument."""
    if given.shape == got.shape and np.array_equal(got, given):
        yield "given", f"Your result is `{name}` as it was given."
    if got.shape == expected.shape and broadcasts(given, got.shape):
        for words, apply in OPERATIONS:
            with np.errstate(all="ignore"):
                other = apply(got, given)
            if close(other, expected):
                yield words, f"Your result {words} `{name}` would be right."
    fits = given.ndim == 2 and got.shape == (*expected.shape[:-1], len(given)) and expected.ndim
    if fits and given.shape[1] == expected.shape[-1] and close(got @ given, expected):
        yield "@", f"Your result @ `{name}` would be right: that product is missing."


def given_ids(case: Case) -> Iterator[Reading]:
    """An argument of integers, such as ids, as it was given."""
    for name, given in case.arguments.items() if case.are_alike and case.got.dtype.kind in "iu" else ():
        if isinstance(given, np.ndarray) and given.dtype.kind in "iu" and np.array_equal(case.got, given):
            yield Reading((name, "given"), f"Your result is `{name}` as it was given.", np.unique(given).size)


ARGUMENTS = (argument, given_ids)
