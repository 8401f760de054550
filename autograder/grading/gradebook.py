"""nbgrader's gradebook, where the points of a class are entered by way of nbgrader's own interface."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from nbformat import NotebookNode
from nbgrader.api import Assignment, BaseCell, Gradebook, MissingEntry, Student, SubmittedAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import Exchange
from nbgrader.utils import parse_utc
from sqlalchemy.exc import DatabaseError
from traitlets.config import Config

from autograder.course import CHECK
from autograder.decisions.counted import unit_of_class
from autograder.decisions.reading import read_decisions
from autograder.grading.database import (
    CannotUse,
    create_or_complete,
    forget_student,
    in_words,
    number_of,
    set_number,
)
from autograder.grading.entry import NO_RESPONSE, Entry, diagnosis, entries, entry_of
from autograder.grading.final import Final, finals, outside_points
from autograder.grading.intake.submission import Submission
from autograder.grading.lateness import entered, set_penalties, without_time
from autograder.grading.persons import Persons
from autograder.grading.released_cells import enter_cells, require_checks
from autograder.grading.rows import by_cell, incomplete, whole
from autograder.grading.verdicts.record import Record


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
        self.decisions = read_decisions(course.root)
        try:
            create_or_complete(course.db_url)
            self.book = Gradebook(course.db_url, course.course_id)
            self._set_due()
        except DatabaseError as error:
            raise CannotUse(in_words(error, self.url)) from error

    def _set_due(self):
        """Enter when units are due, where the instructor's plan says so."""
        for assignment in self.book.assignments:
            if assignment.duedate != self.decisions.due.get(assignment.name, assignment.duedate):
                assignment.duedate = self.decisions.due[assignment.name]
        self.book.db.commit()
        self.decisions = self.decisions.with_due({one.name: one.duedate for one in self.book.assignments})

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
        for student in sorted(set(students) - here):
            self.book.update_or_create_student(student)
        for student in (set(former) - set(students)) & here:
            if not self.book.student_submissions(student):
                self.book.remove_student(student)

    def name(self, persons: Persons) -> None:
        """Enter everybody's names and addresses; what the roster does not have stays as somebody has entered it."""
        for student in self.book.students:
            one = persons.of(student.id)
            for field, said in {"first_name": one.first, "last_name": one.last, "email": one.email}.items():
                if said and (one.is_enrolled or not getattr(student, field)):
                    setattr(student, field, said)
        self.book.db.commit()

    def forget(self, student: str) -> bool:
        """Delete a student, with no trace left in the file; return whether there was one."""
        return forget_student(self.book, student)

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
            If submissions are entered for other cells than the notebook has, or an exercise that counts has none.
        """
        require_checks(unit_of_class(self.decisions, unit), released)
        assignment = self.book.update_or_create_assignment(unit)
        self._set_due()
        enter_cells(assignment, released, self.config)

    def committed(self) -> dict[tuple[str, str], Entry]:
        """Return the Entry of everything that is entered, by student and unit."""
        return entries(self.book.db)

    def submitted(self) -> set[tuple[str, str]]:
        """Return student and unit of everything that is entered, with points or without."""
        query = self.book.db.query(SubmittedAssignment.student_id, Assignment.name)
        return {(student, unit) for student, unit in query.join(SubmittedAssignment.assignment)}

    def incomplete(self) -> set[tuple[str, str]]:
        """Return student and unit of what has lost rows; see `autograder.grading.rows`."""
        return incomplete(self.book.db)

    @property
    def number(self) -> int | None:
        """A number in the file that copies keep, 0 in a new one; None where the gradebook is no file."""
        return number_of(self.book.db)

    def set_number(self, number: int) -> None:
        """Give the file another number."""
        set_number(self.book.db, number)

    def finals(self, student: str | None = None, unit: str | None = None) -> dict[tuple[str, str], Final]:
        """Return what counts in the end, by student and unit; see `autograder.grading.final.finals`."""
        return finals(self.book.db, self.decisions, student, unit)

    def set_penalties(self, student: str | None = None) -> None:
        """Enter what lies between the sums of cells and the points that count, for all or one; see `lateness`."""
        outside = outside_points(self.book.db, self.decisions)
        set_penalties(self.book.db, self.config, self.decisions, outside, student)

    def without_time(self) -> list[str]:
        """Say where lateness would cost something, and no time is known; see `lateness`."""
        return without_time(self.config, self.decisions, entered(self.book.db))

    def set_scores(self, student: str, unit: str, scores: Mapping[str, float | None]) -> None:
        """Enter the points of exercises, of a submission that is there, where they are others now.

        Parameters
        ----------
        student, unit : str
        scores : dict
            By name of the exercise; without those that are left out, which have none.
        """
        try:
            notebook = whole(self.book.db, self.book.find_submission(unit, student), unit)
        except MissingEntry:
            return
        for name, grade in by_cell(notebook.grades).items():
            if name.startswith(CHECK):
                exercise = name.removeprefix(CHECK)
                self._set_score(grade, unit, exercise, scores.get(exercise))
        self.book.db.commit()

    def renew(self, submission: Submission, records: Iterable[Record]) -> None:
        """Enter again what verdicts say of a submission that is there: points, the comments beside them, the time."""
        found = {record.exercise: record for record in records}
        self.set_scores(submission.student, submission.unit, {name: one.points for name, one in found.items()})
        entered = self.book.find_submission(submission.unit, submission.student)
        entered.timestamp = parse_utc(submission.timestamp or None) or entered.timestamp
        notebook = whole(self.book.db, entered, submission.unit)
        said = by_cell(notebook.comments)
        for name in said.keys() & found.keys():
            if said[name].auto_comment != NO_RESPONSE:
                said[name].auto_comment = diagnosis(found[name])
        for name, grade in by_cell(notebook.grades).items():
            if not name.startswith(CHECK):  # an answer that people grade
                is_empty = name in said and said[name].auto_comment == NO_RESPONSE
                self._set_score(grade, submission.unit, name, 0 if is_empty else None)
        self.book.db.commit()

    def commit(self, submission: Submission, records: Iterable[Record]) -> Final:
        """Enter one submission of a registered unit.

        What people have given (scores, extra credit, comments, flags) stays as it is; a score that they have given
        beside one that changes here is marked for review. Entering the same again changes nothing.

        Parameters
        ----------
        submission : Submission
        records : iterable of Record
            As they count in the class.

        Returns
        -------
        Final
        """
        entry = entry_of(submission, records)
        self.book.update_or_create_student(submission.student)
        given = {"timestamp": entry.timestamp} if entry.timestamp else {}
        entered = self.book.update_or_create_submission(submission.unit, submission.student, **given)
        notebook = whole(self.book.db, entered, submission.unit)
        cells = self.book.db.query(BaseCell.id, BaseCell.name).filter_by(notebook_id=notebook.notebook_id)
        names = {id: name.removeprefix(CHECK) for id, name in cells}  # in place of a query for each
        for grade in notebook.grades:
            name = names[grade.cell_id]
            nothing = 0 if entry.comments.get(name) == NO_RESPONSE else None  # for an answer that people grade
            self._set_score(grade, submission.unit, name, entry.scores.get(name, nothing))
        for comment in notebook.comments:
            comment.auto_comment = entry.comments[names[comment.cell_id]]
        self.book.db.commit()
        self.set_penalties(submission.student)
        return self.finals(submission.student, submission.unit)[submission.student, submission.unit]

    def _set_score(self, grade, unit, name, points):
        """Enter the judge's points in a cell; of an exercise that is left out, none."""
        if name in self.decisions.of(unit).without:
            grade.auto_score, grade.needs_manual_grade = 0, False
            return
        changed = grade.auto_score != points
        grade.auto_score = points
        if grade.manual_score is None:
            grade.needs_manual_grade = points is None
        elif changed:
            grade.needs_manual_grade = True
