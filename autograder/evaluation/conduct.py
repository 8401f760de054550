"""A call whose result may be right, but that should have been refused, changed an argument, or was not quiet."""

import traceback
from pathlib import Path
from typing import Any

import transformer_kit
from autograder.evaluation.example import Example, call_code, in_words, told
from autograder.evaluation.trials import Trial
from autograder.execution.compare import Difference
from autograder.execution.describe import describe, shortened
from autograder.specification import Exercise

COURSE = str(Path(transformer_kit.__file__).parent)


def example_of(exercise: Exercise, trial: Trial, code: str = "", why: str = "") -> Example | None:
    """Return an example that shows what a call does besides its result, or None where there is nothing to show.

    Parameters
    ----------
    exercise : Exercise
    trial : Trial
    code : str, optional
        The call as code, where it is known.
    why : str
        Why claims do not hold: what a refusal says, and warnings, are shown only where that is because of them.

    Returns
    -------
    Example or None
    """
    refusal = _refusal(exercise, trial)
    if refusal is not None:
        pair = _refused(trial.outcome, refusal if "but its message" in why else "")
    else:
        pair = _left_alone(exercise, trial.outcome, "NumPy warned" in why)
    return pair and told(code or call_code(exercise, trial), *pair)


def of_forms(trial: Trial, difference: Difference, code: str) -> Example | None:
    """Return an example that says of which forms a result and the right one are, or None where these are the same.

    Parameters
    ----------
    trial : Trial
    difference : Difference
    code : str
        The call as code.

    Returns
    -------
    Example or None
    """
    error = trial.outcome.error
    pair = f"raises {shortened(error.type)}" if error else form(difference.got), form(difference.expected)
    return told(code, *pair) if pair[0] != pair[1] else None


def form(value: Any) -> str:
    """Say what a result is, without its numbers.

    Parameters
    ----------
    value : object
    """
    if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
        return f"a {type(value).__name__} of {len(value)} {'entry' if len(value) == 1 else 'entries'}"
    return describe(value)


def _refusal(exercise, trial):
    """Return the message with which the reference itself refuses a call, or None where it does not."""
    try:
        exercise.reference(*trial.args, **trial.kwargs)
    except ValueError as error:
        file = traceback.extract_tb(error.__traceback__)[-1].filename
        return str(error) if file.startswith(COURSE) else None  # NumPy's refusals are none of the exercise's
    except Exception:
        return None
    return None


def _refused(outcome, message):
    """Return what came of a call that should have been refused, beside what should have; None where it has.

    `message` is what the refusal should say; empty where that does not matter.
    """
    error = outcome.error
    if not error:
        return f"returns {in_words(outcome.value)}", "raises ValueError"
    if not error.is_a("ValueError"):
        return (f"raises {shortened(error.type)}", "raises ValueError") if error.line_number else None
    return (f"says: {shortened(error.message)}", f"says, for example: {message}") if message else None


def _left_alone(exercise, outcome, is_quiet):
    if outcome.status != "returned":
        return None
    if outcome.changed:
        names = " and ".join(outcome.changed)
        return f"changes {names}", f"leaves {names} as {'it was' if len(outcome.changed) == 1 else 'they were'}"
    if outcome.shares and not exercise.may_be_view:
        return f"shares its memory with {' and '.join(outcome.shares)}", "a new array"
    warned = [text for text in outcome.warnings if is_quiet and text.startswith("RuntimeWarning")]
    return (shortened(warned[0]), "no warning") if warned else None
