"""A class that has handed in two units, whose points are made up instead of judged."""

import contextlib
import csv
import io
import shutil
from contextlib import redirect_stderr, redirect_stdout
from types import SimpleNamespace

import nbformat
from nbgrader.api import Gradebook

from autograder import cli
from autograder.grading import commands, run
from autograder.grading.verdicts.record import without_verdict
from autograder.registry import find_unit, units
from tools.course import ROOT, fill, solved

UNITS = units()[5:7]
STUDENTS = ("ann", "bob", "eve")
ROSTER = "Username,Name,Section\nann,Ann Lee,1\nbob,Bob Ray,2\nzoe,Zoe Oel,2\n"
OTHER = "dan"  # who has a place without a notebook, and is not on the roster


def judged(task):
    """Return what the judge returns, without its work: full points for one student, half a point for the others."""
    exercises = {exercise.name: exercise for exercise in find_unit(task["unit"]).exercises}
    found = []
    for name, _, key in task["exercises"]:
        half = next(claim for claim in exercises[name].claims if claim.points == 0.5)
        holding = exercises[name].claims if task["student"] == STUDENTS[0] else [half]
        claims = [claim_fields(claim, any(claim is one for one in holding)) for claim in exercises[name].claims]
        points = sum(claim["points"] for claim in claims)
        status = "wrong" if holding == [half] else "correct"
        found.append(vars(without_verdict(task, exercises[name], key)(points=points, status=status, claims=claims)))
    return found


def claim_fields(claim, passed):
    """Return what a record keeps of a claim."""
    texts = {"name": claim.name, "status": "passed" if passed else "failed", "message": "", "called": ""}
    return texts | {"structure": "", "passed": passed, "points": claim.points * passed, "max_points": claim.points}


def judge_nothing(monkeypatch):
    """Let `course grade` take points as they are made up, and need no sandbox."""
    monkeypatch.setattr(run, "perform", judged)
    monkeypatch.setattr(run, "submission_of", lambda handed_in: handed_in.take_in())
    monkeypatch.setattr(commands.sandbox, "choose", lambda wanted=None: SimpleNamespace(name="bubblewrap"))


class Class:
    """A class that has handed in two units, of which nothing is really run."""

    def __init__(self, root):
        self.root, self.room = root, root / "classroom"

    def found(self, *units):
        """Make the course's folder, with some units."""
        for part, start in (("solutions", "start.py"), ("notebooks", "START_HERE.ipynb")):
            for unit in units:
                shutil.copytree(ROOT / part / unit.id, self.root / part / unit.id)
            (self.root / part / start).touch()

    def hand_in(self):
        self.found(*UNITS)
        for unit in UNITS:
            for student in STUDENTS:
                path = self.room / "submitted" / student / unit.id / f"{unit.id}.ipynb"
                path.parent.mkdir(parents=True)
                nbformat.write(fill(unit, solved(unit)), path)
        (self.room / "submitted" / OTHER / UNITS[0].id).mkdir(parents=True)
        (self.root / "roster.csv").write_text(ROSTER)

    def run(self, *arguments):
        """Run a command of `course`; return its exit status and all that it printed."""
        printed = io.StringIO()
        with contextlib.chdir(self.root), redirect_stdout(printed), redirect_stderr(printed):
            status = cli.main([*map(str, arguments)])
        return status, printed.getvalue()

    def table(self):
        """Return the lines of grades.csv by student."""
        with (self.room / "grades.csv").open(newline="", encoding="utf-8") as file:
            return {row["student"]: row for row in csv.DictReader(file)}

    def tables(self):
        """Return all that an instructor or a learner reads: tables, pages, and who is in the gradebook."""
        pages = {path.relative_to(self.room).as_posix(): path.read_bytes() for path in self.room.glob("feedback/*/*/*")}
        with Gradebook(f"sqlite:///{self.room / 'gradebook.db'}", "transformer-course") as book:
            entered = {(one.student.id, unit.name): one.score for unit in book.assignments for one in unit.submissions}
            students = {student.id for student in book.students}
        report = (self.room / "report" / "index.html").read_bytes()
        return {"table": self.table(), "pages": pages, "entered": entered, "students": students, "report": report}
