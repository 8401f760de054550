"""Find out what went wrong: by known mistakes first, by the structure of the numbers otherwise."""

import inspect
import math

import numpy as np

from autograder.compare import compare_one, number_text, tolerance_for
from autograder.run import run


def known_mistake(exercise, trials, memory):
    """Return the first known mistake that would have had the very same outcome in every call.

    Parameters
    ----------
    exercise : Exercise
    trials : sequence of Trial
        Calls of the learner's function; best those first that tell mistakes apart.
    memory : dict
        Keeps what the mistakes came to, for the next question about the same calls; empty at first.

    Returns
    -------
    Mistake or None
    """
    return next((mistake for mistake in exercise.mistakes if _explains(exercise, mistake, trials, memory)), None)


def _explains(exercise, mistake, trials, memory):
    for trial in trials:
        key = mistake.id, id(trial)
        if key not in memory:
            memory[key] = _would_be(exercise, mistake, trial)
        if not memory[key]:
            return False
    return True


def _would_be(exercise, mistake, trial):
    """Tell whether a mistake has the outcome of a trial."""
    outcome = run(mistake.function, trial.args, trial.kwargs, inspect.signature(exercise.reference), seconds=None)
    tolerance = tolerance_for(*trial.args, *trial.kwargs.values(), trial.outcome.value)
    return trial.outcome.same_as(outcome, tolerance)


def remarks(exercise, trials, inputs=True):
    """Return what the learner should know although it costs nothing; `inputs`: also on touched arguments."""
    outcomes = [trial.outcome for trial in trials]
    found = []
    if any(outcome.printed for outcome in outcomes):
        line = next(o.printed for o in outcomes if o.printed).strip().splitlines() or [""]
        found.append(f'Your function prints (first: "{line[0][:60]}"). A function that others call should be quiet.')
    warned = [text for outcome in outcomes for text in outcome.warnings]
    if warned:
        found.append(f'Your function warns ("{warned[0][:80]}"). Look where the warning comes from.')
    changed = sorted({name for outcome in outcomes for name in outcome.changed})
    if changed and inputs:
        found.append(f"Your function changes its argument {', '.join(changed)}. Work on a new array instead.")
    shared = sorted({name for outcome in outcomes for name in outcome.shares})
    if shared and inputs and not exercise.may_be_view:
        found.append(f"Your result shares its memory with the argument {', '.join(shared)}. Return a new array.")
    if any(_precision_changed(trial) for trial in trials):
        cause = "`np.sqrt(64)` or `mask.sum()` as a factor does that"
        found.append(f"Given float32 your function returns float64 (costs nothing; {cause}).")
    return tuple(found)


def _precision_changed(trial):
    given = {a.dtype for a in (*trial.args, *trial.kwargs.values()) if _is_float(a)}
    value = trial.outcome.value
    results = value if isinstance(value, tuple | list) else (value,)
    return given == {np.dtype(np.float32)} and any(_is_float(r) and r.dtype == np.float64 for r in results)


def _is_float(value):
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


def structure(exercise, difference, trial):
    """Describe how a wrong array differs from the right one.

    Parameters
    ----------
    exercise : Exercise
    difference : Difference or None
    trial : Trial
        The call that it comes from; a boolean argument counts as a mask.

    Returns
    -------
    str
        One or two sentences, empty where nothing simple holds.
    """
    right = " and ".join(agreeing_results(exercise, trial)) if difference else ""
    aside = f"Your {right} {'are' if ' and ' in right or right == 'weights' else 'is'} right." if right else ""
    return " ".join(filter(None, (aside, _pattern(difference, trial))))


def _pattern(difference, trial):
    if difference is None:
        return ""
    got, expected = difference.got, difference.expected
    if not isinstance(got, np.ndarray) or not isinstance(expected, np.ndarray):
        return ""
    if difference.rung == "shape":
        return _shape_sentence(got, expected)
    if difference.rung == "finite":
        return f"{int(np.isnan(got).sum())} entries are NaN." if np.isnan(got).any() else ""
    if difference.rung != "values":
        return ""
    if expected.dtype == bool:
        return _boolean_sentence(got, expected)
    masks = [a for a in (*trial.args, *trial.kwargs.values()) if isinstance(a, np.ndarray) and a.dtype == bool]
    sentences = (
        _order_sentence(got, expected),
        _scale_sentence(got, expected),
        _where_sentence(got, expected, masks),
        _sum_sentence(got, expected),
    )
    return next((sentence for sentence in sentences if sentence), "")


def _close(a, b):
    return a.shape == b.shape and bool(np.allclose(a, b, **tolerance_for(a, b)))


def _shape_sentence(got, expected):
    if sorted(got.shape) == sorted(expected.shape):
        return "The right axes are there, but in another order."
    if got.ndim == expected.ndim + 1 and got.size == expected.size:
        return "There is one axis of length 1 too many."
    if got.ndim < expected.ndim and expected.shape[-got.ndim :] == got.shape:
        return "The leading axes are missing."
    if got.size == expected.size:
        return "The number of entries is right, but they are arranged in other axes."
    return ""


def _boolean_sentence(got, expected):
    if np.array_equal(got, ~expected):
        return "Every entry is the opposite of what it should be: True and False are exchanged."
    if got.ndim >= 2 and np.array_equal(got, np.swapaxes(expected, -1, -2)):
        return "The mask is transposed: rows belong to queries, columns to keys."
    missing, extra = int((expected & ~got).sum()), int((got & ~expected).sum())
    if not missing or not extra:
        return f"Too much is {'allowed' if extra else 'hidden'}: {missing or extra} entries."
    return ""


def _order_sentence(got, expected):
    if got.ndim >= 2 and got.shape[-1] == got.shape[-2] and _close(got, np.swapaxes(expected, -1, -2)):
        return "Your array is the right one with its last two axes exchanged."
    if got.ndim >= 1 and _close(np.sort(got, axis=None), np.sort(expected, axis=None)):
        return "All the right numbers are there, but at other places."
    return ""


def _broadcasts(array, shape):
    """Tell whether an array can be broadcast to a shape."""
    pairs = zip(array.shape[::-1], shape[::-1], strict=False)
    return array.ndim <= len(shape) and all(size in (1, other) for size, other in pairs)


def _where_sentence(got, expected, masks):
    right = np.isclose(got, expected, **tolerance_for(got, expected))
    if got.ndim >= 3 and len(got) > 1 and right[0].all():
        return "The first entry of the batch is right and others are not: look at the leading axes."
    for mask in masks:
        if _broadcasts(mask, right.shape):
            visible = np.broadcast_to(mask, right.shape)
            if visible.any() and right[visible].all():
                return "What is visible is right; what the mask hides is not."
            if (~visible).any() and right[~visible].all():
                return "What the mask hides is right; what is visible is not."
    if got.ndim >= 2 and got.shape[-1] > 1:
        for name, part in (("even", np.s_[..., 0::2]), ("odd", np.s_[..., 1::2])):
            if right[part].all():
                return f"The {name} columns are right, the others are not (columns are counted from 0)."
    return ""


def _sum_sentence(got, expected):
    def unit_axes(a):
        return [axis for axis in range(a.ndim) if np.allclose(a.sum(axis=axis), 1)]

    want, have = unit_axes(expected), unit_axes(got)
    if want and not set(want) & set(have):
        place = f"along axis {have[0]}" if have else "along no axis"
        return f"The entries should sum to 1 along axis {want[-1]}; yours do so {place}."
    return ""


def _scale_sentence(got, expected):
    finite = np.isfinite(expected)  # infinities stand at the same places in both, and have no ratio
    got, expected = got[finite], expected[finite]
    large = np.abs(expected) > 1e-6
    if not large.any():
        return ""
    ratio = got[large] / expected[large]
    if np.allclose(ratio, ratio.flat[0], rtol=1e-6) and np.allclose(got[~large], 0, atol=1e-4):
        return f"Every entry is {_factor(float(ratio.flat[0]))} times what it should be."
    offset = got - expected
    if np.allclose(offset, offset.flat[0]):
        return f"Every entry is off by the same amount, {number_text(float(offset.flat[0]))}."
    return ""


def _factor(ratio):
    for value, form in ((ratio, "{:.6g}"), (1 / ratio if ratio else 0.0, "1 / {:.6g}")):
        square = round(value * value)
        if value > 1 and square > 1 and math.isclose(value * value, square, rel_tol=1e-6):
            root = math.isqrt(square)
            exact = f"(the square root of {square})" if root * root != square else ""
            return f"{form.format(value)} {exact}".strip()
    return number_text(ratio)


def agreeing_results(exercise, trial):
    """Return the names of the results of a call that are right although another one is not."""
    value, returns = trial.outcome.value, exercise.returns
    if len(returns) < 2 or not isinstance(value, tuple | list) or len(value) != len(returns):
        return ()
    expected = exercise.reference(*trial.args, **trial.kwargs)
    tolerance = tolerance_for(*trial.args, *trial.kwargs.values())
    pairs = zip(value, expected, returns, strict=True)
    return tuple(r.name for got, want, r in pairs if compare_one(got, want, r, tolerance) is None)
