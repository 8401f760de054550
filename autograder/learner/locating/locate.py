"""Say where in the learner's own code the numbers leave the right path, when no known mistake fits."""

import contextlib
import re
import warnings
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from autograder.evaluation.trials import Trial
from autograder.execution.call import Printed
from autograder.execution.describe import shortened
from autograder.learner.locating.cases import all_cases, cases_of
from autograder.learner.locating.conversion import few_digits
from autograder.learner.locating.instrumented import Instrumented
from autograder.learner.locating.search import Search
from autograder.specification import Exercise
from transformer_kit import time_limit

MAX_CODE_LENGTH = 50  # characters
ABOUT_SHAPES = re.compile("^(?!.*einstein).*(shape|broadcast|dimension|align|axis|axes|mismatch)", re.DOTALL)


def locate(exercise: Exercise, function: Callable[..., Any], failing: Iterable[Trial]) -> str:
    """Say in a sentence or two where a function leaves the right path.

    The function runs on some of the calls that failed, the smallest first, and what its expressions come to is
    compared with what those of the reference do. A place is named only where another value in it would make the
    result right in all these calls, and where it takes what the reference takes in the same step.

    Parameters
    ----------
    exercise : Exercise
    function : callable
        The learner's.
    failing : iterable of Trial

    Returns
    -------
    str
        Empty where nothing is sure, and where the function cannot be looked into.
    """
    failing = tuple(failing)
    if not isinstance(function, FunctionType):  # it has no code of its own
        return ""
    try:
        with _quietly():
            few = few_digits(exercise, function, failing)
            if few is not None:  # too little is wrong for telling right values from others
                return few
            if not time_limit.is_supported():
                return ""  # with other values in it a loop may never end
            return _text(*_found(exercise, function, failing))
    except Exception:  # code that cannot be read, or values that break whoever looks at them
        return ""


@contextlib.contextmanager
def _quietly():
    printed = Printed()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            yield


def _found(exercise, function, failing):
    """Return the search and the place that it found, or None."""
    copy = Instrumented(function)
    every = partial(all_cases, exercise, copy, failing)
    search = Search(copy, cases_of(exercise, copy, failing), every)
    place = search.find()
    lines = {trial.outcome.error.line_number for trial in failing if trial.outcome.error} - {None}
    return search, place and _beside_errors(place, lines)


def _beside_errors(place, lines):
    """Return a place or None, given the lines on which errors were raised: one before it has a fault of its own."""
    first = min(line for line in (place.site.line, place.home and place.home.line) if line)
    if any(line < first for line in lines):
        return None
    return replace(place, home=None) if place.kind == "repaired" and place.home and place.home.line in lines else place


def _text(search, place):
    return TEXTS[place.kind](search, place) if place else _shapes_that_met(search)


def _repaired(search, place):
    (got,), (other,) = place.shapes or ([()], [()])
    if got != other:
        why = f"{_code(place.site.code)} has the shape {got}; with the right array in its place, of shape {other},"
    else:
        why = f"with the right numbers in place of {_code(place.site.code)}"
    return f"{_before(place)} {why} {_follows(place)}."


def _follows(place):
    return "all that follows comes out right" if place.is_whole else "more of the results come out right"


def _before(place):
    line = place.site.line
    if not place.home:
        return f"Line {line} of your cell is where it goes wrong:"
    still = f"Line {place.home.line} of your cell still has the right `{place.code}`"
    return f"{still}; line {line} is where it goes wrong:"


def _needs(search, place):
    return (
        f"Line {place.site.line} of your cell needs something other than the `{place.code}` of line "
        f"{place.home.line}: with that in its place {_follows(place)}."
    )


def _exchanged(search, place):
    return (
        f"Line {place.site.line} of your cell needs the values of line {place.home.line} in another order: "
        f"once they are exchanged, {_follows(place)}."
    )


def _order(search, place):
    return f"Line {place.site.line} of your cell returns the right values, but in another order than is asked for."


def _unfinished(search, place):
    since = f", as line {place.home.line} leaves it" if place.home else ""
    return (
        f"Line {place.site.line} of your cell returns {_code(place.code)}{since}: these numbers belong to a step of "
        "the calculation, and are not the result."
    )


TEXTS = {
    "repaired": _repaired,
    "needs": _needs,
    "exchanged": _exchanged,
    "order": _order,
    "unfinished": _unfinished,
}


def _shapes_that_met(search):
    """Say which shapes an operation could not bring together in the smallest call; empty where there were not two."""
    case = next(iter(search.cases), None)
    if case is None or case.broken is None:
        return ""
    if case.error.type != "ValueError" or not ABOUT_SHAPES.search(case.error.message):
        return ""
    site = case.broken
    parts = search.parts.get(case.broken.number, ())
    if site.kind == "Call" and len({search.shape(part) for part in parts}) == 1:
        return ""  # these are not what does not fit
    met = [(search.sites[part], shape) for part in parts if (shape := search.shape(part))]
    if len(met) != 2:
        return ""
    shapes = " and ".join(f"{shape} of {_code(part.code)}" for part, shape in met)
    return f"Line {site.line} of your cell: in {_code(site.code)} the shapes {shapes} meet."


def _code(text):
    text = shortened(text.replace("`", "'"), MAX_CODE_LENGTH)
    return f"`{text}`"
