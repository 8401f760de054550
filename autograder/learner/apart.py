"""Hand the same input to a learner's function and to a wrong version of it, and say where their results differ."""

import copy
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.execution.call import SECONDS_PER_CALL, run
from autograder.execution.compare import Difference, compare
from autograder.execution.describe import cut_alike, describe, number_text, texts_that_differ
from autograder.execution.handed import Undeclared, handed_over
from autograder.execution.nested import leaves
from autograder.execution.precision import tolerance_for
from autograder.execution.substitution import substituted
from autograder.learner.local import helpers
from autograder.specification import Exercise

MAX_NUMBERS = 10_000  # in an array: a function that takes each with each makes a hundred million of them
SECONDS_FOR_ANSWER = 20.0  # the first call of the course's function may have to load SciPy
LENGTH = 120  # signs of a result that is written out
NO_CALL = "This is no call of `{name}{signature}`: {error}."
NOT_COPIED = "Both have to get the same input, and a part of this one cannot be copied. Hand over arrays and numbers."
TOO_LARGE = "This input has an array of {size:,} numbers. A few are enough: try a smaller one."
REFUSED = "`{name}` has no answer for this input: the course's own ends in {error}. Try another one."
TOO_LONG = "Here `{name}` takes longer than {seconds:g} seconds. Try a smaller input."
NAN = "The right answer holds NaN here, so there is nothing to tell apart. Try an input without it."
OTHERWISE = (
    "Here your own `{name}` does not give what the course's gives. If the exercise asks for inputs of this kind, "
    "correct yours and check it again; if not, try another input."
)


class NotCompared(Exception):
    """Two functions cannot be compared on an input; the message says why."""


def difference(
    exercise: Exercise, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> str:
    """Say where a learner's function and the exercise's wrong version differ on an input.

    Parameters
    ----------
    exercise : Exercise
    function : callable
        The learner's, which has passed.
    args : tuple
    kwargs : dict

    Returns
    -------
    str
        Empty where they agree.

    Raises
    ------
    NotCompared
        If the input is none that the exercise has an answer for, or the learner's function has another one.
    """
    args, kwargs = _input(exercise, args, kwargs)
    right = _answer(exercise, args, kwargs)
    tolerance = tolerance_for(*args, *kwargs.values())
    with substituted(function, helpers(exercise)):
        own = _called(function, exercise, args, kwargs)
    if own.status == "timeout":
        raise NotCompared(TOO_LONG.format(name=exercise.name, seconds=SECONDS_PER_CALL))
    if own.status != "returned" or compare(own.value, right, exercise.returns, tolerance):
        raise NotCompared(OTHERWISE.format(name=exercise.name))
    other = _called(exercise.wrong_version.function, exercise, args, kwargs)
    if other.status == "timeout":
        return "Yours has an answer, and the colleague's does not come to an end."
    if other.status != "returned":
        return f"Yours has an answer, and the colleague's ends in {_short(other.error)}."
    found = compare(other.value, right, exercise.returns, tolerance)
    return _in_words(found, other.value, right) if found else ""


def _input(exercise, args, kwargs):
    """Return the arguments of a call, functions among them as the exercise hands them over."""
    name, signature = exercise.name, exercise.signature
    try:
        signature.bind(*args, **kwargs)
        given = handed_over(args, kwargs, signature.parameters, exercise.hands)
    except (TypeError, Undeclared) as error:
        raise NotCompared(NO_CALL.format(name=name, signature=signature, error=str(error).rstrip("."))) from None
    try:
        copy.deepcopy(given)
        size = max((one.size for one in (*given[0], *given[1].values()) if isinstance(one, np.ndarray)), default=0)
    except Exception:  # of an object, or of a list that holds itself
        raise NotCompared(NOT_COPIED) from None
    if size > MAX_NUMBERS:
        raise NotCompared(TOO_LARGE.format(size=size))
    return given


def _answer(exercise, args, kwargs):
    """Return the right answer."""
    outcome = _called(exercise.reference, exercise, args, kwargs, SECONDS_FOR_ANSWER)
    if outcome.status == "timeout":
        raise NotCompared(TOO_LONG.format(name=exercise.name, seconds=SECONDS_FOR_ANSWER))
    if outcome.status != "returned":
        raise NotCompared(REFUSED.format(name=exercise.name, error=_short(outcome.error)))
    numbers = [leaf for leaf in leaves(outcome.value) if isinstance(leaf, float | np.ndarray | np.floating)]
    if any(np.isnan(number).any() for number in numbers if np.asarray(number).dtype.kind == "f"):
        raise NotCompared(NAN)
    return outcome.value


def _called(function, exercise, args, kwargs, seconds=SECONDS_PER_CALL):
    """Make one call on copies, also of what keeps a state, such as a random generator."""
    given, given_kwargs = copy.deepcopy((args, kwargs))
    return run(function, given, given_kwargs, exercise.signature, seconds)


def _short(error):
    text = f"{error.type}: {error.message}" if error.message else error.type
    return " ".join(text.replace("`", "'").split()).rstrip(".")


def _in_words(found: Difference, got: Any, right: Any) -> str:
    """Say where the results differ, and by how much."""
    theirs: Any = got if found.expected is None else found.got
    yours: Any = right if found.expected is None else found.expected
    where = f" at index {list(found.index)}" if found.index else ""
    if found.index is not None:
        theirs, yours = theirs[found.index].item(), yours[found.index].item()
    one, other = (describe(each, LENGTH) for each in cut_alike(yours, theirs))
    distance = ""
    if isinstance(yours, float) and isinstance(theirs, float):
        one, other = texts_that_differ(yours, theirs)
        apart = abs(yours - theirs)
        distance = f", a distance of {number_text(apart, 3)}" if math.isfinite(apart) else ""
    first = "they first differ" if where else "they differ"
    return f"In `{found.result}`{where} {first}: yours is {one}, the colleague's {other}{distance}."
