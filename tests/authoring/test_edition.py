"""The learners' edition: it checks, names mistakes and sets back, and holds no text of an answer."""

import ast
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import zipfile
import zlib
from base64 import b85decode
from datetime import UTC, datetime, timedelta, timezone

import pytest

from autograder import cli, solutions
from autograder.authoring.edition import NotReleased, answers, as_zip, write_edition
from autograder.decisions.decided import Decisions, OfUnit
from autograder.grading.founding import found
from autograder.registry import units
from tools.course import ROOT

TRY = """
from autograder import check
def softmax(x, axis=-1):
    return x / x.sum(axis=axis, keepdims=True)
print(check(softmax).verdict.mistake.id)
"""
OPENS = {
    units()[2].id: datetime(2021, 5, 7, 8, tzinfo=timezone(timedelta(hours=2))),
    units()[6].id: datetime(2999, 5, 7, 8, tzinfo=timezone(timedelta(hours=2))),
}
ASK = """
import sys
from autograder import hint, solution
for name in sys.argv[1:]:
    for _ in range(3):
        hint(name)
    print(solution(name), end="=====")
"""
MIN_LINES = 3  # of a function's body that can only be that of the answer


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    """Made with dates for the solutions of two units."""
    folder = tmp_path_factory.mktemp("made") / "transformer"
    write_edition(ROOT, folder, decisions=Decisions({unit: OfUnit(solutions=time) for unit, time in OPENS.items()}))
    return folder


def run(edition, *arguments, where="notebooks"):
    """Run Python with the edition alone, and no source to find; return what it printed."""
    places = os.pathsep.join(map(str, (edition, edition / "shared")))
    own = os.environ | {"PYTHONPATH": places, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, *arguments], cwd=edition / where, env=own, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def texts(folder):
    """Return the text of all files that are text, by path."""
    found = {}
    for path in folder.rglob("*"):
        if path.suffix in (".py", ".ipynb", ".json", ".md", ".txt", ".toml"):
            found[path] = path.read_text(encoding="utf-8")
    return found


def body(function):
    """Return the lines of a function after its docstring, as they stand in a file; an empty text without any."""
    if not inspect.isfunction(function) or function.__name__ == "<lambda>":
        return ""
    source = textwrap.dedent(inspect.getsource(function))
    first = ast.parse(source).body[0].body[bool(function.__doc__) :]
    return "\n".join(source.splitlines()[first[0].lineno - 1 :]) if first else ""


def test_no_answer_can_be_read(edition):
    folders = answers(edition)
    assert len(folders) == 2
    for folder in folders:
        modules = [path.read_text(encoding="utf-8") for path in folder.rglob("*.py")]
        assert modules
        assert {len(text.splitlines()) for text in modules} == {5}
    assert not (edition / "solutions").exists()
    everything = "\n".join(textwrap.dedent(text) for text in texts(edition).values())
    exercises = [exercise for unit in units() for exercise in unit.exercises]
    right = [body(exercise.reference) for exercise in exercises]
    wrong = [body(mistake.function) for exercise in exercises for mistake in exercise.mistakes]
    for bodies in (right, wrong):
        long = [one for one in bodies if len(one.splitlines()) >= MIN_LINES]
        assert len(long) > 30
        assert [one for one in long if one in everything] == []


def test_the_edition_does_not_name_its_folder(edition):
    unpacked = [unpacked_text(path.read_text()) for part in answers(edition) for path in part.rglob("*.py")]
    packed = (zlib.decompress(path.read_bytes()).decode() for path in edition.rglob("*.z"))
    texts = [*unpacked, *packed]
    assert len(texts) > 100
    assert not [text for text in texts if str(edition.parent) in text or str(ROOT) in text]


def unpacked_text(module):
    """Return what is packed in a module, as a determined reader would find it."""
    return zlib.decompress(b85decode(re.search(r'b85decode\("(.*)"\)', module)[1])).decode()


def test_it_checks_and_names_mistakes(edition):
    assert run(edition, "-c", TRY) == "no-exponential\n"


def test_an_edited_reference_runs_without_its_source(edition):
    mistake = "next(m for m in find('swiglu').mistakes if m.id == 'sigmoid-without-brackets')"
    code = f"import numpy as np; from autograder.registry import find; print({mistake}.function(*[np.eye(1)] * 4))"
    assert run(edition, "-c", code).startswith("[[1.36787944")


def test_a_solution_is_shown_from_its_date_on(edition):
    shown, closed, missing, _ = run(edition, "-c", ASK, "softmax", "relu", "one_hot").split("=====")
    assert "return exponentials /" in shown
    assert closed == (
        "The solution of `relu` can be seen from 7 May 2999, 08:00 (UTC+02:00) on, which is what your instructor has "
        "decided."
    )
    assert missing == "This edition of the course does not hold its solutions. Ask your instructor."


def test_a_solution_opens_at_the_very_moment(monkeypatch, tmp_path):
    (tmp_path / solutions.PACKED).write_bytes(solutions.packed(OPENS))
    source, lookalike = solutions.source_of("relu"), solutions.lookalike_of("relu")

    def no_source(name):
        raise OSError

    monkeypatch.setattr(solutions, "__file__", str(tmp_path / "solutions.py"))
    monkeypatch.setattr(solutions, "source_of", no_source)
    monkeypatch.setattr(solutions, "lookalike_of", no_source)
    opens = datetime(2999, 5, 7, 6, tzinfo=UTC)
    assert solutions.shown("relu", opens) == source
    assert solutions.lookalike_shown("relu", opens) == lookalike != source
    with pytest.raises(solutions.NotShown, match="from 7 May 2999"):
        solutions.shown("relu", opens - timedelta(seconds=1))
    with pytest.raises(solutions.NotShown, match="from 7 May 2999"):
        solutions.lookalike_shown("relu", opens - timedelta(seconds=1))
    (tmp_path / solutions.PACKED).unlink()
    with pytest.raises(solutions.NotShown, match="does not hold"):
        solutions.shown("relu", opens)


def test_a_class_has_its_own_dates_and_notebooks(tmp_path, monkeypatch, capsys):
    own, unit = tmp_path / "algebra", units()[2].id
    found(own, ROOT, [unit])
    path = own / "notebooks" / "START_HERE.ipynb"
    path.write_text(path.read_text(encoding="utf-8").replace("ransformer", "RANSFORMER"), encoding="utf-8")
    monkeypatch.chdir(own)
    for text, told in (("", "It holds no solutions"), ("solutions = 2999-05-07T08:00:00+02:00", f"of {unit} open at")):
        (own / "course.toml").write_text(f"[units.{unit}]\n{text}\n")
        edition = tmp_path / f"edition {len(text)}"
        assert cli.main(["edition", str(edition)]) == 0
        assert told in capsys.readouterr().out
        assert (edition / "autograder" / solutions.PACKED).exists() == bool(text)
        assert "RANSFORMER" in (edition / "notebooks" / path.name).read_text(encoding="utf-8")


FOLLOW = """
import json
from autograder import check, hint, progress, solution
def softmax(x, axis=-1):
    return x / x.sum(axis=axis, keepdims=True)
def attention_scores(Q, K):
    raise NotImplementedError
def relu(x):
    return x + 1
row, _ = progress().units
print(json.dumps([check(softmax).report, check(attention_scores).report, check(relu).report, str(hint("softmax")),
    str(hint("relu")), str(solution("relu")), row.due, row.unit.points, row.unit.exercises[0].points]))
"""


@pytest.mark.exhaustive
def test_the_edition_follows_its_class(tmp_path, monkeypatch, capsys):
    """In checks, progress and hints, in its texts and its start page; it says nothing on any student."""
    own, unit, other = tmp_path / "algebra", units()[2], units()[6]
    softmax, scores, *_ = unit.exercises
    found(own, ROOT, [unit.id, other.id])
    (own / "course.toml").write_text(
        f"[units.{unit.id}]\ndue = 2026-12-04T23:59:00+01:00\nwithout = [\"{scores.name}\"]\n"
        f"points = {{ {softmax.name} = 7 }}\nhints = 2999-05-07T08:00:00+02:00\n[units.{other.id}]\nexam = true\n"
        f'[[excused]]\nstudent = "secret-id"\nunit = "2"\n'
    )
    monkeypatch.chdir(own)
    edition = tmp_path / "edition"
    assert cli.main(["edition", str(edition)]) == 0
    capsys.readouterr()
    told = json.loads(run(edition, "-c", FOLLOW))
    wrong, left_out, exam, closed, none, no_solution, due, points, most = told
    assert "of 7 points" in wrong
    assert "does not count in your class" in left_out
    assert exam == "EXAM. `relu` can be called. Whether it is right is told when it has been graded."
    assert "open on 7 May 2999, 08:00 (UTC+02:00)" in closed
    assert none == no_solution == "In your class this unit has no hints and shows no solutions."
    rest = unit.points - softmax.points - scores.points
    assert (due, points, most) == ("4 December 2026, 23:59 (UTC+01:00)", rest + 7, 7)
    everything = texts(edition)
    page = everything[edition / "notebooks" / "START_HERE.ipynb"]
    assert f"]({unit.id}/{unit.id}.ipynb), due on {due}" in page
    assert re.findall(r"\]\((\d\d)_", page) == [unit.id[:2], other.id[:2]]
    for part in ("notebooks", "released"):
        text = everything[edition / part / unit.id / f"{unit.id}.ipynb"]
        assert f"**{rest + 7:g} points, due on {due}, " in text
        assert "*7 points, about" in text
        assert "*this exercise does not count in your class, about" in text
        assert "Hint 1" not in text + everything[edition / part / other.id / f"{other.id}.ipynb"]
    assert [path.stem for path in sorted((edition / "autograder").rglob(f"hints/{other.id[:2]}_*.json"))] == []
    assert (edition / "autograder" / "exercises" / "hints" / f"{unit.id}.json").exists()
    assert not [path for path, text in everything.items() if "secret-id" in text]


@pytest.mark.exhaustive
def test_a_notebook_can_be_set_back(edition):
    unit = units()[2].id
    path = edition / "notebooks" / unit / f"{unit}.ipynb"
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace("raise NotImplementedError", "return 0"), encoding="utf-8")
    assert "is as it was released" in run(edition, "-m", "autograder.cli", "reset", "02", "--yes", where=".")
    assert path.read_text(encoding="utf-8") == before


def test_it_is_for_every_version_of_python(edition):
    """Nothing in it is compiled, and it installs as the course does."""
    compiled = {".pyc", ".pyo", ".so", ".pyd"}
    assert not [path for path in edition.rglob("*") if path.suffix in compiled and "__pycache__" not in path.parts]
    text = (edition / "pyproject.toml").read_text(encoding="utf-8")
    assert text == (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert "It needs Python >=3.11." in (edition / "README.md").read_text(encoding="utf-8")


LOOK = """
import inspect, linecache
from autograder.registry import find
exercise = find("softmax")
for function in (exercise.reference, exercise.mistakes[0].function, exercise.claims[0].test):
    try:
        print(inspect.getsource(function))
    except OSError:
        print("no source")
    print(linecache.getlines(function.__code__.co_filename))
"""


def test_nothing_quotes_what_is_packed(edition):
    """A learner who asks for the source of a right function, `softmax??`, or sees a traceback, reads no line of it."""
    assert run(edition, "-c", LOOK).splitlines() == ["no source", "[]"] * 3


def test_the_zip_is_the_folder(edition, tmp_path):
    as_zip(edition, tmp_path / "one.zip")
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        names = archive.namelist()
    assert {name.split("/")[0] for name in names} == {edition.name}
    assert f"{edition.name}/notebooks/START_HERE.ipynb" in names


def test_what_somebody_has_worked_in_is_not_released(tmp_path, capsys):
    source = tmp_path / "course"
    shutil.copytree(ROOT / "notebooks", source / "notebooks")
    unit = units()[0].id
    path = source / "notebooks" / unit / f"{unit}.ipynb"
    path.write_text(path.read_text(encoding="utf-8").replace("raise NotImplementedError", "return 0"), encoding="utf-8")
    with pytest.raises(NotReleased, match=unit):
        write_edition(source, tmp_path / "edition")
    assert cli.main(["edition", str(tmp_path), "--from", str(ROOT)]) == 1
    assert "exists already" in capsys.readouterr().err
