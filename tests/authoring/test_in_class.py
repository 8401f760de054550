"""A released notebook as a class gives it: its points, its date, what does not count, its hints."""

import json
import shutil
from datetime import datetime, timedelta, timezone

import pytest

from autograder.authoring.in_class import adapt
from autograder.authoring.stamp import is_edited
from autograder.decisions.decided import Decisions, OfUnit
from autograder.registry import units
from tools.course import ROOT

UNIT, OTHER = units()[2], units()[3]
FIRST, SECOND, *REST = UNIT.exercises
DUE = datetime(2026, 12, 4, 22, 59)
ZONE = timezone(timedelta(hours=1))


@pytest.fixture
def book(tmp_path):
    """Adapt a copy of the unit's notebook, or of the start page, to a class; return its text and its cells."""

    def adapted(decisions, name=f"{UNIT.id}/{UNIT.id}.ipynb"):
        path = tmp_path / name.rpartition("/")[2]
        shutil.copyfile(ROOT / "notebooks" / name, path)
        adapt(path, decisions)
        assert not is_edited(path)
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return "\n".join("".join(cell["source"]) for cell in cells), cells

    return adapted


def test_points_and_date_stand_in_the_text(book):
    decided = OfUnit(due=DUE, zone=ZONE, without=(SECOND.name,), points={FIRST.name: 7})
    text, cells = book(Decisions({UNIT.id: decided}))
    total = UNIT.points - FIRST.points - SECOND.points + 7
    assert f"**{total:g} points, due on 4 December 2026, 23:59 (UTC+01:00), " in text
    plain = text.replace("\n\n", "\n")
    assert f"Exercise 2.1: {FIRST.name}\n*7 points, about" in plain
    assert f"Exercise 2.2: {SECOND.name}\n*this exercise does not count in your class, about" in plain
    marks = [cell["metadata"].get("nbgrader", {}) for cell in cells]
    points = {one["grade_id"]: one["points"] for one in marks if one.get("grade")}
    assert points[f"check-{FIRST.name}"] == 7
    assert points[f"check-{SECOND.name}"] == 0
    assert sum(points.values()) == total


@pytest.mark.parametrize("decided", [OfUnit(hints=False), OfUnit(hints=datetime.now(ZONE)), OfUnit(exam=True)])
def test_hints_that_are_closed_are_taken_out(book, decided):
    text, cells = book(Decisions({UNIT.id: decided}))
    assert "Hint 1" not in text
    assert all(cell["source"] for cell in cells if cell["cell_type"] == "markdown")
    assert "Hint 1" in book(Decisions({UNIT.id: OfUnit()}))[0]


def test_the_start_page_lists_the_classes_units(book):
    dated = OfUnit(due=DUE, zone=ZONE)
    text, _ = book(Decisions({UNIT.id: dated, OTHER.id: OfUnit()}), "START_HERE.ipynb")
    assert f"]({UNIT.id}/{UNIT.id}.ipynb), due on 4 December 2026, 23:59 (UTC+01:00) ·\n" in text
    assert f"]({OTHER.id}/{OTHER.id}.ipynb)" in text
    assert units()[0].id not in text


def test_a_class_without_decisions_changes_nothing(book):
    for name in (f"{UNIT.id}/{UNIT.id}.ipynb", "START_HERE.ipynb"):
        _, cells = book(Decisions(), name)
        assert cells == json.loads((ROOT / "notebooks" / name).read_text(encoding="utf-8"))["cells"]
