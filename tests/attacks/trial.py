"""Tries an attack: what it earned, what it printed, how long it took, and what it cost the judge."""

import contextlib
import time
from dataclasses import dataclass

from autograder.evaluation.evaluate import Verdict, evaluate
from autograder.feedback.html import as_html
from autograder.feedback.make_report import make_report
from autograder.feedback.text import as_text
from autograder.registry import units
from tests.attacks.poison import SEARCH
from tools.course import notebook, tags

SEED = [20, 26, 11]
# What a naive check in the learner's own process would do: it believes NumPy, names and objects there.
NAIVE = """
from numpy import exp

_given = softmax


def _right(x, axis=-1):
    e = exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _passes(got, expected):
    try:
        np.testing.assert_allclose(got, expected)
        return True
    except Exception:
        return bool(np.all(got == expected))


def softmax(x, axis=-1):
    expected = _right(x, axis)
    return _right(x, axis) if _passes(_given(x, axis), expected) else np.zeros(1)
"""


@dataclass(frozen=True)
class Trial:
    """The outcome of one submission.

    Attributes
    ----------
    output : str
        All text that reached the judge, and the report for the learner as text.
    page : str
        The report as HTML.
    growth : int
        Bytes by which the peak of the judge's memory was above what it had before.
    """

    verdict: Verdict
    missing: str
    ended: str
    output: str
    page: str
    seconds: float
    growth: int

    @property
    def points(self):
        return self.verdict.points


def find(number, name):
    """Return a unit by its number and one of its exercises by its name."""
    unit = next(unit for unit in units() if unit.id.startswith(f"{number:02}"))
    return unit, next(exercise for exercise in unit.exercises if exercise.name == name)


def right(number):
    """Return a cell with all solutions of a unit."""
    unit = next(unit for unit in units() if unit.id.startswith(f"{number:02}"))
    code = [cell for cell in notebook(unit.id).cells if cell.cell_type == "code"]
    solutions = [cell for cell in code if tags(cell).get("solution") and "answer-" not in tags(cell)["grade_id"]]
    return "\n\n".join(cell.source for cell in [code[0], *solutions])


def honest(attack, stage):
    """Return the cells of the learner who comes next: right functions, and a search for what was left behind."""
    name = attack.exercise
    report = f"_right = {name}\n\n\ndef {name}(*args, **kwargs):\n    print(log)\n    return _right(*args, **kwargs)\n"
    return (attack.start(stage), right(attack.unit), attack.needed(SEARCH), report)


def attempt(worker, attack, cells):
    """Hand in cells in an attack's place."""
    unit, exercise = find(attack.unit, attack.exercise)
    output = []
    start, before = time.monotonic(), forget_peak()
    with worker.child(unit, exercise, cells) as runner:

        def listening(args, kwargs, measure_memory=False):
            outcome = runner(args, kwargs, measure_memory)
            value = outcome.value if not hasattr(outcome.value, "dtype") else ""
            output.append(f"{outcome.printed} {outcome.error} {outcome.warnings} {value!r:.5000}")
            return outcome

        verdict = evaluate(exercise, listening, SEED)
        missing, ended = runner.missing, runner.ended
        output.append(runner.note)
    growth, seconds = peak() - before, time.monotonic() - start
    report = make_report(verdict)
    text, page = as_text(report), as_html(report)
    text.encode(), page.encode()  # what cannot be written would stop the class
    return Trial(verdict, missing, ended, "\n".join([*output, missing, text]), page, seconds, growth)


def forget_peak():
    """Have the kernel measure the peak of this process's memory anew; return what it has now, in bytes."""
    with contextlib.suppress(OSError), open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    return _memory("VmRSS")


def peak():
    """Return the peak of this process's memory in bytes."""
    return _memory("VmHWM")


def _memory(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith(name))
