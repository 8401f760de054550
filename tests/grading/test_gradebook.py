"""What stands in nbgrader's gradebook after a class is committed, and what of it belongs to people."""

import copy
import datetime
import re

import pytest
from nbformat.v4 import new_markdown_cell
from nbgrader.api import Assignment, BaseCell, Comment, Course, Grade, Gradebook, SourceCell, SubmittedNotebook
from nbgrader.preprocessors import Execute
from sqlalchemy import create_engine, inspect, text
from traitlets.config import Config

from autograder.grading import database
from autograder.grading.autograded import graded
from autograder.grading.entry import diagnosis, entry_of
from autograder.grading.final import Answer
from autograder.grading.gradebook import ClassGradebook
from autograder.grading.released_cells import UnitChanged
from autograder.grading.verdicts.record import Record
from autograder.nbgrader_config import configure, settings
from autograder.registry import find_unit, units
from tests.support.classroom import Classroom, judged, mistaken, noisy, submission
from tools.course import fill, notebook, solved, tags

UNIT = find_unit("05_cross_attention")
FIRST = UNIT.exercises[0]
RELEASED = notebook(UNIT.id, "notebooks")
UNTOLD = {"status": "failed", "message": "", "called": "", "structure": ""}
AT_NOON, LATER = "2026-11-02T12:00:00+01:00", "2026-11-03T12:00:00+00:00"


@pytest.fixture
def config(tmp_path):
    """The settings of an empty class."""
    (tmp_path / "solutions").mkdir()
    config = Config()
    configure(config, tmp_path)
    return config


@pytest.fixture
def book(config):
    """The gradebook of an empty class that has been given the unit."""
    with ClassGradebook(config) as book:
        book.register(UNIT.id, RELEASED)
        yield book


def records(student="ada", points=1, **fields):
    """Return a record of every exercise of the unit."""
    common = {"key": "", "student": student, "unit": UNIT.id, "status": "wrong"} | fields
    return [Record(exercise=e.name, points=points, max_points=e.points, **common) for e in UNIT.exercises]


def handed_in(student="ada", timestamp=AT_NOON, wrong=True):
    return submission(UNIT, student, fill(UNIT, mistaken(UNIT) if wrong else {}), timestamp)


def contents(url):
    """Return all that a gradebook holds, as plain values without the random ids of its rows."""
    with Gradebook(url, "transformer-course") as book:
        rows = {kind: book.db.query(kind).all() for kind in (SourceCell, BaseCell, Grade, Comment)}
        return {
            "courses": {course.id for course in book.db.query(Course)},
            "assignments": {(a.name, a.course_id, a.duedate) for a in book.db.query(Assignment)},
            "students": {(s.id, s.first_name, s.last_name, s.score, s.max_score) for s in book.students},
            "notebooks": {_notebook(part) for part in book.db.query(SubmittedNotebook)},
            "sources": {_without_ids(cell) for cell in rows[SourceCell]},
            "cells": {_without_ids(cell) for cell in rows[BaseCell]},
            "grades": {_without_ids(grade) for grade in rows[Grade]},
            "comments": {_without_ids(comment) for comment in rows[Comment]},
        }


def _notebook(part):
    submitted, kernel = part.assignment, part.notebook.kernelspec
    return _without_ids(part), part.late_submission_penalty, submitted.timestamp, submitted.extension, kernel


def _without_ids(row):
    return tuple((name, value) for name, value in row.to_dict().items() if name != "id")


def grades(book, student="ada"):
    """Return the rows of one student's grades by exercise."""
    rows = book.book.find_submission_notebook(UNIT.id, UNIT.id, student).grades
    return {row.name.removeprefix("check-"): row for row in rows}


def test_entered_scores_are_read_back(book):
    entered = {name: records(name, points) for name, points in (("ada", 1), ("bob", 0), ("cy", 2.5))}
    for name, of in entered.items():
        book.commit(handed_in(name), of)
    found = book.committed()
    assert set(found) == {(name, UNIT.id) for name in entered}
    for name, of in entered.items():
        assert found[name, UNIT.id].covers(entry_of(handed_in(name), of))
        assert found[name, UNIT.id].scores == {record.exercise: record.points for record in of}
        assert found[name, UNIT.id].timestamp == datetime.datetime(2026, 11, 2, 11)


@pytest.mark.parametrize("points", [1, 0, 2.5])
def test_an_entry_covers_no_other(book, points):
    book.commit(handed_in(), records(points=3))
    [entry] = book.committed().values()
    assert not entry.covers(entry_of(handed_in(), records(points=points)))
    assert not entry.covers(entry_of(handed_in(timestamp=LATER), records(points=3)))
    assert not entry.covers(entry_of(handed_in(), records(points=3, status="timeout")))
    assert entry.covers(entry_of(handed_in(timestamp=""), records(points=3)))


def test_committing_again_changes_nothing(book):
    of = [*records(points=None, status="internal error")[:2], *records(points=0.5)[2:]]
    book.commit(handed_in(), of)
    before = contents(book.url)
    book.commit(handed_in(), of)
    book.register(UNIT.id, RELEASED)
    assert contents(book.url) == before


@pytest.mark.parametrize("times", [1, *(pytest.param(times, marks=pytest.mark.exhaustive) for times in (0, 2))])
def test_an_interrupted_commit_is_completed_by_the_next(book, config, tmp_path, times, monkeypatch):
    old, new = handed_in(), handed_in(timestamp=LATER)
    book.commit(old, records(points=1))
    book.commit(new, records(points=2))
    expected = contents(book.url)
    (tmp_path / "classroom" / "gradebook.db").unlink()
    with ClassGradebook(config) as first:
        first.register(UNIT.id, RELEASED)
        first.commit(old, records(points=1))
        monkeypatch.setattr(first.book.db, "commit", _fails_after(times, first.book.db.commit))
        with pytest.raises(KeyboardInterrupt):
            first.commit(new, records(points=2))
    with ClassGradebook(config) as second:
        assert not second.committed()["ada", UNIT.id].covers(entry_of(new, records(points=2)))
        second.commit(new, records(points=2))
    assert contents(book.url) == expected


def _fails_after(times, commit):
    """Return a commit that works so many times and is then interrupted before it begins."""
    calls = iter([commit] * times)

    def interrupted():
        try:
            next(calls)()
        except StopIteration:
            raise KeyboardInterrupt from None

    return interrupted


def test_an_internal_error_waits_and_is_no_zero(book):
    book.commit(handed_in(), records(points=2))
    book.commit(handed_in(), records(points=None, status="internal error", note="Traceback ..."))
    for grade in grades(book).values():
        assert (grade.auto_score, grade.needs_manual_grade) == (None, True)
    book.commit(handed_in(), records(points=2))
    for grade in grades(book).values():
        assert (grade.auto_score, grade.needs_manual_grade) == (2, False)


def test_what_people_gave_stays(book):
    book.commit(handed_in(), records(points=1))
    grade = grades(book)[FIRST.name]
    grade.manual_score, grade.extra_credit = 1.75, 0.5
    comment = next(c for c in grade.notebook.comments if c.name == FIRST.name)
    comment.manual_comment, grade.notebook.flagged = "Well seen.", True
    book.book.db.commit()
    for points, marked in ((1, False), (0, True), (None, True)):
        book.commit(handed_in(), records(points=points))
        grade = grades(book)[FIRST.name]
        assert (grade.manual_score, grade.extra_credit, grade.score) == (1.75, 0.5, 2.25)
        assert (grade.auto_score, grade.needs_manual_grade) == (points, marked)
        assert comment.comment == "Well seen."
        assert grade.notebook.flagged


def test_a_manually_graded_cell_waits_for_people(config):
    """An instructor has added it; the judge knows nothing of it, and what it enters is complete without."""
    marks = {"grade": True, "solution": True, "locked": False, "task": False, "points": 5, "grade_id": "essay"}
    marks |= {"cell_type": "markdown", "schema_version": 3}
    released, given = copy.deepcopy(RELEASED), handed_in()
    for one in (released, given.notebook):
        one.cells.append(new_markdown_cell("YOUR ANSWER HERE", metadata={"nbgrader": dict(marks)}))
    given.notebook.cells[-1].source = "Since the scores grow."
    with ClassGradebook(config) as book:
        book.register(UNIT.id, released)
        book.commit(given, records(points=1))
        essay = grades(book)["essay"]
        assert (essay.auto_score, essay.manual_score, essay.needs_manual_grade) == (None, None, True)
        assert book.committed()["ada", UNIT.id].covers(entry_of(given, records(points=1)))
        essay.manual_score, essay.needs_manual_grade = 4, False
        book.book.db.commit()
        book.commit(given, records(points=1))
        final = book.finals()["ada", UNIT.id]
        assert (final.points, final.waits, final.answers) == (len(UNIT.exercises) + 4, False, {"essay": Answer(4, 5)})
        cells = {cell.id: cell for cell in graded(given, records(points=1)).cells}
        assert cells[given.notebook.cells[-1].id] == given.notebook.cells[-1]


def test_totals_are_what_counts_in_the_end(config):
    config.LateSubmissionPlugin.penalty_method = "zero"
    with ClassGradebook(config) as book:
        book.register(UNIT.id, RELEASED)
        book.book.update_or_create_assignment(UNIT.id, duedate="2026-11-03 00:00:00 UTC")
        book.commit(handed_in("ada"), records("ada", points=1))
        book.commit(handed_in("bob"), records("bob", points=None))
        book.commit(handed_in("cy", LATER), records("cy", points=2))
        grade = grades(book)[FIRST.name]
        grade.manual_score, grade.extra_credit = 1.75, 0.5
        grades(book, "cy")[FIRST.name].manual_score = 0.5  # after what lateness costs was taken from 2 points
        book.book.db.commit()
        finals = {student: final for (student, _), final in book.finals().items()}
    points = {student: (final.points, final.waits) for student, final in finals.items()}
    assert points == {"ada": (len(UNIT.exercises) - 1 + 2.25, False), "bob": (0, True), "cy": (0, False)}
    assert (finals["ada"].by_hand, finals["ada"].extra) == ({FIRST.name: 1.75}, {FIRST.name: 0.5})
    lost = 2 * len(UNIT.exercises)
    assert (finals["cy"].lost, finals["cy"].seconds_late, finals["ada"].lateness) == (lost, 12 * 3600, "")
    assert finals["cy"].lateness == f"12 hours late, which costs {lost} points"


def test_a_reviewed_score_is_not_marked_again(book):
    book.commit(handed_in(), records(points=None))
    grade = grades(book)[FIRST.name]
    grade.manual_score, grade.needs_manual_grade = 2.0, False  # as formgrader saves it
    book.book.db.commit()
    book.commit(handed_in(), records(points=None))
    assert not grades(book)[FIRST.name].needs_manual_grade


def test_comments_use_only_our_words(book):
    wrong = handed_in()
    evil = [{"name": "a claim", "passed": False, "message": "<script>"}]
    of = records(note="<script>", remarks=["<script>"], claims=evil)
    of[1] = judged(wrong, UNIT)[1]
    book.commit(wrong, of)
    notebook = book.book.find_submission_notebook(UNIT.id, UNIT.id, "ada")
    comments = {comment.name: comment.auto_comment for comment in notebook.comments}
    assert comments[FIRST.name] == f"1 of {FIRST.points:g} points: wrong. Not yet: a claim."
    mistake = UNIT.exercises[1].mistakes[0]
    assert f"ause: {mistake.name[0].lower()}{mistake.name[1:]}." in comments[UNIT.exercises[1].name]
    assert mistake.why in comments[UNIT.exercises[1].name]
    assert comments == entry_of(wrong, of).comments
    assert all(text == "No response." for name, text in comments.items() if name.startswith("answer-"))


@pytest.mark.parametrize("unit", units(), ids=lambda unit: unit.id)
def test_no_comment_holds_anything_like_html(unit):
    for exercise in unit.exercises:
        for mistake in [None, *exercise.mistakes]:
            claims = [{"name": claim.name, "passed": False} | UNTOLD for claim in exercise.claims]
            cause = mistake and {"kind": "certain", "mistakes": [mistake.id], "inside": [""]}
            known = mistake and mistake.id, cause
            record = Record("", "ada", unit.id, exercise.name, 0, exercise.points, "wrong", claims, *known)
            assert "<" not in re.sub("`[^`]*`", "", diagnosis(record))  # code is shown as it is


@pytest.mark.exhaustive
def test_a_unit_is_entered_as_nbgrader_enters_it(config, tmp_path_factory):
    room = Classroom(tmp_path_factory.mktemp("course"))
    assert room.api.generate_assignment(UNIT.id)["success"]
    with ClassGradebook(config) as book:
        book.register(UNIT.id, RELEASED)
    assert contents(book.url) == contents(room.config.CourseDirectory.db_url)


def test_a_reworded_cell_is_entered_anew(book):
    book.commit(handed_in(), records())
    reworded = copy.deepcopy(RELEASED)
    solution = next(cell for cell in reworded.cells if tags(cell).get("grade_id") == FIRST.name)
    solution.source += "\n# one more line"
    solution.metadata.nbgrader.checksum = "new"
    book.register(UNIT.id, reworded)
    sources = {cell.name: cell.source for cell in book.book.find_notebook(UNIT.id, UNIT.id).source_cells}
    assert sources[FIRST.name] == solution.source
    reworded.cells.remove(solution)
    with pytest.raises(UnitChanged, match=f"{UNIT.id} has gained or lost exercises.*Set classroom/gradebook.db aside"):
        book.register(UNIT.id, reworded)


def test_late_work_loses_what_nbgrader_takes(config):
    config.LateSubmissionPlugin.penalty_method = "zero"
    with ClassGradebook(config) as book:
        book.register(UNIT.id, RELEASED)
        book.book.update_or_create_assignment(UNIT.id, duedate="2026-11-03 00:00:00 UTC")
        book.commit(handed_in("ada", AT_NOON), records("ada"))
        book.commit(handed_in("bob", LATER), records("bob", points=1.5))
        lost = {s.student.id: s.late_submission_penalty for s in book.book.notebook_submissions(UNIT.id, UNIT.id)}
        assert lost == {"ada": None, "bob": 1.5 * len(UNIT.exercises)}
        assert set(book.committed()) == {("ada", UNIT.id), ("bob", UNIT.id)}
        for day, points in ((2, 0), (4, 1.5 * len(UNIT.exercises))):
            book.book.update_or_create_assignment(UNIT.id, duedate=f"2026-11-0{day} 00:00:00 UTC")
            book.set_penalties()
            assert book.finals()["bob", UNIT.id].points == points
        assert not any(final.seconds_late for final in book.finals().values())


def test_a_gradebook_is_made_whole_without_any_program(config, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", "")
    with ClassGradebook(config) as book:
        book.register(UNIT.id, RELEASED)
    assert version(book.url)
    assert [path.name for path in (tmp_path / "classroom").glob("*.db*")] == ["gradebook.db"]
    assert not list((tmp_path / "classroom").glob(".*"))


def test_a_half_made_gradebook_is_mended(config, monkeypatch):
    url = config.CourseDirectory.db_url
    with monkeypatch.context() as patch:
        patch.setenv("PATH", "")
        with pytest.raises(FileNotFoundError):
            Gradebook(url)
    assert version(url) is None
    with ClassGradebook(config) as book:
        book.register(UNIT.id, RELEASED)
        book.commit(handed_in(), records())
    assert version(url)


def test_a_failed_gradebook_leaves_nothing_behind(config, monkeypatch, tmp_path):
    monkeypatch.setattr(database, "ALEMBIC_DIR", str(tmp_path / "nowhere"))
    with pytest.raises(Exception, match="nowhere"):
        ClassGradebook(config)
    assert [path for path in (tmp_path / "classroom").iterdir() if path.is_file()] == []
    monkeypatch.undo()
    ClassGradebook(config).book.close()


def version(url):
    """Return the version of the tables that is noted in a gradebook."""
    engine = create_engine(url)
    with engine.connect() as connection:
        noted = "alembic_version" in inspect(connection).get_table_names()
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar() if noted else None
    engine.dispose()
    return found


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore")  # nbgrader's own warnings are not ours
def test_the_same_stands_there_as_after_nbgrader_alone(config, tmp_path_factory):
    every_second = [exercise.name for exercise in UNIT.exercises[::2]]
    books = {
        "perfect": fill(UNIT, solved(UNIT)),
        "empty": fill(UNIT, {}),
        "half": fill(UNIT, solved(UNIT, every_second)),
        "wrong": fill(UNIT, mistaken(UNIT)),
        "noisy": fill(UNIT, noisy(solved(UNIT))),
    }
    stock = Classroom(tmp_path_factory.mktemp("course"), stock=True)
    for student, book in books.items():
        stock.submit(UNIT, student, book, LATER)
    stock.grade(UNIT, books)
    with ClassGradebook(config) as ours:
        ours.register(UNIT.id, RELEASED)
        for student, book in books.items():
            made = submission(UNIT, student, book, LATER)
            ours.commit(made, judged(made, UNIT))
    ours, theirs = contents(ours.url), contents(stock.config.CourseDirectory.db_url)
    assert len(theirs["grades"]) == len(books) * len(UNIT.exercises)
    for comments in (ours, theirs):  # of exercises, where theirs say nothing
        comments["comments"] = {row for row in comments["comments"] if dict(row)["name"].startswith("answer-")}
    for part in theirs:
        assert ours[part] ^ theirs[part] == set(), part


def test_what_an_instructor_sets_counts(tmp_path, monkeypatch):
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "start.py").touch()
    monkeypatch.chdir(tmp_path)
    course = settings(tmp_path)
    assert course.CourseDirectory.root == str(tmp_path)
    assert "LateSubmissionPlugin" not in course
    own = ["from autograder.nbgrader_config import configure", "c = get_config()", "configure(c, stock=True)"]
    own += ["c.LateSubmissionPlugin.penalty_method = 'zero'"]
    (tmp_path / "nbgrader_config.py").write_text("\n".join(own))
    changed = settings(tmp_path)
    assert changed.LateSubmissionPlugin.penalty_method == "zero"
    assert Execute in changed.Autograde.autograde_preprocessors
    assert changed.CourseDirectory.db_url == course.CourseDirectory.db_url
