"""Defaults of a learner's function that are not those of the exercise: no result says that they are the cause."""

import inspect
from collections.abc import Callable
from typing import Any

from autograder.evaluation.evaluate import Verdict
from autograder.feedback.report import Line

PLAIN = int | float | str | None  # functions and arrays are not compared, nor what has no default


def other_defaults(function: Callable[..., Any], verdict: Verdict) -> tuple[Line, ...]:
    """Return a remark on each default that differs, for the report on a function that has not all points."""
    try:
        own = inspect.signature(function).parameters
    except (TypeError, ValueError):  # it shows no signature
        return ()
    if verdict.status != "open":
        return ()
    asked = verdict.exercise.signature.parameters
    return tuple(
        Line("Remark", f"the default of `{name}` is {own[name].default!r}; asked is {asked[name].default!r}.")
        for name in asked
        if name in own and _differ(own[name].default, asked[name].default)
    )


def _differ(one, other):
    return isinstance(one, PLAIN) and isinstance(other, PLAIN) and one != other
