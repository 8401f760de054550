"""Say where in the learner's own code the numbers leave the right path, when no known mistake fits."""

import contextlib
import inspect
import itertools
import re
import warnings

import numpy as np

from autograder.execution.call import Printed
from autograder.execution.compare import alike, shortened
from autograder.learner.locating.conversion import few_digits
from autograder.learner.locating.instrumented import Instrumented
from autograder.learner.locating.right_path import RightPath, entries, leaves
from autograder.learner.locating.search import Search
from transformer_kit import time_limit

MAX_CASES = 3  # calls that are looked at
MAX_CODE_LENGTH = 50  # characters
ABOUT_SHAPES = re.compile("shape|broadcast|dimension|align|axis|axes|mismatch")


def locate(exercise, function, failing):
    """Say in a sentence or two where a function leaves the right path.

    The function runs on some of the calls that failed, the smallest first, and what its expressions come to is
    compared with what those of the reference do. A place is named only where another value in it would make the
    result right in all these calls, or where it is the first product that is not known.

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
    """Return the search, the place that it found or None, and the site at which the smallest call raised an error."""
    copy = Instrumented(function)
    cases, raised = [], None
    if not _has_the_defaults_of(exercise.reference, function):
        return Search(copy, cases), None, None
    for path, right, values, site in itertools.islice(_cases(exercise, copy, failing), MAX_CASES):
        raised = raised if cases else site
        cases.append((path, right, values))
    search = Search(copy, cases)
    return search, search.find(), raised


def _cases(exercise, copy, failing):
    """Yield calls whose result is wrong, of different shapes: the path, the right results, the values, the error."""
    shapes = []
    for trial in sorted(failing, key=_size):
        shape = [np.shape(leaf) for leaf in leaves(_given(trial))]
        if shape in shapes or trial.outcome.status not in ("returned", "raised"):
            continue
        path = RightPath(exercise, trial)
        if path.status == "timeout":
            return
        if path.status != "returned":
            continue
        status, value, error = copy.run(path.call)
        if status != trial.outcome.status or not alike(value, trial.outcome.value, path.tolerance):
            return  # the source is not that of the function that was checked
        right = path.right_results(value) if status == "returned" else set()
        if None not in right:
            shapes.append(shape)
            is_about_shapes = error and error.type == "ValueError" and ABOUT_SHAPES.search(error.message)
            yield path, right, dict(copy.values), copy.interrupted() if is_about_shapes else None


def _has_the_defaults_of(reference, function):
    """Return whether the numbers by default are the same: where one is not, what is right in the body looks wrong."""
    ours, theirs = (inspect.signature(one).parameters.values() for one in (function, reference))
    pairs = ((one.default, other.default) for one, other in zip(ours, theirs, strict=False))
    return all(one == other for one, other in pairs if isinstance(other, int | float))


def _given(trial):
    return entries((*trial.args, *trial.kwargs.values()))


def _size(trial):
    return sum(np.size(leaf) for leaf in leaves(_given(trial)))


def _text(search, place, raised):
    if place:
        return TEXTS[place.kind](search, place)
    return _shapes_that_met(search, raised) if raised else ""


def _repaired(search, place):
    (got,), (other,) = place.shapes or ([()], [()])
    if got != other:
        why = f"{_code(place.site.code)} has the shape {got}; with the right array in its place, of shape {other},"
    else:
        why = f"with the right numbers in place of {_code(place.site.code)}"
    follows = "all that follows comes out right" if place.is_whole else "more of the results come out right"
    if not place.skipped:
        return f"{_before(search, place)} {why} {follows}."
    name, home = place.skipped
    return (
        f"The `{name}` of line {home.line} of your cell is a right step; line {place.site.line} is the first "
        f"that is not: {why} {follows}. Or is a step missing before it?"
    )


def _new(search, place):
    return f"{_before(search, place)} {_code(place.site.code)} is nowhere on the way to the result."


def _before(search, place):
    known, line = search.known_before(place.site), place.site.line
    if not known:
        return f"Line {line} of your cell is where it goes wrong:"
    name, home = known
    return f"Line {home.line} of your cell still has the right `{name}`; line {line} is where it goes wrong:"


def _needs(search, place):
    right = search.is_known(place.home.site)
    line = place.site.line
    hint = f" That one is a right step: look at line {line}, and whether a step is missing before it." if right else ""
    return (
        f"Line {line} of your cell needs something other than the `{place.code}` of line {place.home.line}: "
        f"with that in its place all that follows comes out right.{hint}"
    )


def _exchanged(search, place):
    return (
        f"Line {place.site.line} of your cell has the right values, but hands them to its names in another order: "
        "once they are exchanged, all that follows comes out right."
    )


def _order(search, place):
    return f"Line {place.site.line} of your cell returns the right values, but in another order than is asked for."


def _unfinished(search, place):
    since = f", as line {place.home.line} leaves it" if place.home else ""
    return (
        f"Line {place.site.line} of your cell returns {_code(place.code)}{since}: right so far, but a step on the way "
        "and not yet the result."
    )


TEXTS = {
    "repaired": _repaired,
    "new": _new,
    "needs": _needs,
    "exchanged": _exchanged,
    "order": _order,
    "unfinished": _unfinished,
}


def _shapes_that_met(search, site):
    """Say which shapes an operation could not bring together; empty where there were not two."""
    if site.kind == "Call" and len({search.shape(part) for part in search.parts.get(site.number, ())}) == 1:
        return ""  # these are not what does not fit
    met = [(search.sites[part], shape) for part in search.parts.get(site.number, ()) if (shape := search.shape(part))]
    if len(met) != 2:
        return ""
    shapes = " and ".join(f"{shape} of {_code(part.code)}" for part, shape in met)
    right = [part for part, _ in met if search.is_known(part.number)]
    sure = f" {_code(right[0].code)} is right so far." if len(right) == 1 else ""
    return f"Line {site.line} of your cell: in {_code(site.code)} the shapes {shapes} meet.{sure}"


def _code(text):
    text = shortened(text.replace("`", "'"), MAX_CODE_LENGTH)
    return f"`{text}`"
