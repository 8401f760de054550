"""Find the line at which a learner's function goes on with fewer digits than it was given."""

import ast
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from types import FunctionType

from autograder.evaluation.trials import Trial
from autograder.execution.call import attempt, copied
from autograder.execution.compare import compare
from autograder.execution.describe import shortened
from autograder.execution.precision import SINGLE, in_bytes, itemsize, tolerance_for
from autograder.learner.locating.instrumented import compiled, definition_of
from autograder.learner.locating.right_path import SECONDS
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


def few_digits(exercise: Exercise, function: FunctionType, failing: Iterable[Trial]) -> str | None:
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
    conversions = _conversions(definition_of(function))
    part, precision = min(conversions, key=lambda conversion: conversion[0].lineno, default=(None, SINGLES))
    failing = tuple(failing)
    differences = {_difference(exercise, trial, precision.loss) for trial in failing}
    if differences == {"none"}:  # the results are right, and what is wrong is something else
        return None
    are_digits_all = "some" in differences and "far" not in differences
    if not are_digits_all and not (part and _is_right_in_double(exercise, function, failing)):
        return None
    if part is None:
        return ""
    return (
        f"Line {part.lineno} of your cell goes on in {precision.name} precision: `{_code(part)}`. Numbers have about "
        f"{precision.digits} digits then, and fewer are left of a difference. Leave out the conversion, or use float64."
    )


def _is_right_in_double(exercise, function, failing):
    """Return whether calls come right once no line of a function asks for fewer digits."""
    double = compiled(_InDouble().visit(definition_of(function)), function)
    return all(_is_right(exercise, double, trial) for trial in failing)


def _is_right(exercise, function, trial):
    args, kwargs = copied(trial.args), {key: copied(value) for key, value in trial.kwargs.items()}
    status, value, _ = attempt(function, args, kwargs, SECONDS)
    expected = exercise.reference(*copied(trial.args), **trial.kwargs)
    tolerance = tolerance_for(*trial.args, *trial.kwargs.values())
    return status == "returned" and not compare(value, expected, exercise.returns, tolerance)


class _InDouble(ast.NodeTransformer):
    """Writes the type of double precision in the place of shorter ones."""

    def visit(self, node):
        if not _precision(node):
            return self.generic_visit(node)
        match node:
            case ast.Attribute():
                return ast.Attribute(node.value, "float64", ast.Load())
            case ast.Name():
                return ast.Name("float", ast.Load())
        return ast.Constant("float64")


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
    wide = replace(tolerance, rtol=max(tolerance.rtol, loss), atol=max(tolerance.atol, loss), share=math.inf)
    short = got if loss else in_bytes(got, SINGLE)
    if trial.outcome.status != "returned" or compare(short, expected, exercise.returns, wide):
        return "far"
    is_short = itemsize(got) < itemsize(given)
    return "some" if is_short or compare(got, expected, exercise.returns, tolerance) else "none"
