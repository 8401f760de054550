"""A synthetic class: its submissions, their verdicts, and nbgrader to grade them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from traitlets.config import Config

from autograder import check
from autograder.evaluation.example import as_plain
from autograder.grading.intake.submission import Submission
from autograder.grading.verdicts.record import Record, cause_of, claims_of
from autograder.nbgrader_config import configure
from tools.course import ROOT, is_answer, tags
from tools.kernels import connection
from tools.synthetic_class import STOCK

MISTAKEN = """\
from autograder.registry import find
_wrong_{name} = next(m.function for m in find("{name}").mistakes if m.id == "{mistake}")

def {name}(*args, **kwargs):
    return _wrong_{name}(*args, **kwargs)
"""
NOISE = """\
import sys, warnings
print("working on it")
print("almost", file=sys.stderr)
warnings.warn("careful")
"""


def mistaken(unit):
    """Return for every exercise a cell with its first known mistake."""
    return {e.name: MISTAKEN.format(name=e.name, mistake=e.mistakes[0].id) for e in unit.exercises}


def noisy(sources):
    """Let every function print, warn and write to stderr before it does its work."""

    def noise(match):
        return "".join(match[1] + line + "\n" for line in NOISE.splitlines())

    return {name: re.sub(r"^( +)### BEGIN SOLUTION\n", noise, text, flags=re.M) for name, text in sources.items()}


def functions(book, unit):
    """Run imports and exercise cells of a submission in this process; return its functions by name."""
    namespace, cells = {"__name__": "submission"}, [cell for cell in book.cells if cell.cell_type == "code"]
    for cell in cells:
        if cell is cells[0] or (tags(cell).get("solution") and not is_answer(cell)):
            exec(cell.source, namespace)
    return {e.name: namespace[e.name] for e in unit.exercises}


def submission(unit, student, book, timestamp=""):
    """Return a submission as intake makes it of a notebook that needs no repair."""
    code = [cell.source for cell in book.cells if cell.cell_type == "code" and not tags(cell).get("grade")]
    return Submission(student, unit.id, "made for a test", b"", book, tuple(code), timestamp=timestamp)


def judged(submission, unit):
    """Return the records of a trusted submission, whose functions are run in this process."""
    written = functions(submission.notebook, unit)
    return [_record(submission, exercise, written[exercise.name]) for exercise in unit.exercises]


def _record(submission, exercise, function):
    score = check(function)
    verdict = score.verdict
    status = {"passed": "correct", "open": "wrong"}.get(verdict.status, verdict.status)
    return Record(
        key=f"{submission.hash} {exercise.name}",
        student=submission.student,
        unit=submission.unit,
        exercise=exercise.name,
        points=float(score),
        max_points=exercise.points,
        status="diagnosed" if verdict.mistake else status,
        claims=claims_of(verdict),
        mistake=score.mistake,
        cause=cause_of(verdict),
        is_unstable=verdict.is_unstable,
        example=as_plain(verdict.example),
        remarks=list(verdict.remarks),
        substituted=list(score.substituted),
    )


class Classroom:
    """A copy of the course in which a class is graded, by the judge or, when `stock`, by nbgrader alone.

    `run` calls the program nbgrader as a person does; the other methods do the same in this process,
    which saves nbgrader's start.
    """

    def __init__(self, root, stock=False):
        self.root = root
        for part in ("solutions", "notebooks"):
            shutil.copytree(ROOT / part, root / part)
        if stock:
            (root / "nbgrader_config.py").write_text(STOCK)
        self.config = Config()
        configure(self.config, root, stock)
        self.api = NbGraderAPI(config=self.config)

    def submit(self, unit, student, book, timestamp=""):
        """Put a notebook where nbgrader looks for submissions and return its folder."""
        folder = self.root / "classroom" / "submitted" / student / unit.id
        folder.mkdir(parents=True)
        nbformat.write(book, folder / f"{unit.id}.ipynb")
        if timestamp:
            (folder / "timestamp.txt").write_text(timestamp)
        return folder

    def run(self, *arguments):
        """Run an nbgrader command, without an activated environment, and return what it printed."""
        bare = os.environ | {"PATH": os.defpath}
        program = Path(sys.executable).parent / "nbgrader"
        with connection() as chosen:
            command = [program, *arguments, *(f"--KernelManager.{name}={value}" for name, value in chosen.items())]
            done = subprocess.run(command, cwd=self.root, env=bare, capture_output=True, text=True)
        output = done.stdout + done.stderr
        assert done.returncode == 0, output
        assert not re.search("Traceback|ERROR|SAWarning|IPKernelApp", output), output
        return output

    def grade(self, unit, students):
        """Generate, autograde and write feedback for one unit."""
        steps = [self.api.generate_assignment(unit.id)]
        with connection() as chosen:
            self.api.update_config(Config(KernelManager=chosen))
            steps += [self.api.autograde(unit.id, student) for student in students]
        steps += [self.api.generate_feedback(unit.id)]
        assert all(step["success"] for step in steps), steps

    def points(self, unit, student):
        """Return the points of every check cell in the gradebook."""
        with Gradebook(self.api.coursedir.db_url) as gradebook:
            graded = gradebook.find_submission_notebook(unit.id, unit.id, student)
            assert not graded.needs_manual_grade
            return {grade.name.removeprefix("check-"): grade.auto_score for grade in graded.grades}
