"""The learner's progress: what is noted, what is shown, and that no file of it stops anything."""

import io
import json
import math
import os
import re
import shutil
import subprocess
import sys

import nbformat
import pytest

from autograder import cli, predict, progress
from autograder.authoring.build import START_PAGE
from autograder.authoring.stamp import is_edited
from autograder.learner import overview, progress_file
from autograder.learner.local import evaluate_locally
from autograder.learner.terminal import commands, reset
from autograder.registry import find, units
from autograder.times import in_words
from tests.support.claimed import claim_of
from tests.support.fake_notebook import NO_MAXIMUM, OVERFLOWS, RIGHT, Cells, notes
from tools.course import ROOT, notebook
from transformer_kit import library, reference, workbench

SECOND = units()[2]
UNIT_02 = "unit_02_scaled_dot_product_attention.py"
OTHER_MISTAKE = "def softmax(x, axis=-1):\n    return np.exp(x - x.max(axis=axis, keepdims=True))\n"
FULL = find("softmax").points
OVERFLOWING = FULL - claim_of("softmax", "large_numbers").points
QUESTION = SECOND.questions[0]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of a library beside a start page; it is not made yet."""
    monkeypatch.delenv(workbench.VARIABLE)
    (tmp_path / START_PAGE.name).touch()
    unit = tmp_path / SECOND.id
    unit.mkdir()
    monkeypatch.chdir(unit)
    return tmp_path / workbench.FOLDER


@pytest.fixture
def cells(folder):
    return Cells()


def entry(folder, name="softmax"):
    return progress_file.read(folder)[0].of(name)


def row(number=2):
    """Return what the overview says of a unit."""
    return progress().units[number]


# What is noted


def test_checks_are_noted(folder, cells):
    """Points, times, mistakes met, and those that were overcome when all points came."""
    cells.check("softmax", OVERFLOWS)
    cells.check("softmax", OVERFLOWS)
    first = entry(folder)
    assert (first.best, first.last, first.checks, first.mistakes) == (OVERFLOWING, OVERFLOWING, 2, {NO_MAXIMUM: 2})
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", first.first_check)
    cells.check("softmax", RIGHT["softmax"])
    cells.check("softmax", OTHER_MISTAKE)
    last = entry(folder)
    assert (last.best, last.checks, last.overcome) == (FULL, 4, [NO_MAXIMUM])
    assert last.last < last.best
    assert last.first_check == first.first_check <= last.last_check
    assert set(last.mistakes) == {NO_MAXIMUM, "not-normalised"}
    cells.check("softmax", OVERFLOWS)
    assert entry(folder).overcome == []


def test_failures_in_a_row_count_by_cause(folder, cells):
    for source, expected in [
        (OVERFLOWS, (NO_MAXIMUM, 1)),
        (OVERFLOWS, (NO_MAXIMUM, 2)),
        (OTHER_MISTAKE, ("not-normalised", 1)),
        ("def softmax(x, axis=-1):\n    return 3\n", (find("softmax").claims[0].name, 1)),
        ("def softmax(x, axis=-1):\n    raise NotImplementedError\n", (find("softmax").claims[0].name, 1)),
        ("def softmax(x, axis=-1):\n    return 7\n", (find("softmax").claims[0].name, 2)),
        (RIGHT["softmax"], ("", 0)),
    ]:
        cells.check("softmax", source)
        assert (entry(folder).stuck_on, entry(folder).stuck) == expected


def test_answers_are_noted(folder):
    """The last answer counts; none is none."""
    assert predict(QUESTION.id, None).notes == ()
    assert not folder.exists()
    wrong = next(iter(QUESTION.replies))
    for answer, right in ((wrong, False), (QUESTION.right, True)):
        predict(QUESTION.id, answer)
        assert progress_file.read(folder)[0].questions == {QUESTION.id: right}
    assert row().questions == 1


def test_nothing_is_noted_while_nbgrader_runs_a_notebook(folder, cells, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    cells.check("softmax", OVERFLOWS)
    predict(QUESTION.id, "A")
    assert "You have not started yet" in repr(progress())
    assert not folder.exists()


# Files that cannot be read


HEAD = b'{"format": "transformer-course progress", "version": 1'
UNREADABLE = {
    b"": "it is no JSON",
    b"\xff\xfe": "it is no text",
    b"[" * 100_000: "it is no JSON",
    b"[1, 2]": "it is no progress of this course",
    b'{"format": "another"}': "it is no progress of this course",
    HEAD.replace(b"1", b"2") + b"}": "its version is 2, and this course reads version 1",
    HEAD + b"}": "a part of it is missing",
    HEAD + b', "exercises": {"x": 3}, "questions": {}}': "`best` of x is not what it should be",
    HEAD + b', "exercises": {"x": {"best": "4"}}, "questions": {}}': "`best` of x is not what it should be",
    HEAD + b', "exercises": {"x": {"best": NaN}}, "questions": {}}': "`best` of x is not what it should be",
    HEAD + b', "exercises": {"x": {"last": Infinity}}, "questions": {}}': "`last` of x is not what it should be",
    HEAD + b', "exercises": {"x": {"hints": -1}}, "questions": {}}': "`hints` of x is not what it should be",
    HEAD + b', "exercises": {"x": {"mistakes": {"a": "b"}}}, "questions": {}}': "`mistakes` of x is not",
    HEAD + b', "exercises": {"x": {"overcome": [["a"]]}}, "questions": {}}': "`mistakes` of x is not",
}


@pytest.mark.parametrize(("content", "why"), UNREADABLE.items(), ids=range(len(UNREADABLE)))
def test_an_unreadable_file_is_set_aside_and_told(folder, cells, content, why):
    folder.mkdir()
    (folder / "progress.json").write_bytes(content)
    score = cells.check("softmax", RIGHT["softmax"])
    (message,) = notes(score, "Progress")
    assert why in message
    (aside,) = folder.glob("progress-unreadable-*.json")
    assert aside.name in message
    assert aside.read_bytes() == content
    assert entry(folder).best == FULL
    assert notes(cells.check("softmax"), "Progress") == []


def test_the_overview_sets_an_unreadable_file_aside_too(folder):
    folder.mkdir()
    (folder / "progress.json").write_text("{")
    assert "could not be read (it is no JSON)" in progress()._repr_html_()
    assert "could not be read" not in repr(progress())


def test_a_folder_in_the_files_place(folder, cells):
    (folder / "progress.json").mkdir(parents=True)
    assert "could not be read" in cells.check("softmax", OVERFLOWS).report
    assert entry(folder).checks == 1


def test_what_another_course_knows_does_no_harm(folder):
    """Exercises and fields that this version does not know, and fields that are missing."""
    data = {
        "format": progress_file.FORMAT,
        "version": 1,
        "exercises": {"gone": {"best": 2, "more": 1}},
        "questions": {},
    }
    folder.mkdir()
    (folder / "progress.json").write_text(json.dumps(data))
    assert progress_file.read(folder)[0].exercises == {"gone": progress_file.Entry(best=2)}
    assert all(found.points == 0 for found in progress().units)


def test_what_is_written_is_read_again(folder):
    folder.mkdir()
    known = progress_file.Entry(1.5, 1.0, 3, "a", "b", {"m": 2}, ["m"], "m", 1, 2, True, "hash", [1, 2])
    before = progress_file.Progress({"softmax": known}, {"q": False})
    progress_file.write(folder, before)
    assert progress_file.read(folder) == (before, "")
    assert not any(value == getattr(progress_file.Entry(), name) for name, value in vars(known).items())


def test_a_deleted_file_costs_nothing_in_the_library(folder, cells):
    """What stands there is checked once more, and counts."""
    cells.check("softmax", RIGHT["softmax"])
    cells.check("attention_scores", RIGHT["attention_scores"])
    (folder / "progress.json").unlink()
    text = (folder / UNIT_02).read_text()
    (folder / UNIT_02).write_text(text.replace("e / e.sum", "e * e.sum"))
    assert row().points == find("attention_scores").points
    assert entry(folder, "attention_scores").best == find("attention_scores").points
    assert entry(folder).best == 0


def test_others_can_write_while_the_library_is_checked(folder, cells, monkeypatch):
    """It may hold functions that never end."""
    cells.check("softmax", RIGHT["softmax"])
    (folder / "progress.json").unlink()
    checked = []

    def checking(*args):
        with progress_file.files.writing(folder):
            progress_file.write(folder, progress_file.Progress({"relu": progress_file.Entry(best=1.0)}))
        checked.append(args)
        return evaluate_locally(*args)

    monkeypatch.setattr(progress_file.files, "SECONDS_TO_WAIT", 0.1)
    monkeypatch.setattr(overview, "evaluate_locally", checking)
    assert row().points == FULL
    assert checked
    assert (entry(folder).best, entry(folder, "relu").best) == (FULL, 1)


@pytest.mark.parametrize("error", [PermissionError(13, "no"), OSError(30, "read-only")])
def test_a_read_only_folder_is_shown_anyway(folder, cells, monkeypatch, error):
    cells.check("softmax", RIGHT["softmax"])
    cells.check("attention_scores", OVERFLOWS.replace("softmax(x, axis=-1)", "attention_scores(Q, K)"))

    def refused(*args, **kwargs):
        raise error

    monkeypatch.setattr(progress_file.files, "_lock", refused)
    found = progress()
    assert found.units[2].points == FULL
    assert "may not be written to. So nothing new is noted." in found.notice


# What is shown


def test_untouched(folder):
    """Friendly zeros, the whole time, and no file."""
    found = progress()
    assert "You have not started yet: everything is still open." in repr(found)
    assert f"Next: {units()[0].id[:2]} {units()[0].title}." in repr(found)
    assert [unit.points for unit in found.units] == [0] * len(units())
    for shown, unit in zip(found.units, units(), strict=True):
        assert shown.minutes_left == unit.minutes
    assert not folder.exists()


def test_the_row_of_a_unit(folder, cells):
    """Points, open exercises, mistakes, the time left by the open points, and what to read again."""
    cells.check("softmax", OVERFLOWS)
    cells.check("softmax", RIGHT["softmax"])
    wrong = RIGHT["attention_scores"].replace("Q.shape[-1]", "Q.shape[0]")
    score = cells.check("attention_scores", wrong)
    found = row()
    assert (found.points, found.met, found.overcome) == (FULL + score, 2, 1)
    assert found.open == tuple(exercise.name for exercise in SECOND.exercises if exercise.name != "softmax")
    least, most = SECOND.minutes
    share = (SECOND.points - FULL - score) / SECOND.points
    assert found.minutes_left == (5 * math.ceil(least * share / 5), 5 * math.ceil(most * share / 5))
    assert found.read_again == (score.verdict.mistake.where,)
    text = repr(progress())
    assert f"{FULL + score:g} of {sum(unit.points for unit in units()):g} points" in text
    assert (
        f"02 {SECOND.title}: {FULL + score:g} of {SECOND.points:g} points; mistakes overcome: 1 of 2; "
        f"{in_words(found.minutes_left)} left; open: attention_scores, "
    ) in text


def test_html_has_what_the_text_has(folder, cells):
    """A table with headings for its rows and columns, a link to every notebook, inline styles only."""
    cells.check("attention_scores", RIGHT["attention_scores"].replace("Q.shape[-1]", "Q.shape[0]"))
    page = progress()._repr_html_()
    assert "<style" not in page
    assert "var(" not in page
    for unit in units():
        assert f'<a href="{unit.id}/{unit.id}.ipynb">' in page
    assert page.count('scope="row"') == len(units())
    assert "read again" in page
    assert "help taken" not in page  # an empty column is left out
    assert page.count("<th ") == page.count("</th>")


def test_a_finished_unit_and_a_finished_course(folder):
    folder.mkdir()
    known = {e.name: progress_file.Entry(best=float(e.points)) for unit in units() for e in unit.exercises}
    open_one = known.pop(units()[-1].exercises[-1].name)
    progress_file.write(folder, progress_file.Progress(known))
    found = progress()
    assert [bool(shown.open) for shown in found.units] == [False] * (len(units()) - 1) + [True]
    assert found._repr_html_().count(">DONE<") == len(units()) - 1
    assert f"Next: {units()[-1].id[:2]}" in repr(found)
    known[units()[-1].exercises[-1].name] = open_one
    progress_file.write(folder, progress_file.Progress(known))
    assert "All exercises are done." in repr(progress())
    assert "about 0 minutes left" in repr(progress())


def test_without_a_folder(tmp_path, monkeypatch):
    monkeypatch.delenv(workbench.VARIABLE)
    monkeypatch.chdir(tmp_path)
    assert "cannot be found" in repr(progress())
    monkeypatch.setenv(workbench.VARIABLE, "")
    assert "cannot be found" not in repr(progress())


# The commands


def test_course_progress(folder, cells, capsys, monkeypatch):
    """A table that fits a terminal of 80 columns, details of begun units below it; JSON with the same."""
    monkeypatch.setenv("COLUMNS", "80")
    cells.check("softmax", OVERFLOWS)
    assert cli.main(["progress"]) == 0
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= max(80, len(f"Kept in {folder}"))
    assert f"{OVERFLOWING:g} of {SECOND.points:g}" in printed
    assert "02 open: softmax," in printed
    [where] = [mistake.where for mistake in find("softmax").mistakes if mistake.id == NO_MAXIMUM]
    assert f"read again: {where}" in " ".join(printed.split())
    assert cli.main(["progress", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["units"][2]["points"] == OVERFLOWING
    assert data["units"][2]["read_again"] == [where]


def test_the_commands_find_the_folder(folder, tmp_path, monkeypatch, capsys):
    assert commands.learner_folder() == folder
    monkeypatch.setenv(workbench.VARIABLE, "")
    assert commands.learner_folder() == folder
    monkeypatch.chdir(tmp_path.parent)
    assert commands.learner_folder(str(tmp_path)) == folder
    assert commands.learner_folder(str(folder)) == folder
    (tmp_path.parent / "elsewhere").mkdir(exist_ok=True)
    assert cli.main(["progress", "--folder", str(tmp_path.parent / "elsewhere")]) == 1
    assert "there is no START_HERE.ipynb in " in capsys.readouterr().err


@pytest.fixture
def course(folder, tmp_path, monkeypatch):
    """A copy of the course with a learner's work in unit 02 and in unit 03."""
    for part in ("notebooks", "solutions"):
        shutil.copytree(ROOT / part / SECOND.id, tmp_path / "course" / part / SECOND.id)
    (tmp_path / "course" / START_PAGE).touch()
    place = tmp_path / "course" / "notebooks" / SECOND.id
    monkeypatch.chdir(place)
    book = notebook(SECOND.id, "notebooks")
    next(cell for cell in book.cells if cell.id == "softmax").source = RIGHT["softmax"]
    nbformat.write(book, place / f"{SECOND.id}.ipynb")
    cells = Cells()
    for name in ("softmax", "masked_softmax"):
        cells.check(name, RIGHT[name])
    predict(QUESTION.id, "A")
    return tmp_path / "course"


def test_reset_sets_one_unit_back_and_keeps_everything(course, capsys):
    folder, path = course / "notebooks" / "my_transformer", course / "notebooks" / SECOND.id / f"{SECOND.id}.ipynb"
    before = {found.name: found.read_bytes() for found in (path, folder / UNIT_02, folder / "progress.json")}
    assert is_edited(path)
    assert cli.main(["reset", "2", "--yes"]) == 0
    assert "is as it was released" in capsys.readouterr().out
    assert path.read_bytes() == (ROOT / "notebooks" / SECOND.id / path.name).read_bytes()
    assert not (folder / UNIT_02).exists()
    left = progress_file.read(folder)[0]
    assert set(left.exercises) == {"masked_softmax"}
    assert left.questions == {}
    (backup,) = (folder / "earlier").glob("reset-02-*")
    assert {found.name: found.read_bytes() for found in backup.iterdir()} == before
    assert cli.main(["reset", "02", "--yes"]) == 0
    assert len(list((folder / "earlier").glob("reset-02-*"))) == 2


def test_reset_asks(course, monkeypatch, capsys):
    folder = course / "notebooks" / "my_transformer"
    for answer, status, kept in (("n", 1, True), ("", 1, True), ("y", 0, False)):
        with monkeypatch.context() as patch:
            patch.setattr("builtins.input", lambda prompt, answer=answer: answer)
            assert cli.main(["reset", "02"]) == status
        assert (folder / UNIT_02).exists() == kept
    capsys.readouterr()
    monkeypatch.setattr("sys.stdin", io.StringIO())  # nobody is there to answer
    assert cli.main(["reset", "03"]) == 1
    assert "Nothing was changed." in capsys.readouterr().out
    assert cli.main(["reset", "77"]) == 1
    assert "expected the number of one unit, 00, 01" in capsys.readouterr().err


def test_reset_without_the_solutions(course, capsys):
    shutil.rmtree(course / "solutions")
    path = course / "notebooks" / SECOND.id / f"{SECOND.id}.ipynb"
    before = path.read_bytes()
    assert cli.main(["reset", "02", "--yes"]) == 0
    assert "stays as it is: its released form comes from the folder solutions" in capsys.readouterr().out
    assert path.read_bytes() == before


def test_reset_without_a_copy_changes_nothing(course, monkeypatch, capsys):
    folder = course / "notebooks" / "my_transformer"
    before = {path: path.read_bytes() for path in course.rglob("*") if path.is_file()}

    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(reset.shutil, "copy2", full)
    assert cli.main(["reset", "02", "--yes"]) == 1
    assert "is full" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in course.rglob("*") if path.is_file()} == before
    assert library.import_library(folder, reference).find("softmax")


COUNTER = """
import sys
sys.path.insert(0, {root!r})
from tests.support.fake_notebook import OVERFLOWS, Cells
cells = Cells()
for number in range(100):
    cells.check("softmax", OVERFLOWS)
"""


@pytest.mark.exhaustive
def test_two_notebooks_count_at_once(folder):
    """200 checks out of two processes: none is lost."""
    code = COUNTER.format(root=str(ROOT))
    writers = [subprocess.Popen([sys.executable, "-W", "error", "-c", code], env=os.environ) for _ in range(2)]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0]
    assert (entry(folder).checks, entry(folder).mistakes) == (200, {NO_MAXIMUM: 200})


def test_survey_of_nothing():
    assert overview.survey(None) == (tuple(progress().units), "")
