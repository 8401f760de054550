"""The learners' edition: it checks, names mistakes and sets back, and holds no text of an answer."""

import ast
import inspect
import os
import shutil
import subprocess
import sys
import textwrap
import zipfile

import pytest

from autograder import cli
from autograder.authoring.edition import ANSWERS, NotReleased, as_zip, write_edition
from autograder.exercises import units
from tests.support.course import ROOT

TRY = """
from autograder import check, hint, solution
def softmax(x, axis=-1):
    return x / x.sum(axis=axis, keepdims=True)
verdict = check(softmax).verdict
for _ in range(3):
    hint("softmax")
print(verdict.mistake.id, "|", solution("softmax").__dict__ or solution("softmax"))
"""
MIN_LINES = 3  # of a function's body that can only be that of the answer


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made") / "transformer"
    write_edition(ROOT, folder)
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
    for part in ANSWERS:
        assert not list((edition / part).rglob("*.py"))
        assert list((edition / part).rglob("*.pyc"))
    assert not (edition / "solutions").exists()
    everything = "\n".join(textwrap.dedent(text) for text in texts(edition).values())
    exercises = [exercise for unit in units() for exercise in unit.exercises]
    right = [body(exercise.reference) for exercise in exercises]
    wrong = [body(mistake.function) for exercise in exercises for mistake in exercise.mistakes]
    for bodies in (right, wrong):
        long = [one for one in bodies if len(one.splitlines()) >= MIN_LINES]
        assert len(long) > 30
        assert [one for one in long if one in everything] == []


def test_nothing_in_it_names_the_folder_that_it_was_made_in(edition):
    compiled = [path.read_bytes() for path in edition.rglob("*.pyc")]
    assert not [content for content in compiled if str(edition.parent).encode() in content]


def test_it_checks_and_names_mistakes_and_shows_no_solution(edition):
    printed = run(edition, "-c", TRY)
    mistake, _, solution = printed.partition(" | ")
    assert mistake == "no-exponential"
    assert "does not hold its solutions" in solution


def test_a_notebook_can_be_set_back(edition):
    unit = units()[2].id
    path = edition / "notebooks" / unit / f"{unit}.ipynb"
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace("raise NotImplementedError", "return 0"), encoding="utf-8")
    assert "is as it was released" in run(edition, "-m", "autograder.cli", "reset", "02", "--yes", where=".")
    assert path.read_text(encoding="utf-8") == before


def test_it_is_for_one_version_of_python(edition):
    text = (edition / "pyproject.toml").read_text()
    assert 'requires-python = "=={}.{}.*"'.format(*sys.version_info) in text
    assert 'artifacts = ["*.pyc"]' in text


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
