"""nbgrader's gradebook, where the points of a class are entered by way of nbgrader's own interface."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import Exchange
from nbgrader.preprocessors import AssignLatePenalties, SaveCells
from nbgrader.utils import compute_checksum, is_grade, is_locked, is_solution, parse_utc
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError
from traitlets.config import Config

from autograder.feedback.finding import of_cause
from autograder.grading.database import CannotUse, create_or_complete, in_words
from autograder.grading.final import CHECK, Final, finals
from autograder.grading.intake.submission import Submission
from autograder.grading.plan import read_plan
from autograder.grading.verdicts.record import Record

NO_RESPONSE = "No response."  # as nbgrader says it


class UnitChanged(Exception):
    """The gradebook holds submissions of a unit that had other exercises."""


@dataclass(frozen=True)
class Entry:
    """What the gradebook says of one submission, apart from all that people have added.

    Attributes
    ----------
    timestamp : datetime or None
        When it was handed in (UTC).
    scores : dict
        Points of each exercise; None where nothing could be decided.
    comments : dict
        Text beside each solution cell; None for none.
    """

    timestamp: datetime | None
    scores: dict[str, float | None]
    comments: dict[str, str | None]

    def covers(self, other: "Entry") -> bool:
        """Return whether nothing of another entry is missing here."""
        timestamps = (None, self.timestamp)
        return other.timestamp in timestamps and (self.scores, self.comments) == (other.scores, other.comments)


def entry_of(submission: Submission, records: Iterable[Record]) -> Entry:
    """Return what is to stand in the gradebook.

    Parameters
    ----------
    submission : Submission
    records : iterable of Record

    Returns
    -------
    Entry
    """
    assert submission.notebook is not None
    found = {record.exercise: record for record in records}
    comments = {}
    for cell in filter(is_solution, submission.notebook.cells):
        name = cell.metadata.nbgrader.grade_id
        untouched = cell.metadata.nbgrader.get("checksum") == compute_checksum(cell)
        comments[name] = NO_RESPONSE if untouched else diagnosis(found[name]) if name in found else None
    scores = {name: record.points for name, record in found.items()}
    return Entry(parse_utc(submission.timestamp or None), scores, comments)


def diagnosis(record: Record) -> str:
    """Describe a record in one or two sentences of our own: the learner's text would be shown as HTML."""
    if record.points is None:
        return "Not graded: the grading itself failed here, which says nothing about the solution."
    score = f"{record.points:g} of {record.max_points:g} points: {record.status}."
    verdict = record.verdict if record.cause else None
    if verdict and verdict.cause:
        return f"{score} {of_cause(verdict.cause, verdict.exercise).in_words()}"
    failed = "; ".join(claim["name"] for claim in record.claims if not claim["passed"])
    return f"{score} Not yet: {failed}." if failed else score


class ClassGradebook:
    """The gradebook of a class, open for the one process that writes it.

    Parameters
    ----------
    config : traitlets.config.Config
        As `autograder.nbgrader_config.configure` fills it.

    Raises
    ------
    CannotUse
        If the database fails, here or in a block that has this gradebook open; the message says what to do.
    """

    def __init__(self, config: Config) -> None:
        course = CourseDirectory(config=config)
        self.config = config
        self.course_id = course.course_id
        self.url = course.db_url
        self.due = read_plan(course.root).due
        try:
            create_or_complete(course.db_url)
            self.book = Gradebook(course.db_url, course.course_id)
            self._set_due()
        except DatabaseError as error:
            raise CannotUse(in_words(error, self.url)) from error

    def _set_due(self):
        """Enter when units are due, where the instructor's plan says so."""
        for assignment in self.book.assignments:
            if assignment.duedate != self.due.get(assignment.name, assignment.duedate):
                assignment.duedate = self.due[assignment.name]
        self.book.db.commit()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.book.close()
        while error and not isinstance(error, DatabaseError):  # nbgrader raises its own in place of some
            error = error.__context__
        if isinstance(error, DatabaseError):
            raise CannotUse(in_words(error, self.url)) from error

    def undo(self) -> None:
        """Forget what could not be written, so that it can be tried again."""
        self.book.db.rollback()

    @property
    def inbound(self) -> Path:
        """The folder of nbgrader's exchange in which submissions arrive."""
        return Path(
            Exchange(coursedir=CourseDirectory(config=self.config), config=self.config).root, self.course_id, "inbound"
        )

    def students(self) -> set[str]:
        """Return the ids of those who are in the class."""
        return {id for (id,) in self.book.db.query(Student.id)}

    def assignments(self) -> dict[str, int]:
        """Return by unit the number that stands for it in this gradebook, and in no other."""
        return dict(self.book.db.query(Assignment.name, Assignment.id).all())

    def enrol(self, students: Collection[str], former: Collection[str] = ()) -> None:
        """Enter those who are not in the class yet, given their ids; whoever has left without a submission goes."""
        here = self.students()
        for student in set(students) - here:
            self.book.update_or_create_student(student)
        for student in (set(former) - set(students)) & here:
            if not self.book.student_submissions(student):
                self.book.remove_student(student)

    def forget(self, student: str) -> bool:
        """Delete a student, with no trace left in the file; return whether there was one."""
        if student not in self.students():
            return False
        self.book.remove_student(student)
        if self.book.db.get_bind().dialect.name == "sqlite":  # which keeps what is deleted until it is overwritten
            with self.book.db.get_bind().execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
                connection.execute(text("VACUUM"))
        return True

    def register(self, unit: str, released: NotebookNode) -> None:
        """Make sure that the gradebook knows a unit as `nbgrader generate_assignment` would enter it.

        Parameters
        ----------
        unit : str
        released : NotebookNode
            The learner's notebook.

        Raises
        ------
        UnitChanged
            If submissions are entered for other cells than the notebook has.
        """
        cells = [cell for cell in released.cells if is_grade(cell) or is_solution(cell) or is_locked(cell)]
        sources = {cell.metadata.nbgrader.grade_id: compute_checksum(cell) for cell in cells}
        notebooks = {notebook.name: notebook for notebook in self.book.update_or_create_assignment(unit).notebooks}
        self._set_due()
        known = {cell.name: cell.checksum for cell in notebooks[unit].source_cells} if unit in notebooks else None
        if known != sources:
            place = {"student": ".", "assignment": unit, "notebook": unit, "db_url": self.url}
            try:
                SaveCells(config=self.config, enabled=True).preprocess(released, ResourcesDict(nbgrader=place))
            except RuntimeError as error:
                raise UnitChanged(
                    f"{unit} has gained or lost exercises since submissions of it were entered into the gradebook, "
                    "and nbgrader keeps what it has. Set classroom/gradebook.db aside and grade again."
                ) from error

    def committed(self) -> dict[tuple[str, str], Entry]:
        """Return the Entry of everything that is entered, by student and unit, in one query for each kind of cell.

        Late work that has not lost what it should (the due date may have changed) is left out: it has to be
        committed again.
        """
        entries: dict[tuple[str, str], Entry] = {}
        late = set()
        columns = (SubmittedAssignment.student_id, Assignment.name, BaseCell.name)
        penalty = SubmittedNotebook.late_submission_penalty
        due = Assignment.duedate
        scores = self._entered(Grade, *columns, SubmittedAssignment.timestamp, Grade.auto_score, penalty, due)
        for student, unit, cell, timestamp, score, lost, until in scores:
            entry = entries.setdefault((student, unit), Entry(timestamp, {}, {}))
            if cell.startswith(CHECK):  # the others are for people to grade
                entry.scores[cell.removeprefix(CHECK)] = score
            if lost is not None or (until and timestamp and timestamp > until):
                late.add((student, unit))
        for student, unit, cell, comment in self._entered(Comment, *columns, Comment.auto_comment):
            entries[student, unit].comments[cell] = comment
        return {key: entry for key, entry in entries.items() if key not in late or self._has_lost(*key)}

    def _has_lost(self, student, unit):
        notebook = self.book.find_submission_notebook(unit, unit, student)
        return notebook.late_submission_penalty == self._penalty(notebook)

    def finals(self, student: str | None = None, unit: str | None = None) -> dict[tuple[str, str], Final]:
        """Return what counts in the end, by student and unit; see `autograder.grading.final.finals`."""
        return finals(self.book.db, student, unit)

    def _entered(self, kind, *columns):
        query = self.book.db.query(*columns).select_from(kind).join(kind.cell).join(kind.notebook)
        return query.join(SubmittedNotebook.assignment).join(SubmittedAssignment.assignment)

    def commit(self, submission: Submission, records: Iterable[Record]) -> Final:
        """Enter one submission of a registered unit.

        What people have given (scores, extra credit, comments, flags) stays as it is; a score that they have given
        beside one that changes here is marked for review. Entering the same again changes nothing.

        Parameters
        ----------
        submission : Submission
        records : iterable of Record

        Returns
        -------
        Final
        """
        entry = entry_of(submission, records)
        self.book.update_or_create_student(submission.student)
        given = {"timestamp": entry.timestamp} if entry.timestamp else {}
        entered = self.book.update_or_create_submission(submission.unit, submission.student, **given)
        notebook = next(part for part in entered.notebooks if part.name == submission.unit)
        cells = self.book.db.query(BaseCell.id, BaseCell.name).filter_by(notebook_id=notebook.notebook_id)
        names = {id: name.removeprefix(CHECK) for id, name in cells}  # in place of a query for each
        for grade in notebook.grades:
            name = names[grade.cell_id]
            nothing = 0 if entry.comments.get(name) == NO_RESPONSE else None  # for an answer that people grade
            _set_score(grade, entry.scores.get(name, nothing))
        for comment in notebook.comments:
            comment.auto_comment = entry.comments[names[comment.cell_id]]
        notebook.late_submission_penalty = self._penalty(notebook)
        self.book.db.commit()
        return self.finals(submission.student, submission.unit)[submission.student, submission.unit]

    def _penalty(self, notebook):
        """Return what nbgrader's plugin takes from late work, None for nothing."""
        submitted = notebook.assignment
        if not submitted.total_seconds_late:
            return None
        step = AssignLatePenalties(config=self.config)
        step.init_plugin()
        late = step.plugin_inst.late_submission_penalty(
            notebook.student.id, notebook.score, submitted.total_seconds_late
        )
        return None if late is None else min(max(late, 0), notebook.score)


def _set_score(grade, points):
    changed = grade.auto_score != points
    grade.auto_score = points
    if grade.manual_score is None:
        grade.needs_manual_grade = points is None
    elif changed:
        grade.needs_manual_grade = True
