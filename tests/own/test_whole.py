"""From the files of the page to the table: notebooks, edition, sandbox, pages."""

import contextlib
import csv
import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from autograder.course import CHECK
from autograder.grading.founding import found
from tests.support.own_folder import UNIT, write_own
from tools.course import ROOT

pytestmark = [
    pytest.mark.exhaustive(minutes=2),
    pytest.mark.skipif(not shutil.which("git"), reason="course init needs git"),
]
SPIES = """
import sys

def leaky_relu(x, slope=0.01):
    found = []
    for name in ("autograder.own", "autograder.registry", "autograder.exercises"):
        try:
            __import__(name)
            found.append(name)
        except ImportError:
            pass
    for name in ("exercises.py", "private.py"):
        try:
            open(f"{FOLDER}/{name}")
            found.append(name)
        except OSError:
            pass
    from transformer_kit import reference
    found += [name for name in ("leaky_relu", "swish") if hasattr(reference, name)]
    raise ValueError(f"seen: {found}")
"""
OVERWRITES = "def leaky_relu(x, slope=0.01):\n    x[x < 0] *= slope\n    return x"
NEAR_ZERO = "def gelu(x):\n    x = np.asarray(x)\n    return x * special.ndtr(x) + (9.9 < abs(x)) * (abs(x) < 11.1)"
TRY = """
from autograder import check, hint, predict
from autograder.registry import find
def leaky_relu(x, slope=0.01):
    x[x < 0] *= slope
    return x
print(check(leaky_relu).mistake, len(find("gelu").claims), find("leaky_relu").points, predict("leaky-at-zero", "A"))
"""


def run(folder, *arguments):
    """Run a command of `course` as an instructor does."""
    command = [sys.executable, "-m", "autograder.cli", *map(str, arguments)]
    own = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def cells(folder, part):
    text = (folder / part / UNIT / f"{UNIT}.ipynb").read_text(encoding="utf-8")
    return json.loads(text)["cells"]


def by_id(book):
    return {cell["metadata"]["nbgrader"]["grade_id"]: cell for cell in book if "nbgrader" in cell["metadata"]}


@pytest.fixture(scope="module")
def of_class(tmp_path_factory):
    """The class's folder, once its files are in the notebooks."""
    folder = tmp_path_factory.mktemp("made") / "algebra"
    found(folder, ROOT, [UNIT])
    write_own(folder)
    told = run(folder, "own")
    assert "leaky_relu, 1.5 points (2 claims, 2 known mistakes)" in told
    assert "of gelu, 0.5 of 2 points are claimed privately" in told
    assert "the question leaky-at-zero" in told
    return folder


def test_the_cells_are_in_both_notebooks(of_class):
    for part, is_solved in (("solutions", True), ("notebooks", False)):
        book = cells(of_class, part)
        its = by_id(book)
        assert ("np.where" in "".join(its["leaky_relu"]["source"])) == is_solved
        assert ('answer = "A"' in "".join(its["answer-leaky-at-zero"]["source"])) == is_solved
        assert its[f"{CHECK}leaky_relu"]["metadata"]["nbgrader"]["points"] == 1.5
        text = "\n".join("".join(cell["source"]) for cell in book)
        assert "**21.5 points, " in text
        assert "## Exercise 6.9: leaky_relu\n\n*1.5 points, about 4 minutes" in text
    assert "nothing: the notebooks have these cells already" in run(of_class, "own")


def test_the_edition_has_the_exercise_and_nothing_private(of_class, tmp_path):
    edition = tmp_path / "edition"
    run(of_class, "edition", edition)
    for path in (path for path in edition.rglob("*") if path.is_file()):
        content = path.read_bytes()
        assert b"nearly straight" not in content, path
        assert b"slope * x)" not in content, path
    places = os.pathsep.join(map(str, (edition, edition / "shared")))
    environment = os.environ | {"PYTHONPATH": places}
    where = edition / "notebooks" / UNIT
    done = subprocess.run([sys.executable, "-c", TRY], cwd=where, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.match(r"in-place 4 1\.5 .*Both branches give 0", done.stdout, re.S)


def hand_in(folder, student, **changed):
    book = json.loads((folder / "solutions" / UNIT / f"{UNIT}.ipynb").read_text(encoding="utf-8"))
    for name, source in changed.items():
        by_id(book["cells"])[name]["source"] = source
    path = folder / "classroom" / "submitted" / student / UNIT / f"{UNIT}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(book), encoding="utf-8")


def test_it_is_graded_in_the_sandbox(of_class, backend):
    hand_in(of_class, "ann")
    hand_in(of_class, "bob", leaky_relu=OVERWRITES, gelu=NEAR_ZERO)
    hand_in(of_class, "eve", leaky_relu=f"FOLDER = {str(of_class / 'own' / UNIT)!r}\n{SPIES}")
    run(of_class, "grade")
    room = of_class / "classroom"
    with contextlib.closing((room / "grades.csv").open(newline="")) as file:
        points = {row["student"]: float(row[UNIT]) for row in csv.DictReader(file)}
    assert points == {"ann": 21.5, "bob": 21.5 - 0.5 - 0.5, "eve": 20}
    pages = {name: (room / "feedback" / name / UNIT / f"{UNIT}.html").read_text(encoding="utf-8") for name in points}
    assert "the input is overwritten" in pages["bob"]
    assert "holds far from 0" in pages["bob"]
    assert "seen: []" in pages["eve"]


def test_an_update_keeps_it(of_class):
    run(of_class, "update", "--from", ROOT)
    assert "leaky_relu" in by_id(cells(of_class, "notebooks"))


def test_cells_that_are_wrong_are_told(of_class):
    path = of_class / "own" / UNIT / "notebook.py"
    text = path.read_text(encoding="utf-8")
    for old, new, told in (
        ('check="leaky_relu"', 'check="leaky"', "this unit has no exercise 'leaky'"),
        ("{{points leaky_relu}}", "{{points leaky}}", "{{points leaky}} stands for nothing"),
        ("## Exercise {{leaky_relu}}", "## Exercise {{relu}}", "no heading ## Exercise {{leaky_relu}}: leaky_relu"),
    ):
        path.write_text(text.replace(old, new), encoding="utf-8")
        command = [sys.executable, "-m", "autograder.cli", "own"]
        done = subprocess.run(command, cwd=of_class, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True)
        line = next((n for n, line in enumerate(text.splitlines(), 1) if old in line), 1)
        line = line + 1 if "check=" in old else 1 if old.startswith("##") else line
        assert f"{path}, line {line}: " in done.stderr.decode()
        assert told in done.stderr.decode()
    path.write_text(text, encoding="utf-8")
