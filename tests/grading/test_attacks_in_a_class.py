"""A class full of attackers is graded to the end: they get what their functions are worth, and the others theirs."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys

import nbformat
import pytest

from tests.attacks import ATTACKS, WRONG
from tests.attacks.attack import START
from tests.attacks.notebooks import BOOKS, NAMES, SCRIPT, SOURCES, beside, link, under_other_names, with_source, write
from tests.attacks.stage import Stage
from tests.support.judging import unit
from tools.course import ROOT, fill, solved

pytestmark = [pytest.mark.exhaustive(minutes=1), pytest.mark.filterwarnings("ignore")]  # nbgrader's own warnings
UNIT = unit(2)
MARKUP = (SCRIPT, "<script>alert", "<iframe src", "onerror=alert(1)>")
BESIDE = {"files-beside": beside, "a-link": link, "under-other-names": under_other_names}
NUMBER = re.compile(r"-?[\d.]+")
EACH = 2  # attackers of a family


def attackers():
    """Return some attacks of every family on softmax, by the names of the students who hand them in."""
    counts, found = {}, {}
    for name, attack in ATTACKS.items():
        if attack.exercise == "softmax" and not attack.slow and not attack.honest:
            counts[attack.family] = counts.get(attack.family, 0) + 1
            if counts[attack.family] <= EACH:
                found[f"{attack.family.replace(' ', '-')}-{counts[attack.family]}"] = name
    return found


def hand_in(folder, stage):
    """Write the submissions of the class."""
    right = solved(UNIT)
    for student in ("honest-1", "nobody", "zoe"):
        write(fill(UNIT, right), folder / student / UNIT.id)
    for student, name in attackers().items():
        write(fill(UNIT, right | {"softmax": ATTACKS[name].solution(stage.places)}), folder / student / UNIT.id)
    wrong = right | {"softmax": f"STAGE = {stage.places!r}\n{START}\n{WRONG['softmax']}"}
    for student, change in (BOOKS | {name: with_source(name) for name in SOURCES}).items():
        book = fill(UNIT, wrong)
        change(book)
        write(book, folder / student / UNIT.id)
    for student in NAMES:
        write(fill(UNIT, wrong), folder / student / UNIT.id)
    for student, change in BESIDE.items():
        write(fill(UNIT, wrong), folder / student / UNIT.id)
        change(folder / student / UNIT.id)


@pytest.fixture(scope="module")
def graded(backend, tmp_path_factory):
    """Return the stage, the folder of the class after grading, the finished command, and the records by student."""
    root = tmp_path_factory.mktemp("course")
    for part in ("solutions", "notebooks"):
        shutil.copytree(ROOT / part, root / part)
    with Stage() as stage:
        hand_in(root / "classroom" / "submitted", stage)
        command = [sys.executable, "-m", "autograder.cli", "grade", "--json", "--jobs", "2"]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
        touched = stage.touched()
    room = root / "classroom"
    records = {}
    for path in room.glob("records/*/*/*.*.json"):
        record = json.loads(path.read_text())
        records.setdefault(record["student"], {})[record["exercise"]] = record
    return stage, room, done, touched, records


def test_the_class_is_graded_to_the_end(graded):
    _, room, done, touched, records = graded
    assert touched == []
    summary = json.loads(done.stdout)
    assert summary["without_verdict"] == []
    expected = {"honest-1", "nobody", "zoe", *attackers(), *BOOKS, *SOURCES, "files-beside"}
    assert expected <= set(records)
    with (room / "grades.csv").open(newline="") as file:
        students = {row["student"] for row in csv.DictReader(file)}
    assert expected <= students
    assert not [name for name in students if name.startswith(("=", "@", "+", "-"))]  # a formula for a spreadsheet


def test_everybody_gets_what_the_functions_are_worth(graded):
    *_, records = graded
    full = {exercise.name: exercise.points for exercise in UNIT.exercises}
    for student in ("honest-1", "nobody", "zoe"):
        assert {name: record["points"] for name, record in records[student].items()} == full
    forged = {s: r["softmax"]["points"] for s, r in records.items() if s in attackers() and r["softmax"]["points"] != 0}
    assert forged == {}
    for student in (*BOOKS, "files-beside", "under-other-names"):
        points = {name: record["points"] for name, record in records[student].items()}
        assert points == full | {"softmax": 0}, student
    for student in SOURCES:
        assert records[student]["softmax"]["points"] == 0
        assert records[student]["attention_scores"]["points"] == full["attention_scores"], student


def test_work_under_anothers_name_is_refused_and_told(graded):
    _, room, done, *_ = graded
    refused = [one for one in json.loads(done.stdout)["refused"] if "is from under-other-names" in one]
    assert len(refused) == 8
    for student in ("honest-1", "zoe", "under-other-names"):
        page = room / "feedback" / student / UNIT.id / f"{UNIT.id}.html"
        assert "Whose work is whose" in page.read_text(encoding="utf-8"), student


def test_the_records_note_whom_to_review(graded):
    *_, records = graded
    for student in ("frames-1", "kernel-1", "exits-1"):
        assert records[student]["softmax"]["note"]


def test_no_page_says_what_it_must_not(graded):
    stage, room, *_ = graded
    for path in [*room.glob("feedback/*/*/*.html"), *room.glob("report/*.html"), *room.rglob("*.csv")]:
        text = path.read_text(encoding="utf-8")
        marks = MARKUP if path.suffix == ".html" else MARKUP[:-1]  # tables hold names, and the last is in somebody's
        assert not [mark for mark in (stage.token, *marks) if mark in text], path


def test_no_table_holds_a_formula(graded):
    _, room, *_ = graded
    for path in room.rglob("*.csv"):
        with path.open(newline="", encoding="utf-8") as file:
            texts = [cell for row in csv.reader(file) for cell in row if not NUMBER.fullmatch(cell)]
        assert not [text for text in texts if text.startswith(("=", "+", "-", "@"))], path


def test_no_autograded_notebook_runs_what_an_attacker_wrote(graded):
    """Formgrader shows outputs and Markdown as they are."""
    _, room, *_ = graded
    for path in room.glob("autograded/*/*/*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            shown = [cell.source] if cell.cell_type == "markdown" else [str(o) for o in cell.get("outputs", ())]
            tags = ("<script", "<img", "<iframe", "<svg", "](javascript")
            assert not [text for text in shown if any(tag in text for tag in tags)], path
