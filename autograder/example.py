"""The smallest call that shows why a claim fails: few short numbers, written out so that they can be copied."""

import inspect
import itertools
import math
from dataclasses import dataclass

import numpy as np

from autograder.call import Trial
from autograder.compare import Difference, compare, describe, is_plain_array, number_text, shortened, tolerance_for

LARGEST = 16  # numbers among the arguments of an example, and in what comes back
CALLS = 12  # that may be spent on the way to a smaller example
LONGEST_AXIS = 3  # of an array that was cut
CAME_BACK = ("returned", "raised", "not written")
LONGEST_NUMBER = 6  # characters of a number among the arguments


@dataclass(frozen=True)
class Example:
    """A call, and how its result differs from the reference's."""

    trial: Trial
    difference: Difference

    @property
    def given(self):
        return self.trial.args, self.trial.kwargs


def find(exercise, run, attempts, calls=CALLS):
    """Look for a small call whose result is not the reference's, for the first failing claim that has one.

    The claim's own calls come first. Where all of them are large, their arrays are cut, axes of one length to one
    length, and their numbers rounded, until the function fails in the same way on less.

    Parameters
    ----------
    exercise : Exercise
    run : callable
        ``run(args, kwargs)`` performs one call and returns an `Outcome`.
    attempts : sequence of (Claim, sequence of Trial, Failed or None)
        The claims, their calls, and why they do not hold.
    calls : int
        How many calls may be added in all.

    Returns
    -------
    dict
        One sentence, with code between backticks, by the name of its claim; empty where there is no such call.
    """
    if any(trial.outcome.status not in CAME_BACK for _, trials, _ in attempts for trial in trials):
        return {}  # a function that hangs is not called again
    budget = itertools.repeat(True, calls)
    failing = ((claim, trials) for claim, trials, failure in attempts if failure and claim.example)
    found = ((claim.name, text) for claim, trials in failing for text in _sentences(exercise, run, trials, budget))
    return dict(itertools.islice(found, 1))


def _sentences(exercise, run, trials, budget):
    """Yield examples in words, the best first; `budget` has an entry for every call that may be added."""
    wrong = [example for example in (_example(exercise, trial) for trial in trials) if example]
    short = sorted((example for example in wrong if _is_short(example.given)), key=lambda e: _size(e.given))
    cut = itertools.chain.from_iterable(_cut(exercise, run, example, budget) for example in wrong)
    yield from filter(None, (_sentence(exercise, example) for example in itertools.chain(short, cut)))


def _example(exercise, trial):
    """Return a call as an example, or None where it is right, and where it has no result or no text."""
    expected = _expected(exercise, trial.args, trial.kwargs)
    if expected is None or any(map(callable, _leaves((trial.args, trial.kwargs)))):
        return None
    if trial.outcome.error:
        if not trial.outcome.error.line_number:
            return None  # not an error of the learner's own code, which may not even have been reached
        return Example(trial, Difference(trial.outcome.error.type, "", expected=expected[0]))
    value, tolerance = trial.outcome.value, tolerance_for(*trial.args, *trial.kwargs.values(), trial.outcome.value)
    difference = compare(value, expected[0], exercise.returns, tolerance)
    if difference and difference.expected is None:  # something else than the results that were asked for
        difference = Difference(difference.rung, "", got=value, expected=expected[0])
    return difference and Example(trial, difference)


def _expected(exercise, args, kwargs):
    """Return the reference's result in a tuple of its own, or None where it refuses, or has no number to give."""
    try:
        expected = exercise.reference(*args, **kwargs)
    except Exception:
        return None
    numbers = (leaf for leaf in _leaves(expected) if isinstance(leaf, float | np.ndarray))
    return None if any(np.isnan(number).any() for number in numbers) else (expected,)


def _cut(exercise, run, example, budget):
    """Yield the example with less in it where that fails in the same way, the smallest first."""
    for lengths in _lengths(example.given):
        args, kwargs = _with_less(example.given, lengths)
        if _expected(exercise, args, kwargs) is None:
            continue
        if not next(budget, False):
            return
        trial = Trial(args, kwargs, run(args, kwargs))
        if trial.outcome.status not in CAME_BACK:
            list(budget)  # is used up: nothing is called any more
            return
        found = _example(exercise, trial)
        if found and found.difference.rung == example.difference.rung:
            yield found


def _lengths(given):
    """Return what the lengths of axes may become: few numbers first, but last those that become 1 and show little."""
    shapes = [leaf.shape for leaf in _leaves(given) if isinstance(leaf, np.ndarray)]
    others = _size(given) - sum(map(math.prod, shapes))
    if others + len(shapes) > LARGEST:  # as in a whole model: however short its arrays, they are too many
        return []
    old = sorted({length for shape in shapes for length in shape if length > 1})
    found = []
    for new in itertools.product(*(range(1, min(length, LONGEST_AXIS) + 1) for length in old)):
        lengths = dict(zip(old, new, strict=True))
        size = others + sum(math.prod(lengths.get(length, length) for length in shape) for shape in shapes)
        if size <= LARGEST:
            found.append((new.count(1), size, new, lengths))
    return [lengths for *_, lengths in sorted(found, key=lambda one: one[:3])]


def _with_less(value, lengths):
    """Return a value with all its arrays cut to new lengths and rounded."""
    if isinstance(value, np.ndarray):
        return _less(value, value[tuple(slice(lengths.get(length, length)) for length in value.shape)])
    if isinstance(value, dict):
        return {key: _with_less(entry, lengths) for key, entry in value.items()}
    if isinstance(value, tuple | list):
        entries = (_with_less(entry, lengths) for entry in value)
        return type(value)(*entries) if hasattr(value, "_fields") else type(value)(entries)
    return value


def _less(array, part):
    """Return a part of an array with two decimals; what sums to 1 along an axis still does so."""
    if array.dtype.kind != "f" or not part.size or (part.shape == array.shape and _is_short(part)):
        return part
    part = np.asarray(np.floor(part * 100) / 100, dtype=array.dtype)
    for axis in range(array.ndim):
        if np.allclose(array.sum(axis), 1):
            first = np.moveaxis(part, axis, 0)
            first[-1] = np.round(1 - first[:-1].sum(0), 2)
    return part


def _leaves(value):
    """Yield the arrays and the plain values in a value."""
    if isinstance(value, tuple | list | dict):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _leaves(entry)
    else:
        yield value


def _size(value):
    """Count the numbers in a value."""
    return sum(leaf.size if isinstance(leaf, np.ndarray) else 1 for leaf in _leaves(value))


def _is_short(value):
    """Tell whether there are few numbers in a value, and in its arrays no long ones."""
    arrays = (leaf for leaf in _leaves(value) if isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f")
    numbers = (str(number) for array in arrays for number in array.flat)
    return _size(value) <= LARGEST and all(len(number) <= LONGEST_NUMBER for number in numbers)


def _sentence(exercise, example):
    """Put an example in words; empty where a result is long."""
    difference, error = example.difference, example.trial.outcome.error
    results = (difference.expected,) if error else (difference.got, difference.expected)
    if max(map(_size, results)) > LARGEST:
        return ""
    call, (*got, expected) = _call_code(exercise, example.trial), _texts(results)
    name = f"{difference.result} " if len(exercise.returns) > 1 and difference.result else ""
    came = f"raises {shortened(error.type)}" if error else f"gives {name}`{got[0]}`"
    return f"`{call}` {came}, expected `{expected}`."


def _texts(results):
    """Write results with as few digits as tell them apart, or with their types."""
    for digits in (3, 4, 6, 9, 12, 17):
        texts = [_text(result, digits).replace("`", "'") for result in results]
        if len(set(texts)) == len(texts):
            return texts
    types = [value.dtype if isinstance(value, np.ndarray) else type(value).__name__ for value in results]
    return [f"{text} ({kind})" for text, kind in zip(texts, types, strict=True)]


def _text(value, digits):
    """Write a result as Python would, but short."""
    if is_plain_array(value) and value.dtype.kind in "biuf":
        value = value.tolist()
    if isinstance(value, tuple | list):
        entries = ", ".join(_text(entry, digits) for entry in value)
        return f"[{entries}]" if isinstance(value, list) else f"({entries})"
    if isinstance(value, float | np.floating):
        return number_text(float(value) + 0.0, digits)  # 0 for -0
    if value is None or isinstance(value, int | np.bool_ | np.integer):
        return shortened(str(value))
    return describe(value)


def _call_code(exercise, trial):
    """Write a call so that it can be copied into a cell in which NumPy is `np`."""
    signature, parts = inspect.signature(exercise.reference), []
    for name, value in signature.bind(*trial.args, **trial.kwargs).arguments.items():
        several = signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL
        parts += map(_code, value) if several else [f"{name}={_code(value)}"]
    return f"{exercise.name}({', '.join(parts)})"


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
