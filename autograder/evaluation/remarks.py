"""What a learner should know about a function although it costs nothing."""

import numpy as np


def remarks(exercise, trials, inputs=True):
    """Return what the learner should know although it costs nothing; `inputs`: also about touched arguments."""
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
    if inputs and any(outcome.earlier for outcome in outcomes):
        found.append("Your function returns an array or a list again, or changes one, that it had returned.")
    if any(_precision_changed(trial) for trial in trials):
        cause = "`astype(float)`, `np.sqrt(64)`, `np.eye(n)` or `mask.sum()` does that"
        found.append(f"Given float32 your function returns float64 (costs nothing; {cause}).")
    return tuple(found)


def _precision_changed(trial):
    given = {a.dtype for a in (*trial.args, *trial.kwargs.values()) if _is_float(a)}
    value = trial.outcome.value
    results = value if isinstance(value, tuple | list) else (value,)
    return given == {np.dtype(np.float32)} and any(_is_float(r) and r.dtype == np.float64 for r in results)


def _is_float(value):
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"
