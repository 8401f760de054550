"""Steps of nbgrader, so that `nbgrader autograde` and formgrader's button also grade by the judge.

`autograder.nbgrader_config` puts them into nbgrader's lists: `Repair` first, where nbgrader would clear outputs, and
`Judge` where it would run the notebook, to read points from what that printed.
"""

from functools import partial
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.course import CLASSROOM
from autograder.grading.attempts import joined, of_group
from autograder.grading.autograded import graded
from autograder.grading.commit import Committer
from autograder.grading.gradebook import ClassGradebook
from autograder.grading.intake.find.folders import items
from autograder.grading.intake.find.item import Refused
from autograder.grading.intake.find.times import time_in
from autograder.grading.intake.find.wording import refusal
from autograder.grading.intake.handed_in import HandedIn
from autograder.grading.intake.isolated import submission_of
from autograder.grading.intake.skeleton import skeleton
from autograder.grading.intake.submission import Submission
from autograder.grading.nbgraders_files import TIMESTAMP
from autograder.grading.verdicts.record import Record
from autograder.grading.verdicts.store import Store
from autograder.grading.verdicts.task import perform, task_of
from autograder.judge import sandbox
from autograder.registry import units


class UnknownUnit(Exception):
    """An assignment that the course has no exercises for."""


class Step(NbGraderPreprocessor):
    """A step that begins with what was handed in, whatever nbgrader has made of it."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the notebook that takes the place of nbgrader's."""
        course = CourseDirectory(config=self.config)
        ids = resources["nbgrader"]
        student, unit = ids["student"], ids["assignment"]
        if unit not in {known.id for known in units()}:
            raise UnknownUnit(
                f"{unit} is not a unit of this course, so there is nothing to judge it by. In a course of its own, or "
                "after configure(get_config(), stock=True) in nbgrader_config.py, nbgrader grades it alone."
            )
        place = Path(course.format_path(course.submitted_directory, student, unit), f"{unit}.ipynb")
        handed_in = _handed_in(place, student, unit, course.root)
        known = Store(Path(course.root, CLASSROOM)).mark(student, unit)
        return self.make(course, submission_of(of_group(joined(handed_in, known), known))), resources


class Repair(Step):
    """Puts the notebook into the form of the released one, so that nothing in it can stop nbgrader."""

    def make(self, course: CourseDirectory, submission: Submission) -> NotebookNode:
        """Register the unit, tell what had to be repaired, and return the repaired notebook."""
        assert submission.notebook is not None
        folder = Path(course.format_path(course.autograded_directory, submission.student, submission.unit))
        for path in folder.rglob("*"):  # what lay beside the notebook: nothing of it is used
            if path.is_file() and path.name != TIMESTAMP:
                path.unlink()
        with ClassGradebook(self.config) as gradebook:
            gradebook.register(submission.unit, skeleton(submission.unit, course.root))
        for sentence in submission.repairs or filter(None, [submission.unreadable]):
            self.log.warning("%s, %s: %s", submission.student, submission.unit, sentence)
        return submission.notebook


class Judge(Step):
    """Enters the judge's points into the gradebook, and writes its reports into the graded cells.

    Where no sandbox works, this raises `NoSandbox`: then nbgrader lists the submission as failed.
    """

    def make(self, course: CourseDirectory, submission: Submission) -> NotebookNode:
        """Grade what has no verdict yet, enter the points, and return the notebook with the judge's outputs."""
        store = Store(Path(course.root, CLASSROOM))
        backend = sandbox.choose().name
        secret = store.secret()
        store.begin()
        records = _records(submission, store, secret, backend)
        with ClassGradebook(self.config) as gradebook:
            released = partial(skeleton, root=course.root)
            Committer(store, gradebook, released, secret, backend).enter(submission, records, with_page=False)
        return graded(submission, records)


def _handed_in(place, student, unit, root):
    [item] = items(place)
    stamps = items(place.with_name(TIMESTAMP)) if place.with_name(TIMESTAMP).exists() else ()
    timestamp, remark = next(map(time_in, stamps), ("", ""))
    content = b""
    refused = item.refused
    try:
        content = content if refused else item.read()
    except Refused as why:
        refused = refusal(item.path, str(why))
    return HandedIn(student, unit, item.where, timestamp, content, root, refused, (remark,) if remark else ())


def _records(submission, store, secret, backend):
    """Return the records of a submission: those that exist, and new ones for the others, which are saved."""
    known, left = store.split(task_of(submission, secret, backend))
    new = [Record(**fields) for fields in perform(left)]
    for record in new:
        store.save(record)
    return known + new
