"""Defaults of a learner's function that are not those of the exercise: no result says that they are the cause."""

import inspect
from collections.abc import Callable
from typing import Any

from autograder.evaluation.evaluate import Verdict
from autograder.feedback.report import Line

PLAIN = int | float | str | None  # functions and arrays are not compared


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
        for name in asked.keys() & own.keys()
        if _is_plain(asked[name].default) and _is_plain(own[name].default) and own[name].default != asked[name].default
    )


def _is_plain(default):
    return default is not inspect.Parameter.empty and isinstance(default, PLAIN)
