"""A copy of the course in which `course grade` grades a class, and what it leaves there."""

import contextlib
import csv
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout

from nbgrader.api import Gradebook

from autograder import cli
from tools.course import ROOT

NOW = {"PYTHONPATH": str(ROOT)}


class Course:
    """A copy of the course with a class that hands in."""

    def __init__(self, root):
        self.root, self.room = root, root / "classroom"
        for part in ("solutions", "notebooks"):
            shutil.copytree(ROOT / part, root / part, dirs_exist_ok=True)

    def grade(self, *options, status=0):
        return self.run("grade", *options, status=status)

    def run(self, *arguments, status=0):
        """Run a command of `course`; return the summary that it prints as JSON, or its complaint.

        In this process, for its imports take longer than most classes of these tests.
        """
        printed, complaint = io.StringIO(), io.StringIO()
        with contextlib.chdir(self.root), redirect_stdout(printed), redirect_stderr(complaint):
            assert cli.main([*map(str, arguments), "--json"]) == status, printed.getvalue() + complaint.getvalue()
        return json.loads(printed.getvalue()) if printed.getvalue() else complaint.getvalue()

    def run_apart(self, *arguments):
        """Run a command as a person does; return the summary that it prints as JSON."""
        command = [sys.executable, "-m", "autograder.cli", *arguments, "--json"]
        done = subprocess.run(command, cwd=self.root, env=os.environ | NOW, stdout=subprocess.PIPE, check=True)
        return json.loads(done.stdout)

    def kill_when(self, reached):
        """Start the command, and kill it as soon as a condition holds; return whether it was still at work."""
        command = [sys.executable, "-m", "autograder.cli", "grade", "--json", "--jobs", "2"]
        process = subprocess.Popen(command, cwd=self.root, env=os.environ | NOW, stdout=subprocess.DEVNULL)
        while process.poll() is None and not reached():
            time.sleep(0.002)
        at_work = process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
        return at_work

    def records(self):
        return sorted(self.room.glob("records/*/*/*.json"))

    def points(self):
        """Return the points in the gradebook by student, unit and exercise."""
        with Gradebook(f"sqlite:///{self.room / 'gradebook.db'}", "transformer-course") as book:
            return {
                (one.student.id, assignment.name, grade.name.removeprefix("check-")): grade.auto_score
                for assignment in book.assignments
                for one in assignment.submissions
                for grade in one.notebooks[0].grades
            }

    def everything(self):
        """Return all that a run leaves: files byte for byte, and the gradebook without its random ids."""
        kept = [self.room / "grades.csv"]
        for part in ("records", "feedback", "autograded", "originals", "report"):
            kept += [path for path in (self.room / part).rglob("*") if path.is_file()]
        return {path.relative_to(self.room).as_posix(): path.read_bytes() for path in kept} | self.points()


def rows(course):
    """Return the lines of the grades by student."""
    with (course.room / "grades.csv").open(newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}
