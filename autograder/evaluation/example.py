"""A small call as data: its code to copy, and both results as rows of short texts, in which what differs is marked."""

import inspect
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from autograder.evaluation.trials import Trial
from autograder.execution.compare import Difference, compare_one
from autograder.execution.describe import cut_alike, describe, is_plain_array, number_text, shortened
from autograder.execution.precision import Tolerance
from autograder.specification import Exercise, Output

DIGITS = (3, 4, 6, 9, 12, 17)
LINE = 80  # characters of a call that stands on one line
SHORT = 6  # numbers of an array that is told in words
MAX_CODE = 2000  # characters of a call


@dataclass(frozen=True)
class Row:
    """Entries that stand side by side; `label` says where in the result: an index, a name, or nothing."""

    label: str
    entries: list[str]


@dataclass(frozen=True)
class Example:
    """A call whose result is not the expected one, in plain values.

    `result` is the name of the result that is shown, where there are several. `differs` has the row and the column of
    every entry of `yours` that is not right. Where a result has another form altogether, `kinds` says of which form
    yours is, and of which the expected one. `error` is the type of the exception that the call raised instead.
    """

    call: str
    result: str
    yours: list[Row]
    expected: list[Row]
    differs: list[list[int]]
    kinds: list[str]
    error: str = ""

    @property
    def shows_something(self) -> bool:
        """Whether the two results look different: those of one tuple in another nesting do not."""
        return bool(self.error or self.differs or self.kinds[0] != self.kinds[1])


def make_example(
    exercise: Exercise, trial: Trial, difference: Difference, tolerance: Tolerance, code: str = ""
) -> Example:
    """Write down a call and how its result differs.

    Parameters
    ----------
    exercise : Exercise
    trial : Trial
    difference : Difference
        Has the result that is expected, and the one that came back, unless the call raised an error.
    tolerance : Tolerance
    code : str, optional
        The call as code, where it is known.

    Returns
    -------
    Example
    """
    call = code or call_code(exercise, trial)
    error = trial.outcome.error
    names = [returned.name for returned in exercise.returns]
    result = difference.result if len(names) > 1 or "." in difference.result else ""
    got, expected = cut_alike(difference.got, difference.expected)
    right = list(_rows(expected, names))
    if error:
        return Example(call, "", [], _texts(right, DIGITS[0]), [], ["", ""], shortened(error.type))
    yours = list(_rows(got, names))
    kinds = _kinds(difference)
    differs = [] if any(kinds) else list(_differing(yours, right, tolerance))
    for digits in DIGITS:
        texts = _texts(yours, digits), _texts(right, digits)
        same = [position for position in differs if _at(texts[0], position) == _at(texts[1], position)]
        if not same:
            break
    for row, column in same:  # they differ in type alone, or in nothing but their rows' names
        types = [type(rows[row][1][column]).__name__ for rows in (yours, right)]
        if types[0] == types[1]:
            differs.remove([row, column])
        else:
            for side, name in zip(texts, types, strict=True):
                side[row].entries[column] += f" ({name})"
    if not differs and not any(kinds):
        kinds = _lengths(*texts)
    return Example(call, result, *texts, differs, kinds)


def _lengths(yours, expected):
    """Say how many entries both results have, where one is the beginning of the other."""
    lengths = [[len(row.entries) for row in rows] for rows in (yours, expected)]
    if lengths[0] == lengths[1] or max(map(len, lengths)) > 1:
        return ["", ""]
    return [f"{number} {'entry' if number == 1 else 'entries'}" for (number,) in lengths]


def told(call: str, yours: str, expected: str) -> Example:
    """Return an example in which words stand in the place of results.

    Parameters
    ----------
    call : str
    yours, expected : str
    """
    return Example(call, "", [Row("", [yours])], [Row("", [expected])], [[0, 0]], ["", ""])


def _at(rows, position):
    row, column = position
    return rows[row].entries[column] if row < len(rows) and column < len(rows[row].entries) else None


def as_plain(example: Example | None) -> dict[str, Any] | None:
    """Return an example, or None, as JSON holds it; `from_plain` is the way back."""
    return None if example is None else asdict(example)


def from_plain(fields: dict[str, Any] | None) -> Example | None:
    """Return the example that `as_plain` took apart, or None."""
    if not fields:
        return None
    return Example(**fields | {side: [Row(**row) for row in fields[side]] for side in ("yours", "expected")})


def _rows(value, names=(), label=""):
    """Yield the labels and the entries of the rows of a result; `names` are those of several results."""
    entries = _entries(value)
    if not any(_entries(entry) is not None for entry in entries or ()):
        yield label, entries or [value]
        return
    labels = getattr(value, "_fields", None)
    if not labels and not label and len(names) == len(entries) > 1 and isinstance(value, tuple):
        labels = names
    labels = labels or [f"{label}[{number}]" for number in range(len(entries))]
    for own, entry in zip(labels, entries, strict=True):
        yield from _rows(entry, (), own)


def _entries(value):
    """Return what a list, a tuple or an array of numbers holds; None for anything else."""
    if isinstance(value, tuple | list):
        return list(value)
    return list(value) if is_plain_array(value) and value.ndim and value.dtype.kind in "biuf" else None


def _kinds(difference):
    """Say of which form both results are, where that is what differs."""
    if difference.rung in ("values", "finite"):
        return ["", ""]
    kinds = [_kind(value, difference.rung) for value in (difference.got, difference.expected)]
    return kinds if kinds[0] != kinds[1] else ["", ""]


def _kind(value, rung):
    if isinstance(value, np.ndarray):
        if rung == "dtype":
            return str(value.dtype)
        return f"array, shape {value.shape}" if rung == "type" else f"shape {value.shape}"
    return "" if value is None else type(value).__name__


def _differing(yours, expected, tolerance):
    """Yield row and column of the entries that differ; all of them where the two results have no common form."""
    alike = [(label, len(entries)) for label, entries in yours] == [
        (label, len(entries)) for label, entries in expected
    ]
    for row, (_, entries) in enumerate(yours):
        for column, entry in enumerate(entries):
            pair = (entry, expected[row][1][column]) if alike else None
            if not alike or compare_one(*map(_boxed, pair), Output(""), tolerance):
                yield [row, column]


def _boxed(entry):
    """Return a number of NumPy as an array, which is compared in its own precision."""
    return np.asarray(entry) if isinstance(entry, np.generic) else entry


def _texts(rows, digits):
    return [Row(label, [_text(entry, digits) for entry in entries]) for label, entries in rows]


def in_words(value: Any) -> str:
    """Write a whole result as one short text.

    Parameters
    ----------
    value : object
    """
    return _text(value.tolist() if is_plain_array(value) and value.size <= SHORT else value, DIGITS[0])


def _text(entry, digits):
    """Write an entry as Python would, but short."""
    entry = entry[()] if is_plain_array(entry) else entry  # a number, where it has no axes
    if isinstance(entry, float | np.floating):
        return number_text(float(entry) + 0.0, digits)  # 0 for -0
    if entry is None or isinstance(entry, int | np.bool_ | np.integer):
        return shortened(str(entry))
    return describe(entry).replace("`", "'")


def call_code(exercise: Exercise, trial: Trial) -> str:
    """Write a call so that it can be copied into a cell in which NumPy is `np`.

    Parameters
    ----------
    exercise : Exercise
    trial : Trial
    """
    signature = exercise.signature
    parts: list[str] = []
    for name, value in signature.bind(*trial.args, **trial.kwargs).arguments.items():
        several = signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL
        parts += map(_code, value) if several else [f"{name}={_code(value)}"]
    call = f"{exercise.name}({', '.join(parts)})"
    lines = call if len(call) <= LINE or len(parts) == 1 else f"{exercise.name}(\n    " + ",\n    ".join(parts) + ",\n)"
    return shortened(lines, MAX_CODE)


def _code(value):
    if isinstance(value, np.ndarray):
        usual = value.size and value.dtype in (np.float64, np.int64, np.bool_)
        dtype = "" if usual else f", dtype=np.{value.dtype}"
        return f"np.array({_nested(value)}{dtype})" if value.size else f"np.zeros({value.shape}{dtype})"
    if hasattr(value, "_fields"):
        fields = (f"{name}={_code(entry)}" for name, entry in zip(value._fields, value, strict=True))
        return f"{type(value).__name__}({', '.join(fields)})"
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_code, value))}]"
    return str(value) if isinstance(value, np.generic) else repr(value)


def _nested(array):
    """Write the numbers of an array in brackets, exactly."""
    if array.ndim:
        return f"[{', '.join(map(_nested, array))}]"
    return str(array[()]).replace("inf", "np.inf").replace("nan", "np.nan")
