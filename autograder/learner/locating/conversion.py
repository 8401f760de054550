"""Find the line at which a learner's function goes on with fewer digits than it was given."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from autograder.evaluation.trials import Trial
from autograder.execution.compare import compare, shortened
from autograder.execution.precision import SINGLE, in_bytes, itemsize, tolerance_for
from autograder.specification import Exercise


@dataclass(frozen=True)
class Precision:
    """How a precision is called, how many digits it has, and by how much results may be off then."""

    name: str
    digits: int
    loss: float


SINGLES, HALVES = Precision("single", 7, 0), Precision("half", 3, 5e-3)
TYPES = dict.fromkeys(("float32", "single"), SINGLES) | dict.fromkeys(("float16", "half"), HALVES)
CODES = dict.fromkeys(("f4", "<f4", "=f4", "f"), SINGLES) | dict.fromkeys(("f2", "<f2", "=f2", "e"), HALVES)
ASKS = ("isinstance", "issubdtype", "can_cast")  # which convert nothing
MAX_CODE_LENGTH = 50  # characters


def few_digits(exercise: Exercise, function: Callable[..., Any], failing: Iterable[Trial]) -> str | None:
    """Say which line loses digits, if that is all that is wrong.

    Parameters
    ----------
    exercise : Exercise
    function : callable
        The learner's.
    failing : sequence of Trial

    Returns
    -------
    str or None
        Empty where the results are right to as many digits as single precision has, and no line is known to lose the
        others; None where more than digits is wrong.
    """
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    part, precision = min(_conversions(tree), key=lambda conversion: conversion[0].lineno, default=(None, SINGLES))
    differences = {_difference(exercise, trial, precision.loss) for trial in failing}
    if "some" not in differences or "far" in differences:
        return None
    if part is None:
        return ""
    line = part.lineno + function.__code__.co_firstlineno - 1
    return (
        f"Line {line} of your cell goes on in {precision.name} precision: `{_code(part)}`. So the result is right to "
        f"about {precision.digits} digits only. Leave out the conversion, or use float64."
    )


def _code(part):
    """Write a conversion; of one that is too long what names the type, and not what is converted."""
    code = ast.unparse(part)
    if len(code) <= MAX_CODE_LENGTH or not isinstance(part, ast.Call):
        return shortened(code, MAX_CODE_LENGTH)
    match part.func:
        case ast.Attribute(value=ast.Name()) | ast.Name():
            function = ast.unparse(part.func)
        case ast.Attribute(attr=name):
            function = f".{name}"
        case _:
            return shortened(code, MAX_CODE_LENGTH)
    given = (ast.unparse(argument) if _names_type(argument) else "..." for argument in (*part.args, *part.keywords))
    return shortened(f"{function}({', '.join(given)})", MAX_CODE_LENGTH)


def _names_type(part):
    return any(map(_precision, ast.walk(part)))


def _conversions(tree):
    """Yield the smallest calls and assignments in which a short type is named, and what precision it has."""
    parts = [part for part in ast.walk(tree) if isinstance(part, ast.Call | ast.Assign)]
    for node in ast.walk(tree):
        around = (part for part in parts if _precision(node) and node in ast.walk(part))
        part = min(around, key=lambda part: len(ast.unparse(part)), default=None)
        if part and not (isinstance(part, ast.Call) and _name(part.func) in ASKS):
            yield part, _precision(node)


def _precision(node):
    """Return the precision of the type that an expression names, or None."""
    match node:
        case ast.Constant(value=str(name)):
            return (TYPES | CODES).get(name)
        case ast.Attribute(value=ast.Name()) | ast.Name(id="float32" | "float16"):  # other names may be variables
            return TYPES.get(_name(node))
    return None


def _name(node):
    return getattr(node, "attr", getattr(node, "id", ""))


def _difference(exercise, trial, loss):
    """Return how far a result is from the right one: "none", "some", which a lower precision explains, or "far"."""
    given = (*trial.args, *trial.kwargs.values())
    try:
        expected = exercise.reference(*trial.args, **trial.kwargs)
    except Exception:  # an error is asked for
        return "none"
    got = trial.outcome.value
    tolerance = tolerance_for(*given)
    wide = replace(tolerance, rtol=max(tolerance.rtol, loss), atol=max(tolerance.atol, loss))
    short = got if loss else in_bytes(got, SINGLE)
    if trial.outcome.status != "returned" or compare(short, expected, exercise.returns, wide):
        return "far"
    is_short = itemsize(got) < itemsize(given)
    return "some" if is_short or compare(got, expected, exercise.returns, tolerance) else "none"
